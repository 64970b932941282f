"""The configuration as the commands take it: from the environment, `--data` in front of it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
import psycopg

from api.config import Config, ConfigError
from domain.store import StoreUnavailable
from projections.storage.rows import RowsUnavailable

data_option = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Folder that holds everything [TRICKBOOK_DATA]."
)


class CannotTell(click.ClickException):
    """What a command needs is not there; exit code 2."""

    exit_code = 2


def configured(data: Path | None) -> Config:
    """The settings of the environment, but for the folder where it was named; a wrong one ends the command."""
    try:
        config = Config.from_environment(os.environ)
    except ConfigError as error:
        raise CannotTell(str(error)) from None
    return config if data is None else replace(config, data=data)


def no_games(data: Path) -> CannotTell:
    """What to say of a folder in which no game was ever kept."""
    return CannotTell(f"there are no games in {data}; --data or TRICKBOOK_DATA names the folder of the server's games")


@contextmanager
def reachable() -> Iterator[None]:
    """A store that cannot be opened or does not answer ends the command with a sentence, and exit code 2."""
    try:
        yield
    except (StoreUnavailable, RowsUnavailable, psycopg.Error, sqlite3.Error) as error:
        raise CannotTell(f"the stores do not answer ({type(error).__name__})") from None
    except ConfigError as error:
        raise CannotTell(str(error)) from None
    except OSError as error:
        raise CannotTell(f"{error.filename or 'the stores'}: {error.strerror}") from None
