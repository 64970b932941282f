"""`trickbook results`: what became of the games that are over, ratings, and ratings worked out again."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Group, RenderableType

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.files import open_games_file
from api.cli.common.histories import json_option, print_json, print_rich
from api.cli.sources.selection import open_source
from api.lines.list_texts import CHANGES, NO_CHANGES, NO_RATINGS, change_cells
from domain.rules.variants import VARIANTS
from projections.lists.seated_games import RATED_HOUSE
from projections.lists.standings_pages import MAX_PAGE
from projections.lists.standings_results import ALL_TIME, BAD_PERIOD, PERIOD
from projections.ratings.offline import OfflineRating, rate_histories
from projections.ratings.places import EVERY_KIND, KINDS
from replay.history import History, NotAnExport, read_export
from replay.history.bundle import split_exports
from replay.text import terminal

FIGURES = ("games", "won", "hands", "hands won", "made", "set", "set rate", "points")
FIELDS = ("games", "won", "hands", "hands_won", "made", "set")
MORE = "There are more than {} of them: name a higher --limit, at most {}."

limit_option = click.option(
    "--limit", type=click.IntRange(1, MAX_PAGE), default=50, show_default=True, help="The most lines."
)


class RatedGame(click.Choice[str]):
    """Games that are rated together: of a variant, or by the rulebook whose address begins with these digits."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return value if RATED_HOUSE.fullmatch(value) else super().convert(value, param, ctx)


def _check_period(_context: click.Context, _parameter: click.Parameter, period: str) -> str:
    if not re.match(PERIOD, period):
        raise click.BadParameter(BAD_PERIOD)
    return period


@click.command("standings")
@click.argument("variant", type=RatedGame(list(VARIANTS)))
@click.option(
    "--period",
    default=ALL_TIME,
    show_default=True,
    callback=_check_period,
    help="all, a year such as 2026, or a month such as 2026-11 (UTC).",
)
@limit_option
@data_option
@json_option
def list_standings(variant: str, period: str, limit: int, data: Path | None, as_json: bool) -> None:
    """List who has won most games of VARIANT, in the store or on --server, with points, hands and bids.

    Public games among people with accounts count, as ruled. Practice, private games, and games with bots or guests
    don't.
    """
    page = open_source(data).standings(variant, period, limit)
    if as_json:
        return print_json([item | {"name": page["names"].get(item["player"])} for item in page["items"]])
    table = terminal.make_table("", "player", *FIGURES)
    for item in page["items"]:
        terminal.add_row(table, item["rank"], page["names"].get(item["player"], item["player"]), *_figures(item))
    print_rich(table if page["items"] else terminal.text_line("No games count yet in this period."))
    say_if_more(page, limit)
    return None


@click.command("history")
@click.argument("name")
@click.option("--against", metavar="NAME", help="Also show the games against this player.")
@limit_option
@data_option
@json_option
def show_history(name: str, against: str | None, limit: int, data: Path | None, as_json: bool) -> None:
    """List the finished games of the player NAME, the last first, below the player's figures in each variant.

    The last column says why a game doesn't count.
    """
    record = open_source(data).player_record(name, against, limit)
    seated = {seat["player"] for item in record["items"] for seat in item["seats"]}
    names = {player: record["names"].get(player, player) for player in sorted(seated)}
    if as_json:
        return print_json({key: record[key] for key in ("standings", "against", "items")} | {"names": names})
    print_rich(Group(*_parts(name, against, record, names)))
    say_if_more(record, limit)
    return None


def _parts(name: str, against: str | None, record: Mapping[str, Any], names: Mapping[str, str]) -> list[RenderableType]:
    parts: list[RenderableType] = []
    if record["standings"]:
        figures = terminal.make_table("variant", "rank", *FIGURES)
        for item in record["standings"]:
            terminal.add_row(figures, item["variant"], item.get("rank") or "", *_figures(item))
        parts += [figures, terminal.text_line("")]
    if against is not None:
        parts += [_meetings(name, against, record["against"]), terminal.text_line("")]
    games = terminal.make_table("board", "variant", "ended", "players", "result", "points", "doesn't count")
    for item in record["items"]:
        terminal.add_row(games, *_game_cells(item, names))
    return [*parts, games if record["items"] else terminal.text_line(f"{name} has no finished games.")]


def _meetings(name: str, against: str, items: list[Mapping[str, Any]]) -> RenderableType:
    if not items:
        return terminal.text_line(f"{name} and {against} have no games against each other that count.")
    table = terminal.make_table(f"against {against}", "games", "won", "lost")
    for item in items:
        terminal.add_row(table, item["variant"], item["games"], item["won"], item["lost"])
    return table


def _figures(item: Mapping[str, Any]) -> tuple[object, ...]:
    rate = "" if item["set_rate"] is None else f"{item['set_rate']:.1%}"
    return *(item[field] for field in FIELDS), rate, item["points"]


def _game_cells(item: Mapping[str, Any], names: Mapping[str, str]) -> tuple[object, ...]:
    players = ", ".join(names[seat["player"]] for seat in item["seats"])
    winners = (item["result"]["ruled"] or item["result"])["winners"]
    result = "won" if item["won"] else "lost" if winners else "no winner"
    return item["board"], item["variant"], item["ended"][:10], players, result, item["points"], item["reason"] or ""


def say_if_more(page: Mapping[str, Any], limit: int) -> None:
    """Say that there are more lines than those printed, if so."""
    if page["next"] is not None:
        click.echo(MORE.format(limit, MAX_PAGE), err=True)


RATING_FIGURES = ("rating", "games", "opponents", "last game")


@click.command("ratings")
@click.argument("variant", type=RatedGame(list(VARIANTS)))
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

    source = open_source(data)
    page = (source.rating_changes if changes else source.ratings)(variant, kind, limit)
    names = page["names"]
    if as_json:
        return print_json([item | {"name": names.get(item["player"])} for item in page["items"]])
    table = terminal.make_table(*(CHANGES if changes else ("", "player", *RATING_FIGURES)))
    for item in page["items"]:
        name = names.get(item["player"], item["player"])
        terminal.add_row(
            table, *(change_cells(item, name) if changes else (item["rank"], name, *_rating_figures(item)))
        )
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
        table = terminal.make_table(" ".join(pool), *RATING_FIGURES)
        for each in ratings:
            if (each.variant, each.kind) == pool:
                terminal.add_row(table, names.get(each.player, each.player), *_rating_figures(each.to_json()))
        yield table


def _rating_figures(item: Mapping[str, Any]) -> tuple[object, ...]:
    return item["shown"], item["games"], item["opponents"], item["last"][:10]


commands: list[click.Command] = [list_standings, show_history, list_ratings, rate]
