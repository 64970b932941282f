"""Each test of the store draws the same values in every run, in any order and any process."""

import pytest

from tests.domain.store import storing


@pytest.fixture(autouse=True)
def seed_from_test_name(request: pytest.FixtureRequest) -> None:
    """Draw ids, salts and deals from the test's name."""
    storing.chance.seed(request.node.name)
