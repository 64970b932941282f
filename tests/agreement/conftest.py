"""The verifiers in JavaScript and in Go."""

from tests.verifiers.conftest import verifier
from tests.web.conftest import browser, engine

__all__ = ["browser", "engine", "verifier"]
