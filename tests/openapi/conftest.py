"""The fixtures of the API's tests, for the description, and an app."""

from collections.abc import Iterator

import pytest
from flask import Flask

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.conftest import make_app, services_of

__all__ = ["make_app"]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An app, whose routes are those of every server."""
    made = create_app(Config(data=tmp_path_factory.mktemp("openapi"), hashing="cheapest", limits=NO_LIMITS))
    yield made
    services_of(made).close()
