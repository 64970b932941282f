"""The views of a game event by event, as one viewer saw them, and who may see them."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from domain.events import CardsDealt, Event, GameOpened, HandDealt
from domain.rules.choices import Sight
from projections.views.audience import Viewer, ceremonies_revealed_by, revealed_ceremonies, seat_shown, visible
from projections.views.history import ViewHistory
from projections.views.seat import View
from replay.history import History


class NotShown(LookupError):
    """The view isn't in the history or not for this viewer; the message says which."""


@dataclass(frozen=True)
class Step:
    """An event of a hand that the viewer saw, and their view after it."""

    event: Event[Any]
    view: View


def view_of(history: History, viewer: Viewer, at: int | None = None) -> View:
    """Return the view of `viewer` after event `at` (default: the last).

    Raise NotShown if the history has no such event or seat, or withholds that seat's cards of the hand.
    """
    last = len(history.lines)
    version = last if at is None else at
    if not 1 <= version <= last:
        raise NotShown(f"there are events 1 to {last}, no event {version}")
    try:
        shown = view_history(history).view(viewer, version)
    except LookupError as error:
        raise NotShown(str(error)) from error
    require_shown(history, viewer, version)
    return shown


def view_history(history: History) -> ViewHistory:
    """Return the views of `history`, which fold its events at most once for each viewer."""
    views: ViewHistory = history.cache.setdefault(ViewHistory, ViewHistory(history.lines))
    return views


def require_shown(history: History, viewer: Viewer, version: int) -> None:
    """Raise NotShown if the history withholds the viewer's cards of the hand at `version`."""
    viewer = seat_shown(viewer)
    if viewer is None:
        return
    withheld = history.cache.get((require_shown, viewer))
    if withheld is None:
        withheld = history.cache[require_shown, viewer] = list(_withheld_deals(history, viewer))
    place = bisect_right(withheld, version, key=itemgetter(0))
    if place and (hand := withheld[place - 1][1]):
        raise NotShown(f"hand {hand} is not revealed: you can't see the cards of seat {viewer} in it")


def _withheld_deals(history: History, viewer: int) -> Iterator[tuple[int, int | None]]:
    """Yield each deal's version, and its hand if the history withholds cards that the seat sees, else None."""
    revealed, visible_seats = revealed_ceremonies(history.events), defaultdict[int, set[int]](set)
    for event in history.events:
        if isinstance(event.data, CardsDealt) and visible(event, viewer, revealed):
            visible_seats[event.data.n].add(event.data.seat)
    for event in history.events:
        if isinstance(event.data, HandDealt):
            shown = visible_seats[event.data.n].issuperset(visible_hands(history, viewer, event.data))
            yield event.version, None if shown else event.data.hand


def visible_hands(history: History, viewer: int, dealt: HandDealt) -> list[int]:
    """Return the seats whose cards a seat sees in this hand: its own, or in Blackout's first hand all others."""
    opened = next((event.data for event in history.events if isinstance(event.data, GameOpened)), None)
    if opened is None or opened.rules.sight(max(1, dealt.hand)) is Sight.OWN:
        return [viewer]
    return [seat for seat in range(len(dealt.counts)) if seat != viewer]


def hand_versions(history: History, hand: int) -> range:
    """Return the versions of a hand: from its first deal up to the next hand's ceremony. Raise NotShown if undealt."""
    versions = find_hand_versions(hand, history.events, len(history.lines))
    if versions is None:
        dealt = {event.data.hand for event in history.events if isinstance(event.data, HandDealt)}
        raise NotShown(f"there is no hand {hand}; hands dealt: {len(dealt)}")
    return versions


def find_hand_versions(hand: int, events: Sequence[Event[Any]], size: int) -> range | None:
    """Return the versions of a hand in a log of `size` events, of which `events` are shown; None if it isn't dealt."""
    dealt = [event for event in events if isinstance(event.data, HandDealt)]
    own = [event.version for event in dealt if event.data.hand == hand]
    later = [event.version for event in dealt if event.data.hand > hand]
    if not own:
        return None
    return range(own[0], _opening_before(events, later[0]) if later else size + 1)


def _opening_before(events: Sequence[Event[Any]], version: int) -> int:
    """Return the version that opened the ceremony of the deal at `version`."""
    return max(event.version for event in events if event.version < version and event.fact == "CeremonyOpened")


def steps(history: History, hand: int, viewer: Viewer) -> Iterator[Step]:
    """Yield each event of a hand that `viewer` saw when it happened, and the view after it; raise as `view_of` does."""
    span = hand_versions(history, hand)
    revealed = set(revealed_ceremonies(event for event in history.events if event.version < span.start))
    for line in history.lines[span.start - 1 : span.stop - 1]:
        event = line.event
        if event is None:
            continue
        revealed.update(ceremonies_revealed_by(event))
        if visible(event, viewer, revealed):
            yield Step(event, view_of(history, viewer, event.version))
