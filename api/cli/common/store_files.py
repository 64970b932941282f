"""Checks of a store before it is opened: errors name the unusable file, and no command creates a stray store."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg

from api.cli.common.config import CannotAnswer, no_store_error
from api.config import Config
from api.ops.backup.manifest import MANIFEST
from api.services.operations.log_watch import NO_LOG
from domain.store.postgres_pool import connect, describe_failure
from domain.store.sqlite.errors import (
    damage_sentence,
    describe_damage,
    missing_file_sentence,
    missing_wal_sentence,
)
from domain.store.sqlite.file import lacks_wal
from projections.storage.sqlite_database import TableFileDamaged, require_wal

REBUILT = "views.db"
HAS_STORE = "SELECT COALESCE(to_regclass('office.users'), to_regclass('log.shards'))"
"""A store that lost its accounts or its log is one."""
HEADER = b"SQLite format 3\0"
FILES = ("log.db", "office.db", REBUILT, "archive.db")
HINT = "the server's user needs to read and write it"
IS_BACKUP = (
    "{data} is a backup, and a command that used it as a store would change it. Restore it into a new folder:"
    " `trickbook store restore {data} --data NEW`."
)


def check_store_files(config: Config) -> None:
    """Raise CannotAnswer for a folder or file that can't be used, or a database that refuses; create nothing."""
    if config.database_url is not None:
        _query(config, config.database_url, "SELECT 1")
    elif config.data.exists():
        _check_folder(config.data)


def has_store(config: Config) -> bool:
    """Return whether the folder or the database holds a store. Raise CannotAnswer if it can't be used."""
    check_store_files(config)
    if config.database_url is not None:
        return _query(config, config.database_url, HAS_STORE) is not None
    return any((config.data / name).exists() for name in FILES[:2])


def require_store(config: Config) -> None:
    """Raise CannotAnswer if there is no store, or if it can't be used."""
    if not has_store(config):
        raise no_store_error(config)


def require_games(config: Config) -> None:
    """Raise CannotAnswer if there are no games, or if the store can't be used."""
    check_store_files(config)
    if config.database_url is None and not (config.data / FILES[0]).exists():
        raise no_games_error(config)
    require_store(config)


def no_games_error(config: Config) -> CannotAnswer:
    """Return the error for a place without a log: whether it has no store, or one that lost its log."""
    if not has_store(config):
        return no_store_error(config)
    return CannotAnswer(missing_file_sentence(config.data / FILES[0]) if config.database_url is None else NO_LOG)


def _query(config: Config, url: str, statement: str) -> object:
    """Return the first value of a query. Raise CannotAnswer with libpq's reason, which holds no password."""
    try:
        with connect(url, config.timeouts) as connection:
            row = connection.execute(statement.encode()).fetchone()
    except psycopg.Error as error:
        raise CannotAnswer(f"Can't use the database: {describe_failure(error)}") from None
    return row[0] if row else None


def _check_folder(data: Path) -> None:
    if not data.is_dir():
        raise CannotAnswer(f"{data}: This isn't a folder.")
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK, effective_ids=True):
        raise CannotAnswer(f"{data}: Can't create files in this folder; {HINT}")
    if (data / MANIFEST).exists():
        raise CannotAnswer(IS_BACKUP.format(data=data))
    if lacks_wal(data / FILES[0]):
        raise CannotAnswer(missing_wal_sentence(data / FILES[0]))
    try:
        require_wal(data / FILES[1])
    except TableFileDamaged as damage:
        raise CannotAnswer(str(damage)) from None
    for name in FILES:
        if (data / name).exists():
            _check_file(data / name)


def _has_header(path: Path) -> bool:
    """Return whether a file begins as SQLite's do, or is empty; SQLite itself overwrites a file of a few bytes."""
    with path.open("rb") as file:
        return file.read(len(HEADER)) in (HEADER, b"")


def _check_file(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        raise CannotAnswer(f"{path}: {error.strerror}; {HINT}") from None
    if not path.is_file():
        raise CannotAnswer(f"{path}: This isn't a file.")
    if path.name != REBUILT and not _has_header(path):
        raise CannotAnswer(damage_sentence(path, "file is not a database"))
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA schema_version")
    except sqlite3.OperationalError:
        return  # locked at the moment: opening it later waits
    except sqlite3.DatabaseError as error:
        if path.name == REBUILT:
            return  # opening it sets it aside, and the lists are built again
        raise CannotAnswer(describe_damage(path, error) or f"{path}: {error}") from None
