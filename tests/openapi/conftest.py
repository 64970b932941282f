"""The fixtures of the API's tests, for the description."""

from tests.api.conftest import make_app

__all__ = ["make_app"]
