"""Fixtures of HTTP tests."""

from tests.api.conftest import app, config, make_app

__all__ = ["app", "config", "make_app"]
