"""Invitations to tables: the opener makes, lists and revokes them; with the token anybody sees the table.

Also whom a player lets seat them at once.
"""

from typing import Annotated, TypedDict

from flask import Response, request

from api.people.stored.token_scopes import READ, token_sha256
from api.play.services.game_reader import NO_GAME
from api.problem import Problem
from api.tables.services.open_game import require_users
from api.tables.services.schemas import NEW_INVITATION, NEW_SEATING
from api.tables.services.table_views import NamedTable, own_table, table_answer
from api.tables.stored.invitations import Invitation
from api.tables.stored.seats import require_forming
from api.web.context import current_player, current_services, require_player
from api.web.responses import game_response, json_response, own_address
from api.web.route import SAME_GAME, TaggedBlueprint, route
from api.web.strict_json import read_json
from domain.engine.timestamps import format_time
from domain.json_fields import Time, says

invitations = TaggedBlueprint("invitations", __name__, "tables")

OWN = ("not-found", "forbidden")


class ListedInvitation(TypedDict):
    """An invitation to a table, without its token."""

    id: str
    uses: Annotated[int, says("How many players can use it.")]
    used: int
    created: Time
    expires: Time
    revoked: Time | None


class InvitationList(TypedDict):
    """The invitations to a table, the oldest first."""

    items: list[ListedInvitation]


class InvitationToken(TypedDict):
    """A new invitation. The server shows its token only once."""

    id: str
    token: str
    path: Annotated[str, says("The address at which anybody with the token sees the table.")]
    uses: int
    expires: Time


NO_INVITATION = "This table has no invitation with this id that is still valid."


@invitations.post("/games/<game_ref:reference>/invitations")
@route(
    "make an invitation to a table, as its opener",
    answer=InvitationToken,
    status=201,
    token="needed",
    body=NEW_INVITATION,
    example={"uses": 1, "expires_s": 86400},
    problems=(*OWN, "too-many", "table-closed"),
    leads_to={
        "invitations.invited_table": {"token": "$response.body#/token"},
        "invitations.revoke": SAME_GAME | {"invitation": "$response.body#/id"},
    },
)
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
    shown: InvitationToken = {
        "id": made.id,
        "token": made.token,
        "path": path,
        "uses": body["uses"],
        "expires": format_time(expires),
    }
    return json_response(shown, 201)


@invitations.get("/games/<game_ref:reference>/invitations")
@route("the invitations to a table, for its opener", answer=InvitationList, token="needed", problems=OWN)
def list_invitations(reference: str) -> Response:
    """Return 200 `{"items": [...]}`, the oldest first, without the tokens; 403 unless the caller opened the table."""
    table = own_table(current_services(), reference, require_player(READ).id)
    found = current_services().accounts.invitations.list_of(table.game)
    listed: InvitationList = {"items": [_shown(invitation) for invitation in found]}
    return json_response(listed)


@invitations.delete("/games/<game_ref:reference>/invitations/<invitation>")
@route("revoke an invitation", says="Nobody can use it from now on.", token="needed", problems=OWN)
def revoke(reference: str, invitation: str) -> tuple[str, int]:
    """Return 204: nobody can use the invitation from now on. Seats that were taken with it stay taken."""
    table = own_table(current_services(), reference, require_player().id)
    if not current_services().accounts.invitations.revoke(table.game, invitation):
        raise Problem("not-found", NO_INVITATION)
    return "", 204


@invitations.get("/invitations/<token>")
@route("the table that an invitation is for", answer=NamedTable, headers=("ETag",), problems=("not-found",))
def invited_table(token: str) -> Response:
    """Return 200 and the table that the invitation is for; 404 if it was used, revoked or has expired."""
    player, accounts = current_player(), current_services().accounts
    viewer = None if player is None else player.id
    game = accounts.invitations.game_of(token_sha256(token))
    table = accounts.tables.visible(game, viewer, by_invitation=True)
    if table is None:
        raise Problem("not-found", NO_GAME)
    return game_response(table_answer(current_services(), table, viewer))


def _shown(invitation: Invitation) -> ListedInvitation:
    return {
        "id": invitation.id,
        "uses": invitation.uses,
        "used": invitation.used,
        "created": format_time(invitation.created),
        "expires": format_time(invitation.expires),
        "revoked": None if invitation.revoked is None else format_time(invitation.revoked),
    }


seating = TaggedBlueprint("seating", __name__, "tables")


class SeatingAllowance(TypedDict):
    """The players who may seat the caller at once."""

    at_once: Annotated[bool, says("Whether everybody may.")]
    friends: Annotated[list[str], says("The names of those who may.")]


@seating.get("/me/seating")
@route("the players who may seat you at once", answer=SeatingAllowance, token="needed")
def read_seating() -> Response:
    """Return 200 `{"at_once", "friends"}`: whether anybody may seat the caller at once, and the names who may."""
    return _seating(require_player(READ).id)


@seating.put("/me/seating")
@route(
    "change them",
    answer=SeatingAllowance,
    token="needed",
    body=NEW_SEATING,
    example={"at_once": False, "friends": ["bob"]},
    problems=("no-such-player",),
)
def set_seating() -> Response:
    """Replace both and return 200 as GET does; 409 for a name that no user has."""
    player, body = require_player(), NEW_SEATING.load(read_json(request))
    accounts = current_services().accounts
    friends = require_users(accounts, body["friends"])
    accounts.seating.set(player.id, at_once=body["at_once"], friends=friends.values())
    return _seating(player.id)


def _seating(player: str) -> Response:
    accounts = current_services().accounts
    allowed = accounts.seating.of(player)
    names = sorted(accounts.users.names_of(allowed.friends).values())
    shown: SeatingAllowance = {"at_once": allowed.at_once, "friends": names}
    return json_response(shown)
