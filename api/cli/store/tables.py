"""`trickbook store init`, `rebuild` and `quarantine`: tables, lists, and games that lists leave out."""

import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import (
    NO_ORIGIN,
    CannotAnswer,
    ask,
    data_option,
    exit_on_store_errors,
    load_config,
    yes_option,
)
from api.cli.common.histories import json_option, print_json, print_rich
from api.cli.common.processes import bars
from api.cli.common.stores import check_store_files, has_store, require_games, resolve_game
from api.config import Config
from api.container import Services, open_services
from api.ops.backup.compression import compress_store
from api.ops.backup.manifest import BackupError
from api.ops.progress import SetProgress
from api.tables.stored.boards import Boards
from domain.store import NoSuchGame
from domain.store.aggregate import Corrupt
from domain.store.shards.layout import MOST_SHARDS
from domain.store.shards.log_compression import CompressionDiffers
from projections.storage.quarantine import GAME_LOG, QuarantineEntry
from replay.audit import WRONG
from replay.text import terminal
from replay.text.layout import sanitize

SHRINK_FILE = (
    "log.db keeps its size, and new facts use the space. With the servers stopped, `sqlite3 log.db VACUUM` shrinks it."
)
SHRINK_TABLES = (
    "The tables keep their size, and new facts use the space. `VACUUM FULL` gives it back, and locks them meanwhile."
)


class NotCompressed(click.ClickException):
    """The backup isn't right, or compressed facts differ; exit code 1."""

    exit_code = WRONG


