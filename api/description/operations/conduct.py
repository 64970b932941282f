"""Blocks, chat, reports and moderation."""

from collections.abc import Mapping

from api.conduct.services.schemas import (
    NewAppeal,
    NewAppealDecision,
    NewBroadcast,
    NewConductRuling,
    NewMessageBody,
    NewPrivateMessage,
    NewReport,
)
from api.description.answers import conduct
from api.description.model import Operation, empty_answer, json_answer
from api.description.problem_groups import GAME
from api.play.services.game_schemas import NO_FIELDS

CASE = ("not-found", "forbidden")
STEP_ID = "s_0123456789abcdef01234567"

OPERATIONS: Mapping[str, Operation] = {
    "blocks.list_blocks": Operation(
        "the players whom you have blocked", (json_answer(conduct.BlockListSchema),), token="needed"
    ),
    "blocks.block": Operation(
        "block a player",
        (empty_answer("The player is blocked."),),
        token="needed",
        problems=("not-found", "about-yourself", "too-many", "unsupported-media-type"),
    ),
    "blocks.unblock": Operation("lift the block", (empty_answer("The block is lifted."),), token="needed"),
    "chat.read_chat": Operation(
        "the messages that you may read", (json_answer(conduct.ChatSchema),), token="needed", problems=GAME
    ),
    "chat.write": Operation(
        "write a message, or a comment on an event",
        (json_answer(conduct.ChatMessageSchema, status=201),),
        token="needed",
        bodies=(NewMessageBody,),
        example={"text": "Well played.", "to": "table", "event": None},
        problems=(*GAME, "muted", "not-in-chat", "chat-closed", "key-reused"),
        asks=("Idempotency-Key",),
    ),
    "chat.erase": Operation(
        "erase your message, or any message as a moderator",
        (empty_answer("The text is erased."),),
        token="needed",
        problems=(*GAME, "forbidden"),
    ),
    "messages.read_messages": Operation(
        "the messages that you wrote or got, and broadcasts",
        (json_answer(conduct.PrivateMessagesSchema),),
        token="needed",
    ),
    "messages.write": Operation(
        "write to players",
        (json_answer(conduct.SentMessageSchema, status=201),),
        token="needed",
        bodies=(NewPrivateMessage,),
        example={"to": ["bob"], "text": "A game tonight?"},
        problems=("not-found", "about-yourself", "not-for-guests", "muted", "key-reused"),
        asks=("Idempotency-Key",),
    ),
    "messages.broadcast": Operation(
        "write to everybody, as a moderator",
        (json_answer(conduct.SentMessageSchema, status=201),),
        token="needed",
        bodies=(NewBroadcast,),
        example={"text": "The server moves to another machine on Sunday."},
        problems=("forbidden", "muted", "key-reused"),
        asks=("Idempotency-Key",),
    ),
    "reports.report": Operation(
        "report a player's conduct to the moderators",
        (json_answer(conduct.SentReportSchema, status=201),),
        token="needed",
        bodies=(NewReport,),
        example={"about": "bob", "kind": "abuse", "text": "He insults everybody."},
        problems=("not-found", "about-yourself", "already-reported"),
    ),
    "reports.own_reports": Operation(
        "your reports, and what became of them", (json_answer(conduct.OwnReportsSchema),), token="needed"
    ),
    "reports.own_standing": Operation(
        "what you may do, and the steps of moderators against you",
        (json_answer(conduct.OwnStandingSchema),),
        token="needed",
    ),
    "reports.appeal": Operation(
        "appeal against a step",
        (json_answer(conduct.AppealedStepSchema, status=201),),
        token="needed",
        bodies=(NewAppeal,),
        example={"step": STEP_ID, "text": "It was somebody else."},
        problems=("not-found", "already-judged"),
    ),
    "moderation.queue": Operation(
        "the reports that you can judge, as a moderator",
        (json_answer(conduct.ConductReportsSchema),),
        token="needed",
        problems=("forbidden",),
    ),
    "moderation.claim": Operation(
        "claim one",
        (json_answer(conduct.ClaimedReportSchema),),
        token="needed",
        bodies=(type(NO_FIELDS),),
        example={},
        problems=(*CASE, "already-claimed", "already-judged"),
    ),
    "moderation.rule": Operation(
        "rule on it",
        (json_answer(conduct.RuledReportSchema, status=201),),
        token="needed",
        bodies=(NewConductRuling,),
        example={"step": "mute", "until": "2026-12-21T08:00:00Z", "reason": "Insults in the chat."},
        problems=(*CASE, "not-claimed", "already-judged"),
    ),
    "moderation.appeals": Operation(
        "the appeals that you can decide, as a moderator",
        (json_answer(conduct.StepCasesSchema),),
        token="needed",
        problems=("forbidden",),
    ),
    "moderation.decide": Operation(
        "uphold or reverse a step",
        (json_answer(conduct.DecidedStepSchema, status=201),),
        token="needed",
        bodies=(NewAppealDecision,),
        example={"decision": "upheld", "reason": "The message is quoted in the report."},
        problems=(*CASE, "already-judged"),
    ),
    "moderation.log": Operation(
        "the signed log of what moderators did", (json_answer(conduct.ModerationEntriesSchema),)
    ),
}
