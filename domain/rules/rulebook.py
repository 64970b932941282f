"""A rulebook: house rules as a value, with an address that everybody can compute from it.

The address is SHA-256 of the canonical JSON of the rules alone, so that equal rules have one address whatever people
call them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

import msgspec

from domain.rejections import NotOffered
from domain.rules.consistency import rules_fault
from domain.rules.model import Rules

FORMAT = "trickbook-rulebook/1"


@dataclass(frozen=True)
class Rulebook:
    """Rules, and the fields of them that differ at a table of that many players: the opening resolves these."""

    rules: Rules
    by_players: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)

    def rules_for(self, players: int) -> Rules:
        """Return the rules at a table of `players`, which is the only number of players that they name."""
        return replace(self.rules, **{**self.by_players.get(players, {}), "seats": (players,)})

    @cached_property
    def canonical(self) -> bytes:
        """The canonical JSON: every field of the rules, keys in order, and for each number of players what differs."""
        by_players = {str(players): dict(fields) for players, fields in self.by_players.items() if fields}
        document = {"format": FORMAT, "rules": self.rules, "by_players": by_players}
        return msgspec.json.encode(document, order="sorted")

    @cached_property
    def address(self) -> str:
        """The address: 64 hex digits."""
        return sha256(self.canonical).hexdigest()

    @classmethod
    def read(cls, canonical: bytes) -> "Rulebook":
        """Return the rulebook with this canonical JSON. Raise ValidationError if it's of another kind."""
        written = msgspec.json.decode(canonical)
        by_players = {
            int(players): _some(msgspec.convert(written["rules"] | fields, Rules), fields)
            for players, fields in written["by_players"].items()
        }
        return cls(msgspec.convert(written["rules"], Rules), by_players)

    def require_playable(self) -> None:
        """Raise NotOffered with a sentence if a table can't play by it."""
        seats = self.rules.seats
        if not seats or tuple(sorted(set(seats))) != seats or self.by_players.keys() - set(seats):
            raise NotOffered("In seats, list the numbers of players, each once; by_players may only have these.")
        for players in self.rules.seats:
            fault = rules_fault(self.rules_for(players))
            if fault is not None:
                raise NotOffered(fault if len(self.rules.seats) == 1 else f"With {players} players: {fault}")


def _some(rules: Rules, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in names}
