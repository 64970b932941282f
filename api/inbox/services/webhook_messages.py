"""The messages of webhooks, signed as the Standard Webhooks specification says, so that its libraries verify them.

A chat service gets an entry as one sentence.

A template is a text with fields in braces: `{says} ({variant}, board {board}) {url}`. No field holds a name or a text
of a player, so nobody can write into somebody else's channel.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypedDict

import msgspec

from api.inbox.services.push_messages import push_payload, test_payload
from api.inbox.stored.webhooks import PUSH, TextFormat, WebhookText
from domain.json_fields import Time
from projections.lists.inbox_entries import EntryKind, InboxEntry

SECRET_PREFIX = "whsec_"
WebhookSecret = Annotated[str, msgspec.Meta(pattern=f"^{SECRET_PREFIX}")]


class WebhookMessage(TypedDict):
    """The body of a message to a webhook."""

    type: EntryKind
    timestamp: Time
    data: InboxEntry


_encode = msgspec.json.Encoder().encode


def secret_bytes(server_secret: bytes, webhook: str) -> bytes:
    """Return the key of a webhook's signatures. It follows from the server's secret, and is stored nowhere."""
    return hmac.digest(server_secret, f"trickbook-webhook/1 {webhook}".encode(), hashlib.sha256)


def show_secret(server_secret: bytes, webhook: str) -> str:
    """Return the key as the player gets it."""
    return SECRET_PREFIX + base64.b64encode(secret_bytes(server_secret, webhook)).decode()


def message_body(item: InboxEntry, text: WebhookText | None = None, pages: str | None = None) -> bytes:
    """Return the body of the message about an entry (`entry_json`); `text` is for a chat service."""
    if text is not None and text.format == PUSH:
        return push_payload(item)
    if text is not None:
        return _encode(text_body(text.format, text.template, item, pages))
    message: WebhookMessage = {"type": item["kind"], "timestamp": item["at"], "data": item}
    return _encode(message)


class TestMessage(TypedDict):
    """The body of a message that its player has asked for, to test the webhook."""

    type: Literal["test"]
    timestamp: Time
    data: dict[str, str]


def test_body(at: str, text: WebhookText | None) -> bytes:
    """Return the body of a test of a webhook, asked for at a time."""
    if text is not None and text.format == PUSH:
        return test_payload(at)
    if text is not None:
        return _encode(FORMATS[text.format](TEST_TEXT))
    message: TestMessage = {"type": "test", "timestamp": at, "data": {"says": TEST_TEXT}}
    return _encode(message)


TEST_TEXT = "This is a test of your webhook"


def message_headers(key: bytes, identity: str, body: bytes, seconds: int) -> Mapping[str, str]:
    """Return the headers of a message, sent at a time in seconds since 1970. A repeated message has the same id."""
    signed = hmac.digest(key, f"{identity}.{seconds}.".encode() + body, hashlib.sha256)
    return {
        "Content-Type": "application/json",
        "User-Agent": "trickbook",
        "webhook-id": identity,
        "webhook-timestamp": str(seconds),
        "webhook-signature": "v1," + base64.b64encode(signed).decode(),
    }


USUAL_TEMPLATE = "{says}: {variant}, board {board} {url}"
NO_GAME_TEMPLATE = "{says} {url}"
"""The usual text about an entry that is about no game."""
MOST_TEMPLATE = 300
FIELDS = ("says", "kind", "variant", "board", "url", "at")
"""The fields of a template."""
_FIELD = re.compile(r"\{(\w*)\}")
_ASKS = {
    "sit": "You are asked to sit down",
    "undo": "You are asked to let a move be taken back",
    "draw": "You are asked to end the game as a draw",
    "handover": "You are asked to let a seat be handed over",
}
_SAYS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "turn": lambda item: "It's your turn" if item["awaits"] == "move" else "The deal waits for your cut",
    "deadline": lambda _: "Your turn ends soon",
    "queue": lambda _: "Your queued move isn't played",
    "seat": lambda _: "Your seat isn't yours any more",
    "hand-over": lambda item: f"Hand {item['hand']} is over",
    "game-over": lambda _: "The game is over",
    "question": lambda item: _ASKS[item["asks"]],
    "refusal": lambda _: "What you asked for is refused",
    "invitation": lambda _: "You are offered a seat",
    "chat": lambda _: "There is a message at your table",
    "message": lambda _: "You have a message",
    "dispute": lambda _: "There is news of a dispute",
    "moderation": lambda _: "A moderator has decided",
}
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
FORMATS: Mapping[TextFormat, Callable[[str], Mapping[str, object]]] = {
    "discord": lambda text: {"content": text, "allowed_mentions": {"parse": []}},
    "slack": lambda text: {"text": text.translate(_ESCAPED)},
}
"""The body of a message, by format (Discord's webhook resource, Slack's incoming webhooks)."""


def unknown_fields(template: str) -> list[str]:
    """Return the fields of a template that there aren't."""
    return [name for name in _FIELD.findall(template) if name not in FIELDS]


def text_body(
    form: TextFormat, template: str | None, item: Mapping[str, Any], pages: str | None
) -> Mapping[str, object]:
    """Return the body of a message about an entry (`entry_json`), as JSON values. `pages` is the server's address."""
    usual = NO_GAME_TEMPLATE if item["board"] is None else USUAL_TEMPLATE
    path = "/me" if item["board"] is None else f"/games/{item['board']}"
    values = {
        "says": _SAYS[item["kind"]](item),
        "kind": item["kind"],
        "variant": item["variant"] or "",
        "board": "" if item["board"] is None else str(item["board"]),
        "url": "" if pages is None else pages.rstrip("/") + path,
        "at": item["at"],
    }
    return FORMATS[form](_FIELD.sub(lambda found: values[found[1]], template or usual).strip())
