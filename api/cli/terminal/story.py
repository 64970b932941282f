"""The sentence for a line of a game's stream, or none for what players needn't read."""

from collections.abc import Mapping
from typing import Any

import msgspec

from domain import events as facts
from domain.events.codec import Unreadable, decode
from replay.text.narrate import narrate
from replay.text.sanitize import sanitize

QUIET = (
    facts.BeaconRecorded,
    facts.CeremonyOpened,
    facts.CeremonyRevealed,
    facts.CeremonyVoided,
    facts.CardsDealt,
    facts.CardsTaken,
    facts.CardsBuried,
    facts.CutOpened,
    facts.SeedKept,
    facts.StockLaid,
    facts.TurnTimed,
)
"""What only matters to those who check a game, or stands on the table anyway."""
View = Mapping[str, Any]


def seat_names(view: View) -> dict[int, str]:
    """Return what to call each seat of a view; a bot is `bot 2`, or `strong bot 2`."""
    names = view.get("names", {})
    return {each["seat"]: player_name(each["player"], names) for each in view["seats"]}


def player_name(player: str | None, names: Mapping[str, str]) -> str:
    """Return what to call a player, as one line without control characters."""
    kind, _, rest = (player or "").partition(":")
    if kind == "bot":
        strategy, _, number = rest.partition(":")
        return sanitize(f"bot {number}" if strategy == "simple" else f"{strategy} bot {number}")
    return sanitize(names.get(player or "", player or "nobody"))


def event_sentence(event: Mapping[str, Any], who: Mapping[int, str]) -> str | None:
    """Return the sentence for an event as JSON; None for one that is quiet, or that this program doesn't know."""
    try:
        fact = decode(msgspec.json.encode(event, order="deterministic")).data
        return None if isinstance(fact, QUIET) else sanitize(narrate(fact, who))
    except (Unreadable, KeyError, TypeError):
        return None  # a newer server; its table is shown all the same
