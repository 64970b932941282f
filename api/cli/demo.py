"""The demonstration, as a command."""

import sys
import tempfile
from pathlib import Path

import click

from api.cli.common.config import CannotAnswer
from api.cli.demo_games import ServerDidNotStart, play_tables, replay_and_audit, run_server_process


@click.command()
def demo() -> None:
    """Play whole games of every variant through the HTTP API, on a server and stores made for it and removed after.

    Prints how each went, a scoreboard, and one hand written down, replayed step by step and audited.
    """
    with tempfile.TemporaryDirectory(prefix="trickbook-demo-") as folder:
        data = Path(folder)
        try:
            with run_server_process(data) as url:
                click.echo(f"a server at {url}, its stores in {data}")
                shown = play_tables(url, click.echo)
                well = replay_and_audit(data, shown, click.echo)
        except ServerDidNotStart as error:
            raise CannotAnswer(f"the server did not start: {error}") from None
    sys.exit(0 if well else 1)


commands: list[click.Command] = [demo]
