"""Disputes: a player contests a hand, an arbiter rules, another arbiter decides the appeal (docs/disputes.md).

The facts are public. The texts beside them are for the seats of the game and for arbiters, and can be erased. An
arbiter sees no more of a live hand than a spectator.
"""

from flask import Response, request

from api.evidence.services import dispute_commands
from api.evidence.services.dispute_commands import (
    LIST_PASSES,
    SHOW_PASSES,
    DisputeQueue,
    DisputeResult,
    Disputes,
    OneDispute,
)
from api.evidence.services.schemas import APPEAL, APPEAL_DECISION, DISPUTE_ANSWER, NEW_DISPUTE, NEW_RULING, QUEUE_QUERY
from api.play.services.game_schemas import NO_FIELDS
from api.tables.routes.lists import list_response, list_route
from api.web.context import current_caller, current_services
from api.web.problems import COMMAND, DISPUTES, GAME, READING
from api.web.request_input import sent_body, sent_command
from api.web.responses import JSON, TEXT, game_response, json_response, negotiate
from api.web.route import SAME_GAME, Content, RouteAnswer, TaggedBlueprint, or_text, query_args, route

DISPUTES_PATH = "/games/<game_ref:reference>/disputes"
DISPUTE_PATH = DISPUTES_PATH + "/<strictint:dispute>"

ACTED = RouteAnswer(201, "OK", (Content(JSON, DisputeResult),), ("ETag", "Trickbook-Position"))
ASKS = ("Idempotency-Key", "If-Match")
PROBLEMS = (*GAME, *COMMAND, *DISPUTES)
OF_DISPUTE = SAME_GAME | {"dispute": "$response.body#/dispute"}

disputes = TaggedBlueprint("disputes", __name__, "disputes")


@disputes.get("/disputes")
@list_route(
    "the disputes that wait for you, as an arbiter; with `kind` or `clause`, rulings like these",
    DisputeQueue,
    QUEUE_QUERY,
    "forbidden",
    token="needed",
)
def queue() -> Response:
    """Return 200 `{"items", "next", "names"}`: the disputes that the calling arbiter can decide, oldest first.

    With `kind` or `clause`: the rulings on disputes of that kind, or that rest on that clause, newest first, with the
    reasons. Answers 403 without the role. Omits the arbiter's own games, appeals against their own rulings, and rulings
    on games that not everybody may watch.
    """
    services = current_services()
    return list_response(services, *dispute_commands.list_queue(services, current_caller(), query_args()))


@disputes.get(DISPUTES_PATH)
@route("the game's disputes and rulings", answer=Disputes, problems=GAME, lane="heavy", passes=LIST_PASSES, reads=1)
def list_disputes(reference: str) -> Response:
    """Return 200 `{"items", "names"}`: each dispute with its ruling, appeal and decision, and texts if allowed."""
    return json_response(dispute_commands.list_disputes(current_services(), current_caller(), reference))


@disputes.get(DISPUTE_PATH)
@route(
    "one dispute; as text, to print it with what the log shows",
    answer=or_text(OneDispute),
    problems=READING,
    lane="heavy",
    passes=SHOW_PASSES,
    reads=1,
)
def show(reference: str, dispute: int) -> Response:
    """Return 200: a dispute as in the list, or as text: the case, what the log shows, the ruling, and hashes."""
    services, caller = current_services(), current_caller()
    if negotiate(request, JSON, TEXT) == JSON:
        return json_response(dispute_commands.show_dispute(services, caller, reference, dispute))
    text = dispute_commands.print_dispute(services, caller, reference, dispute)
    return Response(text, content_type=f"{TEXT}; charset=utf-8")


@disputes.post(DISPUTES_PATH)
@route(
    "dispute a hand",
    answer=ACTED,
    token="needed",
    body=NEW_DISPUTE,
    example={
        "hand": 1,
        "kind": "revoke",
        "text": "Seat 2 held the queen of hearts.",
        "details": {"accused": {"seat": 2, "trick": 3, "card": "5C"}, "revokes": [38]},
    },
    problems=PROBLEMS,
    asks=ASKS,
    leads_to={f"disputes.{name}": OF_DISPUTE for name in ("withdraw", "rule", "appeal", "decide", "erase")},
)
def open_dispute(reference: str) -> Response:
    """Return 201 `{"dispute", "version", ...}`, otherwise as for a move; for players who sit or sat in the game."""
    answer = dispute_commands.open_dispute(current_services(), current_caller(), reference, sent_command())
    return game_response(answer, 201)


