"""The fixtures of the app."""

from tests.api.conftest import ann, app, caller, config, make_app

__all__ = ["ann", "app", "caller", "config", "make_app"]
