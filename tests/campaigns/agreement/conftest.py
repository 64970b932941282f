"""The verifiers in JavaScript and in Go."""

import pytest

from tests.campaigns.agreement.campaign import Readers
from tests.verifiers.conftest import verifier
from tests.verifiers.go import Verifier
from tests.web.conftest import browser, engine
from tests.web.engines import Engine

__all__ = ["browser", "engine", "readers", "verifier"]


@pytest.fixture
def readers(engine: Engine, verifier: Verifier) -> Readers:
    """The readers of the campaign."""
    return Readers(engine, verifier)
