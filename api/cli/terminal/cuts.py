"""The player's own cuts, drawn on their machine: the server gets the seal of a cut before the deal that it's for."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.protocols import fairdeal


@dataclass
class Cutter:
    """Cuts for one table; it keeps each cut that it has sealed, as long as the program runs."""

    _cuts: dict[str, str] = field(default_factory=dict)
    """Each sealed cut by its seal."""
    _last: int = 0

    def move(self, view: Mapping[str, Any], *, is_sealed: bool) -> dict[str, Any] | None:
        """Return the move that cuts for the deal that waits; None if no deal waits or the sealed cut is lost."""
        you, ceremony = view.get("you"), view.get("ceremony")
        if not you or not ceremony or "cut" not in you["may"] or ceremony["n"] <= self._last:
            return None
        self._last = ceremony["n"]
        seal = ceremony["seals"].get(str(you["seat"]))
        cut = secrets.token_hex(32) if seal is None else self._cuts.pop(seal, None)
        if cut is None:
            return None  # the table deals without it after some seconds
        next_seal = self._seal(view["id"], you["seat"]) if is_sealed else None
        return {"type": "cut", "n": ceremony["n"], "commit": ceremony["commit"], "cut": cut, "next_seal": next_seal}

    def _seal(self, game: str, seat: int) -> str:
        """Draw the next cut, keep it, and return its seal."""
        cut = secrets.token_hex(32)
        seal = fairdeal.seal(game, str(seat), bytes.fromhex(cut)).hex()
        self._cuts[seal] = cut
        return seal
