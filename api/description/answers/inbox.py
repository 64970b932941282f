"""Inboxes and webhooks."""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from api.description.answers.fields import (
    REFERENCES,
    TIME,
    UUID,
    AnswerSchema,
    choice,
    of_schema,
    several,
    string,
    whole_number,
)
from projections.lists.inbox import DISPUTE_STEPS
from projections.lists.inbox_entries import KINDS

ENTRY_ID = r"^(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,14})$"
CAUSE = "The version of the event that is the cause."


def _sender(*, required: bool = True) -> fields.String:
    """Return the field `from`, which Python has no name for."""
    return fields.String(required=required, data_key="from", metadata={"description": "A player's id."})


class EntrySchema(AnswerSchema):
    """What all entries have."""

    id = string("A generation and a number.", pattern=ENTRY_ID)
    at = string(**TIME)
    game = string("The id of the game or table.", null=True, **UUID)
    board = whole_number("Its board number.", null=True)
    variant = string(null=True)


class InboxTurnSchema(EntrySchema):
    """The caller's turn begins, or the deal waits for their cut."""

    kind = choice("turn")
    version = whole_number(CAUSE)
    seat = whole_number()
    awaits = choice("move", "cut")


class InboxDeadlineSchema(EntrySchema):
    """The caller's turn ends soon, or has been waiting for long."""

    kind = choice("deadline")
    version = whole_number("The version of the game, or of the reminder.")
    seat = whole_number()


class InboxQueueSchema(EntrySchema):
    """The caller's queued move isn't played."""

    kind = choice("queue")
    dropped = string("Why: a code of the queue, or the code of a refusal.")


class InboxSeatSchema(EntrySchema):
    """Somebody else has the caller's seat from now on, or the table plays it."""

    kind = choice("seat")
    version = whole_number(CAUSE)
    seat = whole_number()
    now = choice("bot", "person", "table")


class InboxRefusalSchema(EntrySchema):
    """Somebody has refused what the caller asked the table."""

    kind = choice("refusal")
    version = whole_number(CAUSE)
    seat = whole_number()
    asks = choice("handover", "undo", "draw")


class InboxMessageSchema(EntrySchema):
    """Somebody has written a message to the caller, or a moderator to everybody."""

    kind = choice("message")
    message = string("The id of the message.")
    sender = _sender()


class InboxHandOverSchema(EntrySchema):
    """A hand is over."""

    kind = choice("hand-over")
    version = whole_number(CAUSE)
    seat = whole_number()
    hand = whole_number()


class InboxGameOverSchema(EntrySchema):
    """A game is over."""

    kind = choice("game-over")
    version = whole_number(CAUSE)
    seat = whole_number()
    reason = string()


class InboxQuestionSchema(EntrySchema):
    """Somebody asks the caller to sit down, or the table asks about a hand-over, an undo or a draw."""

    kind = choice("question")
    asks = choice("sit", "handover", "undo", "draw")
    version = whole_number(CAUSE, required=False)
    seat = whole_number()
    sender = _sender(required=False)


class InboxInvitationSchema(EntrySchema):
    """Somebody offers the caller their seat."""

    kind = choice("invitation")
    offer = string("The id of the offer.")
    seat = whole_number()
    sender = _sender()


class InboxChatSchema(EntrySchema):
    """Somebody has written to the caller's table, or to the caller."""

    kind = choice("chat")
    message = string("The id of the message.")
    to = string()
    sender = _sender()


class InboxDisputeSchema(EntrySchema):
    """Somebody else did something in a dispute or a delay call."""

    kind = choice("dispute")
    version = whole_number(CAUSE, required=False)
    seat = whole_number()
    step = choice(*DISPUTE_STEPS.values(), "accused", "answered")
    dispute = whole_number(required=False)
    accused = whole_number("The seat that was called slow.", required=False)


class InboxModerationSchema(EntrySchema):
    """A moderator has ruled on the caller's report, ruled against them, or decided their appeal."""

    kind = choice("moderation")
    act = choice("answered", "ruled", "decided")
    report = string("The id of the report.", required=False)
    step = string("The id of the step.", required=False)
    ruling = string("The kind of the step.", required=False)
    decision = string(required=False)


ENTRIES: Mapping[str, type[EntrySchema]] = {
    "turn": InboxTurnSchema,
    "deadline": InboxDeadlineSchema,
    "queue": InboxQueueSchema,
    "seat": InboxSeatSchema,
    "hand-over": InboxHandOverSchema,
    "game-over": InboxGameOverSchema,
    "question": InboxQuestionSchema,
    "invitation": InboxInvitationSchema,
    "refusal": InboxRefusalSchema,
    "chat": InboxChatSchema,
    "message": InboxMessageSchema,
    "dispute": InboxDisputeSchema,
    "moderation": InboxModerationSchema,
}
POINTERS = {kind: REFERENCES + schema.__name__.removesuffix("Schema") for kind, schema in ENTRIES.items()}
ANY_ENTRY: dict[str, Any] = {
    "oneOf": [{"$ref": pointer} for pointer in POINTERS.values()],
    "discriminator": {"propertyName": "kind", "mapping": POINTERS},
    "description": "An entry of an inbox. It names things by id, and never holds a card, a name or a text.",
}
INBOX_ENTRY = {"$ref": REFERENCES + "InboxEntry"}


class InboxEntriesSchema(AnswerSchema):
    """Entries of the caller's inbox."""

    items = several(of_schema(INBOX_ENTRY))
    last = string("The value of `after` for the next request.", pattern=ENTRY_ID)
    next = string("The same if there are more entries, otherwise null.", null=True, pattern=ENTRY_ID)


class WebhookSchema(AnswerSchema):
    """An address to which the server sends the entries of the caller's inbox."""

    id = string()
    url = string()
    kinds = several(choice(*KINDS))
    game = string("The one game whose entries are sent, or null.", null=True, **UUID)
    format = choice("standard", "discord", "slack")
    template = string("The text for a chat service, or null for the usual one.", null=True)
    created = string(**TIME)
    status = choice("on", "failing", "off")
    failing_since = string(null=True, **TIME)
    failure = string("Why the newest try failed.", null=True)


class IssuedWebhookSchema(WebhookSchema):
    """A new webhook with its secret, which the server shows only once."""

    secret = string("The key of the signatures, for libraries of Standard Webhooks.", pattern="^whsec_")


class WebhookListSchema(AnswerSchema):
    """The caller's webhooks, the oldest first."""

    items = several(WebhookSchema)


class WebhookMessageSchema(AnswerSchema):
    """The body of a message to a webhook."""

    type = choice(*KINDS)
    timestamp = string(**TIME)
    data = of_schema(INBOX_ENTRY)
