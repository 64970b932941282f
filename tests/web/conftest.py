"""The engine that runs the JavaScript, a browser, and one server for all pages, with people and games."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.api.live_server import open_server
from tests.api.server_process import start_server
from tests.conftest import Database
from tests.mail.post_office import DOMAIN, Relay, open_relay
from tests.web.engines import Chromium, Engine, launched, node, nodes
from tests.web.pages.visitors import Visitor, visitor
from tests.web.played import play_games
from tests.web.table.room import Person, Room

LAN_HOST = "cards.local"
"""Another name of this machine, which the browser takes for one on the own network."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser."""
    with launched(f"--host-resolver-rules=MAP {LAN_HOST} 127.0.0.1") as started:
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


@dataclass(frozen=True)
class Village:
    """A running server with its data, its mails, people by name, and games that were played before it started."""

    url: str
    data: Path
    relay: Relay
    people: dict[str, Person]
    rooms: dict[str, Room]


@pytest.fixture(scope="session")
def village(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Village]:
    """The server of all pages: it asks people before it seats them, unless they are of the village, and sends mails.

    It needs the browser, so that without one it isn't started, and so that the worker with the browser has it.
    """
    assert browser.is_connected()
    data, log = tmp_path_factory.mktemp("village"), tmp_path_factory.mktemp("log") / "log"
    with open_server(data) as server:
        people, rooms = play_games(server)
    settings = {"SEATING": "asked", "LIMITS": "off", "INSECURE_LAN": "yes", "MAIL_DOMAIN": DOMAIN}
    with (
        log.open("wb") as stderr,
        open_relay() as relay,
        start_server(Database(None, data), stderr=stderr, SMTP_URL=relay.url, **settings) as serving,
    ):
        for person in people.values():
            person.url = serving.url
        yield Village(serving.url, data, relay, people, rooms)
        assert serving.stop() == 0


@pytest.fixture(scope="session")
def home(village: Village) -> str:
    return village.url


@pytest.fixture(scope="session")
def people(village: Village) -> list[Person]:
    """Four players who are seated without a question."""
    return [village.people[name] for name in ("ann", "bob", "cyd", "dee")]


@pytest.fixture
def stranger(browser: Browser, home: str) -> Iterator[Visitor]:
    """The browser of somebody who has never been here."""
    with visitor(browser, home) as made:
        yield made


@pytest.fixture
def friend(browser: Browser, home: str) -> Iterator[Visitor]:
    """Another person's browser."""
    with visitor(browser, home) as made:
        yield made
