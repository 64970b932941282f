"""The program `trickbook`."""

import sys
from io import TextIOWrapper

import click

from api.cli.common.server_option import server_option
from api.cli.parser.catalog import example_text
from api.cli.parser.groups import Trickbook


@click.group(cls=Trickbook, epilog=example_text(""), context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="trickbook")
@server_option
@click.option("--max-game-mib", type=click.IntRange(1), default=256, show_default=True, help="Largest game in a file.")
@click.option("--plain", is_flag=True, help="Print letters without color, as for a pipe, on a terminal too.")
def main(max_game_mib: int, plain: bool, server: str | None) -> None:  # modules of common read them
    """A server for trick-taking card games played for score; it records every deal, bid and card as a fact.

    Settings come from environment variables such as TRICKBOOK_DATA; `trickbook config` prints all of them. Exit codes:
    0 all is well, 1 something is wrong, 2 the command couldn't run or can't decide yet.
    """
    if sys.stdout.isatty() and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal of another encoding shows ? for what it lacks


if __name__ == "__main__":
    main()
