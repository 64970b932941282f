"""The budgets of callers: guesses of passwords and codes, and requests that read whole games or long lists.

A unit is a thousand events that are read once. The cost of a request is known before it begins: from the work that
its route declares (`api.web.route`), the length of the game as the caller may see it, and the choices of strong bots
to work out again.
"""

import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from marshmallow import ValidationError

from api.caller import Caller, require_player, require_token
from api.container import Services
from api.limits import LimitReached
from api.monitoring.logs import log_event
from api.people.stored.passwords import WeakPassword
from api.people.stored.users import BadLogin
from api.problem import Problem

LOG = logging.getLogger("trickbook.logins")
Hashed = TypeVar("Hashed")


@contextmanager
def guess_limit(services: Services, address: str, name: str, event: str) -> Iterator[None]:
    """Count a BadLogin of the block as a failure for address and name, and for the address. Raise LimitReached.

    Failures count for address and name together, so that guesses at a name don't lock out its owner elsewhere. With a
    higher limit they count for the address alone, for guesses at many names. Successes don't count.
    """
    pair = _guess_key(services.secret, address, name)
    services.guesses_by_address.check(address)
    services.guesses.begin(pair)
    try:
        yield
    except BadLogin:
        services.guesses.fail(pair)
        services.guesses_by_address.charge(address)
        _log_attempt(services, event + "-failed", name, address)
        raise
    services.guesses.succeed(pair)
    _log_attempt(services, event, name, address)


def check_own_password(services: Services, caller: Caller, password: str) -> str:
    """Return the stored hash of the caller's password. Raise BadLogin for a wrong one, and Problem for a guest."""
    player = require_player(services, caller)
    if require_token(caller).guest:
        raise Problem("not-for-guests", "A guest has no password. POST /me/account gives you a name and a password.")
    try:
        with guess_limit(services, caller.address, player.name, "password-check"):
            return services.accounts.users.authenticate(player.name, password)[1]
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


def _log_attempt(services: Services, event: str, name: str, address: str) -> None:
    """Log the id of the user with this name, but not the name."""
    user = services.accounts.users.by_name(name)
    log_event(LOG, event, player=None if user is None else user.id, address=address)


EVENTS_IN_UNIT = 1000
UNITS_OF_THOUGHT, UNITS_OF_HASH = 5, 2
"""The cost of one choice of a strong bot, and of one password in a line of `multiple`. Both are estimates."""
MOST_UNITS = 600
"""The most that a request may cost, also `multiple` with ten lines. It's as much as a player's budget for a minute."""
WINDOW_S = 60
TOO_MUCH = "This reads more of long games than one request may. Ask for fewer boards, lines or choices at a time"


def take_heavy_budget(services: Services, caller: Caller, units: int = 1) -> None:
    """Count heavy work. Raise LimitReached beyond the budget of the address, of the player or of one request."""
    if caller.spent[0] + units > MOST_UNITS:
        raise LimitReached(WINDOW_S, TOO_MUCH)
    services.heavy_by_address.take(caller.address, units)
    if caller.player is not None:
        services.heavy_by_player.take(caller.player.id, units)
    caller.spent[0] += units


def units_of(events: int, passes: float) -> int:
    """Return what going through that many events so often costs, beyond the first unit of a request."""
    return int(events * passes / EVENTS_IN_UNIT)


def charge_for_game(services: Services, caller: Caller, events: int) -> None:
    """Count the events of a game that the caller goes through; nothing if the request is a light one."""
    if units := units_of(events, caller.passes):
        take_heavy_budget(services, caller, units)


def charge_for_thoughts(services: Services, caller: Caller, choices: int) -> None:
    """Count choices of strong bots that are worked out again."""
    if choices:
        take_heavy_budget(services, caller, choices * UNITS_OF_THOUGHT)
