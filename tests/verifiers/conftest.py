"""The verifier, built once for each session."""

import pytest

from tests.verifiers.go import Verifier, build


@pytest.fixture(scope="session")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    """The program in Go."""
    return build(tmp_path_factory.mktemp("go"))
