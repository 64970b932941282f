"""The engine that runs the JavaScript, and a browser for the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

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
