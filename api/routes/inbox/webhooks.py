"""The caller's webhooks: where the server sends the entries of their inbox."""

from typing import Any

from flask import Blueprint, Response, jsonify, request

from api.accounts.clock.times import iso_time
from api.accounts.inbox.webhooks import Webhook, WebhookText
from api.http.context import current_services, require_player
from api.http.inbox.schemas import NEW_WEBHOOK, STANDARD
from api.http.problems import Problem
from api.http.strict_json import read_json
from api.services.inbox.entries import inbox_place
from api.services.inbox.webhook_messages import show_secret
from api.services.inbox.webhook_urls import BadUrl, parse_url
from projections.lists.inbox import KINDS

webhooks = Blueprint("webhooks", __name__)


@webhooks.post("/me/webhooks")
def add_webhook() -> tuple[Response, int]:
    """Return 201 and the webhook with its `secret`, which isn't shown again. It gets what happens from now on.

    400 for a URL to which the server sends nothing, 409 if it has webhooks switched off or the caller has too many.
    """
    wanted, player, services = NEW_WEBHOOK.load(read_json(request)), require_player(), current_services()
    if services.config.webhooks == "off":
        raise Problem("no-webhooks", "This server sends nothing to webhooks. Follow GET /me/events.")
    try:
        parse_url(wanted["url"])
    except BadUrl as error:
        raise Problem("malformed", f"url: {error}") from None
    place, most = inbox_place(services.rows, player.id), services.config.player_webhooks
    kinds = [kind for kind in KINDS if kind in wanted["kinds"]]
    text = None if wanted["format"] == STANDARD else WebhookText(wanted["format"], wanted["template"])
    if text is None and wanted["template"] is not None:
        raise Problem("malformed", "template: Name a format for it, discord or slack.")
    made = services.accounts.webhooks.add(player.id, wanted["url"], kinds, wanted["game"], place, most, text)
    return jsonify(webhook_json(made) | {"secret": show_secret(services.secret, made.id)}), 201


@webhooks.get("/me/webhooks")
def list_webhooks() -> Response:
    """Return 200 `{"items"}`: the caller's webhooks, the oldest first, without their secrets."""
    found = current_services().accounts.webhooks.of(require_player("read").id)
    return jsonify(items=[webhook_json(each) for each in found])


@webhooks.delete("/me/webhooks/<webhook>")
def remove_webhook(webhook: str) -> tuple[str, int]:
    """Return 204; the webhook gets nothing more. 404 if the caller has none with this id."""
    if not current_services().accounts.webhooks.remove(require_player().id, webhook):
        raise Problem("not-found", "You have no webhook with this id. GET /me/webhooks lists the ids.")
    return "", 204


def webhook_json(webhook: Webhook) -> dict[str, Any]:
    """Return a webhook as JSON values; empty `kinds` stand for all."""
    status = "off" if webhook.ended is not None else "on" if webhook.failing is None else "failing"
    return {
        "id": webhook.id,
        "url": webhook.url,
        "kinds": list(webhook.kinds or KINDS),
        "game": webhook.game,
        "format": STANDARD if webhook.text is None else webhook.text.format,
        "template": None if webhook.text is None else webhook.text.template,
        "created": iso_time(webhook.created),
        "status": status,
        "failing_since": iso_time(webhook.failing),
        "failure": webhook.failure,
    }
