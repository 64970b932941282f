"""Making a backup while games are played: log and office as of one moment, from either store, in one form."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from api.accounts.accounts import open_accounts
from api.accounts.secret_files import check_secret_files, secrets_to_files
from api.config import Config
from api.ops.atomic_file import sync_folder
from api.ops.backup.manifest import (
    FORMAT,
    KEYS,
    LOG,
    OFFICE,
    Bar,
    Manifest,
    Told,
    check_logs,
    files_of,
    position_of,
    write_manifest,
)
from api.ops.backup.postgres import THERE, copy_out
from domain.store import utc_now
from domain.store.sqlite import CREATE_TABLE

PAGES = 256
"""Pages of a SQLite file copied between two tellings."""
PATIENCE_S = 30.0
BEING_MADE = "is there: a backup is being made, or one was broken off, and then this can be removed"


def make(config: Config, folder: Path, bar: Bar) -> Manifest:
    """A backup in `folder`, which must not be there. FileExistsError; OSError and what databases raise.

    It is made beside, in FOLDER.part, and gets its name when it is whole.
    """
    if folder.exists():
        raise FileExistsError(THERE, "is there already; a backup takes a name of its own", str(folder))
    part = folder.with_name(folder.name + ".part")
    try:
        part.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        raise FileExistsError(THERE, BEING_MADE, str(part)) from None
    try:
        at = utc_now()
        (_from_sqlite if config.database_url is None else _from_postgres)(config, part, bar("copying", 1000))
        position, games, events = position_of(part / LOG)
        broken = tuple(each.says for each in check_logs(part, config.cipher_key, bar("checking", games)))
        private(part)
        files = files_of(part)
        manifest = Manifest(FORMAT, at, position, games, events, broken, files)
        write_manifest(part, manifest)
        private(part)
        part.rename(folder)
        sync_folder(folder.parent)
    except BaseException:
        shutil.rmtree(part)
        raise
    return manifest


def private(folder: Path) -> None:
    """Everything for its owner alone, and on the disk."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _from_sqlite(config: Config, part: Path, told: Told) -> None:
    with _one_moment(config.data) as (log, office):
        _copied(log, part / LOG, told)
        _copied(office, part / OFFICE, lambda _: None)
        check_secret_files(office, config.data / KEYS)
        shutil.copytree(config.data / KEYS, part / KEYS)


@contextmanager
def _one_moment(data: Path) -> Iterator[tuple[sqlite3.Connection, sqlite3.Connection]]:
    """Log and office to read as of one moment: nothing is written to the log while both are opened.

    Users, boards and texts are in the office before the log names them, receipts after the events they are for: so
    such a moment holds all that its log names, and no receipt for what its log has not.
    """
    with ExitStack() as opened:
        log, office, holding = (opened.enter_context(closing(_reading(data / name))) for name in (LOG, OFFICE, LOG))
        holding.execute("BEGIN IMMEDIATE")
        for each in (log, office):
            each.execute("BEGIN")
            each.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        holding.execute("ROLLBACK")
        yield log, office


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=PATIENCE_S, isolation_level=None)


def _copied(source: sqlite3.Connection, path: Path, told: Told) -> None:
    """SQLite's own online copy; within the transaction that is open on `source` it sees one moment throughout."""
    path.touch(mode=0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        source.backup(copy, pages=PAGES, sleep=0, progress=lambda _, left, all_: told(1000 * (all_ - left) // all_))
        copy.execute("PRAGMA journal_mode=DELETE")


def _from_postgres(config: Config, part: Path, told: Told) -> None:
    """The rows of both schemas as one snapshot shows them, put into files, and the secrets among them too."""
    open_accounts(Config(data=part)).close()
    with closing(sqlite3.connect(part / LOG)) as log, closing(sqlite3.connect(part / OFFICE)) as office:
        log.execute(CREATE_TABLE)
        copy_out(config.database_url or "", log, office, told)
        secrets_to_files(office, part / KEYS)
        for copy in (log, office):
            copy.commit()
            copy.execute("PRAGMA journal_mode=DELETE")
