"""The fixtures of the API's tests, for clocks and hours."""

from tests.api.conftest import app, config, make_app

__all__ = ["app", "config", "make_app"]
