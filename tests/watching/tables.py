"""Private and delayed games over HTTP, and callers without a seat."""

from typing import Any

from tests.api.conftest import Caller
from tests.api.live_server import GameServer, ServedGame, last_move

PRIVATE = {"public": False}
PEOPLE = ("ann", "bob", "cat")


def watched_game(server: GameServer, **watch: Any) -> ServedGame:
    """Open a game of ann, bob and cat with this `watch`."""
    return server.open(PEOPLE, options={"win": 21}, watch=watch)


def private_game(server: GameServer) -> ServedGame:
    """Open a private game, and play it to the first bid of hand 2."""
    game = watched_game(server, **PRIVATE)
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] == 1)
    return game


def play_one(game: ServedGame) -> dict[str, Any]:
    """Play the last legal move of the seat to move, and return the answer."""
    seat = game.view(0)["turn"]["seats"][0]
    answer = game.move(seat, last_move(game.view(seat)))
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def outsiders(server: GameServer) -> dict[str, Caller]:
    """Return callers without a seat: without a token, with one, and with each role."""
    roles = {role: server.role(f"some-{role}", role) for role in ("arbiter", "moderator", "operator")}
    return {"stranger": server.nobody, "eve": server["eve"], **roles}


def lobby_ids(caller: Caller, query: str = "") -> list[str]:
    """Return the ids of the games that the lobby shows."""
    answer = caller.get(f"/games{query}")
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.get_json()["items"]]
