"""Checking a whole place from the command line, with no server, and without writing anything."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, TaskID

from api.checking import SAYS, Checked, Plain, check
from api.cli_config import CannotTell, configured, data_option, no_games
from api.config import Config, ConfigError
from api.place import OutOfReach, Stored, open_place
from api.services import open_games
from domain.store import StoreUnavailable
from replay.screen import MOST

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, with size and root of every game.")


@click.command(name="check")
@data_option
@json_option
def check_command(data: Path | None, as_json: bool) -> None:
    """Check everything that is kept: the databases, every row, and every game, with no server.

    Each game is loaded, audited and judged by today's rules, and held against the office's boards, the receipts that
    were given, and the lists. Exit code 1 where anything is wrong; it names game and event. Nothing is written.
    """
    checked = checked_place(configured(data), shown=sys.stderr.isatty())
    if as_json:
        click.echo(json.dumps(checked.json(), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_lines(checked)))
    sys.exit(checked.code)


def checked_place(config: Config, *, shown: bool = False) -> Checked:
    """The check of the place that is configured, with a progress bar where it is `shown`."""
    try:
        with (
            open_place(config) as place,
            _plain(config) as plain,
            Progress(console=Console(stderr=True), disable=not shown, transient=True) as bar,
        ):
            return check(place, plain, progress=partial(_show, bar, bar.add_task("games")))
    except FileNotFoundError:
        raise no_games(config.data) from None
    except (OutOfReach, ConfigError, StoreUnavailable) as error:
        raise CannotTell(str(error)) from None


def _show(bar: Progress, task: TaskID, done: int, games: int) -> None:
    bar.update(task, completed=done, total=games)


@contextmanager
def _plain(config: Config) -> Iterator[Plain]:
    """How a game's rows are brought to clear: by the store's own mapper, where they are encrypted."""
    if config.cipher_key is None:
        yield _as_they_are
        return
    with open_games(config, migrate=False) as games:
        yield games.application.mapper.plain


def _as_they_are(_game: str, rows: Iterable[Stored]) -> Iterable[Stored]:
    return rows


def _lines(checked: Checked) -> Iterator[str]:
    yield f"{checked.store}: {len(checked.listing)} games, {checked.events} events"
    yield from map(str, checked.troubles[:MOST])
    if len(checked.troubles) > MOST:
        yield f"and {len(checked.troubles) - MOST} findings more (--json gives all)"
    yield from (f"not judged: {each}" for each in checked.waiting[:MOST])
    yield from (f"note: {each}" for each in checked.notes[:MOST])
    yield f"verdict: {SAYS[checked.code]}"


commands: list[click.Command] = [check_command]
