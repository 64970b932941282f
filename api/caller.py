"""The caller of a request, a line or a mail, the rights that come with a token, and the budget.

A unit of a budget is a thousand events that are read once. The cost of a request is known before it begins: from the
work that its route declares (`api.web.route`), the length of the game as the caller may see it, and the choices of
strong bots to work out again. Guesses of passwords and codes have a budget of their own.
"""

import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from marshmallow import ValidationError

from api.conduct.stored.conduct_steps import require_unrestricted
from api.container import Services
from api.limits import LimitReached
from api.monitoring.logs import log_event
from api.people.stored import roles
from api.people.stored.passwords import WeakPassword
from api.people.stored.tokens import MEANINGS, MODERATE, PLAY, TokenInfo, scope_allows
from api.people.stored.users import BadLogin, User
from api.problem import Problem

NEEDS_TOKEN = "This request needs a token. Send `Authorization: Bearer TOKEN`. POST /tokens returns a token."


@dataclass(frozen=True)
class Caller:
    """Whose request, line or mail it is: made once, and given to each function that asks for rights or limits.

    `address` is what limits count by: an IP address, or for IPv6 a network. `passes` is how often it goes through all
    events of the game that it's about, and `spent` counts its units of heavy work: the lines of one request share it.
    """

    address: str
    token: TokenInfo | None = None
    passes: float = 0
    spent: list[int] = field(default_factory=lambda: [0])

    @property
    def player(self) -> User | None:
        """The player whose token it is, or None without one."""
        return None if self.token is None else self.token.player

    @property
    def id(self) -> str | None:
        """The player's id, or None without a token."""
        return None if self.token is None else self.token.player.id


def require_token(caller: Caller) -> TokenInfo:
    """Return the caller's token, whatever its scope. Raise Problem without one."""
    if caller.token is None:
        raise Problem("unauthorized", NEEDS_TOKEN)
    return caller.token


def require_player(services: Services, caller: Caller, scope: str = PLAY, *, game: str | None = None) -> User:
    """Return the player, if the scope of the token allows what `scope` names.

    A function for the moves or the chat of a game names the game (id or board number), so that tokens for this game
    alone are accepted. Raise Problem without a token, for one of another scope, and without the role that `moderate`
    needs.
    """
    token = require_token(caller)
    if token.scope != scope and not scope_allows(token.scope, scope, _game_of(services, token, game)):
        raise Problem("token-scope", f"The scope of this token is {token.scope}: {MEANINGS[scope]}.")
    if scope == MODERATE and not services.accounts.roles.has_any(token.player.id, *roles.MODERATORS):
        raise Problem("forbidden", "Only moderators can do this.")
    return token.player


def _game_of(services: Services, token: TokenInfo, reference: str | None) -> str | None:
    return None if reference is None or token.game is None else services.reader.resolve(reference)


def admit(services: Services, caller: Caller, reference: str | None, *, reads: bool, own: bool = False) -> None:
    """Refuse a token for another game than `reference`, and a player who is banned, or suspended unless this `reads`.

    `own` is about the player's own account, which they may always use. Raise Problem or ForbiddenByStep.
    """
    game = None if caller.token is None else caller.token.game
    if game is not None and not _names_game(services, reference, game):
        raise Problem("token-scope", f"This token is only for the game {game}.")
    if caller.player is not None:
        require_unrestricted(services.accounts.steps, caller.player.id, reads=reads, own=own)


def _names_game(services: Services, reference: str | None, game: str) -> bool:
    """Return whether an id or board number names this game. All others are the same, whether they exist or not."""
    if reference is None or len(reference) == len(game):
        return reference == game
    return services.accounts.boards.number_of(game) == int(reference)


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
