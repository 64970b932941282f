"""Makes a backup of everything that this server stores, and removes old ones."""

import errno
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from api.accounts.accounts import open_accounts
from api.accounts.secrets import check_secret_files, move_secrets_to_files
from api.config import Config, ConfigError
from api.container import open_games
from api.monitoring.log_watch import OLD_ACCOUNTS, games_without_board
from api.ops.backup.manifest import (
    ACCOUNTS,
    FORMAT,
    KEYS,
    LOG,
    MANIFEST,
    BackupError,
    Manifest,
    check_logs,
    files_of,
    log_position,
    read_manifest,
    write_manifest,
)
from api.ops.backup.postgres import copy_out
from api.ops.files import sync_folder
from api.ops.progress import AddBar, SetProgress
from api.ops.shards import require_one_server
from api.people.stored.own_data import Erasure
from api.tables.stored.seats import FULL
from domain.store import LogDamaged, utc_now
from domain.store.log import LogPosition
from domain.store.shards.old_archive import IS_ARCHIVED, has_sqlite_archive
from domain.store.sql.sqlite import Access, create_file, open_file
from domain.store.sqlite import read_shards, select_with

SELECT_KNOWN = f"""SELECT game FROM boards WHERE game IN (SELECT value FROM json_each(?))
    EXCEPT SELECT game FROM forming_tables WHERE status NOT IN ('{"', '".join(FULL)}')"""
FIRST_KEY = "SELECT vkey FROM signing_keys ORDER BY number LIMIT 1"


def remove_older(newest: Path, keep: int) -> list[Path]:
    """Remove the oldest backups beside `newest` until `keep` of them are left, and return the removed folders.

    Only complete backups of the same store count: those with a manifest, and with the same first key of receipts.
    """
    store, at = store_of(newest), read_manifest(newest).at
    found = [(time, folder) for folder in newest.parent.iterdir() if (time := _time_of(folder, store)) is not None]
    older = sorted((time, folder) for time, folder in found if folder != newest and time <= at)
    removed = [folder for _, folder in older[: max(0, len(older) - (keep - 1))]]
    for folder in removed:
        (folder / MANIFEST).unlink()  # from here on it's no backup, so nobody restores a half of it
        shutil.rmtree(folder)
    return removed


def _time_of(folder: Path, store: str | None) -> str | None:
    """Return when a backup of this store was made; None for anything else."""
    if store is None or folder.is_symlink() or not folder.is_dir():
        return None
    with suppress(BackupError, sqlite3.Error):
        manifest = read_manifest(folder)
        return manifest.at if store_of(folder) == store else None
    return None


def store_of(folder: Path) -> str | None:
    """Return the first key of a backup's store, which no other store has."""
    with closing(open_file(folder / ACCOUNTS, Access.UNCHANGED)) as accounts:
        row = accounts.execute(FIRST_KEY).fetchone()
    return None if row is None else str(row[0])


PAGES_PER_STEP = 256
"""Pages of an SQLite file that are copied between two progress reports."""
LOCK_TIMEOUT_S = 30.0
FOLDER_EXISTS = "already exists; choose a new name for the backup"
PART_EXISTS = "already exists: either a backup is running, or one was interrupted and you can remove this folder"


def create_backup(config: Config, folder: Path, bar: AddBar) -> Manifest:
    """Create a backup in the new folder `folder`.

    Work happens in FOLDER.part, which is renamed once it's complete. Raise FileExistsError if either exists, OSError
    and the databases' errors.
    """
    require_one_server(config, "backup", ", or back up each server with pg_basebackup and an archive of the WAL")
    if folder.exists():
        raise FileExistsError(errno.EEXIST, FOLDER_EXISTS, str(folder))
    part = folder.with_name(folder.name + ".part")
    try:
        part.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, PART_EXISTS, str(part)) from None
    try:
        at = utc_now()
        (_from_sqlite if config.database_url is None else _from_postgres)(config, part, bar("copying", 1000))
        position, games, events = log_position(part / LOG)
        broken = tuple(game.error for game in check_logs(part, config.cipher_key, bar("checking games", games)))
        make_private(part)
        files = files_of(part)
        has_gaps = config.database_url is not None
        with closing(open_file(part / ACCOUNTS, Access.READ)) as accounts:
            erasures = copied_erasures(accounts)
            _require_one_store(part, config.cipher_key, accounts)
        manifest = Manifest(FORMAT, at, position, games, events, broken, files, has_gaps, erasures)
        write_manifest(part, manifest)
        make_private(part)
        part.rename(folder)
        sync_folder(folder.parent)
    except BaseException:
        shutil.rmtree(part)
        raise
    return manifest


