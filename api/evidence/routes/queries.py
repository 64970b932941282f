"""Queries about a game, each for what the caller may see of it (docs/replay.md), as JSON or as text.

Branches play a hand on with other moves, in a sandbox; nothing is stored.

`code` in an answer is the exit code of the same command: 0 all is well, 1 something is wrong, 2 not known yet.
"""

from collections.abc import Callable
from typing import Any, Literal

from flask import Response, request

from api.evidence.services.histories import REPLAY_PASSES, requested_version, require_entitled, view_at, visible_history
from api.evidence.services.schemas import (
    COMMITS_QUERY,
    COMPARE_QUERY,
    HAND_QUERY,
    LEGAL_QUERY,
    MOMENT_QUERY,
    NEW_BRANCH,
)
from api.play.routes.games import HAND_PATH
from api.play.services.game_reader import NO_HAND, NO_SEAT, NamedView
from api.play.services.games import visible_game
from api.problem import Problem, RefusedAtTable
from api.web.auth import client_address
from api.web.clauses_of_answers import LegalMoves, with_clauses
from api.web.context import current_caller, current_player, current_services
from api.web.problem_groups import GAME, READING, REFUSED_MOVES
from api.web.responses import JSON, TEXT, json_response, negotiate
from api.web.route import Route, TaggedBlueprint, or_text, query_args, route
from api.web.strict_json import parse_object, read_json
from domain.json_fields import Hash
from replay.history import History, NoSuchHand
from replay.history.findings import Finding
from replay.history.steps import NotShown
from replay.queries import (
    Answer,
    BranchRequest,
    MalformedMove,
    MoveRefused,
    Unbranchable,
    branch,
    deal,
    draws,
    event_visibility,
    legal_at,
    list_commits,
    revokes,
    score,
    turn_times,
)
from replay.queries.answer import QuestionAnswer, findings_json, question_json
from replay.queries.branch import Branch
from replay.queries.commands import Commits
from replay.queries.compare import recompute_root
from replay.queries.deal import DealAnswer
from replay.queries.draws import DrawsAnswer
from replay.queries.revokes import Revokes
from replay.queries.score import Scores
from replay.queries.timing import Times
from replay.queries.visibility import SightAnswer
from replay.text.terminal import plain_text

queries = TaggedBlueprint("queries", __name__, "questions")

GAME_PATH = "/games/<game_ref:reference>"
Ask = Callable[[History, int | None], Answer[QuestionAnswer]]


class Comparison(QuestionAnswer):
    """Whether the log once had a given root."""

    size: int
    root: Hash
    ours: Hash | None
    became: Literal["same", "two"]


def query_response(answer: Answer[QuestionAnswer]) -> Response:
    """Return the answer as JSON, or as the text that the command prints."""
    if negotiate(request, JSON, TEXT) == JSON:
        return json_response(answer.to_json())
    return Response(plain_text(answer.to_text()), content_type=f"{TEXT}; charset=utf-8")


@queries.get(GAME_PATH + "/replay")
@route(
    "any moment, byte for byte as a seat or a spectator saw it",
    answer=NamedView,
    query=MOMENT_QUERY,
    problems=GAME,
    lane="heavy",
    passes=REPLAY_PASSES,
    reads=2,
)
def replay(reference: str) -> Response:
    """Return 200: the view at version `at` as `seat` or the caller saw it, byte for byte as it was sent then.

    A caller's own seat is always allowed; another seat after the hand is revealed, until then 404 as for a missing
    seat.
    """
    args = query_args()
    return json_response(view_at(current_services(), current_caller(), reference, args["at"], args["seat"]))


@queries.get(GAME_PATH + "/legal")
@route(
    "a seat's legal moves at a moment, and why the rules refuse a move",
    answer=or_text(LegalMoves),
    query=LEGAL_QUERY,
    problems=READING,
    lane="heavy",
    passes=3,
    reads=2,
)
def legal_moves(reference: str) -> Response:
    """Return 200: the legal moves of a seat at version `at`, and for `move` the verdict of the rules with clauses."""
    access = visible_game(current_services(), current_caller(), reference)
    args, services = query_args(), current_services()
    at = requested_version(access, args["at"])
    seat, move = require_entitled(services, access, at, args["seat"]), args["move"]
    if not isinstance(seat, int):
        raise Problem("malformed", "seat must be the number of the seat whose moves you want.")
    tried = parse_object(move.encode()) if move is not None and move.startswith("{") else move
    try:
        return query_response(with_clauses(legal_at(visible_history(current_services(), access), seat, at, tried)))
    except MalformedMove as error:
        raise Problem("malformed", str(error)[:200]) from None


def _add_route(path: str, ask: Ask, doc: str, declared: Route) -> None:
    """Add a route for a query about a game, or with `hand` about one hand of it."""

    def view(reference: str) -> Response:
        hand = query_args()["hand"]
        return _hand_response(
            lambda: ask(
                visible_history(current_services(), visible_game(current_services(), current_caller(), reference)), hand
            ),
            hand,
        )

    view.__name__, view.__doc__ = path, doc
    queries.get(f"{GAME_PATH}/{path}")(declared(view))


def _declared(summary: str, answer: type[Any], passes: int) -> Route:
    return route(
        summary,
        answer=or_text(answer),
        query=HAND_QUERY,
        problems=READING,
        lane="heavy",
        passes=passes,
        reads=1,
    )


