"""Cuts as players make them, by the text of docs/fairness.md."""

from hashlib import sha256
from typing import Any

from tests.api import trust_fairdeal as fair
from tests.api.trust_tables import Game

OPEN = {"cuts": "open", "window_s": 600}
SEALED = {"cuts": "sealed", "window_s": 600}


def own(seat: int, n: int) -> bytes:
    """A seat's cut for a ceremony."""
    return sha256(f"{seat} cuts {n}".encode()).digest()


def cut(game: Game, seat: int, /, *, promise: bool = False, **other: Any) -> dict[str, Any]:
    """The cut the table waits for, but for `other`."""
    waits = game.public["ceremony"]
    n = waits["n"]
    sealed = fair.sealing(game.id, seat, own(seat, n + 1)) if promise else None
    body = {"type": "cut", "n": n, "commit": waits["commit"], "cut": own(seat, n).hex(), "next_seal": sealed}
    return body | other


def all_cut(game: Game, *, promise: bool = False) -> None:
    for seat in game.seats:
        assert game.move(seat, cut(game, seat, promise=promise)).status_code == 201
