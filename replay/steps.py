"""Going through a game moment by moment, as one viewer saw it: which views there are, and who may have them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from domain.choices import Sight
from domain.events import CardsDealt, Event, GameOpened, HandDealt
from projections.audience import Viewer, revealed_by, visible
from projections.seat_view import View, view_at
from replay.history import History


class NotShown(LookupError):
    """What was asked for is not in the history, or not for this viewer; the sentence says which."""


@dataclass(frozen=True)
class Step:
    """An event of a hand that the viewer saw, and his view after it."""

    event: Event[Any]
    view: View


def view_of(history: History, viewer: Viewer, at: int | None = None) -> View:
    """The view of `viewer` after event `at`, the last by default.

    NotShown where the history has no such event or seat, or does not hold that seat's cards of the hand played then.
    """
    last = len(history.lines)
    version = last if at is None else at
    if not 1 <= version <= last:
        raise NotShown(f"there are events 1 to {last}, no event {version}")
    try:
        shown = view_at(history.lines, viewer, version)
    except LookupError as error:
        raise NotShown(str(error)) from error
    must_be_shown(history, viewer, version)
    return shown


def must_be_shown(history: History, viewer: Viewer, version: int) -> None:
    """NotShown where a seat's cards of the hand played at `version` are withheld in this history."""
    deals = [event for event in history.events if isinstance(event.data, HandDealt) and event.version <= version]
    if viewer is None or not deals:
        return
    dealt, revealed = deals[-1].data, revealed_by(history.events)
    told = {
        event.data.seat
        for event in history.events
        if isinstance(event.data, CardsDealt) and event.data.n == dealt.n and visible(event, viewer, revealed)
    }
    if set(_seen_by(history, viewer, dealt)) <= told:
        return
    raise NotShown(f"hand {dealt.hand} is not revealed: what seat {viewer} holds in it is not shown here")


def _seen_by(history: History, viewer: int, dealt: HandDealt) -> list[int]:
    """The seats whose cards a seat sees in this hand: its own, or in Blackout's first hand all others."""
    opened = next((event.data for event in history.events if isinstance(event.data, GameOpened)), None)
    if opened is None or opened.rules.sight(max(1, dealt.hand)) is Sight.OWN:
        return [viewer]
    return [seat for seat in range(len(dealt.counts)) if seat != viewer]


def versions(history: History, hand: int) -> range:
    """The versions of a hand, from its first deal to the last event before the next hand's; NotShown without one."""
    found = versions_of(hand, history.events, len(history.lines))
    if found is None:
        dealt = {event.data.hand for event in history.events if isinstance(event.data, HandDealt)}
        raise NotShown(f"there is no hand {hand}; hands dealt: {len(dealt)}")
    return found


def versions_of(hand: int, events: Sequence[Event[Any]], size: int) -> range | None:
    """The same in a log of `size` events, of which `events` are those shown; None before the hand is dealt."""
    dealt = [event for event in events if isinstance(event.data, HandDealt)]
    own = [event.version for event in dealt if event.data.hand == hand]
    later = [event.version for event in dealt if event.data.hand > hand]
    if not own:
        return None
    return range(own[0], _opening_before(events, later[0]) if later else size + 1)


def _opening_before(events: Sequence[Event[Any]], version: int) -> int:
    """Where the ceremony was opened that the deal at `version` rests on."""
    return max(event.version for event in events if event.version < version and event.fact == "CeremonyOpened")


def steps(history: History, hand: int, viewer: Viewer) -> Iterator[Step]:
    """Each event of a hand that `viewer` saw when it happened, with the view after it. Refuses as `view_of` does."""
    for version in versions(history, hand):
        event = history.lines[version - 1].event
        if event is None:
            continue
        past = revealed_by(each for each in history.events if each.version <= version)
        if visible(event, viewer, past):
            yield Step(event, view_of(history, viewer, version))
