"""A server with games, tables, disputes and reports, so that random requests find something."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask

from tests.api.conftest import Caller
from tests.api.live_server import GameServer, open_server
from tests.conduct.conftest import moderator

PITCH = {"variant": "pitch", "options": {"win": 7}}


@dataclass(frozen=True)
class World:
    """The app, the tokens of its callers by name (None for a stranger), and values for variables of paths."""

    app: Flask
    tokens: Mapping[str, str | None]
    known: Mapping[str, list[Any]]


@contextmanager
def open_world(data: Path) -> Iterator[World]:
    """Open a server with everything that a path can name."""
    with open_server(data) as server:
        server.role("mod", "arbiter")
        known = _fill(server, server["ann"], server["bob"])
        tokens = {name: caller.token for name, caller in server.people.items()}
        yield World(server.app, tokens | {"moderator": moderator(server.app, "mod").token, "stranger": None}, known)


def _fill(server: GameServer, ann: Caller, bob: Caller) -> dict[str, list[Any]]:
    """Play a game, leave others running and forming, and return what exists."""
    game = server.open(["ann", "bob"], options={"win": 7})
    for _ in range(40):
        game.move(game.turn, game.legal(game.turn)[0])
    played, running = game.id, server.open(["ann", "bob", "bot:simple"], options={"win": 7}).id
    forming = ann.post("/games", PITCH | {"seats": ["ann", "open", "invite"]}).get_json()["id"]
    ann.post(f"/games/{played}/disputes", {"hand": 1, "kind": "score", "text": "The ten was mine."})
    invitation = ann.post(f"/games/{forming}/invitations", {"uses": 3}).get_json()
    message = ann.post(f"/games/{played}/chat", {"text": "Hello."}).get_json()["id"]
    report = bob.post("/reports", {"about": "ann", "kind": "spam", "text": "Too many greetings."}).get_json()["report"]
    offer = ann.post(f"/games/{running}/handovers", {"to": "mod"}).get_json()["id"]
    server.follow()
    return {
        "game": [played, running, forming, "1"],
        "hand": [1, 2],
        "seat": [0, 1],
        "dispute": [1],
        "token": [invitation["token"]],
        "invitation": [invitation["id"]],
        "message": [message],
        "report": [report],
        "offer": [offer],
        "name": ["bob"],
        "slug": ["must-follow"],
        "file": ["verify.js", "docs.js"],
    }
