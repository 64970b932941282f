"""The fixtures of the app, with players who are asked before they are seated."""

import pytest
from flask import Flask

from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.conftest import ann, app, caller, make_app
from tests.conftest import Database
from tests.forming.tables import People

__all__ = ["ann", "app", "caller", "make_app"]


@pytest.fixture
def config(database: Database) -> Config:
    """Ask players, without rate limits, on each store in turn."""
    return Config(data=database.data, database_url=database.url, hashing="cheapest", limits=NO_LIMITS)


@pytest.fixture
def people(app: Flask) -> People:
    """The players of a new server."""
    return People(app)