def copied_erasures(accounts: sqlite3.Connection) -> tuple[Erasure, ...]:
    """Return the erasures in a copied office.db, which an older version may have made."""
    if not accounts.execute("SELECT 1 FROM sqlite_schema WHERE name = 'erasures'").fetchone():
        return ()
    return tuple(Erasure(*row) for row in accounts.execute("SELECT player, at FROM erasures ORDER BY at, player"))


def _copied_positions(accounts: sqlite3.Connection) -> list[LogPosition]:
    """Return the positions of the log that a copied office.db knows, which an older version may have made."""
    if not accounts.execute("SELECT 1 FROM sqlite_schema WHERE name = 'log_positions'").fetchone():
        return []
    return [LogPosition(*row) for row in accounts.execute("SELECT shard, number, leaf FROM log_positions")]


def _require_one_store(folder: Path, cipher_key: str | None, accounts: sqlite3.Connection) -> None:
    """Raise LogDamaged if a copied log lacks an event that the copied accounts remember, or these are older than it."""
    positions = _copied_positions(accounts)
    is_new = bool(positions) or not accounts.execute("SELECT 1 FROM boards LIMIT 1").fetchone()

    def known_among(opened: list[str]) -> set[str]:
        return {game for (game,) in accounts.execute(SELECT_KNOWN, (json.dumps(opened),))}

    with closing(open_games(Config(data=folder, cipher_key=cipher_key), migrate=False)) as games:
        missing = games.log.missing(positions)
        if is_new and any(games_without_board(games, positions, known_among)):
            raise LogDamaged(OLD_ACCOUNTS)
    if missing:
        raise LogDamaged(
            f"the log lacks event {missing[0].number}, which was stored, so this is no backup: `trickbook store log`"
            " says what is lost"
        )


def make_private(folder: Path) -> None:
    """Give only the owner access to a folder and everything in it, and write it to disk."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _from_sqlite(config: Config, part: Path, set_progress: SetProgress) -> None:
    if not (config.data / ACCOUNTS).exists():
        raise LogDamaged(OLD_ACCOUNTS)
    with _open_at_one_moment(config.data) as (log, accounts):
        if has_sqlite_archive(config.data, read_shards(select_with(log)) or 1):
            raise ConfigError(IS_ARCHIVED)
        _copy_database(log, part / LOG, set_progress)
        _copy_database(accounts, part / ACCOUNTS, lambda _: None)
        check_secret_files(accounts, config.data / KEYS)
        shutil.copytree(config.data / KEYS, part / KEYS)


@contextmanager
def _open_at_one_moment(data: Path) -> Iterator[tuple[sqlite3.Connection, sqlite3.Connection]]:
    """Open log.db and office.db for reading at one moment: the log is locked while both transactions begin.

    A server writes users, boards and texts before the log names them, and receipts after the events they cover. So at
    such a moment everything that the log names exists, and no receipt goes beyond the log.
    """
    with ExitStack() as stack:
        log, accounts, lock = (
            stack.enter_context(closing(open_file(data / name, Access.WRITE, LOCK_TIMEOUT_S)))
            for name in (LOG, ACCOUNTS, LOG)
        )
        lock.execute("BEGIN IMMEDIATE")
        for connection in (log, accounts):
            connection.execute("BEGIN")
            connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        lock.execute("ROLLBACK")
        yield log, accounts


def _copy_database(source: sqlite3.Connection, path: Path, set_progress: SetProgress) -> None:
    """Copy with SQLite's online backup; the open transaction on `source` makes it one snapshot."""

    def report(_status: int, left: int, total: int) -> None:
        set_progress(1000 * (total - left) // total)

    create_file(path)
    with closing(open_file(path, Access.WRITE)) as copy:
        source.backup(copy, pages=PAGES_PER_STEP, sleep=0, progress=report)
        copy.execute("PRAGMA journal_mode=DELETE")


def _from_postgres(config: Config, part: Path, set_progress: SetProgress) -> None:
    """Copy the rows of both schemas, as one snapshot, and the secrets among them into files."""
    open_accounts(Config(data=part)).close()
    create_file(part / LOG)
    with ExitStack() as stack:
        log, accounts = (stack.enter_context(closing(open_file(part / name, Access.WRITE))) for name in (LOG, ACCOUNTS))
        for copy in (log, accounts):
            copy.execute("BEGIN")
        copy_out(config, log, accounts, set_progress)
        move_secrets_to_files(accounts, part / KEYS)
        for copy in (log, accounts):
            copy.commit()
            copy.execute("PRAGMA journal_mode=DELETE")
