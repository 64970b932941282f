"""One hand of a game: what came of it, and any moment of it as an entitled seat saw it."""

from typing import Any

import msgspec
from flask import Blueprint, Response

from api.http.context import current_player, current_services, reader
from api.http.game_reader import NO_HAND, NO_SEAT, seat_of
from api.http.problems import Problem
from api.http.query_args import query, query_args
from api.http.responses import json_response
from api.http.schemas_games import REPLAY_QUERY
from api.services.container import Services
from api.services.hand_ranges import HandRange, hand_range
from domain.events import GameEnded, HandScored, HandThrownIn
from domain.state import State
from projections.views.audience import Viewer, revealed_in
from projections.views.seat import View

HAND_PATH = "/games/<game_ref:reference>/hands/<strictint:hand>"

RESULT_FIELDS = ("dealer", "eldest", "redeal", "bids", "pitcher", "bid", "trump", "upcard", "called")

hands = Blueprint("hands", __name__)


@hands.get(HAND_PATH)
def result(reference: str, hand: int) -> Response:
    """200: who dealt and bid what, what was trump, what was pegged; `first` and `last` are versions for replay."""
    services = current_services()
    game = reader().resolve(reference)
    state, played = _hand(services, game, hand)
    names = reader().names(state)
    shown = reader().view(game, None, played.last)["hand"]
    return json_response(_result(shown, played) | {"revealed": _is_revealed(state, played), "names": names})


def _hand(services: Services, game: str, hand: int) -> tuple[State, HandRange]:
    """The game now, and the hand; 404 for one not dealt yet."""
    state = services.games.state(game)
    found = hand_range([entry.event for entry in services.games.entries(game, upto=state.version)], hand)
    if found is None:
        raise Problem("not-found", NO_HAND.format(hand))
    return state, found


def _result(shown: View, played: HandRange) -> dict[str, Any]:
    """What everybody is shown of the hand at its last version, and its score."""
    return {
        "hand": shown["number"],
        "status": _status(played),
        "first": played.first,
        "last": played.last,
        **{name: shown[name] for name in RESULT_FIELDS},
        "score": msgspec.to_builtins(played.fact(HandScored)),
    }


def _status(played: HandRange) -> str:
    ends: dict[type[Any], str] = {HandScored: "scored", HandThrownIn: "thrown_in", GameEnded: "broken_off"}
    return next((status for fact, status in ends.items() if played.fact(fact) is not None), "live")


def _is_revealed(state: State, played: HandRange) -> bool:
    """Whether its cards are for everybody now."""
    return played.ceremonies <= revealed_in(state)


@hands.get(HAND_PATH + "/replay")
@query(REPLAY_QUERY)
def replay(reference: str, hand: int) -> Response:
    """200: the view at version `at` of the hand, its last by default, as `seat` saw it then, or the asker himself.

    One's own seat at any time; another's once the hand is revealed, till then 404 like a seat that is not there.
    """
    args = query_args()
    services = current_services()
    game = reader().resolve(reference)
    state, played = _hand(services, game, hand)
    viewer = _require_entitled(state, played, args["seat"])
    at = played.last if args["at"] is None else args["at"]
    if not played.first <= at <= played.last:
        raise Problem("malformed", f"at must be a version of this hand, {played.first} to {played.last}")
    view = reader().view(game, viewer, at)
    return json_response(view | {"names": reader().names(state)})


def _require_entitled(state: State, played: HandRange, seat: Viewer) -> Viewer:
    own = seat_of(state, current_player())
    if seat is None or seat == own:
        return own
    if seat >= len(state.seats) or not _is_revealed(state, played):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    return seat
