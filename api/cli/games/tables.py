"""Listing, showing and cancelling tables before the deal, from the command line."""

from pathlib import Path
from typing import Any

import click

from api.accounts.accounts import Accounts
from api.cli.common.config import CannotAnswer, ask, data_option, yes_option
from api.cli.common.histories import json_option, print_json, print_rich
from api.cli.common.stores import open_stored_accounts, resolve_game
from api.tables.services.table_views import table_json
from api.tables.stored.seats import FormingTable, TableStatus
from domain.engine.timestamps import format_time
from replay.text import terminal

HEADINGS = ("board", "game", "variant", "status", "opener", "seats", "expires")
NO_TABLES = "There are no such tables."
table_argument = click.argument("game", metavar="BOARD|ID")


@click.group()
def table() -> None:
    """List, show or cancel the tables that wait for players."""


@table.command("list")
@click.option("--all", "everything", is_flag=True, help="Also tables that were dealt, cancelled or have lapsed.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="The most tables.")
@json_option
@data_option
def list_tables(everything: bool, limit: int, as_json: bool, data: Path | None) -> None:
    """List the tables that form, the newest first."""
    with open_stored_accounts(data) as accounts:
        found = accounts.tables.all_tables(None if everything else TableStatus.FORMING, limit)
        shown = [_shown(accounts, each) for each in found]
    if as_json:
        return print_json(shown)
    rows = terminal.make_table(*HEADINGS)
    for each in shown:
        names = each["names"]
        seats = ", ".join(names.get(seat["player"]) or seat["state"] for seat in each["seats"])
        cells = (each["board"], each["id"], each["variant"], each["status"], names[each["opener"]], seats)
        terminal.add_row(rows, *map(str, cells), each["expires"])
    return print_rich(rows if shown else terminal.text_line(NO_TABLES))


@table.command()
@table_argument
@data_option
def show(game: str, data: Path | None) -> None:
    """Show a table with its options, its seats and its invitations, as JSON."""
    with open_stored_accounts(data) as accounts:
        found = _require_table(accounts, game)
        listed = accounts.invitations.list_of(found.game)
        invitations = [
            {"id": each.id, "uses": each.uses, "used": each.used, "expires": format_time(each.expires),
             "is_revoked": each.revoked is not None}
            for each in listed
        ]  # fmt: skip
        print_json(_shown(accounts, found) | {"invitations": invitations})


@table.command()
@table_argument
@yes_option
@data_option
def cancel(game: str, yes: bool, data: Path | None) -> None:
    """Cancel a table that forms. A game that has started goes on. The command asks first."""
    with open_stored_accounts(data) as accounts:
        found = _require_table(accounts, game)
        ask(f"Cancel table {found.board}?", yes=yes)
        if not accounts.forming.cancel(found.game):
            raise CannotAnswer(f"Table {game} isn't forming: it's {found.status}.")
        accounts.boards.finish([found.game])
        accounts.admin.add_to_log("table-cancelled", found.opener, game=found.game)
    click.echo(f"cancelled table {found.board}")


def _require_table(accounts: Accounts, game: str) -> FormingTable:
    found = accounts.forming.read(resolve_game(accounts, game))
    if found is None:
        raise CannotAnswer(f"There is no table {game} that waited for players. `trickbook table list` shows them.")
    return found


def _shown(accounts: Accounts, found: FormingTable) -> dict[str, Any]:
    """Return a table as its opener sees it, with the names of its players."""
    shown = table_json(found, found.opener)
    ids = {found.opener, *(seat.player for seat in found.seats if seat.player is not None)}
    return shown | {"names": {player: player for player in sorted(ids)} | accounts.users.names_of(ids)}


commands: list[click.Command] = [table]
