"""The counting of wrong passwords and codes, the same for every route that takes one."""

import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from flask import request
from marshmallow import ValidationError

from api.accounts.password_strength import WeakPassword
from api.accounts.users import BadLogin
from api.http.auth import client_address
from api.http.context import current_services, require_player, require_token
from api.http.problems import Problem
from api.services.logs import log_event

LOG = logging.getLogger("trickbook.logins")
Hashed = TypeVar("Hashed")


@contextmanager
def guess_limit(name: str, event: str) -> Iterator[None]:
    """Count a BadLogin of the block as a failure for address and name, and for the address; 429 during a wait.

    Failures count for address and name together, so that guesses at a name don't lock out its owner elsewhere. With a
    higher limit they count for the address alone, for guesses at many names. Successes don't count.
    """
    services, address = current_services(), client_address(request)
    pair = _guess_key(services.secret, address, name)
    services.guesses_by_address.check(address)
    services.guesses.begin(pair)
    try:
        yield
    except BadLogin:
        services.guesses.fail(pair)
        services.guesses_by_address.charge(address)
        _log_attempt(event + "-failed", name, address)
        raise
    services.guesses.succeed(pair)
    _log_attempt(event, name, address)


def check_own_password(password: str) -> str:
    """Return the stored hash of the caller's password. Raise BadLogin for a wrong one; 409 for a guest."""
    player = require_player()
    if require_token().guest:
        raise Problem("not-for-guests", "A guest has no password. POST /me/account gives you a name and a password.")
    try:
        with guess_limit(player.name, "password-check"):
            return current_services().accounts.users.authenticate(player.name, password)[1]
    except BadLogin:
        raise BadLogin("The current password is wrong.") from None


def hash_new_password(field: str, hash_password: Callable[[], Hashed]) -> Hashed:
    """Return what `hash_password` returns; 400 with advice in `field` for a password that is easy to guess."""
    try:
        return hash_password()
    except WeakPassword as error:
        raise ValidationError({field: [str(error)]}) from None


def _guess_key(secret: bytes, address: str, name: str) -> str:
    """Return a key that doesn't show the name: some people type their password there."""
    return f"{address} {hashlib.blake2b(name.encode(), key=secret[:32], digest_size=16).hexdigest()}"


def _log_attempt(event: str, name: str, address: str) -> None:
    """Log the id of the user with this name, but not the name."""
    user = current_services().accounts.users.by_name(name)
    log_event(LOG, event, player=None if user is None else user.id, address=address)
