"""Audits, replays, questions, branches and hands."""

from collections.abc import Mapping

from marshmallow import Schema

from api.description.answers import audits, questions, views
from api.description.model import TEXT_SCHEMA, Content, DescribedAnswer, Operation, json_answer
from api.description.problem_groups import GAME, NEGOTIATED, REFUSED_MOVES
from api.evidence.services.schemas import NewBranch
from api.web.responses import JSON, TEXT

READ = (*GAME, *NEGOTIATED)


def _question(summary: str, schema: type[Schema], problems: tuple[str, ...] = READ) -> Operation:
    """Return the description of a route that answers as JSON or as text."""
    contents = (Content(JSON, schema), Content(TEXT, TEXT_SCHEMA))
    return Operation(summary, (DescribedAnswer(200, "As JSON, or as text.", contents),), problems=problems)


OPERATIONS: Mapping[str, Operation] = {
    "audits.game_audit": _question(
        "an audit of the whole game", audits.AuditReportSchema, problems=("not-found", *NEGOTIATED)
    ),
    "queries.replay": Operation(
        "any moment, byte for byte as a seat or a spectator saw it",
        (json_answer(views.NamedViewSchema),),
        problems=GAME,
    ),
    "queries.legal_moves": _question(
        "a seat's legal moves at a moment, and why the rules refuse a move", questions.LegalMovesSchema
    ),
    "queries.revokes": _question(
        "the cards that didn't follow, and the seats that could have followed", questions.RevokesSchema
    ),
    "queries.draws": _question("every chance drawn, and whether the draw is right", questions.DrawsSchema),
    "queries.score": _question("points recorded and recomputed, as played and as ruled", questions.ScoresSchema),
    "queries.clock": _question("how long each turn took, and which players were late", questions.TimesSchema),
    "queries.sight": _question("the events that each seat could see, and since when", questions.SightAnswerSchema),
    "queries.commits_between": _question(
        "what happened between two events, command by command", questions.CommitsSchema
    ),
    "queries.compare_root": _question("whether the log once had a given root", questions.ComparisonSchema),
    "branches.play_branch": Operation(
        "what if: a revealed hand played on in a sandbox",
        (json_answer(questions.BranchSchema),),
        bodies=(NewBranch,),
        example={"at": 12, "moves": ["3c", {"type": "play", "card": "AD", "seat": 2}], "bots": "simple", "hands": 1},
        problems=(*GAME, *REFUSED_MOVES),
    ),
    "hands.result": Operation("a hand and its result", (json_answer(questions.HandSummarySchema),), problems=GAME),
    "hands.replay": Operation(
        "any moment of it, as a seat saw it", (json_answer(views.NamedViewSchema),), problems=GAME
    ),
    "audits.transcript": Operation(
        "the hand as text", (DescribedAnswer(200, "As text.", (Content(TEXT, TEXT_SCHEMA),)),), problems=READ
    ),
    "audits.hand_audit": _question("an audit of the hand", audits.AuditReportSchema),
    "queries.hand_deal": _question("its deal, recomputed from the seed", questions.DealAnswerSchema),
    "bot_choices.hand_choices": _question(
        "how its strong bots chose, worked out again", questions.StrongChoicesSchema, problems=(*READ, "not-revealed")
    ),
    "bot_choices.hint": Operation(
        "what the strong bot would do in your place, at a table of practice",
        (json_answer(questions.HintSchema),),
        token="needed",
        problems=(*GAME, "no-hints", "not-seated", "conflict"),
    ),
}
