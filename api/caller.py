"""The caller of a request, a line or a mail, and the rights that come with a token."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from marshmallow import Schema

from api.conduct.stored.conduct_steps import require_standing
from api.container import Services
from api.people.stored import roles
from api.people.stored.token_scopes import MEANINGS, MODERATE, PLAY, scope_allows
from api.people.stored.tokens import TokenInfo
from api.people.stored.users import User
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


@dataclass(frozen=True)
class CommandInput:
    """The input of a caller's command: a JSON object, an Idempotency-Key, and the version that they expect.

    `fields` is the object as a schema has loaded it.
    """

    body: Mapping[str, Any]
    fields: Mapping[str, Any]
    key: str | None = None
    expected: int | None = None


class Read(Protocol):
    """Reads what was sent, once the caller's rights are clear."""

    def __call__(self, schema: Schema | None = None) -> CommandInput:
        """Return what was sent, loaded by the schema. Raise Problem or ValidationError for what isn't valid."""


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

    `own` is about the player's own account, which they may always use. Raise Problem or NotInGoodStanding.
    """
    game = None if caller.token is None else caller.token.game
    if game is not None and not _names_game(services, reference, game):
        raise Problem("token-scope", f"This token is only for the game {game}.")
    if caller.player is not None:
        require_standing(services.accounts.steps, caller.player.id, reads=reads, own=own)


def _names_game(services: Services, reference: str | None, game: str) -> bool:
    """Return whether an id or board number names this game. All others are the same, whether they exist or not."""
    if reference is None or len(reference) == len(game):
        return reference == game
    return services.accounts.boards.number_of(game) == int(reference)
