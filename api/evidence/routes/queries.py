"""Audits and queries about a game, each for what the caller may see of it (docs/replay.md), as JSON or as text.

While a hand is live, an audit can't check its deal. Branches play a hand on with other moves, in a sandbox; strong bots
say how they chose, or would. Nothing is stored.
"""

from collections.abc import Callable
from typing import Any

from flask import Response, request

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
from api.web.route import AS_TEXT, Route, TaggedBlueprint, or_text, query_args, route
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

audits = TaggedBlueprint("audits", __name__, "questions")


@audits.get("/games/<game_ref:reference>/audit")
@route(
    "an audit of the whole game",
    answer=or_text(AuditReport),
    problems=("not-found", *NEGOTIATED),
    lane="heavy",
    passes=AUDIT_PASSES,
    reads=1,
)
def game_audit(reference: str) -> Response:
    """Return 200: the report on the game (trickbook-audit/1) as JSON or text, with code 0, 1 or 2.

    For a corrupt log, the report names the first event that doesn't fit, and its code is 1.
    """
    kind = negotiate(request, JSON, TEXT)
    report = print_game_audit(
        current_services(), current_caller(), reference, width=None if kind == JSON else FILE_WIDTH
    )
    return _report_response(report, kind)


@audits.get(HAND_PATH + "/audit")
@route(
    "an audit of the hand",
    answer=or_text(AuditReport),
    problems=READING,
    lane="heavy",
    passes=AUDIT_PASSES,
    reads=1,
)
def hand_audit(reference: str, hand: int) -> Response:
    """Return 200: the report on one hand, from an audit of the whole game."""
    kind = negotiate(request, JSON, TEXT)
    report = print_hand_audit(
        current_services(), current_caller(), reference, hand, width=None if kind == JSON else FILE_WIDTH
    )
    return _report_response(report, kind)


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
    return query_response(
        with_clauses(judge_moves(current_services(), current_caller(), reference, query_args(), parse_object))
    )


def _add_route(path: str, question: Question, doc: str, declared: Route) -> None:
    """Add a route for a query about a game, or with `hand` about one hand of it."""

    def view(reference: str) -> Response:
        return query_response(ask(current_services(), current_caller(), reference, query_args()["hand"], question))

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
    return query_response(ask(current_services(), current_caller(), reference, hand, deal))


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
    args = query_args()
    answer = questions.commits_between(current_services(), current_caller(), reference, args["from"], args["to"])
    return query_response(answer)


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
@route(
    "how its strong bots chose, worked out again",
    answer=or_text(StrongChoices),
    query=CHOICES_QUERY,
    problems=(*READING, "not-revealed"),
    lane="heavy",
    passes=2,
    reads=1,
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
