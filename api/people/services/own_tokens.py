"""How players get tokens, a caller's own tokens and recovery codes, and the days on which tokens were used."""

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any, TypedDict

from api.caller import Caller, check_own_password, guess_limit, hash_new_password, require_player, require_token
from api.container import Services
from api.people.services.schemas import OWN_PASSWORD
from api.people.stored import roles
from api.people.stored.tokens import MODERATE, StoredToken, TokenGrant, Tokens
from api.people.stored.users import User
from api.problem import Problem
from api.schemas import Read
from domain.json_fields import says
from domain.store.sql.database import DATABASE_ERRORS, describe_error
from projections.followers.troubles import background


def log_in(services: Services, address: str, wanted: Mapping[str, Any], grant: TokenGrant) -> str:
    """Return a new token for a name and a password. Raise BadLogin, LimitReached, or Problem without a scope's role."""
    accounts = services.accounts
    with guess_limit(services, address, wanted["name"], "log-in"):
        player, stored = accounts.users.authenticate(wanted["name"], wanted["password"])
    if grant.scope == MODERATE and not accounts.roles.has_any(player, *roles.MODERATORS):
        raise Problem("forbidden", "Only moderators can have a token with the scope moderate.")
    return accounts.tokens.issue(player, stored, grant)


def recover(services: Services, address: str, wanted: Mapping[str, Any], grant: TokenGrant) -> str:
    """Return a new token for the owner of a recovery code, whose password is the new one from now on.

    The code is used up, and all other tokens are invalid. Wrong codes count as wrong passwords do.
    """
    accounts = services.accounts
    new_hash = hash_new_password(
        "new_password", lambda: accounts.users.hash_password(wanted["new_password"], wanted["name"])
    )
    with guess_limit(services, address, wanted["name"], "recovery"):
        token = accounts.recovery_codes.recover(wanted["name"], wanted["code"], new_hash, grant)
    player = accounts.tokens.user_of(token)
    if player is not None:
        accounts.tokens.forget(player.id)
    return token


def come_back(services: Services, address: str, wanted: Mapping[str, Any], grant: TokenGrant) -> str:
    """Return a new token for an account that was being deleted, and isn't any more. Raise BadLogin."""
    with guess_limit(services, address, wanted["name"], "restore"):
        player, stored, _ = services.accounts.users.check_password(wanted["name"], wanted["password"])
        return services.accounts.leaving.come_back(player, stored, grant)


def new_guest(services: Services, address: str, grant: TokenGrant) -> tuple[User, str]:
    """Return a new guest and a token. Raise Problem if the server accepts no guests, LimitReached for too many."""
    if services.config.registration != "open":
        raise Problem("guests-closed", "This server doesn't accept guests.")
    services.guests.take(address)
    return services.accounts.guests.create(grant)


def log_out(services: Services, caller: Caller, token: str) -> None:
    """End the caller's token, whatever its scope; `token` is its text."""
    require_token(caller)
    services.accounts.tokens.revoke(token)


class OwnToken(StoredToken):
    """A token of the caller."""

    current: Annotated[bool, says("Whether it's the token of the request.")]


class TokenList(TypedDict):
    """The caller's valid tokens, the newest first."""

    items: list[OwnToken]


class EndedTokens(TypedDict):
    """How many tokens ended."""

    ended: int


def list_tokens(services: Services, caller: Caller) -> TokenList:
    """Return the caller's valid tokens; `current` marks the one of this request."""
    player, current = require_player(services, caller), require_token(caller)
    found = services.accounts.sessions.valid(player.id)
    return {"items": [{**token.to_json(), "current": token.id == current.id} for token in found]}


def end_token(services: Services, caller: Caller, token: str) -> None:
    """End the caller's token with this id. Raise Problem for an unknown id."""
    if not services.accounts.sessions.end(require_player(services, caller).id, token):
        raise Problem("not-found", "You have no valid token with this id. GET /me/tokens lists the ids.")


def end_other_tokens(services: Services, caller: Caller) -> EndedTokens:
    """End all tokens of the caller but this one."""
    player, current = require_player(services, caller), require_token(caller)
    return {"ended": services.accounts.sessions.end_others(player.id, current.id)}


class NewRecoveryCodes(TypedDict):
    """New recovery codes; the earlier ones are invalid."""

    recovery_codes: list[str]


def renew_recovery_codes(services: Services, caller: Caller, read: Read) -> NewRecoveryCodes:
    """Return eight new recovery codes. Raise BadLogin for a wrong password, or Problem for a guest."""
    password, player = read(OWN_PASSWORD).fields["password"], require_player(services, caller)
    check_own_password(services, caller, password)
    return {"recovery_codes": services.accounts.recovery_codes.renew(player.id)}


LOG = logging.getLogger("trickbook.people")
PAUSE_S = 60.0
TIMEOUT_S = 5.0


@contextmanager
def token_days(tokens: Tokens) -> Iterator[None]:
    """Write in a thread of its own when tokens were last used; what is left is written at the end."""
    with background(partial(write_token_days, tokens), "token-days", TIMEOUT_S):
        yield


def write_token_days(tokens: Tokens, stop: threading.Event) -> None:
    """Write every minute until `stop`, and once more then. Days that can't be written are lost."""
    while True:
        stopped = stop.wait(PAUSE_S)
        try:
            tokens.write_days()
        except DATABASE_ERRORS as error:
            LOG.warning("the days of tokens weren't written: %s", describe_error(error))
        if stopped:
            return
