"""Web Push: messages for one browser, encrypted with its key (RFC 8291), from a server with a key (RFC 8292).

A push service passes them on and can't read them. They say what waits for a player at which table, and hold no card and
no name or text of anybody. A subscription is a webhook with the format `push`: it gets entries of the inbox in the same
way, with the same checks of its address.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any, TypedDict
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from api.inbox.stored.webhooks import PushKeys

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
