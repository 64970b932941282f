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


class CannotAnswer(click.ClickException):
    """What a command needs is not there; exit code 2."""

    exit_code = 2


def load_config(data: Path | None) -> Config:
    """The settings of the environment, but for the folder where it was named; a wrong one ends the command."""
    try:
        config = Config.from_environment(os.environ)
    except ConfigError as error:
        raise CannotAnswer(str(error)) from None
    return config if data is None else replace(config, data=data)


def no_games_error(data: Path) -> CannotAnswer:
    """Return the error for a folder that never held games."""
    return CannotAnswer(f"There are no games in {data}. Name the server's folder with --data or TRICKBOOK_DATA.")


@contextmanager
def exit_on_store_errors() -> Iterator[None]:
    """A store that cannot be opened or does not answer ends the command with a sentence, and exit code 2."""
    try:
        yield
    except (StoreUnavailable, RowsUnavailable, psycopg.Error, sqlite3.Error) as error:
        raise CannotAnswer(f"the stores do not answer ({type(error).__name__})") from None
    except ConfigError as error:
        raise CannotAnswer(str(error)) from None
    except OSError as error:
        raise CannotAnswer(f"{error.filename or 'the stores'}: {error.strerror}") from None
