"""The inbox, and webhooks that it's sent to."""

from collections.abc import Mapping
from typing import Any

from api.description.answers import inbox
from api.description.model import (
    TEXT_SCHEMA,
    Content,
    DescribedAnswer,
    JsonSchema,
    Operation,
    empty_answer,
    json_answer,
)
from api.description.problem_groups import NEGOTIATED
from api.inbox.routes import NewWebhook
from api.web.responses import EVENT_STREAM, JSON
from projections.lists.inbox import KINDS

FRAME: JsonSchema = {
    "type": "object",
    "description": "An entry of the inbox.",
    "properties": {
        "id": {"type": "string", "pattern": inbox.ENTRY_ID},
        "event": {"enum": list(KINDS), "description": "The kind of the entry."},
        "data": {"type": "string", "contentMediaType": JSON, "contentSchema": inbox.INBOX_ENTRY},
        "retry": {"type": "integer", "description": "Milliseconds to wait before you connect again."},
    },
}

OPERATIONS: Mapping[str, Operation] = {
    "inbox.list_entries": Operation(
        "your inbox: turns, ends of hands and games, questions, disputes; live with `Accept: text/event-stream`",
        (
            DescribedAnswer(
                200,
                "The entries, or a stream of them.",
                (Content(JSON, inbox.InboxEntriesSchema), Content(EVENT_STREAM, TEXT_SCHEMA, FRAME)),
            ),
            DescribedAnswer(204, "The stream has nothing to send up to `until`."),
        ),
        token="needed",
        problems=NEGOTIATED,
        asks=("Last-Event-ID",),
    ),
    "webhooks.add_webhook": Operation(
        "have your inbox sent to an address of yours",
        (json_answer(inbox.IssuedWebhookSchema, status=201),),
        token="needed",
        bodies=(NewWebhook,),
        example={"url": "https://bot.cards.net/inbox", "kinds": ["turn"], "game": None},
        problems=("no-webhooks", "too-many"),
    ),
    "webhooks.list_webhooks": Operation(
        "list these addresses", (json_answer(inbox.WebhookListSchema),), token="needed"
    ),
    "webhooks.remove_webhook": Operation(
        "remove one", (empty_answer("It gets nothing more."),), token="needed", problems=("not-found",)
    ),
}


def webhook_messages(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request that the server sends to a webhook, whose body has this schema."""
    header = {"in": "header", "required": True, "schema": {"type": "string"}}
    names = {
        "webhook-id": "The same if the message is sent again.",
        "webhook-timestamp": "Seconds since 1970.",
        "webhook-signature": "As Standard Webhooks says.",
    }
    return {
        "inboxEntry": {
            "post": {
                "operationId": "inbox_entry",
                "summary": "an entry of your inbox, sent to your webhook",
                "security": [],
                "parameters": [{"name": name, "description": says, **header} for name, says in names.items()],
                "requestBody": {"required": True, "content": {JSON: {"schema": body}}},
                "responses": {
                    "2XX": {"description": "You have it. Any other status counts as a failure, and it's sent again."},
                    "410": {"description": "The webhook is switched off at once."},
                },
            }
        }
    }
