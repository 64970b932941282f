"""The fixtures of the API's tests, for hand-overs over HTTP."""

from tests.api.conftest import app, config, make_app

__all__ = ["app", "config", "make_app"]
