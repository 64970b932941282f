"""A server for all tests of the pages, and people with browsers."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.api.server_process import start_server
from tests.conftest import Database
from tests.web.pages.visitors import Visitor, visitor


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server that asks people before it seats them."""
    with start_server(Database(None, tmp_path_factory.mktemp("pages")), SEATING="asked") as serving:
        yield serving.url
        assert serving.stop() == 0


@pytest.fixture
def stranger(browser: Browser, home: str) -> Iterator[Visitor]:
    """Return the browser of somebody who has never been here."""
    with visitor(browser, home) as made:
        yield made


@pytest.fixture
def friend(browser: Browser, home: str) -> Iterator[Visitor]:
    """Return another person's browser."""
    with visitor(browser, home) as made:
        yield made
