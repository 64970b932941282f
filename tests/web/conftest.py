"""The engine that runs the JavaScript, and a browser for the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.engines import Chromium, Engine, Node, launched, node


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser."""
    with launched() as started:
        yield started


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> Engine:
    """node where there is one, else Chromium."""
    program = node()
    return Node(program) if program else Chromium(request.getfixturevalue("browser"))
