"""The command `trickbook demo`."""

import sys

import click

from api.cli.common.config import CannotAnswer
from api.cli.demo.games import ServerDidNotStart, play_tables, replay_and_audit, run_server_process
from api.ops.temporary_folders import temporary_folder

NEXT = (
    "\nTo play yourself, run `trickbook serve` and follow docs/tutorial.md. The games of this demonstration are gone."
)


@click.command()
def demo() -> None:
    """Play whole games of every variant through the HTTP API, on a temporary server that is removed afterwards.

    Prints the result of each game, a scoreboard, and one hand as a transcript, replayed step by step and audited.
    Exit code 1 if an audit finds something.
    """
    with temporary_folder() as folder:
        data = folder / "data"
        try:
            with run_server_process(data) as url:
                click.echo(f"a server at {url}, its stores in {data}")
                result = play_tables(url, click.echo)
                well = replay_and_audit(data, result, click.echo)
        except ServerDidNotStart as error:
            raise CannotAnswer(f"The server didn't start: {error}") from None
    click.echo(NEXT)
    sys.exit(0 if well else 1)


commands: list[click.Command] = [demo]
