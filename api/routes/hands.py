"""One hand of a game: its result, and its views at any version as an entitled seat saw them."""

from typing import Any

import msgspec
from flask import Blueprint, Response

from api.http.context import current_player, current_reader, current_services
from api.http.game_reader import NO_HAND, NO_SEAT, seat_of
from api.http.problems import Problem
from api.http.query_args import query, query_args
from api.http.responses import json_response
from api.http.schemas_games import REPLAY_QUERY
from api.services.container import Services
from api.services.hand_ranges import HandRange, hand_range
from domain.events import GameEnded, HandScored, HandThrownIn
from domain.state import State
from projections.views.audience import Viewer, ceremonies_revealed_in
from projections.views.seat import View

HAND_PATH = "/games/<game_ref:reference>/hands/<strictint:hand>"

RESULT_FIELDS = ("dealer", "eldest", "redeal", "bids", "pitcher", "bid", "trump", "upcard", "called")

hands = Blueprint("hands", __name__)


@hands.get(HAND_PATH)
def result(reference: str, hand: int) -> Response:
    """Return 200: dealer, bids, trump and points of the hand; `first` and `last` are its versions, for replay."""
    services = current_services()
    game = current_reader().resolve(reference)
    state, played = _hand(services, game, hand)
    names = current_reader().names(state)
    view = current_reader().view(game, None, played.last)["hand"]
    return json_response(_result(view, played) | {"revealed": _is_revealed(state, played), "names": names})


def _hand(services: Services, game: str, hand: int) -> tuple[State, HandRange]:
    """Return the current state, and the hand; 404 for a hand that isn't dealt yet."""
    state = services.games.state(game)
    span = hand_range([entry.event for entry in services.games.entries(game, upto=state.version)], hand)
    if span is None:
        raise Problem("not-found", NO_HAND.format(hand))
    return state, span


def _result(view: View, played: HandRange) -> dict[str, Any]:
    """Return the public view of the hand at its last version, and its score."""
    return {
        "hand": view["number"],
        "status": _status(played),
        "first": played.first,
        "last": played.last,
        **{name: view[name] for name in RESULT_FIELDS},
        "score": msgspec.to_builtins(played.fact(HandScored)),
    }


def _status(played: HandRange) -> str:
    ends: dict[type[Any], str] = {HandScored: "scored", HandThrownIn: "thrown_in", GameEnded: "broken_off"}
    return next((status for fact, status in ends.items() if played.fact(fact) is not None), "live")


def _is_revealed(state: State, played: HandRange) -> bool:
    """Return whether everybody may see the cards of the hand."""
    return played.ceremonies <= ceremonies_revealed_in(state)


@hands.get(HAND_PATH + "/replay")
@query(REPLAY_QUERY)
def replay(reference: str, hand: int) -> Response:
    """Return 200: the view at version `at` of the hand, the last by default, as `seat` or the caller saw it.

    A caller's own seat is always allowed; another seat after the hand is revealed, until then 404 as for a missing
    seat.
    """
    args = query_args()
    services = current_services()
    game = current_reader().resolve(reference)
    state, played = _hand(services, game, hand)
    viewer = _require_entitled(state, played, args["seat"])
    at = played.last if args["at"] is None else args["at"]
    if not played.first <= at <= played.last:
        raise Problem("malformed", f"at must be a version of this hand, {played.first} to {played.last}.")
    view = current_reader().view(game, viewer, at)
    return json_response(view | {"names": current_reader().names(state)})


def _require_entitled(state: State, played: HandRange, seat: Viewer) -> Viewer:
    own = seat_of(state, current_player())
    if seat is None or seat == own:
        return own
    if seat >= len(state.seats) or not _is_revealed(state, played):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    return seat
