"""The messages of webhooks, signed as the Standard Webhooks specification says, so that its libraries verify them.

A chat service gets an entry as one sentence.

A template is a text with fields in braces: `{says} ({variant}, board {board}) {url}`. No field holds a name or a text
of a player, so nobody can write into somebody else's channel.

A message of Web Push is for one browser, encrypted with its key (RFC 8291), from a server with a key (RFC 8292). A push
service passes it on and can't read it. It says what waits for a player at which table, and holds no card and no name or
text of anybody. A subscription is a webhook with the format `push`: it gets entries of the inbox in the same way, with
the same checks of its address.
"""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypedDict
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from api.inbox.stored.webhooks import PUSH, PushKeys, TextFormat, WebhookText
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


CURVE = ec.SECP256R1()
UNCOMPRESSED = b"\x04"
"""The first byte of a point as browsers write it; messages are encrypted with no other form."""
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve P-256 (SEC 2, 2.4.2)."""
KEPT_S = 24 * 3600
"""How long a push service keeps a message for a browser that it doesn't reach."""
VALID_S = 12 * 3600
"""How long a signature counts; at most a day (RFC 8292, 2)."""
SECRET_BYTES = 16
PLAIN_BYTES = 256
"""The length of each message before it's encrypted, so that a push service doesn't see by it what is told."""
NOBODY = "mailto:nobody@localhost"
"""The contact of a server without an address of its own."""


class PushPayload(TypedDict):
    """The text of a message, before it's encrypted. `id` is that of the entry in the inbox."""

    kind: str
    id: str
    board: int | None
    variant: str | None


def private_key(server_secret: bytes) -> ec.EllipticCurvePrivateKey:
    """Return the server's key for push services. It follows from the server's secret, and is stored nowhere."""
    drawn = hmac.digest(server_secret, b"trickbook-push/1", hashlib.sha512)
    return ec.derive_private_key(int.from_bytes(drawn) % (ORDER - 1) + 1, CURVE)


def public_key(server_secret: bytes) -> str:
    """Return the public key in the form in which browsers take it: `applicationServerKey`."""
    point = private_key(server_secret).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def are_valid(keys: PushKeys) -> bool:
    """Return whether these are a point of the curve and a secret, as a browser makes them."""
    try:
        point = _decoded(keys.p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
        return point[:1] == UNCOMPRESSED and len(_decoded(keys.auth)) == SECRET_BYTES
    except ValueError:
        return False


def _decoded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


def is_worth_telling(item: Mapping[str, Any]) -> bool:
    """Return whether an entry says that a player is awaited. Pages cut by themselves."""
    if item["kind"] == "turn":
        return bool(item["awaits"] == "move")
    if item["kind"] == "seat":
        return bool(item["now"] == "bot")
    return item["kind"] in ("question", "invitation") or (item["kind"] == "dispute" and item["step"] == "accused")


def push_payload(item: Mapping[str, Any]) -> bytes:
    """Return the text of the message about an entry (`entry_json`)."""
    told: PushPayload = {"kind": item["kind"], "id": item["id"], "board": item["board"], "variant": item["variant"]}
    return _padded(told)


def test_payload(asked: str) -> bytes:
    """Return the message that a player has asked for, to test their browser."""
    told: PushPayload = {"kind": "test", "id": f"test-{asked}", "board": None, "variant": None}
    return _padded(told)


def _padded(told: PushPayload) -> bytes:
    return json.dumps(told).encode().ljust(PLAIN_BYTES)  # JSON may end with spaces


def push_request(
    server_secret: bytes, url: str, keys: PushKeys, payload: bytes, seconds: int, pages: str | None
) -> tuple[bytes, Mapping[str, str]]:
    """Return the encrypted body and the headers of a message at a time in seconds since 1970.

    `pages` is the server's address, with which a push service can find its operator.
    """
    # a server loads these only for its first message: together they take as long as all of its own modules
    from py_vapid import Vapid02
    from pywebpush import WebPusher

    parts = urlsplit(url)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": _contact(pages), "exp": seconds + VALID_S}
    signed = Vapid02(private_key(server_secret)).sign(claims)
    subscription = {"endpoint": url, "keys": {"p256dh": keys.p256dh, "auth": keys.auth}}
    body = WebPusher(subscription).encode(payload, "aes128gcm")["body"]
    return body, {
        "Authorization": signed["Authorization"],
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_S),
        "Urgency": "high",
        "User-Agent": "trickbook",
    }


def _contact(pages: str | None) -> str:
    parts = urlsplit(pages or "")
    is_public = parts.scheme == "https" and "." in (parts.hostname or "")
    return f"https://{parts.hostname}" if is_public else NOBODY
