"""Moves that a view offers, drawn at random."""

import random
from collections.abc import Mapping
from typing import Any

from domain.cards import DECK_54


def any_move(shown: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return any move that a view offers; in auctions mostly a pass or the least bid, so that games end."""
    legal: list[dict[str, Any]] = shown["you"]["legal"]
    if not legal:
        return any_choice(shown["you"]["choose"], rng)
    if legal[0]["type"] == "pass":
        return legal[0] if len(legal) == 1 or rng.random() < 0.7 else legal[1 if rng.random() < 0.9 else -1]
    return rng.choice(legal)


def any_choice(wanted: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return any choice that a view allows a seat."""
    if wanted["type"] == "call_partner":
        return {"type": "call_partner", "card": rng.choice(DECK_54)}
    others = [card for card in wanted["from"] if card not in wanted["must"]]
    more = rng.randint(wanted["min"], wanted["max"]) - len(wanted["must"])
    return {"type": "discard", "cards": [*wanted["must"], *rng.sample(others, more)]}
