"""One's own account: register, what is stored, the e-mail address and mails, the password, and leaving."""

import hashlib
from collections.abc import Iterator
from functools import partial
from typing import Annotated, NotRequired, TypedDict

from api.caller import Caller, check_own_password, hash_new_password, require_player, require_token
from api.container import Services
from api.inbox.stored.webhooks import move_subscriptions
from api.mail.stored.levels import ALL_GAMES, USUAL_LEVEL, MailLevel, StoppedMail
from api.people.services.schemas import ADDRESS, CONFIRMATION, GUEST_NAME, LEAVE, MAIL_LEVEL, PASSWORD_CHANGE
from api.people.services.seats import games_of
from api.people.stored.own_data import StoredData, stored_data
from api.people.stored.roles import Role
from api.people.stored.tokens import PLAY, TOKEN_ID_LENGTH, TokenGrant, token_sha256
from api.problem import Problem
from api.schemas import REGISTRATION, Read
from domain.engine.timestamps import iso_time
from domain.json_fields import PlayerId, Time, Uuid, says


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


def take_name(services: Services, caller: Caller, read: Read) -> NewUser:
    """Make a guest a user with a name and a password, and the same id, games and tokens. Raise NameTaken or NotAGuest.

    Raise Problem if registration is closed.
    """
    wanted, player, accounts = read(GUEST_NAME).fields, require_player(services, caller), services.accounts
    if services.config.registration == "closed":
        raise Problem("registration-closed", "This server doesn't accept new users.")
    name = wanted["name"]
    stored = hash_new_password("password", lambda: accounts.users.hash_password(wanted["password"], name))
    codes = accounts.guests.take_name(player.id, name, stored)
    accounts.tokens.forget(player.id)
    services.reader.forget_names()
    return {"id": player.id, "name": name, "recovery_codes": codes}


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
    token = require_token(caller)
    grant = TokenGrant(token.label)
    take_along = partial(move_subscriptions, player=player.id, token=token.id)
    return accounts.sessions.change_password(player.id, old_hash, new_hash, grant, take_along), grant


NewTokenText = Annotated[str, says("Send it as `Authorization: Bearer TOKEN`.")]


class TokenDescription(TypedDict):
    """A token as it may be shown at any time."""

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


class MailSettings(TypedDict):
    """Which mails about boards the caller gets."""

    level: MailLevel
    games: dict[str, MailLevel]
    stopped: StoppedMail | None


def set_mail_level(services: Services, caller: Caller, read: Read) -> MailSettings:
    """Set which mails the caller gets, about all boards or about one game. Raise NoSuchGame if they may not know it."""
    wanted, player = read(MAIL_LEVEL).fields, require_player(services, caller)
    game = ALL_GAMES if wanted["game"] is None else services.reader.resolve(wanted["game"])
    if game != ALL_GAMES:
        services.gate.seat_of(game, player.id)  # 404 for a game that they may not know of
    services.accounts.mail_levels.set(player.id, wanted["level"], game)
    return _mail_json(services, player.id)


def _mail_json(services: Services, player: str) -> MailSettings:
    """Return a player's level, those for single games, and the address to which no mail goes."""
    levels = services.accounts.mail_levels
    found, stop = levels.all_of(player), levels.stop_of(player)
    return {
        "level": found.get(ALL_GAMES, USUAL_LEVEL),
        "games": {game: level for game, level in found.items() if game != ALL_GAMES},
        "stopped": None if stop is None else stop.to_json(),
    }


class ThisToken(TypedDict):
    """The token of the request."""

    id: str
    label: str | None
    scope: str
    expires: Time | None


class Account(TypedDict):
    """The caller's account; the last four fields only for a token of the scope `play`."""

    id: PlayerId
    name: str
    guest: bool
    token: ThisToken
    roles: NotRequired[list[Role]]
    email: NotRequired[EmailAddress | None]
    mail: NotRequired[MailSettings]
    recovery_codes: NotRequired[Annotated[int, says("How many haven't been used.")]]


def show_account(services: Services, caller: Caller) -> Account:
    """Return the caller's account and the token, and more for a token that manages the account."""
    token, accounts = require_token(caller), services.accounts
    player = token.player
    shown: ThisToken = {
        "id": token.id, "label": token.label, "scope": token.scope, "expires": iso_time(token.expires)
    }  # fmt: skip
    body: Account = {"id": player.id, "name": player.name, "guest": token.guest, "token": shown}
    if token.scope == PLAY:
        address = accounts.emails.address(player.id)
        body["roles"] = accounts.roles.of(player.id)
        body["email"] = None if address is None else {"address": address[0], "confirmed": address[1]}
        body["mail"] = _mail_json(services, player.id)
        body["recovery_codes"] = accounts.recovery_codes.unused(player.id)
    return body


class OwnGame(TypedDict):
    """A game in which the caller has seats."""

    game: Uuid
    board: int
    variant: str
    seats: list[int]


class OwnData(StoredData):
    """All that the server stores about the caller."""

    games: list[OwnGame]


def export_data(services: Services, caller: Caller) -> OwnData:
    """Return everything stored about the caller, without secrets; games by id and seat."""
    player = require_player(services, caller)
    stored = stored_data(services.accounts.database, player.id)
    return {**stored, "games": list(_games(services, player.id))}


def _games(services: Services, player: str) -> Iterator[OwnGame]:
    for game in games_of(services, player):
        seats = [seat["seat"] for seat in game["seats"] if seat["player"] == player]
        yield {"game": game["id"], "board": game["board"], "variant": game["variant"], "seats": seats}
