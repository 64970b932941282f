"""Forming tables as JSON values, and who may see one."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from api.conduct.stored.chat_messages import CHAT_SETTINGS
from api.container import Services
from api.people.stored.users import DELETED_NAME
from api.play.services.game_reader import NO_GAME, GameAnswer
from api.problem import Problem
from api.tables.services.forming import shown_to
from api.tables.services.open_game import BOT_PREFIX
from api.tables.stored.seats import FormingTable, TableStatus
from domain.engine.deadlines import FORFEIT
from domain.engine.timestamps import format_time
from domain.json_fields import Names, Time, Uuid, one_of, says
from domain.rules.choices import Undo
from domain.rules.variants.house import RULEBOOK
from projections.lists.lobby_pages import WatchSetting


class TableSeat(TypedDict):
    """A seat before the deal."""

    seat: int
    kind: Annotated[str, one_of("human", "bot", "open", "invite")]
    player: Annotated[str | None, says("The player's id, or a bot's; null for an empty seat.")]
    state: Annotated[str, one_of("claimed", "asked", "open", "invite")]


class ListedTable(TypedDict):
    """A table before the deal."""

    id: Uuid
    board: int
    version: Annotated[int, says("0 until the deal.")]
    status: Annotated[
        str, one_of(*TableStatus, text="`dealt` once the game has started, which only an invitation shows.")
    ]
    variant: str
    options: dict[str, Any]
    timing: dict[str, Any]
    fairness: dict[str, Any]
    reveal: str
    chat: Annotated[str, one_of(*CHAT_SETTINGS)]
    undo: str
    autopilot: Annotated[str, says("The consequence for a seat that is out of time.")]
    watch: WatchSetting
    opener: Annotated[str, says("The id of the player who opened it.")]
    rematch_of: Uuid | None
    seats: list[TableSeat]
    created: Time
    expires: Time


class NamedTable(ListedTable):
    """A table before the deal, with the names of its players."""

    names: Names


RulebookNames = Annotated[dict[str, str], says("The names of rulebooks, by their addresses.")]


class ListedTables(TypedDict):
    """Tables before the deal, the newest first."""

    items: list[ListedTable]
    names: Names
    rulebooks: RulebookNames


def see_table(services: Services, reference: str, viewer: str | None) -> FormingTable:
    """Return the table at a board or id. Raise Problem unless the viewer may see it."""
    table = find_table(services, services.reader.resolve(reference), viewer)
    if table is None:
        raise Problem("not-found", NO_GAME)
    return table


def find_table(services: Services, game: str, viewer: str | None) -> FormingTable | None:
    """Return a table that isn't a game yet, if the viewer may see it."""
    table = services.accounts.tables.visible(game, viewer)
    return None if table is None or table.status == TableStatus.DEALT else table


def table_to_change(services: Services, reference: str, player: str) -> FormingTable:
    """Return the table at a board or id, even if its game has started. Raise Problem unless the player may see it."""
    table = services.accounts.tables.visible(services.reader.resolve(reference), player)
    if table is None:
        raise Problem("not-found", NO_GAME)
    return table


def own_table(services: Services, reference: str, player: str) -> FormingTable:
    """Return the table as `table_to_change` does. Raise Problem unless the player opened it."""
    table = table_to_change(services, reference, player)
    if table.opener != player:
        raise Problem("forbidden", "Only the player who opened this table can do that.")
    return table


def table_answer(
    services: Services, table: FormingTable, viewer: str | None, opened: str | None = None
) -> GameAnswer[NamedTable]:
    """Return a table as the viewer may see it, with the ETag `0.<revision>`."""
    shown = table_json(table, viewer)
    return GameAnswer({**shown, "names": names_in(services, [shown])}, f"0.{table.revision}", opened=opened)


def table_json(table: FormingTable, viewer: str | None) -> ListedTable:
    """Return the body of a table as the viewer may see it."""
    seats: list[TableSeat] = [
        {"seat": seat.seat, "kind": seat.kind, "player": seat.player, "state": seat.state}
        for seat in shown_to(table, viewer).seats
    ]
    return {
        "id": table.game,
        "board": table.board,
        "version": 0,
        "status": table.status.value,
        "variant": table.body["variant"],
        "options": table.body["options"],
        "timing": table.body["timing"],
        "fairness": table.body["fairness"],
        "reveal": table.body["reveal"],
        "undo": table.body.get("undo", Undo.CONSENT),
        "watch": table.body["watch"],
        "chat": table.body["chat"],
        "autopilot": table.body.get("autopilot", FORFEIT),
        "opener": table.opener,
        "rematch_of": table.rematch_of,
        "seats": seats,
        "created": format_time(table.created),
        "expires": format_time(table.expires),
    }


class NamesOfTables(TypedDict):
    """The names in bodies of tables: those of players, and those of rulebooks."""

    names: Names
    rulebooks: RulebookNames


def names_beside(services: Services, tables: Sequence[ListedTable]) -> NamesOfTables:
    """Return the names in bodies of tables."""
    books = [table["options"][RULEBOOK] for table in tables if RULEBOOK in table["options"]]
    return {"names": names_in(services, tables), "rulebooks": services.accounts.rulebooks.names_of(books)}


def names_in(services: Services, tables: Sequence[ListedTable]) -> dict[str, str]:
    """Return the name of each player in bodies of tables; bots have their id, deleted users `deleted`."""
    ids = {seat["player"] for table in tables for seat in table["seats"] if seat["player"] is not None}
    ids |= {table["opener"] for table in tables}
    unnamed = {player: player if player.startswith(BOT_PREFIX) else DELETED_NAME for player in sorted(ids)}
    return unnamed | services.accounts.users.names_of(ids)
