"""One's own account: register, the e-mail address, the password, and leaving."""

import hashlib
from typing import Annotated, NotRequired, TypedDict

from api.accounts.times import iso_time
from api.budgets import check_own_password, hash_new_password
from api.caller import Caller, Read, require_player, require_token
from api.container import Services
from api.people.services.schemas import ADDRESS, CONFIRMATION, LEAVE, PASSWORD_CHANGE
from api.people.stored.sessions import TOKEN_ID_LENGTH
from api.people.stored.token_scopes import TokenGrant, token_sha256
from api.problem import Problem
from api.schemas import REGISTRATION
from domain.json_fields import PlayerId, Time, says


class NewUser(TypedDict):
    """A new user, with recovery codes that are shown only once."""

    id: PlayerId
    name: str
    recovery_codes: list[str]


def register(services: Services, address: str, read: Read) -> NewUser:
    """Register a user. Raise NameTaken, LimitReached, or Problem if it's closed."""
    wanted, accounts = read(REGISTRATION).fields, services.accounts
    if services.config.registration == "closed":
        raise Problem("registration-closed", "This server doesn't accept new users.")
    services.registrations.take(address)
    player = hash_new_password("password", lambda: accounts.users.register(wanted["name"], wanted["password"]))
    return {"id": player.id, "name": player.name, "recovery_codes": accounts.recovery_codes.renew(player.id)}


class EmailAddress(TypedDict):
    """An e-mail address."""

    address: str
    confirmed: bool


def set_address(services: Services, caller: Caller, read: Read) -> EmailAddress:
    """Send a code to an address; an earlier address is gone.

    Raise Problem if the server sends no mail, or for a guest; LimitReached for too many mails of a player or to an
    address.
    """
    address, player = read(ADDRESS).fields["email"], require_player(services, caller)
    if services.config.smtp_url is None:
        raise Problem("no-mail", "This server doesn't send mail, so it takes no addresses.")
    if require_token(caller).guest:
        raise Problem("not-for-guests", "A guest has no address. POST /me/account gives you a name and a password.")
    services.mails.take(player.id)
    services.mails.take(hashlib.sha256(address.lower().encode()).hexdigest(), told=False)
    services.accounts.emails.ask(player.id, address, _confirmation(services, player.name))
    return {"address": address, "confirmed": False}


def _confirmation(services: Services, name: str) -> str:
    """Return the mail with the code, which names the account and all ways to confirm."""
    url, domain = services.config.url, services.config.mail_domain
    server, page = ("a trickbook server", "") if url is None else (url, f"* on the page {url}/me\n")
    line = "" if domain is None else f"* by a mail to play@{domain} with the line: code {name} PASSWORD {{code}}\n"
    ways = f"{page}{line}" or "* on your page of the server\n"
    return CONFIRMATION_MAIL.format(server=server, name=name, ways=ways)


CONFIRMATION_MAIL = """Somebody gave this address for the account {name} at {server}.

If that was you, confirm the address with this code: {{code}}

{ways}
The code is valid for a day. If it wasn't you, ignore this mail.
"""


def confirm_address(services: Services, caller: Caller, read: Read) -> EmailAddress:
    """Confirm the address by the code that was sent there: `{"address", "confirmed"}`. Raise Problem for others."""
    player, code = require_player(services, caller), read(CONFIRMATION).fields["code"]
    address = services.accounts.emails.confirm(player.id, code)
    if address is None:
        raise Problem("wrong-code", "This code doesn't confirm your address. PUT /me/email sends another one.")
    return {"address": address, "confirmed": True}


def remove_address(services: Services, caller: Caller) -> None:
    """Forget the caller's address."""
    services.accounts.emails.remove(require_player(services, caller).id)


def change_password(services: Services, caller: Caller, read: Read) -> tuple[str, TokenGrant]:
    """Return a new token; all others of the caller are invalid from now on. Raise BadLogin, or Problem for a guest."""
    wanted, accounts = read(PASSWORD_CHANGE).fields, services.accounts
    player, old_hash = require_player(services, caller), check_own_password(services, caller, wanted["password"])
    new_hash = hash_new_password(
        "new_password", lambda: accounts.users.hash_password(wanted["new_password"], player.name)
    )
    grant = TokenGrant(require_token(caller).label)
    return accounts.sessions.change_password(player.id, old_hash, new_hash, grant), grant


NewTokenText = Annotated[str, says("Send it as `Authorization: Bearer TOKEN`.")]


class TokenDescription(TypedDict):
    """What may be shown of a token at any time."""

    days: Annotated[int, says("For how many days it's valid.")]
    id: Annotated[str, says("The token's id in lists; it isn't the token.")]
    label: str | None
    scope: Annotated[str, says("`play`, `read`, `moderate`, or `play:` and the id of a game.")]


class IssuedToken(TokenDescription):
    """A new token. The server shows it only once."""

    token: NewTokenText


class RenewedToken(TokenDescription):
    """A token that replaces the request's. If that one was in a cookie, so is this one."""

    token: NotRequired[NewTokenText]


def describe_token(token: str, grant: TokenGrant) -> RenewedToken:
    """Return what may be shown of a token at any time."""
    short = token_sha256(token)[:TOKEN_ID_LENGTH]
    return {"days": grant.days, "id": short, "label": grant.label, "scope": grant.scope}


class AccountDeletion(TypedDict):
    """When the account will be deleted."""

    deleted_at: Time


def leave(services: Services, caller: Caller, read: Read) -> AccountDeletion:
    """Refuse tokens and log-ins from now on, and delete the account in a day.

    Raise BadLogin for a wrong password. A guest has none, and sends `{}`.
    """
    password, player = read(LEAVE).fields["password"], require_player(services, caller)
    if password is not None:
        check_own_password(services, caller, password)
    elif not require_token(caller).guest:
        raise Problem("malformed", "Send your password: without it, the account isn't deleted.")
    at = services.accounts.leaving.leave(player.id)
    services.accounts.tokens.forget(player.id)
    return {"deleted_at": iso_time(at)}
