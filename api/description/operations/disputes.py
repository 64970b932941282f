"""Disputes, rulings and appeals."""

from collections.abc import Mapping

from api.description.answers import disputes, views
from api.description.model import Operation, empty_answer, json_answer
from api.description.problem_groups import COMMAND, DISPUTES, GAME, WAIT
from api.evidence.services.schemas import Appeal, AppealDecision, NewDispute, NewDisputeAnswer, NewRuling

ACTED = (json_answer(views.DisputeResultSchema, "ETag", "Trickbook-Position", status=201),)
ASKS = ("Idempotency-Key", "If-Match")
PROBLEMS = (*GAME, *COMMAND, *DISPUTES)
DETAILS = {"accused": {"seat": 2, "trick": 3, "card": "5C"}, "revokes": [38]}
RULING = {"decision": "adjust", "changes": [0, -2, 0, 2], "basis": "S34", "standard": "recorded"}

OPERATIONS: Mapping[str, Operation] = {
    "disputes.list_disputes": Operation(
        "the game's disputes and rulings", (json_answer(disputes.DisputesSchema),), problems=GAME
    ),
    "disputes.open_dispute": Operation(
        "dispute a hand",
        ACTED,
        token="needed",
        bodies=(NewDispute,),
        example={"hand": 1, "kind": "revoke", "text": "Seat 2 held the queen of hearts.", "details": DETAILS},
        problems=PROBLEMS,
        asks=ASKS,
    ),
    "disputes.answer": Operation(
        "answer another player's dispute, until it's decided",
        (empty_answer("The answer is saved."),),
        token="needed",
        bodies=(NewDisputeAnswer,),
        example={"text": "I had no heart left."},
        problems=(*GAME, "not-seated", "no-such-dispute", "already-ruled", "forbidden"),
    ),
    "disputes.rule": Operation(
        "rule on it, as an arbiter",
        ACTED,
        token="needed",
        bodies=(NewRuling,),
        example=RULING | {"text": "Seat 1 revoked."},
        problems=(*PROBLEMS, "forbidden"),
        asks=ASKS,
    ),
    "disputes.appeal": Operation(
        "ask another arbiter to look at a ruling",
        ACTED,
        token="needed",
        bodies=(Appeal,),
        example={"text": "The card was the ten."},
        problems=PROBLEMS,
        asks=ASKS,
    ),
    "disputes.decide": Operation(
        "uphold or reverse it, as another arbiter",
        ACTED,
        token="needed",
        bodies=(AppealDecision,),
        example={"decision": "upheld", "text": "The log shows it."},
        problems=(*PROBLEMS, "forbidden"),
        asks=ASKS,
    ),
    "disputes.erase": Operation(
        "erase its texts, as a moderator or operator",
        (empty_answer("The texts are erased; the facts remain."),),
        token="needed",
        problems=(*GAME, "forbidden"),
    ),
    "disputes.queue": Operation(
        "the disputes that wait for you, as an arbiter",
        (json_answer(disputes.DisputeQueueSchema, "Trickbook-Position"),),
        token="needed",
        problems=(*WAIT, "forbidden"),
    ),
}
