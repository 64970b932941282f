"""`trickbook store archive`: keep the log's table small."""

import sys
from contextlib import closing
from pathlib import Path

import click

from api.accounts.people.grants import DAY
from api.cli.common.config import data_option, exit_on_store_errors, load_config
from api.cli.common.progress import bars
from api.cli.common.store_files import require_games
from api.services.container import open_services
from domain.engine.timestamps import format_time
from domain.store.archive.move import ArchiveDiffers, archive_games
from replay.audit import GREEN, WRONG

MOST_DAYS = 36_500


class WrongArchive(click.ClickException):
    """The archive holds something else than the log; exit code 1."""

    exit_code = WRONG


@click.command()
@click.option(
    "--older-than", default=30, show_default=True, type=click.IntRange(0, MOST_DAYS), help="Days since the last event."
)
@data_option
def archive(older_than: int, data: Path | None) -> None:
    """Move the events of finished games out of the log's table, while games are played: the log stays small.

    They go to archive.db beside log.db, or to tables of their own in PostgreSQL. Every command and every server still
    reads them, and a dispute can still be opened. Each game is checked and compared before it leaves the log. You can
    interrupt the command and repeat it. Exit code 1 if a game can't be read; it stays in the log.
    """
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config.with_long_statements())) as services, bars() as add_bar:
        before = format_time(services.clock.now_us() - older_than * DAY)
        try:
            events = add_bar("events", sum(services.games.log.last_numbers()))
            report = archive_games(services.games, before, events)
        except ArchiveDiffers as error:
            raise WrongArchive(str(error)) from None
    click.echo(f"games archived: {report.games} ({report.events} events); games that stay in the log: {report.staying}")
    if not report.games:
        click.echo(f"No readable game in the log is over and has had no event for {older_than} days.")
    for game in report.unreadable:
        click.echo(f"game {game} can't be read and stays in the log; see `trickbook store check`", err=True)
    sys.exit(WRONG if report.unreadable else GREEN)


commands: list[click.Command] = [archive]
