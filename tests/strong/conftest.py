"""The fixtures of the app, and what a seat knows."""

from collections.abc import Iterable
from typing import Any

from domain.events import Event
from projections.bots.strong import Knowledge
from replay.queries.choices import SeatMemory
from tests.api.conftest import ann, app, caller, config, make_app

__all__ = ["ann", "app", "caller", "config", "make_app"]


def remember(events: Iterable[Event[Any] | None], seat: int) -> Knowledge:
    """Return what `seat` knows after the game's first events. Raise LookupError before the first deal."""
    memory = SeatMemory(seat)
    for event in events:
        memory.add(event)
    return memory.knowledge()
