"""The program `trickbook`."""

import click

from api.cli.common.server_option import server_option
from api.cli.parser.groups import Trickbook


@click.group(cls=Trickbook, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="trickbook")
@server_option
@click.option("--max-game-mib", type=click.IntRange(1), default=256, show_default=True, help="Largest game in a file.")
def main(max_game_mib: int, server: str | None) -> None:  # common.input_files and server_option read them
    """A server for trick-taking card games played for score; it records every deal, bid and card as a fact.

    Settings come from environment variables such as TRICKBOOK_DATA; `serve` prints all of them. Exit codes: 0 all is
    well, 1 something is wrong, 2 the command couldn't run or can't decide yet.
    """


if __name__ == "__main__":
    main()
