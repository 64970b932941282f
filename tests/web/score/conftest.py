"""A server with games of every variant, one of them with a ruling, and a browser that opens its pages."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.api.arbiters import created, give_ruling, open_dispute
from tests.api.live_server import PEOPLE, GameServer, ServedGame, open_server
from tests.api.server_process import start_server
from tests.conftest import Database
from tests.web.pages.visitors import Visitor, visitor

HANDS = 2
CHANGES: dict[str, Any] = {"randomizer": {"when": [1, 2], "end": [1, 10_000]}}
BOARDS = {"pitch": 1, "setback": 2, "blackout": 3, "corellian": 4}


@pytest.fixture(scope="package")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server with finished games, two of them ruled on, a private one, and a running one."""
    data = tmp_path_factory.mktemp("scores")
    with open_server(data) as server:
        server.people["rhea"] = server.role("rhea", "arbiter")
        pitch = play(server, ["ann", "bob", "cat"], "pitch", {"win": 21})
        created(open_dispute(pitch, 0, hand=pitch.public["last_hand"]["hand"]))
        created(give_ruling(pitch, "rhea", "adjust", changes=[4, -3, 0]))
        play(server, PEOPLE, "setback", {})
        play(server, PEOPLE, "blackout", {})
        play(server, PEOPLE, "corellian", CHANGES)
        private = {"variant": "pitch", "seats": ["ann", "bob"], "watch": {"public": False}}
        hidden = created(server["ann"].post("/games", private))["id"]
        assert server["bob"].post(f"/games/{hidden}/moves", {"type": "resign"}).status_code == 201
        server.open(["ann", "bob"])
        ruled = server.open(["dan", "fay"], options={"win": 7})
        ruled.play(lambda view: view["status"] == "finished")
        created(open_dispute(ruled, 0, hand=ruled.public["last_hand"]["hand"]))
        changes = [-30, 30] if ruled.public["result"]["winners"] == [0] else [30, -30]
        created(give_ruling(ruled, "rhea", "adjust", changes=changes))
        server.follow()
    with start_server(Database(None, data)) as serving:
        yield serving.url
        assert serving.stop() == 0


def play(server: GameServer, names: list[str], variant: str, options: dict[str, Any]) -> ServedGame:
    """Play some hands, in which somebody always bids, and let everybody but one resign."""
    game = server.open(names, variant, options=options)
    for _ in range(HANDS):
        game.play_hand()
    game.finish()
    return game


@pytest.fixture
def stranger(browser: Browser, home: str) -> Iterator[Visitor]:
    """Return the browser of somebody who isn't signed in."""
    with visitor(browser, home) as made:
        yield made
