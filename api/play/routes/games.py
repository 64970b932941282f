"""Games: view them, make moves; and one hand of a game, with its views at any version as an entitled seat saw them."""

from flask import Response, request

from api.evidence.services.histories import HandSummary, summarize_hand, view_hand_at
from api.play.services.game_reader import CommandResult, NamedView, SeatView
from api.play.services.game_schemas import REPLAY_QUERY
from api.play.services.games import Presences, make_move, show_presence, view_game, view_seat
from api.tables.services.table_views import NamedTable
from api.web.context import current_caller, current_services
from api.web.problems import COMMAND, GAME, REFUSED_MOVES
from api.web.request_input import sent_command
from api.web.responses import game_response, json_response, not_modified
from api.web.route import RouteAnswer, TaggedBlueprint, component, query_args, route

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


@games.get("/games/<game_ref:reference>/presence")
@route(
    "which of the others are at the table",
    answer=Presences,
    token="needed",
    problems=(*GAME, "not-seated"),
)
def presence(reference: str) -> Response:
    """Return 200 `{"seats"}`: where the player of each other seat is. 403 for callers who don't sit at the table."""
    return json_response(show_presence(current_services(), current_caller(), reference))


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
    return game_response(make_move(current_services(), current_caller(), reference, sent_command()), 201)


HAND_PATH = "/games/<game_ref:reference>/hands/<strictint:hand>"

hands = TaggedBlueprint("hands", __name__, "questions")


@hands.get(HAND_PATH)
@route("a hand and its result", answer=HandSummary, problems=GAME, lane="heavy", passes=2, reads=2)
def result(reference: str, hand: int) -> Response:
    """Return 200: dealer, bids, trump and points of the hand; `first` and `last` are its versions, for replay."""
    return json_response(summarize_hand(current_services(), current_caller(), reference, hand))


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
    args = query_args()
    return json_response(view_hand_at(current_services(), current_caller(), reference, hand, args["at"], args["seat"]))
