"""The way of five requests through the code: which modules run, and where a lower floor calls up into a higher one.

Each request has been made before, so that imports and caches don't count. It runs in this process on SQLite, with logs
at `info`, chance from a seed and a clock that stands still. Counted are

* the modules of domain, projections, replay and api in which at least one Python function is called,
* the calls, and each time a generator goes on,
* the climbs: distinct pairs of a function that calls and one that is called, if the first is on a lower floor. Frames
  of libraries are skipped, so that a view is called by the function that called Flask.
"""

import argparse
import logging
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from tests.layout.calls import PACKAGES, Trip, module_of
from tests.layout.product import modules
from tests.plugins.chance import seeded_randomness

MINUTE_US, DAY_US = 60_000_000, 86_400_000_000
PASSWORD = "correct-horse"
BOTS = ("bot:simple",) * 3
DOMAIN = "cards.example.org"


@dataclass
class StillClock:
    """A clock that stands still until somebody sets it, in place of all functions of `time` that the product uses."""

    us: int = 1_800_000_000_000_000
    stands: bool = True

    def take_over(self, patch: pytest.MonkeyPatch) -> None:
        """Replace the functions, also where a module or a parameter's default has them already."""
        for name, units in (("time", 1e-6), ("monotonic", 1e-6), ("time_ns", 1000), ("clock_gettime_ns", 1000)):
            usual = getattr(time, name)
            still = self._still(usual, units)
            patch.setattr(time, name, still)
            for place, attribute, value in _uses(usual):
                here = tuple(still if each is usual else each for each in value) if isinstance(value, tuple) else still
                patch.setattr(place, attribute, here)

    def _still(self, usual: Callable[..., float], units: float) -> Callable[..., float]:
        """Return a function that is right again later, for modules that are imported meanwhile."""
        return lambda *which: self.us * units if self.stands else usual(*which)


