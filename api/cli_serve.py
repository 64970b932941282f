"""Running the server and its worker, and keeping the stores in order."""

import logging
import threading
from pathlib import Path

import click

from api.cli_config import configured, data_option
from api.config import Config

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
@click.option("--no-worker", is_flag=True, help="Leave projections and server-played seats to `trickbook work`.")
def serve(host: str, port: int, data: Path | None, no_worker: bool) -> None:
    """Serve the HTTP API until interrupted."""
    from api.server import serve, serving

    config = configured(data)
    _log_to_stderr(config)
    for line in config.printed():
        click.echo(line)

    def started(url: str) -> None:
        click.echo(f"listening on {url}")
        click.echo(FIRST_CURL.format(url=url))

    with serving(config, worker=not no_worker) as app:
        serve(app, host, port, started)
    click.echo("stopped")


@click.command()
@data_option
def work(data: Path | None) -> None:
    """Keep projections up to date and play for bots, for servers started with --no-worker, until interrupted."""
    from api.server import stop_on_signals
    from api.services import open_services
    from api.worker import Worker

    config = configured(data)
    _log_to_stderr(config)
    stop = threading.Event()
    stop_on_signals(stop.set)
    services = open_services(config)
    try:
        click.echo("working")
        Worker(services).run(stop)
    finally:
        services.close()
    click.echo("stopped")


@click.command()
@data_option
def migrate(data: Path | None) -> None:
    """Create what the stores lack; harmless to repeat, and to run on several machines at once."""
    from api.services import open_services

    open_services(configured(data)).close()
    click.echo("the stores are in order")


@click.command()
@data_option
def rebuild(data: Path | None) -> None:
    """Fold every projection anew from the first event; servers go on reading the old rows until the new ones stand."""
    from rich.progress import Progress

    from api.services import open_services

    services = open_services(configured(data))
    try:
        with Progress() as progress:
            task = progress.add_task("events", total=services.games.last_position())
            services.followers.rebuild(lambda position: progress.update(task, completed=position))
    finally:
        services.close()
    click.echo("rebuilt")


commands = [serve, work, migrate, rebuild]
