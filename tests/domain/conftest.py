"""The tests of the store tell one story each, whichever of them run before it and in whatever process."""

import pytest

from tests.domain import storing


@pytest.fixture(autouse=True)
def one_story(request: pytest.FixtureRequest) -> None:
    """Ids, salts and deals are drawn from the test's name."""
    storing.chance.seed(request.node.name)
