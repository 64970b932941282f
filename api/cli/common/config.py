"""The configuration of commands: environment variables, and `--data`, which takes precedence."""

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
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the server's files [TRICKBOOK_DATA]."
)


class CannotAnswer(click.ClickException):
    """An error that keeps a command from running or deciding; exit code 2."""

    exit_code = 2


def load_config(data: Path | None) -> Config:
    """Return the settings of the environment, with `data` as the folder if given; raise CannotAnswer if invalid."""
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
    """End the command with a sentence and exit code 2 if a store can't be opened or doesn't respond."""
    try:
        yield
    except (StoreUnavailable, RowsUnavailable, psycopg.Error, sqlite3.Error) as error:
        raise CannotAnswer(f"The stores don't respond ({type(error).__name__}).") from None
    except ConfigError as error:
        raise CannotAnswer(str(error)) from None
    except OSError as error:
        raise CannotAnswer(f"{error.filename or 'the stores'}: {error.strerror}") from None
