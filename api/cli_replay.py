"""Commands that read histories: a game of the store by board number or id, or the file of an export.

The operator sees no more of a live hand than everybody does; a file shows what it holds.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from api.cli_config import CannotTell, configured, data_option
from api.config import Config
from domain.game import Corrupt, Entry
from domain.store import Games, NoSuchGame, StoreUnavailable
from projections.audience import revealed_by, visible
from replay import screen
from replay.audit import WRONG, Report, audit
from replay.history import History, NotAnExport, export, from_entries, read
from replay.rejudge import rejudge
from replay.steps import NotShown, Step, steps, view_of
from replay.telling import told

GAME_HELP = "GAME is a board number, a game's id, or the file of an export."
FORWARD, BACK = {"\r", "\n", " ", "n", "\x1b[C", "\x1b[B"}, {"b", "p", "\x1b[D", "\x1b[A"}
QUIT = {"q", "\x03", "\x04", "\x1b"}
F = TypeVar("F", bound=Callable[..., Any])


class Unsound(click.ClickException):
    """A history that contradicts itself; exit code 1."""

    exit_code = WRONG


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
seat_option = click.option("--seat", type=click.IntRange(0), help="As this seat saw it; otherwise as everybody did.")
game_argument = click.argument("game")


def history_of(game: str, data: Path | None) -> History:
    """The history GAME names, of a stored game as much as everybody may see. CannotTell where there is none."""
    path = Path(game)
    if game.isascii() and (game.isdigit() or (len(game) == 36 and not path.exists())):
        return _stored(game, configured(data))
    try:
        return read(path.read_bytes())
    except OSError as error:
        raise CannotTell(f"{game}: {error.strerror}") from None
    except NotAnExport as error:
        raise CannotTell(f"{game}: {error}") from None


def _stored(game: str, config: Config) -> History:
    with _office_and_games(config) as stores:
        found = stores.find(game)
        entries = stores.games.entries(found)
        names = stores.office.names_of(player.player for player in entries[0].event.data.players)
    revealed = revealed_by(entry.event for entry in entries)
    return from_entries(entries, names, lambda entry: visible(entry.event, None, revealed))


def sound(history: History) -> History:
    """`history`, when it can be told without contradictions; else Unsound, or CannotTell where it cannot be read."""
    report = audit(history)
    if report.findings:
        raise Unsound(f"this history does not verify: {report.findings[0]}")
    if report.books.unjudged is not None:
        raise CannotTell(str(report.books.unjudged))
    return history
