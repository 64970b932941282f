"""Histories as commands take them: a game of the store by board number or id, or the file of an export.

The operator sees no more of a live hand than everybody does; a file shows what it holds.
"""

import json
from pathlib import Path

import click
from rich.console import RenderableType

from api.cli.common.config import CannotAnswer, load_config
from api.cli.common.game_files import read_game
from replay.audit import WRONG, audit
from replay.history import History
from replay.text import terminal


class InconsistentHistory(click.ClickException):
    """A history that contradicts itself; exit code 1."""

    exit_code = WRONG


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def load_history(game: str, data: Path | None, which: str | None = None) -> History:
    """The history GAME names, of a stored game as much as everybody may see; of a file of many games that called
    `which`. CannotAnswer where there is none.
    """
    if is_stored(game):
        from api.cli.common.stored_games import stored_history  # late: a file is read without any database's driver

        return stored_history(load_config(data), game)
    return read_game(game, which)


def is_stored(game: str) -> bool:
    """Whether GAME is looked up in the store, and is no file."""
    return (game.isascii() and game.isdigit()) or (len(game) == 36 and not Path(game).exists())


def require_consistent(history: History) -> History:
    """`history`, when it tells one story; else InconsistentHistory, or CannotAnswer where it cannot be read."""
    report = audit(history)
    if report.findings:
        raise InconsistentHistory(f"this history does not verify: {report.findings[0]}")
    if report.books.unjudged is not None:
        raise CannotAnswer(str(report.books.unjudged))
    return history


def print_rich(*shown: RenderableType, above: int = 0) -> None:
    """One below the other, after so many empty lines: for a terminal as wide as it is, else as plain text."""
    click.echo("\n" * above, nl=False)
    out = terminal.make_console()
    for each in shown:
        if out.is_terminal:
            out.print(each)
        else:
            click.echo(terminal.plain_text(each), nl=False)


def print_json(value: object) -> None:
    """As data, two blanks a level."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
