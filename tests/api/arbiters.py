"""What players and arbiters say in disputes, over HTTP."""

from typing import Any

from tests.api.conftest import Caller
from tests.api.disputed_table import GROUNDS
from tests.api.live_server import GameServer, ServedGame

STATEMENT = "bob looked into my cards \u2660 <script>alert(1)</script> '; DROP TABLE users; --"


def open_disputed_game(server: GameServer, variant: str = "pitch", people: int = 3, **more: Any) -> ServedGame:
    """One hand scored, the second at its first bid."""
    options = {"win": 21} if variant == "pitch" else {}
    game = server.open(["ann", "bob", "cat", "dan"][:people], variant, options=options, **more)
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] == 1)
    return game


def open_dispute(game: ServedGame, seat: int, hand: int = 1, **more: Any) -> Any:
    return game.seats[seat].post(f"{game.path}/disputes", {"hand": hand, "kind": "conduct", "text": STATEMENT} | more)


def give_ruling(game: ServedGame, by: str, decision: str | None, number: int = 1, /, **more: Any) -> Any:
    body = {"decision": decision, "basis": "S34", "standard": "likely", "text": GROUNDS} | more
    return game.server[by].post(f"{game.path}/disputes/{number}/ruling", body)


def appeal(game: ServedGame, seat: int, number: int = 1) -> Any:
    return game.seats[seat].post(f"{game.path}/disputes/{number}/appeal", {"text": "he had not"})


def decide(game: ServedGame, by: str, decision: str, number: int = 1) -> Any:
    return game.server[by].post(f"{game.path}/disputes/{number}/decision", {"decision": decision, "text": GROUNDS})


def created(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def get_disputes(game: ServedGame, caller: Caller) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller.get(f"{game.path}/disputes").get_json()["items"]
    return found


def scores(game: ServedGame) -> list[int]:
    return [sitting["score"] for sitting in game.public["seats"]]
