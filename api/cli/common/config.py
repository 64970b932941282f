"""The configuration of commands: environment variables, `--data`, which takes precedence, and `--yes`."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
import psycopg

from api.cli.common.server_option import LOCAL_ONLY, is_server_named
from api.config import Config, ConfigError
from api.monitoring.logs import setup_logging
from domain.store import LogDamaged, StoreUnavailable
from domain.store.sql.postgres_pool import CannotConnect
from domain.store.sql.sqlite_errors import FileDamaged
from projections.storage.rows import RowsUnavailable

data_option = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the server's files [TRICKBOOK_DATA]."
)
log_file_option = click.option(
    "--log-file", type=click.Path(path_type=Path, dir_okay=False),
    help="Log to this file, not to standard error; SIGHUP reopens it after a rotation.",
)  # fmt: skip

NO_ORIGIN = "Receipts name it {origin}. To choose its name, set TRICKBOOK_ORIGIN before the first game."
NO_STORE = (
    "There is no store in {data}. Name the server's folder with --data or TRICKBOOK_DATA, or create a store with"
    " `trickbook store init`."
)
NO_STORE_IN_DATABASE = (
    "There is no store in the database. Correct TRICKBOOK_DATABASE_URL, or create a store with `trickbook store init`."
)


class CannotAnswer(click.ClickException):
    """An error that keeps a command from running or deciding; exit code 2."""

    exit_code = 2


def load_config(data: Path | None) -> Config:
    """Return the settings of the environment, with `data` as the folder if given; raise CannotAnswer if invalid.

    Raise it for `--server`, too: a command that needs these settings works on this machine's files.
    """
    if is_server_named():
        raise CannotAnswer(LOCAL_ONLY)
    try:
        config = Config.from_environment(os.environ)
    except ConfigError as error:
        raise CannotAnswer(str(error)) from None
    return config if data is None else replace(config, data=data)


def start_log(config: Config, file: Path | None) -> None:
    """Log to the file or, without one, to standard error; raise CannotAnswer if the file can't be opened."""
    try:
        setup_logging(config, file=file)
    except OSError as error:
        raise CannotAnswer(f"Can't log to {file}: {error.strerror}.") from None


def no_store_error(config: Config) -> CannotAnswer:
    """Return the error for a folder or a database without a store."""
    return CannotAnswer(NO_STORE.format(data=config.data) if config.database_url is None else NO_STORE_IN_DATABASE)


@contextmanager
def exit_on_store_errors() -> Iterator[None]:
    """End the command with a sentence and exit code 2 if a store can't be opened or doesn't respond."""
    try:
        yield
    except (StoreUnavailable, RowsUnavailable, FileDamaged, psycopg.Error, sqlite3.Error) as error:
        raise CannotAnswer(_describe_store_error(error)) from None
    except ConfigError as error:
        raise CannotAnswer(str(error)) from None
    except OSError as error:
        raise CannotAnswer(f"{error.filename or 'the stores'}: {error.strerror}") from None


def _describe_store_error(error: BaseException) -> str:
    """Return a sentence that names the damaged file, or why there's no connection, if that's the reason."""
    causes = [error]
    while (cause := causes[-1].__cause__) is not None:
        causes.append(cause)
    for each in causes:
        if isinstance(each, FileDamaged | LogDamaged):
            return str(each)
        if isinstance(each, CannotConnect):
            return f"Can't connect to the database: {each}. Check TRICKBOOK_DATABASE_URL."
    return f"The stores don't respond ({type(error).__name__})."


yes_option = click.option("--yes", is_flag=True, help="Don't ask.")


def ask(question: str, *, yes: bool) -> None:
    """Raise CannotAnswer unless `yes`, or unless the answer to the question is."""
    try:
        agreed = yes or click.confirm(question, err=True)
    except click.Abort:
        agreed = False
    if not agreed:
        raise CannotAnswer("Nothing has changed. Answer y, or add --yes.")
