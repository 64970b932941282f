"""Links: which value of a response leads to which other operation."""

from collections.abc import Mapping
from typing import Any

SAME_GAME = {"game": "$request.path.game"}
OPENED_GAME = {"game": "$response.body#/id"}
NEW_DISPUTE = SAME_GAME | {"dispute": "$response.body#/dispute"}
NEW_REPORT = {"report": "$response.body#/report"}
NEW_OFFER = SAME_GAME | {"offer": "$response.body#/id"}
AFTER_OPENING = (
    "games.public_view",
    "games.move",
    "events.list_events",
    "events.export",
    "audits.game_audit",
    "forming.claim",
    "forming.start",
    "forming.cancel",
    "invitations.invite",
    "handovers.ask",
    "chat.write",
    "proofs.make_receipt",
    "disputes.open_dispute",
)
OPENING: Mapping[str, Mapping[str, str]] = dict.fromkeys(AFTER_OPENING, OPENED_GAME)

LINKS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "opening.open_game": OPENING,
    "opening.rematch": OPENING,
    "users.log_in": {"own_tokens.end_token": {"token": "$response.body#/id"}},
    "invitations.invite": {
        "invitations.invited_table": {"token": "$response.body#/token"},
        "invitations.revoke": SAME_GAME | {"invitation": "$response.body#/id"},
    },
    "handovers.ask": dict.fromkeys(("handovers.accept", "handovers.decline", "handovers.withdraw"), NEW_OFFER),
    "disputes.open_dispute": dict.fromkeys(
        ("disputes.rule", "disputes.appeal", "disputes.decide", "disputes.erase"), NEW_DISPUTE
    ),
    "chat.write": {"chat.erase": SAME_GAME | {"message": "$response.body#/id"}},
    "reports.report": dict.fromkeys(("moderation.claim", "moderation.rule"), NEW_REPORT),
    "webhooks.add_webhook": {"webhooks.remove_webhook": {"webhook": "$response.body#/id"}},
    "reports.appeal": {"moderation.decide": {"step": "$response.body#/step"}},
}
"""For the 201 of an endpoint, the endpoints that it leads to, each with the variables of their paths."""


def operation_id(endpoint: str) -> str:
    """Return the name of an endpoint's operation: `games_move`."""
    return endpoint.replace(".", "_")


def links_of(endpoint: str) -> dict[str, Any]:
    """Return the link objects of an endpoint."""
    return {
        operation_id(target): {"operationId": operation_id(target), "parameters": dict(parameters)}
        for target, parameters in LINKS[endpoint].items()
    }
