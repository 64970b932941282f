"""The memory of a seat of a game: the facts that it saw, folded, and those of the deal."""

from collections.abc import Iterable
from typing import Any

from domain.events import Event, Fact, HandDealt
from domain.state import State
from projections.bots.strong import Knowledge
from projections.views.seat import View, ViewFold, view_json


class SeatMemory:
    """The memory of a seat. Only events that the seat saw at the time go into it."""

    def __init__(self, seat: int) -> None:
        self._seat, self._fold = seat, ViewFold(seat)
        self._facts: tuple[Fact, ...] = ()

    @property
    def state(self) -> State:
        """The game as the seat knows it."""
        return self._fold.state

    def add(self, event: Event[Any] | None) -> None:
        """Add the game's next event, None for a withheld one."""
        before = self._fold.state
        self._fold.add(event)
        if event is not None and self._fold.state is not before:
            self._facts = () if isinstance(event.data, HandDealt) else (*self._facts, event.data)

    def view(self) -> View:
        """Return the seat's view now, without the root. Raise LookupError before the opening."""
        return view_json(self._fold, "")

    def knowledge(self) -> Knowledge:
        """Return what the seat knows now. Raise LookupError before the first deal."""
        return Knowledge(self._fold.state, self._seat, self._facts)


def remember(events: Iterable[Event[Any] | None], seat: int) -> Knowledge:
    """Return what `seat` knows after the game's first events. Raise LookupError before the first deal."""
    memory = SeatMemory(seat)
    for event in events:
        memory.add(event)
    return memory.knowledge()
