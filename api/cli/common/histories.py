"""Histories as commands take them: a game of the store by board number or id, or the file of an export.

The operator sees no more of a live hand than everybody does; a file shows what it holds.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import RenderableType

from api.cli.common.card_marks import is_plain, print_on_terminal, print_plain
from api.cli.common.config import CannotAnswer
from api.cli.common.files import read_game
from replay.audit import WRONG, audit
from replay.history import History
from replay.text import terminal
from replay.text.layout import names_by_seat, say_names


class InconsistentHistory(click.ClickException):
    """A history that contradicts itself; exit code 1."""

    exit_code = WRONG


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def load_history(game: str, data: Path | None, which: str | None = None) -> History:
    """Return the history that GAME names: a game of the store or of the server (cli.sources), or a file.

    `which` selects a game in a file of many games. Raises CannotAnswer if there is no such game.
    """
    if is_stored(game):
        from api.cli.sources.selection import open_source  # late import: files need no database driver

        return open_source(data).history(game)
    return read_game(game, which)


def is_stored(game: str) -> bool:
    """Return whether GAME names a stored game rather than a file."""
    return (game.isascii() and game.isdigit()) or (len(game) == 36 and not Path(game).exists())


def require_consistent(history: History) -> History:
    """Return `history` if it is consistent; raise InconsistentHistory if not, CannotAnswer if unreadable."""
    report = audit(history)
    if report.findings:
        fault = say_names(str(report.findings[0]), names_by_seat(history))
        raise InconsistentHistory(f"This history doesn't verify: {fault}")
    if report.ledger.unjudged is not None:
        raise CannotAnswer(str(report.ledger.unjudged))
    return history


def print_rich(*shown: RenderableType, above: int = 0, names: Iterable[str] = ()) -> None:
    """Print renderables below each other, after `above` empty lines: as wide as the terminal, or as plain text.

    `names` are the players' names: a terminal shows suit symbols in the cards around them.
    """
    click.echo("\n" * above, nl=False)
    out = terminal.make_console()
    for each in shown:
        if sys.stdout.isatty() and not is_plain():
            print_on_terminal(out, each, names)
        else:
            print_plain(each)


def print_json(value: object) -> None:
    """Print a value as JSON, indented by two spaces."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
