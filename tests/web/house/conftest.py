"""A server of its own: no page of house rules needs a game that was played before."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.api.server_process import start_server
from tests.conftest import Database


@pytest.fixture(scope="session")
def home(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the server."""
    assert browser.is_connected()
    data, log = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("log") / "log"
    with log.open("wb") as stderr, start_server(Database(None, data), stderr=stderr, LIMITS="off") as serving:
        yield serving.url
