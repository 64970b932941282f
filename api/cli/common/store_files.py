"""Checks of the files of a SQLite server before any is opened, so that errors name the unusable file."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from api.cli.common.config import CannotAnswer, no_games_error
from api.config import Config

FILES = ("log.db", "office.db", "views.db")
HINT = "the server's user needs to read and write it"


def check_store_files(config: Config) -> None:
    """Raise CannotAnswer for a folder or file that exists but can't be used; create nothing."""
    if config.database_url is not None or not config.data.exists():
        return
    if not config.data.is_dir():
        raise CannotAnswer(f"{config.data}: This isn't a folder.")
    if not os.access(config.data, os.R_OK | os.W_OK | os.X_OK, effective_ids=True):
        raise CannotAnswer(f"{config.data}: Can't create files in this folder; {HINT}")
    for name in FILES:
        if (config.data / name).exists():
            _check_file(config.data / name)


def require_games(config: Config) -> None:
    """Check the files, and raise CannotAnswer if there are no games."""
    check_store_files(config)
    if config.database_url is None and not (config.data / FILES[0]).exists():
        raise no_games_error(config.data)


def _check_file(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        raise CannotAnswer(f"{path}: {error.strerror}; {HINT}") from None
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA schema_version")
    except sqlite3.OperationalError:
        return  # locked at the moment: opening it later waits
    except sqlite3.DatabaseError as error:
        raise CannotAnswer(f"{path}: {error}") from None
