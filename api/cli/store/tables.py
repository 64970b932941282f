"""Commands that create the tables of the stores and build the lists again."""

from contextlib import closing
from functools import partial
from pathlib import Path

import click

from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.progress import bars
from api.cli.common.store_files import check_store_files, has_store, require_games
from api.ops.progress import SetProgress
from api.services.container import open_services

NO_ORIGIN = "Receipts name it {origin}. To choose its name, set TRICKBOOK_ORIGIN before the first game."


@click.command()
@data_option
def migrate(data: Path | None) -> None:
    """Create or update the tables of the stores; safe to repeat, and to run on several machines at once."""
    config = load_config(data)
    check_store_files(config)
    with exit_on_store_errors():
        open_services(config).close()
    click.echo("the stores are in order")


@click.command()
@data_option
def init(data: Path | None) -> None:
    """Create an empty store in a new place: the folder of --data, or the database of TRICKBOOK_DATABASE_URL."""
    config = load_config(data)
    place = str(config.data) if config.database_url is None else "the database"
    if has_store(config):
        raise CannotAnswer(f"There is a store in {place} already. `trickbook store migrate` updates its tables.")
    with exit_on_store_errors(), closing(open_services(config)) as services:
        origin = services.receipts.keys.current().name
    click.echo(f"created a store in {place}")
    if config.origin is None:
        click.echo(NO_ORIGIN.format(origin=origin), err=True)


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


commands: list[click.Command] = [init, migrate, rebuild]
