"""Which viewer sees which event: the one rule behind every view, stream, replay and export (docs/trust.md)."""

from collections.abc import Container, Iterable
from typing import Annotated, Any, NamedTuple, TypeAlias, TypedDict

import msgspec

from domain.events import FACTS, CeremonyRevealed, CeremonyVoided, Event
from domain.json_fields import Hash, Time, Uuid, one_of, refers_to, says
from domain.state import State
from domain.store.aggregate import Entry


class FormerHolder(NamedTuple):
    """A player who left a seat to another one: they still see the seat's events of their own time.

    `spans` are the versions of that time, from the first to the last.
    """

    seat: int
    spans: tuple[tuple[int, int], ...]


Viewer: TypeAlias = int | FormerHolder | None
"""A seat, a former holder of one, or None for a spectator."""
REVEALING_FACTS = (CeremonyRevealed, CeremonyVoided)
"""The facts that make the secrets of a ceremony public."""


def visible(event: Event[Any], viewer: Viewer, revealed: Container[int]) -> bool:
    """Return whether `viewer` may see the whole event if the ceremonies in `revealed` are revealed."""
    if event.seen_by is None or viewer in event.seen_by:
        return True
    if isinstance(viewer, FormerHolder) and viewer.seat in event.seen_by and _is_own_time(viewer, event.version):
        return True
    return getattr(event.data, "n", None) in revealed


def _is_own_time(viewer: FormerHolder, version: int) -> bool:
    return any(first <= version <= last for first, last in viewer.spans)


def viewer_of(state: State, player: str | None) -> Viewer:
    """Return what the player with this id sees the game as: the seat that they hold, one that they left, or None."""
    if player is None or (seat := state.seat_of(player)) is not None:
        return None if player is None else seat
    left = state.former_seat_of(player)
    if left is None:
        return None
    own = [past for past in state.seats[left].earlier if past.player == player]
    return FormerHolder(left, tuple((past.from_version, past.to_version) for past in own))


def seat_shown(viewer: Viewer) -> int | None:
    """Return the seat whose view the viewer gets; None for the view that everybody gets, also a former holder."""
    return None if isinstance(viewer, FormerHolder) else viewer


def ceremonies_revealed_by(event: Event[Any]) -> tuple[int, ...]:
    """Return the ceremonies whose secrets are public from this event on."""
    return (event.data.n,) if isinstance(event.data, REVEALING_FACTS) else ()


def revealed_ceremonies(events: Iterable[Event[Any]]) -> frozenset[int]:
    """Return the ceremonies revealed by `events`, which must begin with the game's first event."""
    return frozenset(n for event in events for n in ceremonies_revealed_by(event))


def ceremonies_revealed_in(state: State) -> frozenset[int]:
    """Return the ceremonies revealed before this state; the state holds each ceremony until it is revealed."""
    return frozenset(range(state.ceremony_count + 1)) - {ceremony.n for ceremony in state.ceremonies}


class EventEnvelope(TypedDict):
    """A fact in its envelope, as it's stored (docs/events.md). An older `v` of a fact can have other fields."""

    at: Annotated[Time, says("When it was stored, in UTC.")]
    by: Annotated[str, says("A player's id, or server.")]
    command: Annotated[str, says("The id of the command that it follows from.")]
    data: Annotated[dict[str, Any], says("The fields of the fact.")]
    fact: Annotated[str, one_of(*FACTS)]
    game: Uuid
    salt: str
    seen_by: Annotated[list[int] | None, says("The seats that see it; null for everybody.")]
    v: Annotated[int, says("The version of the fact's fields.")]
    version: Annotated[int, says("The number of the event in the game.")]


class WithheldItem(TypedDict):
    """The item of an event that the caller may not see yet: only hashes."""

    leaf: Annotated[Hash, says("The hash of the event.")]
    prev: Annotated[Hash, says("The root over all events before it.")]
    version: int


class ShownItem(WithheldItem):
    """The item of an event that the caller may see."""

    event: EventEnvelope


EventItem = Annotated[msgspec.Raw, refers_to("EventItem")]
"""The line of an event: a `ShownItem` or a `WithheldItem`."""


def event_line(entry: Entry, shown: bool) -> bytes:
    """Return an entry as a line of an event list or export, without line end; without the event if not `shown`."""
    tail = b'"leaf":"%b","prev":"%b","version":%d}' % (
        entry.leaf.hex().encode(),
        entry.prev.hex().encode(),
        entry.event.version,
    )
    return b'{"event":' + entry.raw + b"," + tail if shown else b"{" + tail


def event_lines(entries: Iterable[Entry], viewer: Viewer, revealed: Container[int]) -> list[bytes]:
    """Return `entries` as lines for `viewer`; `revealed` holds for all of them, not for each entry's own time."""
    return [event_line(entry, visible(entry.event, viewer, revealed)) for entry in entries]
