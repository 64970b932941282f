"""Invitations to tables: the opener makes, lists and revokes them; with the token anybody sees the table.

Also whom a player lets seat them at once.
"""

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, request

from api.people.stored.token_scopes import READ, token_sha256
from api.play.services.game_reader import NO_GAME
from api.problem import Problem
from api.tables.services.open_game import require_user
from api.tables.services.schemas import NEW_INVITATION, NEW_SEATING
from api.tables.services.table_views import own_table, table_answer
from api.tables.stored.invitations import Invitation
from api.tables.stored.seats import require_forming
from api.web.context import current_player, current_services, require_player
from api.web.responses import game_response, json_response, own_address
from api.web.strict_json import read_json
from domain.engine.timestamps import format_time

invitations = Blueprint("invitations", __name__)

NO_INVITATION = "This table has no invitation with this id that is still valid."


@invitations.post("/games/<game_ref:reference>/invitations")
def invite(reference: str) -> Response:
    """Return 201 `{"id", "token", "path", "uses", "expires"}`. The token is shown this once."""
    player, body = require_player(), NEW_INVITATION.load(read_json(request))
    services = current_services()
    table = own_table(services, reference, player.id)
    at = services.clock.now_us()
    require_forming(table, None, at)
    most = services.config.table_invitations if services.config.is_limited else None
    expires = min(at + body["expires_s"] * 1_000_000, table.expires)
    made = services.accounts.invitations.issue(table.game, body["uses"], expires, most)
    path = own_address(f"/api/v1/invitations/{made.token}")
    shown = {"id": made.id, "token": made.token, "path": path, "uses": body["uses"], "expires": format_time(expires)}
    return json_response(shown, 201)


@invitations.get("/games/<game_ref:reference>/invitations")
def list_invitations(reference: str) -> Response:
    """Return 200 `{"items": [...]}`, the oldest first, without the tokens; 403 unless the caller opened the table."""
    table = own_table(current_services(), reference, require_player(READ).id)
    found = current_services().accounts.invitations.list_of(table.game)
    return json_response({"items": [_shown(invitation) for invitation in found]})


@invitations.delete("/games/<game_ref:reference>/invitations/<invitation>")
def revoke(reference: str, invitation: str) -> tuple[str, int]:
    """Return 204: nobody can use the invitation from now on. Seats that were taken with it stay taken."""
    table = own_table(current_services(), reference, require_player().id)
    if not current_services().accounts.invitations.revoke(table.game, invitation):
        raise Problem("not-found", NO_INVITATION)
    return "", 204


@invitations.get("/invitations/<token>")
def invited_table(token: str) -> Response:
    """Return 200 and the table that the invitation is for; 404 if it was used, revoked or has expired."""
    player, accounts = current_player(), current_services().accounts
    viewer = None if player is None else player.id
    game = accounts.invitations.game_of(token_sha256(token))
    table = accounts.tables.visible(game, viewer, by_invitation=True)
    if table is None:
        raise Problem("not-found", NO_GAME)
    return game_response(table_answer(current_services(), table, viewer))


def _shown(invitation: Invitation) -> dict[str, Any]:
    revoked = None if invitation.revoked is None else format_time(invitation.revoked)
    times = {"created": format_time(invitation.created), "expires": format_time(invitation.expires), "revoked": revoked}
    return asdict(invitation) | times


seating = Blueprint("seating", __name__)


@seating.get("/me/seating")
def read_seating() -> Response:
    """Return 200 `{"at_once", "friends"}`: whether anybody may seat the caller at once, and the names who may."""
    return _seating(require_player(READ).id)


@seating.put("/me/seating")
def set_seating() -> Response:
    """Replace both and return 200 as GET does; 409 for a name that no user has."""
    player, body = require_player(), NEW_SEATING.load(read_json(request))
    accounts = current_services().accounts
    friends = [require_user(accounts, name).id for name in body["friends"]]
    accounts.seating.set(player.id, at_once=body["at_once"], friends=friends)
    return _seating(player.id)


def _seating(player: str) -> Response:
    accounts = current_services().accounts
    allowed = accounts.seating.of(player)
    names = sorted(accounts.users.names_of(allowed.friends).values())
    return json_response({"at_once": allowed.at_once, "friends": names})