def _hand_response(ask: Callable[[], Answer[QuestionAnswer]], hand: int) -> Response:
    try:
        return query_response(ask())
    except (NoSuchHand, NotShown):
        raise Problem("not-found", NO_HAND.format(hand)) from None


_add_route(
    "revokes",
    revokes,
    "Return 200: cards that didn't follow, and the seats that could have followed.",
    _declared("the cards that didn't follow, and the seats that could have followed", Revokes, passes=2),
)
_add_route(
    "draws",
    draws,
    "Return 200: every chance drawn, including those that had no effect, and any faults.",
    _declared("every chance drawn, and whether the draw is right", DrawsAnswer, passes=11),
)
_add_route(
    "score",
    score,
    "Return 200: points as recorded and as recomputed, scores as played and as ruled.",
    _declared("points recorded and recomputed, as played and as ruled", Scores, passes=2),
)
_add_route(
    "clock",
    turn_times,
    "Return 200: how long each turn took by the times in the log, and late turns.",
    _declared("how long each turn took, and which players were late", Times, passes=3),
)
_add_route(
    "sight",
    event_visibility,
    "Return 200: which events each seat could see, and since when.",
    _declared("the events that each seat could see, and since when", SightAnswer, passes=3),
)


@queries.get(HAND_PATH + "/deal")
@route(
    "its deal, recomputed from the seed",
    answer=or_text(DealAnswer),
    problems=READING,
    lane="heavy",
    passes=5,
    reads=1,
)
def hand_deal(reference: str, hand: int) -> Response:
    """Return 200: how the hand was dealt, recomputed from its seed once that is revealed."""
    return _hand_response(
        lambda: deal(
            visible_history(current_services(), visible_game(current_services(), current_caller(), reference)), hand
        ),
        hand,
    )


@queries.get(GAME_PATH + "/commits")
@route(
    "what happened between two events, command by command",
    answer=or_text(Commits),
    query=COMMITS_QUERY,
    problems=READING,
    lane="heavy",
    passes=2,
    reads=1,
)
def commits_between(reference: str) -> Response:
    """Return 200: the commits with their commands, from the one with event `from` to the one with event `to`."""
    history, args = (
        visible_history(current_services(), visible_game(current_services(), current_caller(), reference)),
        query_args(),
    )
    try:
        return query_response(list_commits(history, args["from"], args["to"]))
    except NotShown as error:
        raise Problem("malformed", str(error)) from None


@queries.get(GAME_PATH + "/compare")
@route(
    "whether the log once had a given root",
    answer=or_text(Comparison),
    query=COMPARE_QUERY,
    problems=READING,
    lane="heavy",
    passes=2,
    reads=1,
)
def compare_root(reference: str) -> Response:
    """Return 200: whether this log had `root` at `size` events; if not, there are two histories and code is 1."""
    history, args = (
        visible_history(current_services(), visible_game(current_services(), current_caller(), reference)),
        query_args(),
    )
    return query_response(_compare(history, args["size"], args["root"]))


def _compare(history: History, wanted: int | None, root: str) -> Answer[Comparison]:
    had = len(history.lines)
    size = had if wanted is None else wanted
    ours = recompute_root(history, size) if size <= had else None
    says = f"at {size} events the root is {ours}, not {root}" if size <= had else f"there are {had} events, not {size}"
    found = () if ours == root else (Finding(size, f"this is another history: {says}"),)
    note = f"{root} at {size} events: {'the same history' if ours == root else 'another history'}"
    body: Comparison = {
        **question_json(history, "compare"),
        "size": size,
        "root": root,
        "ours": ours,
        "became": "two" if found else "same",
        **findings_json(found),
    }
    return Answer(history, body, notes=(note,), findings=found)


branches = TaggedBlueprint("branches", __name__, "questions")


@branches.post(GAME_PATH + "/branches")
@route(
    "what if: a revealed hand played on in a sandbox",
    answer=Branch,
    body=NEW_BRANCH,
    example={"at": 12, "moves": ["3c", {"type": "play", "card": "AD", "seat": 2}], "bots": "simple", "hands": 1},
    problems=(*GAME, *REFUSED_MOVES),
    lane="heavy",
    passes=3,
    reads=2,
)
def play_branch(reference: str) -> Response:
    """Return 200 `{"facts", "score", "as_played", "stopped", "views", ...}`: the result of `moves`, then `bots`.

    Answers 409 for a hand that isn't revealed, and for a move that the rules refuse, as the game would.
    """
    services, player = current_services(), current_player()
    services.branches.take(client_address(request) if player is None else player.id)
    branch_request = BranchRequest(**NEW_BRANCH.load(read_json(request)))
    access = visible_game(current_services(), current_caller(), reference)
    state = access.state
    if branch_request.at > state.version:
        raise Problem("malformed", f"at must be a version of this game, 1 to {state.version}.")
    if branch_request.seat is not None and branch_request.seat >= len(state.seats):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    try:
        return json_response(branch(visible_history(current_services(), access), branch_request).to_json())
    except Unbranchable as error:
        raise Problem("conflict", str(error)) from None
    except MalformedMove as error:
        raise Problem("malformed", str(error)[:200]) from None
    except MoveRefused as error:
        opened = state.opened
        variant = "" if opened is None else opened.variant
        raise RefusedAtTable(type(error.refused)(str(error)), error.you, variant) from None
