"""`trickbook results ratings` and `trickbook results rate`: the ratings of a server, and the same from exports."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Group, RenderableType

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.files import open_games_file
from api.cli.common.histories import json_option, print_json, print_rich
from api.cli.games.standings import limit_option, say_if_more
from api.lines.text.lists import CHANGES, NO_CHANGES, NO_RATINGS, change_cells
from domain.rules.variants import VARIANTS
from projections.ratings.offline import OfflineRating, rate_histories
from projections.ratings.places import EVERY_KIND, KINDS
from replay.history import History, NotAnExport, read_export
from replay.history.bundle import split_exports
from replay.text import terminal

FIGURES = ("rating", "games", "opponents", "last game")


@click.command("ratings")
@click.argument("variant", type=click.Choice(list(VARIANTS)))
@click.option(
    "--kind",
    type=click.Choice([EVERY_KIND, *KINDS]),
    default=EVERY_KIND,
    show_default=True,
    help="all for pbmserv's rating; a kind of table for the skill: two players, more of them, or partners.",
)
@click.option("--changes", is_flag=True, help="List whom rulings on finished games moved instead, the latest first.")
@limit_option
@data_option
@json_option
def list_ratings(variant: str, kind: str, changes: bool, limit: int, data: Path | None, as_json: bool) -> None:
    """List the players of VARIANT by rating, established ones first, in the store or on --server.

    Only players who have met at least five opponents are listed. A ruling on a finished game rates it and all later
    ones again; --changes lists the players whom it moved, from what to what, and by which dispute.
    """
    from api.cli.sources.selection import open_source  # late: `rate` needs no store

    source = open_source(data)
    page = (source.rating_changes if changes else source.ratings)(variant, kind, limit)
    names = page["names"]
    if as_json:
        return print_json([item | {"name": names.get(item["player"])} for item in page["items"]])
    table = terminal.make_table(*(CHANGES if changes else ("", "player", *FIGURES)))
    for item in page["items"]:
        name = names.get(item["player"], item["player"])
        terminal.add_row(table, *(change_cells(item, name) if changes else (item["rank"], name, *_figures(item))))
    print_rich(table if page["items"] else terminal.text_line(NO_CHANGES if changes else NO_RATINGS))
    say_if_more(page, limit)
    return None


@click.command("rate")
@click.argument("files", nargs=-1, required=True)
@json_option
def rate(files: Sequence[str], as_json: bool) -> None:
    """Work out all ratings again from FILES, exports of one game or many; - is standard input.

    With the exports of all games of a server that count, the numbers are those of its lists to the last digit;
    --json prints all digits. Games with bots or guests, practice, private and unfinished games don't count. Everybody
    is listed, however few opponents they have met.
    """
    names: dict[str, str] = {}
    ratings = list(rate_histories(_events(history, names) for name in files for history in _histories(name)))
    if as_json:
        return print_json([each.to_json() | {"name": names.get(each.player)} for each in ratings])
    print_rich(Group(*_tables(ratings, names)) if ratings else terminal.text_line("No finished game in them counts."))
    return None


def _histories(name: str) -> Iterator[History]:
    with open_games_file(name) as file:
        for export in split_exports(file):
            yield _history(name, export)


def _history(name: str, export: bytes) -> History:
    try:
        history = read_export(export)
    except NotAnExport as error:
        raise CannotAnswer(f"{name}: This isn't an export: {error}.") from None
    faults = [str(fault) for fault in history.faults]
    unread = [f"event {line.version}: {why}" for line in history.lines if (why := line.unread or line.fault)]
    if faults or unread:
        raise CannotAnswer(f"{name}: The game on board {history.header.board} can't be read: {[*faults, *unread][0]}.")
    return history


def _events(history: History, names: dict[str, str]) -> Sequence[Any]:
    names.update(history.header.players)
    return history.events


def _tables(ratings: Sequence[OfflineRating], names: Mapping[str, str]) -> Iterator[RenderableType]:
    for pool in dict.fromkeys((each.variant, each.kind) for each in ratings):
        table = terminal.make_table(" ".join(pool), *FIGURES)
        for each in ratings:
            if (each.variant, each.kind) == pool:
                terminal.add_row(table, names.get(each.player, each.player), *_figures(each.to_json()))
        yield table


def _figures(item: Mapping[str, Any]) -> tuple[object, ...]:
    return item["shown"], item["games"], item["opponents"], item["last"][:10]


commands: list[click.Command] = [list_ratings, rate]
