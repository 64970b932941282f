"""Where in a game's log each hand stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from domain.events import Event, HandDealt
from replay.history.steps import versions_of

F = TypeVar("F")


@dataclass(frozen=True)
class Span:
    """The events of one hand, from its first deal to the last before the next hand's ceremony, or so far."""

    events: tuple[Event[Any], ...]

    @property
    def first(self) -> int:
        """The version of the first."""
        return self.events[0].version

    @property
    def last(self) -> int:
        """The version of the last."""
        return self.events[-1].version

    @property
    def ceremonies(self) -> frozenset[int]:
        """What it was dealt from: several where it was dealt again."""
        return frozenset(event.data.n for event in self.events if isinstance(event.data, HandDealt))

    def fact(self, kind: type[F]) -> F | None:
        """The last fact of a kind, None where there is none."""
        return next((event.data for event in reversed(self.events) if isinstance(event.data, kind)), None)


def span(events: Sequence[Event[Any]], hand: int) -> Span | None:
    """The span of hand `hand`, counted from 1, in a game's events from the first on; None before it is dealt."""
    versions = versions_of(hand, events, len(events))
    return None if versions is None else Span(tuple(events[versions.start - 1 : versions.stop - 1]))
