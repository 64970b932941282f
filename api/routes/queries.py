"""One thing asked of a game each, of what the asker may see of it (docs/replay.md); as JSON or as text.

`code` in an answer is the exit code of the command that asks the same: 0 in order, 1 something is wrong, 2 it cannot be
told yet.
"""

from collections.abc import Callable

from flask import Blueprint, Response, request

from api.http.clauses import with_clauses
from api.http.context import current_player, current_services, reader
from api.http.game_reader import NO_HAND, NO_SEAT, seat_of
from api.http.problems import Problem
from api.http.query_args import query, query_args
from api.http.responses import JSON, TEXT, json_response, negotiate
from api.http.schemas_queries import COMMITS_QUERY, COMPARE_QUERY, HAND_QUERY, LEGAL_QUERY, MOMENT_QUERY
from api.http.strict_json import parse_object
from api.routes.audits import visible_history
from api.routes.hands import HAND_PATH
from domain.events import CeremonyOpened
from domain.state import State
from projections.views.audience import Viewer, revealed_in
from replay.history import History, NoSuchHand
from replay.history.findings import Finding
from replay.history.steps import NotShown
from replay.queries import (
    Answer,
    MalformedMove,
    deal,
    draws,
    event_visibility,
    legal_at,
    list_commits,
    revokes,
    score,
    turn_times,
)
from replay.queries.compare import root_of
from replay.text.terminal import plain_text

queries = Blueprint("queries", __name__)

GAME_PATH = "/games/<game_ref:reference>"


def query_response(answer: Answer) -> Response:
    """As JSON, or as the text the command prints."""
    if negotiate(request, JSON, TEXT) == JSON:
        return json_response(answer.to_json())
    return Response(plain_text(answer.to_text()), content_type=f"{TEXT}; charset=utf-8")


@queries.get(GAME_PATH + "/replay")
@query(MOMENT_QUERY)
def replay(reference: str) -> Response:
    """200: the view at version `at`, byte for byte as it was answered then, as `seat` saw it or else the asker himself.

    One's own seat at any time; another's once the hand is revealed, till then 404 like a seat that is not there.
    """
    services = current_services()
    game = reader().resolve(reference)
    state = services.games.state(game)
    at = _requested_version(state)
    view = reader().view(game, _require_entitled(state, at), at)
    return json_response(view | {"names": reader().names(state)})


def _requested_version(state: State) -> int:
    at: int = state.version if query_args()["at"] is None else query_args()["at"]
    if at > state.version:
        raise Problem("malformed", f"at must be a version of this game, 1 to {state.version}")
    return at


def _require_entitled(state: State, at: int) -> Viewer:
    """The seat asked for, or the asker's own; 404 for another's while anything dealt by `at` is not revealed."""
    seat: Viewer = query_args()["seat"]
    own = seat_of(state, current_player())
    if seat is None or seat == own:
        return own
    entries = current_services().games.entries(state.game, upto=at)
    promised = {entry.event.data.n for entry in entries if isinstance(entry.event.data, CeremonyOpened)}
    if seat >= len(state.seats) or not promised <= revealed_in(state):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    return seat


@queries.get(GAME_PATH + "/legal")
@query(LEGAL_QUERY)
def legal_moves(reference: str) -> Response:
    """200: what was legal for a seat at version `at`, and with `move` what the rules say of it, by which clauses."""
    services = current_services()
    state = services.games.state(reader().resolve(reference))
    at = _requested_version(state)
    seat, move = _require_entitled(state, at), query_args()["move"]
    if seat is None:
        raise Problem("malformed", "seat must name the seat whose moves are asked for")
    tried = parse_object(move.encode()) if move is not None and move.startswith("{") else move
    try:
        return query_response(with_clauses(legal_at(visible_history(reference), seat, at, tried)))
    except MalformedMove as error:
        raise Problem("malformed", str(error)[:200]) from None


def _add_route(path: str, ask: Callable[[History, int | None], Answer], says: str) -> None:
    """A route for a question about the game, or with `hand` about one hand of it."""

    def view(reference: str) -> Response:
        return _hand_response(lambda: ask(visible_history(reference), query_args()["hand"]), query_args()["hand"])

    view.__name__, view.__doc__ = path, says
    queries.get(f"{GAME_PATH}/{path}")(query(HAND_QUERY)(view))


def _hand_response(ask: Callable[[], Answer], hand: int) -> Response:
    try:
        return query_response(ask())
    except (NoSuchHand, NotShown):
        raise Problem("not-found", NO_HAND.format(hand)) from None


_add_route("revokes", revokes, "Return 200: cards that didn't follow, and the seats that could have followed.")
_add_route("draws", draws, "Return 200: every chance drawn, including those that had no effect, and any faults.")
_add_route("score", score, "Return 200: points as recorded and as recomputed, scores as played and as ruled.")
_add_route("clock", turn_times, "Return 200: how long each turn took by the times in the log, and late turns.")
_add_route("sight", event_visibility, "Return 200: which events each seat could see, and since when.")


@queries.get(HAND_PATH + "/deal")
def hand_deal(reference: str, hand: int) -> Response:
    """200: how the hand was dealt, worked out anew from its seed once that is revealed."""
    return _hand_response(lambda: deal(visible_history(reference), hand), hand)


@queries.get(GAME_PATH + "/commits")
@query(COMMITS_QUERY)
def commits_between(reference: str) -> Response:
    """200: what happened command by command, from the commit that holds event `from` to the one that holds `to`."""
    try:
        return query_response(list_commits(visible_history(reference), query_args()["from"], query_args()["to"]))
    except NotShown as error:
        raise Problem("malformed", str(error)) from None


@queries.get(GAME_PATH + "/compare")
@query(COMPARE_QUERY)
def compare_root(reference: str) -> Response:
    """200: whether this log had `root` when it had `size` events; if not there are two histories, and code is 1."""
    return query_response(_compare(visible_history(reference), query_args()["size"], query_args()["root"]))


def _compare(history: History, wanted: int | None, root: str) -> Answer:
    had = len(history.lines)
    size = had if wanted is None else wanted
    ours = root_of(history, size) if size <= had else None
    says = f"at {size} events the root is {ours}, not {root}" if size <= had else f"there are {had} events, not {size}"
    found = () if ours == root else (Finding(size, f"this is another history: {says}"),)
    note = f"{root} at {size} events: {'the same history' if ours == root else 'another history'}"
    body = {"size": size, "root": root, "ours": ours, "became": "two" if found else "same"}
    return Answer(history, "compare", body, notes=(note,), findings=found)
