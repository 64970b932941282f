"""The messages of webhooks, signed as the Standard Webhooks specification says, so that its libraries verify them."""

import base64
import hashlib
import hmac
from collections.abc import Mapping

import msgspec

from api.accounts.inbox.webhooks import Webhook
from api.services.inbox.entries import entry_json, format_id
from projections.storage.tables import Row

SECRET_PREFIX = "whsec_"
_encode = msgspec.json.Encoder().encode


def secret_bytes(server_secret: bytes, webhook: str) -> bytes:
    """Return the key of a webhook's signatures. It follows from the server's secret, and is stored nowhere."""
    return hmac.digest(server_secret, f"trickbook-webhook/1 {webhook}".encode(), hashlib.sha256)


def show_secret(server_secret: bytes, webhook: str) -> str:
    """Return the key as the player gets it."""
    return SECRET_PREFIX + base64.b64encode(secret_bytes(server_secret, webhook)).decode()


def message_body(generation: int, entry: Row) -> bytes:
    """Return the body of the message about an entry."""
    return _encode({"type": entry["kind"], "timestamp": entry["at"], "data": entry_json(generation, entry)})


def message_headers(key: bytes, webhook: Webhook, at: tuple[int, int], body: bytes, seconds: int) -> Mapping[str, str]:
    """Return the headers of a message about the entry at a place, sent at a time in seconds since 1970.

    A repeated message has the same id.
    """
    identity = f"{webhook.id}.{format_id(at)}"
    signed = hmac.digest(key, f"{identity}.{seconds}.".encode() + body, hashlib.sha256)
    return {
        "Content-Type": "application/json",
        "User-Agent": "trickbook",
        "webhook-id": identity,
        "webhook-timestamp": str(seconds),
        "webhook-signature": "v1," + base64.b64encode(signed).decode(),
    }
