"""`trickbook game list`: the games of a store, to find a board number."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import data_option, exit_on_store_errors, load_config
from api.cli.common.histories import json_option, print_json, print_rich
from api.cli.common.store_files import require_games
from api.cli.users.manage import require_user
from api.services.container import Services, open_services
from domain.rules.variants import VARIANTS
from projections.lists.lobby_pages import HOST, MAX_PAGE, LobbyFilter, lobby_page
from replay.text import terminal

HEADINGS = ("board", "variant", "status", "players", "waiting for", "last event", "game")
STATUSES = ("active", "finished")


@click.command("list")
@click.option("--player", metavar="NAME", help="Only games of this player.")
@click.option("--variant", type=click.Choice(list(VARIANTS)), help="Only games of this variant.")
@click.option("--status", type=click.Choice(STATUSES), help="Only games that are active, or finished.")
@click.option("--limit", type=click.IntRange(1, MAX_PAGE), default=50, show_default=True, help="The most games.")
@data_option
@json_option
def list_games(
    player: str | None, variant: str | None, status: str | None, limit: int, data: Path | None, as_json: bool
) -> None:
    """List the games of the store, the newest first, with their board numbers and players.

    `trickbook table list` lists the tables that still wait for players.
    """
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        person = None if player is None else require_user(services.accounts, player)
        page, names = _page(services, LobbyFilter(variant, person.id if person else None, status), limit)
    if as_json:
        return print_json([item | {"names": {each: names[each] for each in _players(item)}} for item in page["items"]])
    table = terminal.make_table(*HEADINGS)
    for item in page["items"]:
        terminal.add_row(table, *_cells(item, names))
    print_rich(table if page["items"] else terminal.text_line("There are no such games."))
    if page["next"] is not None:
        click.echo(f"There are more than {limit} such games: name a higher --limit, at most {MAX_PAGE}.", err=True)
    return None


def _page(services: Services, criteria: LobbyFilter, limit: int) -> tuple[dict[str, Any], Mapping[str, str]]:
    """Return the page of games, and the names of their players by id."""
    services.followers.catch_up()
    with services.rows.snapshot("lobby") as reading:
        page = lobby_page(reading, criteria, limit, reader=HOST)
    ids = {player for item in page["items"] for player in _players(item)}
    return page, {player: player for player in ids} | services.accounts.users.names_of(ids)


def _players(item: Mapping[str, Any]) -> list[str]:
    return [seat["player"] for seat in item["seats"]]


def _cells(item: Mapping[str, Any], names: Mapping[str, str]) -> tuple[object, ...]:
    players, waiting = (", ".join(names[each] for each in ids) for ids in (_players(item), item["waiting"]))
    return item["board"], item["variant"], item["status"], players, waiting, item["updated"], item["id"]


commands: list[click.Command] = [list_games]
