"""`trickbook game list`: the games of a store, to find a board number."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import data_option
from api.cli.common.histories import json_option, print_json, print_rich
from api.cli.sources.selection import open_source
from domain.rules.variants import VARIANTS
from projections.lists.lobby_pages import MAX_PAGE
from replay.text import terminal

HEADINGS = ("board", "variant", "status", "players", "waiting for", "last event", "game")
STATUSES = ("active", "finished")


@click.command("list")
@click.option("--player", metavar="NAME", multiple=True, help="Only games of this player; of all, if you name several.")
@click.option("--variant", type=click.Choice(list(VARIANTS)), help="Only games of this variant.")
@click.option("--status", type=click.Choice(STATUSES), help="Only games that are active, or finished.")
@click.option("--limit", type=click.IntRange(1, MAX_PAGE), default=50, show_default=True, help="The most games.")
@data_option
@json_option
def list_games(
    player: tuple[str, ...], variant: str | None, status: str | None, limit: int, data: Path | None, as_json: bool
) -> None:
    """List the games of the store or of --server, the newest first, with their board numbers and players.

    `trickbook table list` lists the tables that still wait for players.
    """
    query = {"player": player or None, "variant": variant, "status": status}
    page = open_source(data).games({name: each for name, each in query.items() if each is not None}, limit)
    names = {each: page["names"].get(each, each) for item in page["items"] for each in _players(item)}
    if as_json:
        return print_json([item | {"names": {each: names[each] for each in _players(item)}} for item in page["items"]])
    table = terminal.make_table(*HEADINGS)
    for item in page["items"]:
        terminal.add_row(table, *_cells(item, names))
    print_rich(table if page["items"] else terminal.text_line("There are no such games."))
    if page["next"] is not None:
        click.echo(f"There are more than {limit} such games: name a higher --limit, at most {MAX_PAGE}.", err=True)
    return None


def _players(item: Mapping[str, Any]) -> list[str]:
    return [seat["player"] for seat in item["seats"]]


def _cells(item: Mapping[str, Any], names: Mapping[str, str]) -> tuple[object, ...]:
    players, waiting = (", ".join(names[each] for each in ids) for ids in (_players(item), item["waiting"]))
    return item["board"], item["variant"], item["status"], players, waiting, item["updated"], item["id"]


commands: list[click.Command] = [list_games]
