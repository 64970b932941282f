"""The range of events in a game's log that belongs to one hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from domain.events import Event, HandDealt
from replay.history.steps import find_hand_versions

F = TypeVar("F")


@dataclass(frozen=True)
class HandRange:
    """The events of one hand, from its first deal to the last event before the next hand's ceremony."""

    events: tuple[Event[Any], ...]

    @property
    def first(self) -> int:
        """The version of the first event."""
        return self.events[0].version

    @property
    def last(self) -> int:
        """The version of the last event."""
        return self.events[-1].version

    @property
    def ceremonies(self) -> frozenset[int]:
        """The numbers of the ceremonies it was dealt from: several if it was dealt again."""
        return frozenset(event.data.n for event in self.events if isinstance(event.data, HandDealt))

    def fact(self, kind: type[F]) -> F | None:
        """Return the last fact of a kind, or None."""
        return next((event.data for event in reversed(self.events) if isinstance(event.data, kind)), None)


def hand_range(events: Sequence[Event[Any]], hand: int) -> HandRange | None:
    """Return the range of hand `hand` (from 1) in all of a game's events, or None before its deal."""
    versions = find_hand_versions(hand, events, len(events))
    return None if versions is None else HandRange(tuple(events[versions.start - 1 : versions.stop - 1]))
