"""Commands that run the server and its worker."""

import socket
import threading
from contextlib import closing
from pathlib import Path

import click

from api.accounts.server_nodes import node_heartbeat
from api.cli.common.config import (
    NO_ORIGIN,
    CannotAnswer,
    data_option,
    exit_on_store_errors,
    load_config,
    log_file_option,
    start_log,
)
from api.cli.common.stores import check_store_files, require_games
from api.config import is_loopback
from api.container import open_services
from api.evidence.services.keys import MADE_UP
from api.mail.outgoing.sender import Mailer
from api.monitoring.log_watch import watched_log
from api.play.services.strong_bots import StrongBots
from api.server.serve import NoRequestProcess, run_server
from api.server.stop_signals import on_stop_signals
from api.worker import Worker

HOW_TO_PLAY = """\
to play, open {url} in a browser, or run: trickbook play --server {url}
for programs: {url}/docs"""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 picks a free one.")
@data_option
@click.option("--no-worker", is_flag=True, help="Leave projections, clock and bots to `trickbook work`.")
@log_file_option
def serve(host: str, port: int, data: Path | None, no_worker: bool, log_file: Path | None) -> None:
    """Serve until interrupted; print the address, how to play, and the settings that aren't the usual ones.

    `trickbook config` prints all settings. Ctrl+C and SIGTERM stop the server. With --log-file, SIGHUP reopens the file
    and does nothing else.
    """
    config = load_config(data)
    check_store_files(config)
    _check_address(host, port)
    if config.local_only is not None and not is_loopback(host):
        raise CannotAnswer(config.local_only)
    start_log(config, log_file)
    for line in config.to_lines(changed=True):
        click.echo(line)

    def started(url: str) -> None:
        click.echo(f"listening on {url}")
        click.echo(HOW_TO_PLAY.format(url=config.url or url))

    with exit_on_store_errors(), closing(open_services(config)) as services:
        name = services.receipts.keys.current().name
    if name.startswith(MADE_UP):
        click.echo(f"warning: this server has no name of its own. {NO_ORIGIN.format(origin=name)}")
    try:
        run_server(config, host, port, worker=not no_worker, started=started)
    except NoRequestProcess:
        raise CannotAnswer("The server didn't start; its log says why.") from None
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
@log_file_option
def work(data: Path | None, log_file: Path | None) -> None:
    """Update lists, run the clock and play for bots, for servers started with --no-worker."""
    config = load_config(data)
    require_games(config)
    start_log(config, log_file)
    stop = threading.Event()
    on_stop_signals(stop.set)
    with (
        exit_on_store_errors(),
        closing(open_services(config)) as services,
        node_heartbeat(services.node),
        watched_log(services.log_watch),
    ):
        services.join_others()
        click.echo("working")
        with StrongBots(services).running():
            Worker(services, [("mail", Mailer(services).run)]).run(stop)
    click.echo("stopped")


commands: list[click.Command] = [serve, work]
