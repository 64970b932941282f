"""Invitations to tables: the opener makes, lists and revokes them; with the token anybody sees the table.

Also whom a player lets seat them at once.
"""

from flask import Response

from api.tables.services import invitations as services_of_invitations
from api.tables.services.invitations import (
    InvitationList,
    InvitationToken,
    SeatingAllowance,
    see_invited_table,
    show_seating,
)
from api.tables.services.schemas import NEW_INVITATION, NEW_SEATING
from api.tables.services.table_views import NamedTable
from api.web.context import current_caller, current_services
from api.web.request_input import sent_body
from api.web.responses import game_response, json_response, own_address
from api.web.route import SAME_GAME, TaggedBlueprint, route

invitations = TaggedBlueprint("invitations", __name__, "tables")

OWN = ("not-found", "forbidden")


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
    made = services_of_invitations.invite(current_services(), current_caller(), reference, sent_body())
    shown: InvitationToken = {**made, "path": own_address(made["path"])}
    return json_response(shown, 201)


@invitations.get("/games/<game_ref:reference>/invitations")
@route("the invitations to a table, for its opener", answer=InvitationList, token="needed", problems=OWN)
def list_invitations(reference: str) -> Response:
    """Return 200 `{"items": [...]}`, the oldest first, without the tokens; 403 unless the caller opened the table."""
    return json_response(services_of_invitations.list_invitations(current_services(), current_caller(), reference))


@invitations.delete("/games/<game_ref:reference>/invitations/<invitation>")
@route("revoke an invitation", says="Nobody can use it from now on.", token="needed", problems=OWN)
def revoke(reference: str, invitation: str) -> tuple[str, int]:
    """Return 204: nobody can use the invitation from now on. Seats that were taken with it stay taken."""
    services_of_invitations.revoke_invitation(current_services(), current_caller(), reference, invitation)
    return "", 204


@invitations.get("/invitations/<token>")
@route("the table that an invitation is for", answer=NamedTable, headers=("ETag",), problems=("not-found",))
def invited_table(token: str) -> Response:
    """Return 200 and the table that the invitation is for; 404 if it was used, revoked or has expired."""
    return game_response(see_invited_table(current_services(), current_caller(), token))


seating = TaggedBlueprint("seating", __name__, "tables")


@seating.get("/me/seating")
@route("the players who may seat you at once", answer=SeatingAllowance, token="needed")
def read_seating() -> Response:
    """Return 200 `{"at_once", "friends"}`: whether anybody may seat the caller at once, and the names who may."""
    return json_response(show_seating(current_services(), current_caller()))


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
    return json_response(services_of_invitations.set_seating(current_services(), current_caller(), sent_body()))