def _uses(function: object) -> Iterator[tuple[object, str, object]]:
    """Yield where the product has a function: the module or the method, the attribute and its value."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            for attribute, value in list(vars(module).items()):
                start = vars(value).get("__init__") if isinstance(value, type) else None
                defaults = getattr(start, "__defaults__", None) or ()
                if value is function:
                    yield module, attribute, value
                elif any(each is function for each in defaults):
                    yield start, "__defaults__", defaults


@dataclass
class Server:
    """An application on SQLite, its folder, its clock, and the tokens of its players."""

    app: Flask
    data: Path
    clock: StillClock
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def services(self) -> Any:
        """The services, whose class moves."""
        return self.app.extensions["trickbook"]

    def ask(self, method: str, path: str, body: object = None, name: str | None = "ann") -> Any:
        """Return the JSON of an answer to a player, who is registered at the first request; to nobody for None."""
        headers = {} if name is None else {"Authorization": f"Bearer {self._token(name)}"}
        client = FlaskClient(self.app, self.app.response_class)  # not the one of the tests, which checks each answer
        answer = client.open(f"/api/v1{path}", method=method, json=body, headers=headers)
        assert answer.status_code < 400, answer.text
        return answer.get_json(silent=True)

    def _token(self, name: str) -> str:
        if name not in self.tokens:
            person = {"name": name, "password": PASSWORD}
            self.ask("POST", "/users", person, None)
            self.tokens[name] = self.ask("POST", "/tokens", person, None)["token"]
        return self.tokens[name]

    def give_address(self, name: str) -> str:
        """Give a player a mail address, which they confirm, and return it."""
        address = f"{name}@example.net"
        self.ask("PUT", "/me/email", {"email": address}, name)
        with closing(sqlite3.connect(self.data / "office.db")) as rows:
            mails = [str(body) for (body,) in rows.execute("SELECT body FROM mails ORDER BY rowid")]
        self.ask("POST", "/me/email/confirmation", {"code": re.findall(r"\b[0-9]{8}\b", mails[-1])[0]}, name)
        return address

    def open(self, *others: str, **more: object) -> Any:
        """Return the answer to a game of Pitch that ann opens, with others."""
        for name in others:
            if not name.startswith("bot:"):
                self._token(name)
        return self.ask("POST", "/games", {"variant": "pitch", "seats": ["ann", *others], **more})

    def next_move(self, game: str, *names: str) -> tuple[str, Any]:
        """Return the player in turn, one of those in the first seats, and the last of their legal moves."""
        for seat, name in enumerate(names):
            legal = self.ask("GET", f"/games/{game}/seats/{seat}", None, name)["you"]["legal"]
            if legal:
                return name, legal[-1]
        raise AssertionError("nobody can move")

    def post(self, game: str, move: object, name: str = "ann") -> Any:
        """Return the answer to a move."""
        return self.ask("POST", f"/games/{game}/moves", move, name)

    def play_until_cards(self, game: str, *names: str, hand: int = 1) -> None:
        """Let these people play until they play cards in that hand."""
        while True:
            view = self.ask("GET", f"/games/{game}")
            if view["phase"] == "play" and view["hand"]["number"] >= hand:
                return
            name, move = self.next_move(game, *names)
            self.post(game, move, name)


@contextmanager
def open_server(data: Path, name: str) -> Iterator[Server]:
    """Open an application with empty stores in a folder; all that it draws follows from the name."""
    logger = logging.getLogger("trickbook")
    usual = logger.level
    mails = {"smtp_url": "smtp://127.0.0.1:9", "mail_domain": DOMAIN, "mail_delay_s": 0}  # nobody sends them
    config = Config(data=data, hashing="cheapest", limits=NO_LIMITS, seating="at-once", **mails)  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch, seeded_randomness(name):
        clock = StillClock()
        clock.take_over(patch)
        server = Server(create_app(config), data, clock)
        logger.setLevel(logging.INFO)
        try:
            yield server
        finally:
            clock.stands = False
            logger.setLevel(usual)
            server.services.close()


def product_class(name: str) -> Any:
    """Return the class of the product with this name, in whichever module it is today."""
    definition = re.compile(rf"^class {name}\b", re.MULTILINE)
    path = next(path for path in modules() if definition.search(path.read_text(encoding="utf-8")))
    return getattr(import_module(module_of(str(path)) or ""), name)


def move(server: Server) -> Trip:
    """Post a card in the first hand of a game with three bots, which answer."""
    trip = Trip()
    game = server.open(*BOTS)["id"]
    server.play_until_cards(game, "ann")
    for _ in range(3):
        card = server.next_move(game, "ann")[1]
        with trip.noting():
            answer = server.post(game, card)
        assert any(each["event"]["by"].startswith("bot:") for each in answer["events"])
    return trip


def audit(server: Server) -> Trip:
    """Audit a game with three bots that ann has resigned before the first move."""
    trip = Trip()
    for _ in range(3):
        game = server.open(*BOTS)["id"]
        server.post(game, {"type": "resign"})
        with trip.noting():
            server.ask("GET", f"/games/{game}/audit")
    return trip


def line(server: Server) -> Trip:
    """Send `pitch move` with a card in the first hand of a game with three bots, which answer."""
    trip = Trip()
    made = server.open(*BOTS)
    server.play_until_cards(made["id"], "ann")
    for _ in range(3):
        card = server.next_move(made["id"], "ann")[1]["card"]
        with trip.noting():
            answer = server.ask("POST", "/commands", {"line": f"pitch move {made['board']} {card}"})
        assert answer["ok"], answer
    return trip


def mail(server: Server) -> Trip:
    """Reply to a mail with the card that ends a trick, in the third hand of a game of two people."""
    trip = Trip()
    names = "ann", "bob"
    addresses = {name: server.give_address(name) for name in names}
    made = server.open("bob")
    game, board = made["id"], made["board"]
    server.play_until_cards(game, *names, hand=3)
    reader, ours = product_class("MailReader")(server.services), product_class("MailAddresses")(server.services)
    for number in range(4):
        version = server.ask("GET", f"/games/{game}")["version"]
        name, card = server.next_move(game, *names)
        player = server.ask("GET", "/me", None, name)["id"]
        to = ours.reply(player, addresses[name], game, (board, names.index(name), version))
        reply = EmailMessage()
        reply["From"], reply["To"], reply["Subject"] = addresses[name], to, f"Re: Board {board}"
        reply["Message-ID"] = f"<{number}@example.net>"
        reply.set_content(f"{card['card']}\n\nOn Mon, 3 Nov 2026, trickbook wrote:\n> You may: {card['card']}\n")
        with trip.noting():
            reader.read(reply.as_bytes(policy=SMTP), addresses[name], to)
        assert server.ask("GET", f"/games/{game}")["version"] > version
    return trip


def deadline(server: Server) -> Trip:
    """Let the worker end a game of two people whose time is over."""
    trip = Trip()
    for _ in range(3):
        server.open("bob", timing={"total_days": 1})
        server.clock.us += MINUTE_US
    worker = product_class("Worker")(server.services)
    server.clock.us += DAY_US - 3 * MINUTE_US
    for _ in range(3):
        server.services.followers.catch_up()
        with trip.noting():
            ended = worker.tick()
        assert ended == 1
        server.clock.us += MINUTE_US
    return trip


REQUESTS: dict[str, Callable[[Server], Trip]] = {each.__name__: each for each in (move, audit, line, mail, deadline)}


def measure(name: str) -> Trip:
    """Return the trip of a request on a new server."""
    with TemporaryDirectory() as folder, open_server(Path(folder), name) as server:
        return REQUESTS[name](server)


def main() -> None:
    """Print the table, or all of one request."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.layout.trips",
        description=__doc__,
        epilog="example: python -m tests.layout.trips --show move",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--show", choices=REQUESTS, help="print the modules and climbs of this request")
    shown = parser.parse_args().show
    if shown is not None:
        found = measure(shown)
        print(f"# {len(found.modules)} modules", *found.modules, sep="\n")
        print(f"# {len(found.climbs)} climbs", *(f"{caller} -> {called}" for caller, called in found.climbs), sep="\n")
        return
    print("| request | modules | climbs | calls |", "|---|--:|--:|--:|", sep="\n")
    for name in REQUESTS:
        found = measure(name)
        print(f"| {name} | {len(found.modules)} | {len(found.climbs)} | {found.calls:,} |")


if __name__ == "__main__":
    main()
