"""A caller makes, lists and revokes invitations to a table of theirs; and the players who may seat a caller at once."""

from typing import Annotated, TypedDict

from api.caller import Caller, require_player
from api.container import Services
from api.people.stored.tokens import READ, token_sha256
from api.play.services.game_reader import NO_GAME, GameAnswer
from api.problem import Problem
from api.schemas import Read
from api.tables.services.open_game import require_users
from api.tables.services.schemas import NEW_INVITATION, NEW_SEATING
from api.tables.services.table_views import NamedTable, own_table, table_answer
from api.tables.stored.invitations import Invitation
from api.tables.stored.seats import require_forming
from domain.engine.timestamps import format_time
from domain.json_fields import Time, says

NO_INVITATION = "This table has no invitation with this id that is still valid."


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


def invite(services: Services, caller: Caller, reference: str, read: Read) -> InvitationToken:
    """Make an invitation. Raise Problem unless the caller opened the table, NotForming, or TooMany."""
    player, fields = require_player(services, caller), read(NEW_INVITATION).fields
    table = own_table(services, reference, player.id)
    at = services.clock.now_us()
    require_forming(table, None, at)
    most = services.config.table_invitations if services.config.is_limited else None
    expires = min(at + fields["expires_s"] * 1_000_000, table.expires)
    made = services.accounts.invitations.issue(table.game, fields["uses"], expires, most)
    return {
        "id": made.id,
        "token": made.token,
        "path": f"/api/v1/invitations/{made.token}",
        "uses": fields["uses"],
        "expires": format_time(expires),
    }


def list_invitations(services: Services, caller: Caller, reference: str) -> InvitationList:
    """Return the invitations to a table. Raise Problem unless the caller opened it."""
    table = own_table(services, reference, require_player(services, caller, READ).id)
    return {"items": [_shown(each) for each in services.accounts.invitations.list_of(table.game)]}


def revoke_invitation(services: Services, caller: Caller, reference: str, invitation: str) -> None:
    """End an invitation to a table that the caller opened. Seats that were taken with it stay taken."""
    table = own_table(services, reference, require_player(services, caller).id)
    if not services.accounts.invitations.revoke(table.game, invitation):
        raise Problem("not-found", NO_INVITATION)


def see_invited_table(services: Services, caller: Caller, token: str) -> GameAnswer[NamedTable]:
    """Return the table that an invitation is for. Raise NoInvitation if it was used, revoked or has expired."""
    game = services.accounts.invitations.game_of(token_sha256(token))
    table = services.accounts.tables.visible(game, caller.id, by_invitation=True)
    if table is None:
        raise Problem("not-found", NO_GAME)
    return table_answer(services, table, caller.id)


def _shown(invitation: Invitation) -> ListedInvitation:
    return {
        "id": invitation.id,
        "uses": invitation.uses,
        "used": invitation.used,
        "created": format_time(invitation.created),
        "expires": format_time(invitation.expires),
        "revoked": None if invitation.revoked is None else format_time(invitation.revoked),
    }


class SeatingAllowance(TypedDict):
    """The players who may seat the caller at once."""

    at_once: Annotated[bool, says("Whether everybody may.")]
    friends: Annotated[list[str], says("The names of those who may.")]


def show_seating(services: Services, caller: Caller) -> SeatingAllowance:
    """Return the players who may seat the caller at once."""
    return _seating(services, require_player(services, caller, READ).id)


def set_seating(services: Services, caller: Caller, read: Read) -> SeatingAllowance:
    """Replace the players who may seat the caller at once. Raise NoSuchPlayer for a name that no user has."""
    player, fields = require_player(services, caller), read(NEW_SEATING).fields
    friends = require_users(services.accounts, fields["friends"])
    services.accounts.seating.set(player.id, at_once=fields["at_once"], friends=friends.values())
    return _seating(services, player.id)


def _seating(services: Services, player: str) -> SeatingAllowance:
    allowed = services.accounts.seating.of(player)
    names = sorted(services.accounts.users.names_of(allowed.friends).values())
    return {"at_once": allowed.at_once, "friends": names}
