"""Commands that run the server and its worker, and maintain the stores."""

import logging
import socket
import threading
from contextlib import closing
from functools import partial
from pathlib import Path

import click
from rich.progress import Progress, TaskID

from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.store_files import check_store_files, require_games
from api.config import Config
from api.server.serve import on_stop_signals, open_app, run_server
from api.services.container import open_services
from api.services.worker import Worker

FIRST_CURL = """\
try: curl {url}/api/v1/variants
     curl {url}/api/v1/users -H 'Content-Type: application/json' -d '{{"name":"ann","password":"correct-horse"}}'"""


def _log_to_stderr(config: Config) -> None:
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("trickbook").setLevel(config.log.upper())


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 picks a free one.")
@data_option
@click.option("--no-worker", is_flag=True, help="Leave projections, clock and bots to `trickbook work`.")
def serve(host: str, port: int, data: Path | None, no_worker: bool) -> None:
    """Serve the HTTP API until interrupted; print the settings, the key of receipts, the address and a first curl."""
    config = load_config(data)
    check_store_files(config)
    _check_address(host, port)
    _log_to_stderr(config)
    click.echo("\n".join(config.to_lines()))

    def started(url: str) -> None:
        click.echo(f"listening on {url}")
        click.echo(FIRST_CURL.format(url=url))

    with exit_on_store_errors(), open_app(config, worker=not no_worker) as app:
        click.echo(f"receipts are signed by {app.extensions['trickbook'].receipts.keys.current().text}")
        try:
            run_server(app, host, port, started)
        except OSError as error:
            raise CannotAnswer(f"Can't listen on {host}:{port}: {error.strerror}") from None
    click.echo("stopped")


def _check_address(host: str, port: int) -> None:
    try:
        socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "no such address"
        raise CannotAnswer(f"Can't listen on {host}:{port}: {reason}") from None


@click.command()
@data_option
def work(data: Path | None) -> None:
    """Update lists, run the clock and play for bots, for servers started with --no-worker."""
    config = load_config(data)
    require_games(config)
    _log_to_stderr(config)
    stop = threading.Event()
    on_stop_signals(stop.set)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        click.echo("working")
        Worker(services).run(stop)
    click.echo("stopped")


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
def rebuild(data: Path | None) -> None:
    """Rebuild every list from the first event; servers use the old rows until the new ones are complete."""
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services, Progress() as progress:
        for name in services.rows.projections:
            services.followers.rebuild(name, partial(_update_bar, progress, progress.add_task(name)))
    click.echo("rebuilt")


def _update_bar(progress: Progress, task: TaskID, position: int, last: int) -> None:
    progress.update(task, completed=position, total=last)


commands: list[click.Command] = [serve, work, migrate, rebuild]
