"""One hand of a game as its caller may see it: its result, and its views at any version."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict, TypeVar

from api.caller import Caller
from api.container import Services
from api.play.services.game_reader import NO_HAND, NO_SEAT, NamedView
from api.play.services.games import visible_game
from api.play.services.gate import GameAccess
from api.problem import Problem
from domain.cards import Suit
from domain.events import Event, GameEnded, HandDealt, HandScored, HandThrownIn
from domain.json_fields import CardText, Names, says
from domain.state import State, require
from projections.views.audience import Viewer, ceremonies_revealed_in
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


HandStatus = Literal["live", "scored", "thrown_in", "broken_off"]


class HandSummary(TypedDict):
    """A hand and its result."""

    hand: int
    status: HandStatus
    first: Annotated[int, says("The first version that it spans.")]
    last: Annotated[int, says("The last one so far.")]
    dealer: int
    eldest: int
    redeal: int
    bids: list[int | None]
    pitcher: int | None
    bid: int | None
    trump: Suit | None
    upcard: CardText | None
    called: CardText | None
    score: HandScored | None
    revealed: bool
    names: Names


def summarize_hand(services: Services, caller: Caller, reference: str, hand: int) -> HandSummary:
    """Return dealer, bids, trump and points of a hand; `first` and `last` are its versions, for replay."""
    access = visible_game(services, caller, reference)
    played = _hand(services, access, hand)
    shown = require(services.gate.view(access, None, played.last)["hand"])
    return {
        "hand": shown["number"],
        "status": _status(played),
        "first": played.first,
        "last": played.last,
        "dealer": shown["dealer"],
        "eldest": shown["eldest"],
        "redeal": shown["redeal"],
        "bids": shown["bids"],
        "pitcher": shown["pitcher"],
        "bid": shown["bid"],
        "trump": shown["trump"],
        "upcard": shown["upcard"],
        "called": shown["called"],
        "score": played.fact(HandScored),
        "revealed": _is_revealed(access.state, played),
        "names": services.reader.names(access.state),
    }


def view_hand_at(
    services: Services, caller: Caller, reference: str, hand: int, at: int | None, seat: int | None
) -> NamedView:
    """Return the view at a version of the hand, the last by default, as a seat or the caller saw it.

    A caller's own seat is always allowed. Raise Problem for another seat before the hand is revealed.
    """
    access = visible_game(services, caller, reference)
    played = _hand(services, access, hand)
    viewer = _require_entitled(access, played, seat)
    version = played.last if at is None else at
    if not played.first <= version <= played.last:
        raise Problem("malformed", f"at must be a version of this hand, {played.first} to {played.last}.")
    view = services.gate.view(access, viewer, version)
    return {**view, "names": services.reader.names(access.state)}


def _hand(services: Services, access: GameAccess, hand: int) -> HandRange:
    """Return the hand as far as the caller may see the game; 404 for a hand that isn't dealt by then."""
    span = hand_range([entry.event for entry in services.gate.entries(access)], hand)
    if span is None:
        raise Problem("not-found", NO_HAND.format(hand))
    return span


def _status(played: HandRange) -> HandStatus:
    ends: dict[type[Any], HandStatus] = {HandScored: "scored", HandThrownIn: "thrown_in", GameEnded: "broken_off"}
    return next((status for fact, status in ends.items() if played.fact(fact) is not None), "live")


def _is_revealed(state: State, played: HandRange) -> bool:
    """Return whether everybody may see the cards of the hand."""
    return played.ceremonies <= ceremonies_revealed_in(state)


def _require_entitled(access: GameAccess, played: HandRange, seat: int | None) -> Viewer:
    own, state = access.viewer, access.state
    if seat is None or seat == own:
        return own
    if seat >= len(state.seats) or not _is_revealed(state, played):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    return seat
