"""Disputes, rulings, appeals and decisions, sent over HTTP to a `GameServer`."""

from collections.abc import Sequence
from typing import Any

from tests.api.conftest import Caller
from tests.api.disputed_table import GROUNDS
from tests.api.live_server import PEOPLE, GameServer, ServedGame

STATEMENT = "bob looked into my cards \u2660 <script>alert(1)</script> '; DROP TABLE users; --"


def open_disputed_game(
    server: GameServer, variant: str = "pitch", people: int = 3, names: Sequence[str] = PEOPLE, **more: Any
) -> ServedGame:
    """Open a game and play it to the first bid of hand 2."""
    options = {"win": 21} if variant == "pitch" else {}
    game = server.open(names[:people], variant, options=options, **more)
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] == 1)
    return game


def open_dispute(game: ServedGame, seat: int, hand: int = 1, **more: Any) -> Any:
    """Dispute a hand from a seat."""
    return game.seats[seat].post(f"{game.path}/disputes", {"hand": hand, "kind": "conduct", "text": STATEMENT} | more)


def give_ruling(game: ServedGame, by: str, decision: str | None, number: int = 1, /, **more: Any) -> Any:
    """Rule on a dispute as the named arbiter."""
    body = {"decision": decision, "basis": "S34", "standard": "likely", "text": GROUNDS} | more
    return game.server[by].post(f"{game.path}/disputes/{number}/ruling", body)


def appeal(game: ServedGame, seat: int, number: int = 1) -> Any:
    """Appeal against a ruling from a seat."""
    return game.seats[seat].post(f"{game.path}/disputes/{number}/appeal", {"text": "the ruling is wrong"})


def decide(game: ServedGame, by: str, decision: str, number: int = 1) -> Any:
    """Decide an appeal as the named arbiter."""
    return game.server[by].post(f"{game.path}/disputes/{number}/decision", {"decision": decision, "text": GROUNDS})


def created(answer: Any) -> dict[str, Any]:
    """Return the body of an answer that must be 201."""
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def get_disputes(game: ServedGame, caller: Caller) -> list[dict[str, Any]]:
    """Return the disputes of the game as the caller sees them."""
    found: list[dict[str, Any]] = caller.get(f"{game.path}/disputes").get_json()["items"]
    return found


def scores(game: ServedGame) -> list[int]:
    """Return the scores in the public view, by seat."""
    return [sitting["score"] for sitting in game.public["seats"]]