@click.command()
@click.option(
    "--shards", type=click.IntRange(1, MOST_SHARDS),
    help="Shards of a new store; by default 8 on PostgreSQL and 1 in a file.",
)  # fmt: skip
@click.option(
    "--compress", "backup", metavar="BACKUP", type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Also compress the facts that version 0.2 wrote; the backup in this folder is tried first.",
)  # fmt: skip
@data_option
def init(shards: int | None, backup: Path | None, data: Path | None) -> None:
    """Create a store in a new place, or update the tables of an older one; safe to repeat.

    The place is the folder of --data, or the database of TRICKBOOK_DATABASE_URL. You can run the command on several
    machines at once.

    With --compress, facts take a third of the place. Version 0.2 can't read the store any more then; the way back is
    the backup, which must be of this store and of the last day. First every file and every game of it is read. Then
    each game is compressed and compared, while games are played. You can interrupt the command and repeat it. Exit
    code 1 if the backup isn't right or a game can't be read; such a game stays as it is. Restart the servers
    afterwards: those that run write facts that aren't compressed.
    """
    config = replace(load_config(data), shards=shards)
    check_store_files(config)
    is_new = not has_store(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        origin = services.receipts.keys.current().name
    place = str(config.data) if config.database_url is None else "the database"
    click.echo(f"created a store in {place}" if is_new else f"the store in {place} is in order")
    if is_new and config.origin is None:
        click.echo(NO_ORIGIN.format(origin=origin), err=True)
    if backup is not None:
        require_games(config)
        _compress(config, backup)


def _compress(config: Config, backup: Path) -> None:
    try:
        with exit_on_store_errors(), bars() as add_bar:
            report = compress_store(config, backup, add_bar)
    except (BackupError, CompressionDiffers) as error:
        raise NotCompressed(str(error)) from None
    sizes = f"{report.before / 1e6:.1f} MB of facts are {report.after / 1e6:.1f} MB now"
    click.echo(f"games: {report.games}, facts: {report.states}; {sizes}")
    click.echo("Version 0.2 can't read this store any more. Restart the servers, so that they write compressed facts.")
    click.echo(SHRINK_FILE if config.database_url is None else SHRINK_TABLES)
    for game in report.unreadable:
        click.echo(f"game {game} can't be read and stays as it is; see `trickbook store check`", err=True)
    if report.unreadable:
        sys.exit(WRONG)


@click.command()
@data_option
def rebuild(data: Path | None) -> None:
    """Rebuild every list from the first event; servers use the old rows until the new ones are complete.

    Games with an event that can't be read go into quarantine (see `trickbook store quarantine`).
    """
    config = load_config(data).with_long_statements()
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        last = sum(services.games.log.last_numbers())
        with bars() as add_bar:
            for name in services.rows.projections:
                services.followers.rebuild(name, partial(_update_bar, add_bar(name, last)))
        quarantined = services.rows.count_quarantined()
    click.echo(f"rebuilt: {', '.join(services.rows.projections)}")
    if quarantined:
        click.echo(f"games in quarantine: {quarantined} (trickbook store quarantine list)", err=True)


def _update_bar(set_progress: SetProgress, position: int, _last: int) -> None:
    set_progress(position)


HEADINGS = ("board", "game", "event", "why", "left out of", "since", "state")
MAX_ENTRIES = 10_000
NO_GAME = "No game is in quarantine."
NOT_IN_QUARANTINE = "Game {game} isn't in quarantine. `trickbook store quarantine list` shows the games that are."


@click.group()
def quarantine() -> None:
    """List, retry or drop the games that lists leave out because an event can't be read."""


@quarantine.command(name="list")
@data_option
@json_option
def list_games(data: Path | None, as_json: bool) -> None:
    """List the games in quarantine. A line has the first event that can't be read, and the reason."""
    with _open(data) as services:
        games = list(_by_game(services.rows.quarantined(MAX_ENTRIES), services.accounts.boards))
    if as_json:
        return print_json(games)
    table = terminal.make_table(*HEADINGS)
    for game in games:
        state = "dropped" if game["dropped"] else "in quarantine"
        lists = ", ".join(game["lists"])
        cells = (game["board"] or "", game["game"], game["version"], game["reason"], lists, game["since"], state)
        terminal.add_row(table, *(sanitize(str(cell)) for cell in cells))
    return print_rich(table if games else terminal.text_line(NO_GAME))


@quarantine.command()
@click.argument("games", nargs=-1)
@click.option("--all", "all_games", is_flag=True, help="Retry every game in quarantine that wasn't dropped.")
@data_option
def retry(games: tuple[str, ...], all_games: bool, data: Path | None) -> None:
    """Fold GAMES again, after a repair or an upgrade. Exit code 1 means that one still fails."""
    if bool(games) == all_games:
        raise CannotAnswer("Name the games to retry, or pass --all.")
    failed = False
    with _open(data) as services:
        entries = services.rows.quarantined(MAX_ENTRIES)
        known = {each.fault.game for each in entries}
        named = [_require_in_quarantine(services, game, known) for game in games]
        retried = named or sorted({each.fault.game for each in entries if not each.dropped})
        if not retried:
            click.echo(NO_GAME)
        for game in retried:
            reason = _retry(services, game)
            failed = failed or reason is not None
            click.echo(f"{sanitize(game)}: {'back in the lists' if reason is None else sanitize(reason)}")
    sys.exit(WRONG if failed else 0)


def _require_in_quarantine(services: Services, reference: str, known: Collection[str]) -> str:
    """Return the id of a game. Raise CannotAnswer if it isn't in quarantine."""
    game = resolve_game(services.accounts, reference)
    if game not in known:
        raise CannotAnswer(NOT_IN_QUARANTINE.format(game=sanitize(reference)))
    return game


def _retry(services: Services, game: str) -> str | None:
    """Fold a game again in every list. Return None if it's out of quarantine, otherwise the reason."""
    for fault in services.followers.retry(game):
        return f"event {fault.version}: {fault.reason}"
    try:
        services.games.state(game)
    except (Corrupt, NoSuchGame) as error:
        return str(error)
    services.rows.release_log(game)
    return None


@quarantine.command()
@click.argument("game")
@yes_option
@data_option
def drop(game: str, yes: bool, data: Path | None) -> None:
    """Remove GAME from every list until the next rebuild, after asking. Its log isn't changed."""
    with _open(data) as services:
        game_id = resolve_game(services.accounts, game)
        ask(f"Remove {sanitize(game_id)} from every list?", yes=yes)
        if not services.rows.drop_game(game_id):
            raise CannotAnswer(NOT_IN_QUARANTINE.format(game=sanitize(game)))
    click.echo(f"{sanitize(game_id)}: dropped from every list")


def _by_game(entries: Iterable[QuarantineEntry], boards: Boards) -> Iterator[dict[str, Any]]:
    for game, group in groupby(entries, key=lambda entry: entry.fault.game):
        several = list(group)
        first = min(several, key=lambda entry: entry.fault.version)
        yield {
            "game": game,
            "board": boards.number_of(game),
            "position": first.fault.position,
            "version": first.fault.version,
            "reason": first.fault.reason,
            "newer": any(entry.fault.too_new for entry in several),
            "lists": [entry.projection for entry in several if entry.projection != GAME_LOG],
            "dropped": all(entry.dropped for entry in several),
            "since": min(entry.since for entry in several),
        }


@contextmanager
def _open(data: Path | None) -> Iterator[Services]:
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        yield services


commands: list[click.Command] = [init, rebuild, quarantine]
