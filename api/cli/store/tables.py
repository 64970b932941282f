"""Commands that create the tables of the stores and build the lists again."""

import sys
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from api.cli.common.config import NO_ORIGIN, data_option, exit_on_store_errors, load_config
from api.cli.common.processes import bars
from api.cli.common.stores import check_store_files, has_store, require_games
from api.config import Config
from api.container import open_services
from api.ops.backup.compression import compress_store
from api.ops.backup.manifest import BackupError
from api.ops.progress import SetProgress
from domain.store.shards.layout import MOST_SHARDS
from domain.store.shards.log_compression import CompressionDiffers
from replay.audit import WRONG

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


commands: list[click.Command] = [init, rebuild]
