"""Games: view them, make moves; and one hand of a game, with its views at any version as an entitled seat saw them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict, TypeVar

from flask import Response, request

from api.play.services.game_reader import NO_HAND, NO_SEAT, CommandResult, NamedView, SeatView
from api.play.services.game_schemas import REPLAY_QUERY
from api.play.services.games import make_move, view_game, view_seat, visible_game
from api.play.services.gate import GameAccess
from api.problem import Problem
from api.tables.services.table_views import NamedTable
from api.web.context import current_caller, current_services
from api.web.preconditions import read_command
from api.web.problem_groups import COMMAND, GAME, REFUSED_MOVES
from api.web.responses import game_response, json_response, not_modified
from api.web.route import RouteAnswer, TaggedBlueprint, component, query_args, route
from domain.cards import Suit
from domain.events import Event, GameEnded, HandDealt, HandScored, HandThrownIn
from domain.json_fields import CardText, Names, says
from domain.state import State, require
from projections.views.audience import Viewer, ceremonies_revealed_in
from replay.history.steps import find_hand_versions

NOT_MODIFIED = RouteAnswer(304, "The ETag is still that of If-None-Match.", headers=("ETag",))

games = TaggedBlueprint("games", __name__, "games")


@games.get("/games/<game_ref:reference>")
@route(
    "the view of a spectator, or the table while it forms",
    answer=NamedView | NamedTable,
    headers=("ETag",),
    also=(NOT_MODIFIED,),
    problems=GAME,
    asks=("If-None-Match",),
)
def public_view(reference: str) -> Response:
    """Return 200 and the spectators' view, with the version as ETag, or the table while it forms."""
    return not_modified(game_response(view_game(current_services(), current_caller(), reference)), request)


@games.get("/games/<game_ref:reference>/seats/<strictint:seat>")
@route(
    "the view of your seat, with your legal moves",
    answer=SeatView,
    headers=("ETag",),
    also=(NOT_MODIFIED,),
    token="needed",
    problems=GAME,
    asks=("If-None-Match",),
)
def seat_view(reference: str, seat: int) -> Response:
    """Return 200 and the view of the caller's own seat; 404 for any other seat, whether it exists or not."""
    return not_modified(game_response(view_seat(current_services(), current_caller(), reference, seat)), request)


@games.post("/games/<game_ref:reference>/moves")
@route(
    "move",
    answer=CommandResult,
    status=201,
    headers=("ETag", "Trickbook-Position"),
    token="needed",
    body=component("MoveBody"),
    example={"type": "play", "card": "AD"},
    problems=(*GAME, *COMMAND, *REFUSED_MOVES, "forming"),
    asks=("Idempotency-Key", "If-Match"),
)
def move(reference: str) -> Response:
    """Return 201 `{"version", "root", "events", "view", "names", "receipt"}`; ETag is the version.

    The events include the server's own moves. `receipt` is null unless a hand or the game ended.
    """
    return game_response(make_move(current_services(), current_caller(), reference, read_command), 201)


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


HAND_PATH = "/games/<game_ref:reference>/hands/<strictint:hand>"

hands = TaggedBlueprint("hands", __name__, "questions")


@hands.get(HAND_PATH)
@route("a hand and its result", answer=HandSummary, problems=GAME, lane="heavy", passes=2, reads=2)
def result(reference: str, hand: int) -> Response:
    """Return 200: dealer, bids, trump and points of the hand; `first` and `last` are its versions, for replay."""
    access = visible_game(current_services(), current_caller(), reference)
    played = _hand(access, hand)
    shown = require(current_services().gate.view(access, None, played.last)["hand"])
    summary: HandSummary = {
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
        "names": current_services().reader.names(access.state),
    }
    return json_response(summary)


def _hand(access: GameAccess, hand: int) -> HandRange:
    """Return the hand as far as the caller may see the game; 404 for a hand that isn't dealt by then."""
    span = hand_range([entry.event for entry in current_services().gate.entries(access)], hand)
    if span is None:
        raise Problem("not-found", NO_HAND.format(hand))
    return span


def _status(played: HandRange) -> HandStatus:
    ends: dict[type[Any], HandStatus] = {HandScored: "scored", HandThrownIn: "thrown_in", GameEnded: "broken_off"}
    return next((status for fact, status in ends.items() if played.fact(fact) is not None), "live")


def _is_revealed(state: State, played: HandRange) -> bool:
    """Return whether everybody may see the cards of the hand."""
    return played.ceremonies <= ceremonies_revealed_in(state)


@hands.get(HAND_PATH + "/replay")
@route(
    "any moment of it, as a seat saw it",
    answer=NamedView,
    query=REPLAY_QUERY,
    problems=GAME,
    lane="heavy",
    passes=2,
    reads=2,
)
def replay(reference: str, hand: int) -> Response:
    """Return 200: the view at version `at` of the hand, the last by default, as `seat` or the caller saw it.

    A caller's own seat is always allowed; another seat after the hand is revealed, until then 404 as for a missing
    seat.
    """
    args, access = query_args(), visible_game(current_services(), current_caller(), reference)
    played = _hand(access, hand)
    viewer = _require_entitled(access, played, args["seat"])
    at = played.last if args["at"] is None else args["at"]
    if not played.first <= at <= played.last:
        raise Problem("malformed", f"at must be a version of this hand, {played.first} to {played.last}.")
    view = current_services().gate.view(access, viewer, at)
    named: NamedView = {**view, "names": current_services().reader.names(access.state)}
    return json_response(named)


def _require_entitled(access: GameAccess, played: HandRange, seat: int | None) -> Viewer:
    own, state = access.viewer, access.state
    if seat is None or seat == own:
        return own
    if seat >= len(state.seats) or not _is_revealed(state, played):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    return seat
