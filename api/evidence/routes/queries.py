"""Audits and queries about a game, each for what the caller may see of it (docs/replay.md), as JSON or as text.

While a hand is live, an audit can't check its deal. Branches play a hand on with other moves, in a sandbox; strong bots
say how they chose, or would. Nothing is stored.
"""

from collections.abc import Callable
from typing import Any

from flask import Response, request
from marshmallow import Schema

from api.evidence.services import questions
from api.evidence.services.histories import (
    AUDIT_PASSES,
    REPLAY_PASSES,
    TRANSCRIPT_PASSES,
    print_game_audit,
    print_hand_audit,
    print_transcript,
    view_at,
)
from api.evidence.services.questions import (
    Comparison,
    Hint,
    LegalMoves,
    ask,
    give_hint,
    judge_moves,
    strong_choices,
    with_clauses,
)
from api.evidence.services.schemas import (
    CHOICES_QUERY,
    COMMITS_QUERY,
    COMPARE_QUERY,
    HAND_QUERY,
    LEGAL_QUERY,
    MOMENT_QUERY,
    NEW_BRANCH,
)
from api.play.routes.games import HAND_PATH
from api.play.services.game_reader import NamedView
from api.schemas import parse_object
from api.web.context import current_caller, current_services
from api.web.problems import GAME, NEGOTIATED, READING, REFUSED_MOVES
from api.web.request_input import sent_body
from api.web.responses import JSON, TEXT, json_response, negotiate
from api.web.route import AS_TEXT, NO_ARGS, Route, TaggedBlueprint, or_text, query_args, route
from replay.audit.report import AuditReport
from replay.history import History
from replay.queries import Answer, deal, draws, event_visibility, revokes, score, turn_times
from replay.queries.answer import QuestionAnswer
from replay.queries.branch import Branch
from replay.queries.choices import StrongChoices
from replay.queries.commands import Commits
from replay.queries.deal import DealAnswer
from replay.queries.draws import DrawsAnswer
from replay.queries.revokes import Revokes
from replay.queries.score import Scores
from replay.queries.timing import Times
from replay.queries.visibility import SightAnswer
from replay.text.terminal import FILE_WIDTH, plain_text


def reading_route(
    summary: str,
    answer: type[Any],
    passes: float,
    *,
    reads: int = 1,
    query: Schema = NO_ARGS,
    problems: tuple[str, ...] = READING,
) -> Route:
    """Return the declaration of an answer, as JSON or as text, that comes from reading a whole game."""
    return Route(
        summary,
        answer=or_text(answer),
        query=query,
        problems=problems,
        lane="heavy",
        passes=passes,
        reads=reads,
    )


audits = TaggedBlueprint("audits", __name__, "questions")


@audits.get("/games/<game_ref:reference>/audit")
@reading_route("an audit of the whole game", AuditReport, AUDIT_PASSES, problems=("not-found", *NEGOTIATED))
def game_audit(reference: str) -> Response:
    """Return 200: the report on the game (trickbook-audit/1) as JSON or text, with code 0, 1 or 2.

    For a corrupt log, the report names the first event that doesn't fit, and its code is 1.
    """
    kind = negotiate(request, JSON, TEXT)
    width = None if kind == JSON else FILE_WIDTH
    return _report_response(print_game_audit(current_services(), current_caller(), reference, width=width), kind)


@audits.get(HAND_PATH + "/audit")
@reading_route("an audit of the hand", AuditReport, AUDIT_PASSES)
def hand_audit(reference: str, hand: int) -> Response:
    """Return 200: the report on one hand, from an audit of the whole game."""
    kind = negotiate(request, JSON, TEXT)
    width = None if kind == JSON else FILE_WIDTH
    return _report_response(print_hand_audit(current_services(), current_caller(), reference, hand, width=width), kind)


@audits.get(HAND_PATH + "/transcript")
@route("the hand as text", answer=(AS_TEXT,), problems=READING, lane="heavy", passes=TRANSCRIPT_PASSES, reads=1)
def transcript(reference: str, hand: int) -> Response:
    """Return 200, text/plain: the hand in the style of PBN; `??` stands for cards that the caller may not see."""
    negotiate(request, TEXT)
    text = print_transcript(current_services(), current_caller(), reference, hand)
    return Response(text, content_type=f"{TEXT}; charset=utf-8")


def _report_response(report: bytes, kind: str) -> Response:
    return Response(report, content_type=JSON if kind == JSON else f"{TEXT}; charset=utf-8")


queries = TaggedBlueprint("queries", __name__, "questions")

