"""The messages of webhooks, signed as the Standard Webhooks specification says, so that its libraries verify them."""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

import msgspec

from api.accounts.inbox.webhooks import Webhook, WebhookText
from api.services.inbox.entries import format_id
from api.services.inbox.webhook_texts import text_body

SECRET_PREFIX = "whsec_"
_encode = msgspec.json.Encoder().encode


def secret_bytes(server_secret: bytes, webhook: str) -> bytes:
    """Return the key of a webhook's signatures. It follows from the server's secret, and is stored nowhere."""
    return hmac.digest(server_secret, f"trickbook-webhook/1 {webhook}".encode(), hashlib.sha256)


def show_secret(server_secret: bytes, webhook: str) -> str:
    """Return the key as the player gets it."""
    return SECRET_PREFIX + base64.b64encode(secret_bytes(server_secret, webhook)).decode()


def message_body(item: Mapping[str, Any], text: WebhookText | None = None, pages: str | None = None) -> bytes:
    """Return the body of the message about an entry (`entry_json`); `text` is for a chat service."""
    if text is not None:
        return _encode(text_body(text.format, text.template, item, pages))
    return _encode({"type": item["kind"], "timestamp": item["at"], "data": item})


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
