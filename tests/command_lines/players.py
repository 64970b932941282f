"""People who play by command lines alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Flask

from api.container import Services
from api.worker import Worker
from tests.api.conftest import Caller, services_of

NAMES = ("ann", "bob", "cat", "dan")


@dataclass(frozen=True)
class Lines:
    """A caller who sends command lines."""

    caller: Caller
    name: str = ""

    def answer(self, line: str, text: Sequence[str] = (), **headers: str) -> Any:
        """Return the answer to a line as JSON."""
        response = self.caller.post("/commands", {"line": line, "text": list(text)}, **headers)
        assert response.status_code == 200, response.text
        answer = response.get_json()
        assert max(map(len, answer["text"].split("\n"))) <= 78, answer["text"]
        return answer

    def done(self, line: str, text: Sequence[str] = (), **headers: str) -> Any:
        """Return the answer to a line that is carried out."""
        answer = self.answer(line, text, **headers)
        assert answer["ok"], answer["text"]
        return answer

    def refused(self, line: str, slug: str) -> str:
        """Return the text of a refusal."""
        answer = self.answer(line)
        assert answer["problem"], answer["text"]
        assert answer["problem"]["type"] == f"/problems/{slug}", answer["problem"]
        text: str = answer["text"]
        return text


def play_queued(services: Services) -> int:
    """Let the worker play the queued moves whose turn has come; return how many it played."""
    return Worker(services).play_queued_moves()


def stranger(app: Flask) -> Lines:
    """Return somebody without a token."""
    return Lines(Caller(app.test_client()))


def people(app: Flask, count: int = 4) -> list[Lines]:
    """Register and log in."""
    return [Lines(Caller(app.test_client()).join(name), name) for name in NAMES[:count]]


def challenge(players: Sequence[Lines], variant: str, options: str = "") -> int:
    """Open a game of these players, and return its board."""
    names = " ".join(player.name for player in players)
    board: int = players[0].done(f"{variant} challenge {options} {names}")["board"]
    return board


def mover(players: Sequence[Lines], board: int, variant: str = "pitch") -> Lines:
    """Return the player whose turn it is, by the line on top of the board."""
    found = in_turn(players, players[0].done(f"{variant} show {board}")["text"])
    assert found is not None
    return found


def seated(app: Flask, count: int = 2, options: str = "", variant: str = "pitch") -> tuple[int, list[Lines]]:
    """Open a game of people. Return its board, and the people from the one in turn on."""
    players = people(app, count)
    board = challenge(players, variant, options)
    at = players.index(mover(players, board, variant))
    return board, [*players[at:], *players[:at]]


def in_turn(players: Sequence[Lines], text: str) -> Lines | None:
    """Return the player that the text of a board names on top; None once the game is over."""
    found = re.match(r"Waiting for: (\w+)", text)
    return None if found is None else next(player for player in players if player.name == found[1])


def offered(text: str) -> list[str]:
    """Return the moves that a board offers in text."""
    flat = re.sub(r"\n    ", " ", text)
    found = re.search(r"^You may: (.*)$", flat, re.MULTILINE)
    return [] if found is None else found[1].split(", ")


def thrown(text: str) -> str | None:
    """Return a discard that a board asks for, the fewest cards; None if it asks for none."""
    flat = re.sub(r"\n    ", " ", text)
    found = re.search(r"^You may throw (\d+)(?: to \d+)? of ([^;]*?)(?:; these must go: (.*))?$", flat, re.MULTILINE)
    if found is None:
        return None
    must = (found[3] or "").split()
    rest = [card for card in found[2].split() if card not in must]
    return "throw " + " ".join([*must, *rest][: max(int(found[1]), len(must))])


def follow(app: Flask) -> None:
    """Bring the lists up to date."""
    services_of(app).followers.catch_up()
