"""The files of a SQLite server, looked at before any is opened, so that a command which cannot use one names it."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from api.cli.common.config import CannotAnswer, no_games_error
from api.config import Config

FILES = ("log.db", "office.db", "views.db")
HINT = "who runs the server must be able to read and write it"


def check_files(config: Config) -> None:
    """CannotAnswer for a folder or file that is there and cannot be used; nothing is created."""
    if config.database_url is not None or not config.data.exists():
        return
    if not config.data.is_dir():
        raise CannotAnswer(f"{config.data}: is not a folder")
    if not os.access(config.data, os.R_OK | os.W_OK | os.X_OK, effective_ids=True):
        raise CannotAnswer(f"{config.data}: files can not be made in this folder; {HINT}")
    for name in FILES:
        if (config.data / name).exists():
            _check_file(config.data / name)


def check_games(config: Config) -> None:
    """The same, and CannotAnswer where no game was ever kept."""
    check_files(config)
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
        return  # in use at this moment: whoever opens it waits for it
    except sqlite3.DatabaseError as error:
        raise CannotAnswer(f"{path}: {error}") from None
