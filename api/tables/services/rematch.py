"""The table of a rematch: the same players and options as in a finished game."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from api.container import Services
from api.people.stored.names import DELETED_NAME
from api.tables.services.forming import RematchSource, game_fields
from api.tables.services.open_game import BOT_PREFIX, NoSuchPlayer
from api.tables.stored.seats import FormingTable, TableStatus
from domain.events import GameOpened, Player
from domain.rejections import NotSeated
from domain.store import NoSuchGame
from domain.store.aggregate import Corrupt
from projections.bots import bot_of


class GameRunning(Exception):
    """The game isn't over."""

    def __init__(self) -> None:
        super().__init__("This game isn't over. Ask for a rematch when it is.")


class OtherSettings(Exception):
    """The table for the rematch has other settings than a player asks for."""

    def __init__(self) -> None:
        super().__init__(
            "There is a table for this rematch already, with other settings. Ask without settings to join it, or open"
            " a new game."
        )


def require_settings(table: FormingTable, settings: Mapping[str, Any]) -> None:
    """Raise OtherSettings unless a table has all that a player asks for, and perhaps more."""
    for name, wanted in settings.items():
        has = table.body[name]
        parts = (
            [(has.get(key), value) for key, value in wanted.items()] if isinstance(wanted, dict) else [(has, wanted)]
        )
        if any(present != value for present, value in parts):
            raise OtherSettings


def find_rematch(services: Services, game: str, player: str) -> FormingTable | RematchSource:
    """Return the table for a rematch of `game` that the player takes part in by asking for one, or what a new one is.

    It's one that forms, or one whose game is running: asking twice, or after another player, makes no second game.
    """
    over = set[str]()
    for table in services.accounts.forming.rematches(game, player):
        if table.status != TableStatus.DEALT or _is_running(services, table.game):
            return table
        over.add(table.game)
    return RematchSource(game, frozenset(over))


def _is_running(services: Services, game: str) -> bool:
    with suppress(NoSuchGame, Corrupt):  # nobody can play on in a game that can't be read
        return services.games.state(game).result is None
    return False


def rematch_fields(
    services: Services, game: str, player: str, expires_s: int, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a new table with the players and options of `game`, as a body would have them.

    Each of the `settings` takes the place of the game's as a whole.
    Times when the game ends are left out if they have passed. Raise NotSeated for anybody but its players, GameRunning,
    and NoSuchPlayer if a player's account is gone.
    """
    services.gate.seat_of(game, player)  # refuses those who may not know of a private game
    state = services.games.state(game)
    opened = state.opened
    if opened is None:
        raise NoSuchGame(game)
    if player not in [each.player for each in opened.players]:
        raise NotSeated("You weren't one of the players when this game began, so you can't ask for a rematch.")
    if state.result is None:
        raise GameRunning
    at, fields = services.clock.now(), game_fields(opened)
    return fields | {
        "variant": opened.variant,
        "seats": _names(services, opened),
        **{name: _without_past_end(fields[name], at) for name in ("options", "timing")},
        "reveal": opened.reveal,
        "undo": opened.undo,
        "chat": services.accounts.chat.setting(game),
        "expires_s": expires_s,
        **settings,
    }


def _without_past_end(values: Mapping[str, Any], at: str) -> dict[str, Any]:
    ends = values.get("ends_at")
    return {name: None if name == "ends_at" and ends is not None and ends <= at else values[name] for name in values}


def _names(services: Services, opened: GameOpened) -> list[str]:
    names = services.accounts.users.names_of(player.player for player in opened.players if player.kind == "human")
    return [_name(player, names) for player in opened.players]


def _name(player: Player, names: Mapping[str, str]) -> str:
    if player.bot is not None:
        return BOT_PREFIX + bot_of(player.bot)
    if names[player.player] == DELETED_NAME:
        raise NoSuchPlayer("A player of that game has no account any more. Open a new game.")
    return names[player.player]
