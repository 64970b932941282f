"""The demonstration, as a command."""

import sys
import tempfile
from pathlib import Path

import click

from api.cli.common.config import CannotTell
from api.cli.demo_games import NotServed, demonstrate, examine, served


@click.command()
def demo() -> None:
    """Play whole games of every variant through the HTTP API, on a server and stores made for it and removed after.

    Prints how each went, a scoreboard, and one hand written down, replayed step by step and audited.
    """
    with tempfile.TemporaryDirectory(prefix="trickbook-demo-") as folder:
        data = Path(folder)
        try:
            with served(data) as url:
                click.echo(f"a server at {url}, its stores in {data}")
                shown = demonstrate(url, click.echo)
                well = examine(data, shown, click.echo)
        except NotServed as error:
            raise CannotTell(f"the server did not start: {error}") from None
    sys.exit(0 if well else 1)


commands: list[click.Command] = [demo]
