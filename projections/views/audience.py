"""Who sees which event: one predicate, behind every view, stream, replay and export (docs/trust.md)."""

from collections.abc import Container, Iterable
from typing import Any, TypeAlias

from domain.events import CeremonyRevealed, CeremonyVoided, Event
from domain.state import State
from domain.store.aggregate import Entry

Viewer: TypeAlias = int | None
"""Who looks: a seat, or None for everybody else."""
REVEALING_FACTS = (CeremonyRevealed, CeremonyVoided)
"""What makes the secrets of a ceremony public."""


def visible(event: Event[Any], viewer: Viewer, revealed: Container[int]) -> bool:
    """Whether `viewer` may have the whole event, when the ceremonies in `revealed` have been revealed."""
    if event.seen_by is None or viewer in event.seen_by:
        return True
    return getattr(event.data, "n", None) in revealed


def reveals(event: Event[Any]) -> tuple[int, ...]:
    """The ceremonies whose secrets are public from this event on."""
    return (event.data.n,) if isinstance(event.data, REVEALING_FACTS) else ()


def revealed_by(events: Iterable[Event[Any]]) -> frozenset[int]:
    """The ceremonies revealed by `events`, which must begin with the game's first."""
    return frozenset(n for event in events for n in reveals(event))


def revealed_in(state: State) -> frozenset[int]:
    """The same from the state those events leave; a ceremony is in the state until it is revealed."""
    return frozenset(range(state.ceremony_count + 1)) - {ceremony.n for ceremony in state.ceremonies}


def event_line(entry: Entry, shown: bool) -> bytes:
    """An entry as a line of events or of an export, without line end: the event's own bytes, or what is withheld."""
    tail = b'"leaf":"%b","prev":"%b","version":%d}' % (
        entry.leaf.hex().encode(),
        entry.prev.hex().encode(),
        entry.event.version,
    )
    return b'{"event":' + entry.raw + b"," + tail if shown else b"{" + tail


def event_lines(entries: Iterable[Entry], viewer: Viewer, revealed: Container[int]) -> list[bytes]:
    """`entries` as lines for `viewer`; `revealed` as of the moment shown, not of each entry."""
    return [event_line(entry, visible(entry.event, viewer, revealed)) for entry in entries]