GAME_PATH = "/games/<game_ref:reference>"
Question = Callable[[History, int | None], Answer[QuestionAnswer]]


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
@reading_route(
    "a seat's legal moves at a moment, and why the rules refuse a move", LegalMoves, 3, reads=2, query=LEGAL_QUERY
)
def legal_moves(reference: str) -> Response:
    """Return 200: the legal moves of a seat at version `at`, and for `move` the verdict of the rules with clauses."""
    return query_response(
        with_clauses(judge_moves(current_services(), current_caller(), reference, query_args(), parse_object))
    )


def _add_route(path: str, question: Question, doc: str, declared: Route) -> None:
    """Add a route for a query about a game, or with `hand` about one hand of it."""

    def view(reference: str) -> Response:
        return query_response(ask(current_services(), current_caller(), reference, query_args()["hand"], question))

    view.__name__, view.__doc__ = path, doc
    queries.get(f"{GAME_PATH}/{path}")(declared(view))


_add_route(
    "revokes",
    revokes,
    "Return 200: cards that didn't follow, and the seats that could have followed.",
    reading_route("the cards that didn't follow, and the seats that could have followed", Revokes, 2, query=HAND_QUERY),
)
_add_route(
    "draws",
    draws,
    "Return 200: every chance drawn, including those that had no effect, and any faults.",
    reading_route("every chance drawn, and whether the draw is right", DrawsAnswer, 11, query=HAND_QUERY),
)
_add_route(
    "score",
    score,
    "Return 200: points as recorded and as recomputed, scores as played and as ruled.",
    reading_route("points recorded and recomputed, as played and as ruled", Scores, 2, query=HAND_QUERY),
)
_add_route(
    "clock",
    turn_times,
    "Return 200: how long each turn took by the times in the log, and late turns.",
    reading_route("how long each turn took, and which players were late", Times, 3, query=HAND_QUERY),
)
_add_route(
    "sight",
    event_visibility,
    "Return 200: which events each seat could see, and since when.",
    reading_route("the events that each seat could see, and since when", SightAnswer, 3, query=HAND_QUERY),
)


@queries.get(HAND_PATH + "/deal")
@reading_route("its deal, recomputed from the seed", DealAnswer, 5)
def hand_deal(reference: str, hand: int) -> Response:
    """Return 200: how the hand was dealt, recomputed from its seed once that is revealed."""
    return query_response(ask(current_services(), current_caller(), reference, hand, deal))


@queries.get(GAME_PATH + "/commits")
@reading_route("what happened between two events, command by command", Commits, 2, query=COMMITS_QUERY)
def commits_between(reference: str) -> Response:
    """Return 200: the commits with their commands, from the one with event `from` to the one with event `to`."""
    args = query_args()
    answer = questions.commits_between(current_services(), current_caller(), reference, args["from"], args["to"])
    return query_response(answer)


@queries.get(GAME_PATH + "/compare")
@reading_route("whether the log once had a given root", Comparison, 2, query=COMPARE_QUERY)
def compare_root(reference: str) -> Response:
    """Return 200: whether this log had `root` at `size` events; if not, there are two histories and code is 1."""
    args = query_args()
    answer = questions.compare_root(current_services(), current_caller(), reference, args["size"], args["root"])
    return query_response(answer)


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
    return json_response(questions.play_branch(current_services(), current_caller(), reference, sent_body()))


bot_choices = TaggedBlueprint("bot_choices", __name__, "questions")


@bot_choices.get(HAND_PATH + "/choices")
@reading_route(
    "how its strong bots chose, worked out again",
    StrongChoices,
    2,
    query=CHOICES_QUERY,
    problems=(*READING, "not-revealed"),
)
def hand_choices(reference: str, hand: int) -> Response:
    """Return 200: how the strong bots of a revealed hand chose, or only at event `at`; 409 before it's revealed.

    With `seat`, which must be the caller's, the answer has their own moves beside the strong bot's choices; 409 before
    the game is over.
    """
    args, caller = query_args(), current_caller()
    return query_response(strong_choices(current_services(), caller, reference, hand, args["at"], args["seat"]))


@bot_choices.get(GAME_PATH + "/hint")
@route(
    "what the strong bot would do in your place, at a table of practice",
    answer=Hint,
    token="needed",
    problems=(*GAME, "no-hints", "not-seated", "conflict"),
    lane="heavy",
)
def hint(reference: str) -> Response:
    """Return 200: what the strong bot would do in the caller's place; 409 at any table but one of practice."""
    return json_response(give_hint(current_services(), current_caller(), reference))
