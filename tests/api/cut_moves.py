"""Cuts as players make them, computed from the text of docs/fairness.md."""

from hashlib import sha256
from typing import Any

from tests.api import fairdeal_reference as fair
from tests.api.live_server import ServedGame

OPEN = {"cuts": "open", "window_s": 600}
SEALED = {"cuts": "sealed", "window_s": 600}


def own_cut(seat: int, n: int) -> bytes:
    """Return the cut that a seat makes for a ceremony."""
    return sha256(f"{seat} cuts {n}".encode()).digest()


def cut_move(game: ServedGame, seat: int, /, *, promise: bool = False, **other: Any) -> dict[str, Any]:
    """Return the cut that the game waits for, with the fields in `other` replaced."""
    waits = game.public["ceremony"]
    n = waits["n"]
    sealed = fair.seal(game.id, seat, own_cut(seat, n + 1)) if promise else None
    body = {"type": "cut", "n": n, "commit": waits["commit"], "cut": own_cut(seat, n).hex(), "next_seal": sealed}
    return body | other


def send_all_cuts(game: ServedGame, *, promise: bool = False) -> None:
    """Send the cut of every seat, with a seal for the next deal if `promise` is set."""
    for seat in game.seats:
        assert game.move(seat, cut_move(game, seat, promise=promise)).status_code == 201
