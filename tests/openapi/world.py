"""A server with games, tables, disputes and reports, so that random requests find something."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask

from api.app import create_app
from api.config import NO_LIMITS, Config
from api.people.stored import roles
from tests.api.conftest import PASSWORD, Caller, services_of

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
    config = Config(data=data, hashing="cheapest", limits=NO_LIMITS, seating="at-once")
    app = create_app(config)
    with closing(services_of(app)):
        yield _world(app)


def _world(app: Flask) -> World:
    stranger = Caller(app.test_client())
    people = {name: stranger.join(name) for name in ("ann", "bob", "mod")}
    accounts = services_of(app).accounts
    for role in (roles.MODERATOR, roles.ARBITER):
        accounts.roles.grant(_id(people["mod"]), role)
    body = {"name": "mod", "password": PASSWORD, "scope": "moderate"}
    moderator = stranger.post("/tokens", body).get_json()["token"]
    known = _fill(app, people)
    tokens = {name: caller.token for name, caller in people.items()} | {"moderator": moderator, "stranger": None}
    return World(app, tokens, known)


def _id(caller: Caller) -> str:
    return str(caller.get("/me").get_json()["id"])


def _fill(app: Flask, people: Mapping[str, Caller]) -> dict[str, list[Any]]:
    """Play a game, leave others running and forming, and return what exists."""
    ann, bob = people["ann"], people["bob"]
    played = _open(ann, ["ann", "bob"])
    for _ in range(40):
        view = ann.get(f"/games/{played}").get_json()
        seat = view["turn"]["seats"][0]
        mover = (ann, bob)[seat]
        mover.post(f"/games/{played}/moves", mover.get(f"/games/{played}/seats/{seat}").get_json()["you"]["legal"][0])
    running, forming = _open(ann, ["ann", "bob", "bot:simple"]), _open(ann, ["ann", "open", "invite"])
    ann.post(f"/games/{played}/disputes", {"hand": 1, "kind": "score", "text": "The ten was mine."})
    invitation = ann.post(f"/games/{forming}/invitations", {"uses": 3}).get_json()
    message = ann.post(f"/games/{played}/chat", {"text": "Hello."}).get_json()["id"]
    report = bob.post("/reports", {"about": "ann", "kind": "spam", "text": "Too many greetings."}).get_json()["report"]
    offer = ann.post(f"/games/{running}/handovers", {"to": "mod"}).get_json()["id"]
    services_of(app).followers.catch_up()
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


def _open(caller: Caller, seats: list[str]) -> str:
    return str(caller.post("/games", PITCH | {"seats": seats}).get_json()["id"])
