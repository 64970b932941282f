"""The engine that runs the JavaScript, and a browser for the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.api.server_process import start_server
from tests.conftest import Database
from tests.web.engines import Chromium, Engine, launched, node, nodes


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser."""
    with launched() as started:
        yield started


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """node if it's installed, otherwise Chromium."""
    program = node()
    if program is None:
        yield Chromium(request.getfixturevalue("browser"))
        return
    with nodes(program) as started:
        yield started


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server for pages that need no player."""
    with start_server(Database(None, tmp_path_factory.mktemp("data"))) as serving:
        yield serving.url
        assert serving.stop() == 0