@disputes.put(DISPUTE_PATH + "/answer")
@route(
    "answer another player's dispute, until it's decided",
    says="The answer is saved.",
    token="needed",
    body=DISPUTE_ANSWER,
    example={"text": "I had no heart left."},
    problems=(*GAME, "not-seated", "no-such-dispute", "already-ruled", "already-withdrawn", "forbidden"),
)
def answer(reference: str, dispute: int) -> tuple[str, int]:
    """Return 204: the caller's side of a dispute of another player, in place of what they answered before.

    For players who sit or sat in the game, until the ruling, and again while an appeal waits. 403 for the player who
    opened it, and for an answer that a moderator erased.
    """
    dispute_commands.save_answer(current_services(), current_caller(), reference, dispute, sent_body())
    return "", 204


@disputes.post(DISPUTE_PATH + "/withdrawal")
@route(
    "withdraw your dispute, before the ruling",
    answer=ACTED,
    token="needed",
    body=NO_FIELDS,
    example={},
    problems=PROBLEMS,
    asks=ASKS,
)
def withdraw(reference: str, dispute: int) -> Response:
    """Return 201: the dispute is taken back, and its hand can be contested again; for the player who opened it."""
    answer = dispute_commands.withdraw_dispute(current_services(), current_caller(), reference, dispute, sent_command())
    return game_response(answer, 201)


@disputes.post(DISPUTE_PATH + "/ruling")
@route(
    "rule on it, as an arbiter",
    answer=ACTED,
    token="needed",
    body=NEW_RULING,
    example={
        "decision": "adjust",
        "changes": [0, -2, 0, 2],
        "basis": "S34",
        "standard": "recorded",
        "text": "Seat 1 revoked.",
    },
    problems=(*PROBLEMS, "forbidden"),
    asks=ASKS,
)
def rule(reference: str, dispute: int) -> Response:
    """Return 201: the ruling and its consequences; needs the role arbiter and no seat in the game."""
    answer = dispute_commands.give_ruling(current_services(), current_caller(), reference, dispute, sent_command())
    return game_response(answer, 201)


@disputes.post(DISPUTE_PATH + "/appeal")
@route(
    "ask another arbiter to look at a ruling",
    answer=ACTED,
    token="needed",
    body=APPEAL,
    example={"text": "The card was the ten."},
    problems=PROBLEMS,
    asks=ASKS,
)
def appeal(reference: str, dispute: int) -> Response:
    """Return 201: another arbiter decides; the ruling stays in force until then. For players who sit or sat there."""
    answer = dispute_commands.appeal_ruling(current_services(), current_caller(), reference, dispute, sent_command())
    return game_response(answer, 201)


@disputes.post(DISPUTE_PATH + "/decision")
@route(
    "uphold or reverse it, as another arbiter",
    answer=ACTED,
    token="needed",
    body=APPEAL_DECISION,
    example={"decision": "upheld", "text": "The log shows it."},
    problems=(*PROBLEMS, "forbidden"),
    asks=ASKS,
)
def decide(reference: str, dispute: int) -> Response:
    """Return 201: the ruling is upheld or reversed; needs the role arbiter, no seat, and not the arbiter who ruled."""
    answer = dispute_commands.decide_appeal(current_services(), current_caller(), reference, dispute, sent_command())
    return game_response(answer, 201)


@disputes.delete(DISPUTE_PATH + "/texts")
@route(
    "erase its texts, as a moderator or operator",
    says="The texts are erased; the facts remain.",
    token="needed",
    problems=(*GAME, "forbidden"),
    lane="heavy",
)
def erase(reference: str, dispute: int) -> tuple[str, int]:
    """Return 204: all texts of the dispute are erased, its facts remain; roles moderator and operator.

    With a moderator's token of the scope `moderate` also in games that the moderator can't see. 403 for a moderator who
    has a part in the game, in the dispute or in a report about the game.
    """
    dispute_commands.erase_texts(current_services(), current_caller(), reference, dispute)
    return "", 204
