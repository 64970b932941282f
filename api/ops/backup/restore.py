"""Restoring a backup into an empty store of either kind, with an entry in its admin log."""

import errno
import hashlib
import logging
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from api.accounts.accounts import open_accounts
from api.accounts.secrets import copy_files_to_secrets
from api.config import Config, ConfigError
from api.container import WRONG_CIPHER_KEY, open_games
from api.monitoring.logs import log_event
from api.ops.backup.create import make_private
from api.ops.backup.manifest import (
    ACCOUNTS,
    KEYS,
    LOG,
    MANIFEST,
    BackupError,
    Manifest,
    UnreadableGame,
    check_files,
    check_logs,
    close_gaps,
    shards_of,
)
from api.ops.backup.postgres import copy_in, require_empty
from api.ops.files import sync_folder, temporary_folder
from api.ops.progress import SetProgress
from api.people.services.housekeeping import store_text_authors
from api.people.stored.admin_log import INSERT_ENTRY, RESTORED, AdminLogEntry
from api.people.stored.own_data import Erasure
from domain.store import utc_now
from domain.store.sql.sqlite import Access, open_file

RESTORE_LOG = logging.getLogger("trickbook.restore")
MAX_LISTED = 5
NOT_EMPTY = "isn't empty; restore the backup into a new folder (--data)"


def restore_backup(
    backup: Path, manifest: Manifest, config: Config, set_progress: SetProgress, *, broken: bool = False,
    erasures: Sequence[Erasure] = (),
) -> None:  # fmt: skip
    """Restore a backup into the configured store, and erase these people in it, who were deleted since the backup.

    Raise FileExistsError if the store isn't empty.

    First check every file and every log, reporting the number of games read. Raise BackupError for an invalid file or
    log; `broken` accepts logs that were already unreadable when the backup was made. A failed restore leaves nothing.
    """
    _require_empty_destination(config)
    check_files(backup, manifest)
    require_same_cipher(backup, config)
    unreadable = check_logs(backup, config.cipher_key, set_progress)
    if not (broken and tuple(game.error for game in unreadable) == manifest.broken):
        _require_readable(unreadable)
    entry = AdminLogEntry(
        utc_now(), RESTORED, {"backup": manifest.at, "position": manifest.position, "games": manifest.games}
    )
    if config.database_url is None:
        _to_sqlite(backup, manifest, config, entry, erasures)
    else:
        _to_postgres(backup, config, entry, erasures)
    log_event(RESTORE_LOG, entry.what, **entry.details)


def _require_readable(unreadable: list[UnreadableGame]) -> None:
    if unreadable:
        more = f", and {len(unreadable) - MAX_LISTED} more" if len(unreadable) > MAX_LISTED else ""
        errors = "; ".join(game.error for game in unreadable[:MAX_LISTED])
        raise BackupError(f"can't read logs in the backup: {errors}{more}")


def require_same_cipher(backup: Path, config: Config) -> None:
    """Raise ConfigError unless the cipher key is the one that the backup's facts were written with."""
    with closing(open_file(backup / ACCOUNTS, Access.READ)) as accounts:
        marks = [mark for (mark,) in accounts.execute("SELECT hex FROM secrets WHERE name = 'cipher'")]
    key = config.cipher_key
    if marks and marks != ["none" if key is None else hashlib.sha256(key.encode()).hexdigest()]:
        raise ConfigError(WRONG_CIPHER_KEY)


def _require_empty_destination(config: Config) -> None:
    if config.database_url is not None:
        require_empty(config)
    elif config.data.exists() and (not config.data.is_dir() or any(config.data.iterdir())):
        raise FileExistsError(errno.EEXIST, NOT_EMPTY, str(config.data))


def _to_sqlite(
    backup: Path, manifest: Manifest, config: Config, entry: AdminLogEntry, erasures: Sequence[Erasure]
) -> None:
    """Copy to DATA.part, check the copy, add the admin log entry, then rename the copy.

    Positions that PostgreSQL didn't use would look like rows that somebody has deleted, so later rows move down.
    """
    data = config.data
    data.parent.mkdir(parents=True, exist_ok=True)
    part = data.with_name(data.name + ".part")
    try:
        shutil.copytree(backup, part)
        make_private(part)
        check_files(part, manifest)
        (part / MANIFEST).unlink()
        if manifest.gaps:
            close_gaps(part / LOG)
        _migrate_and_erase(part, backup, config.cipher_key, erasures)
        with closing(open_file(part / ACCOUNTS, Access.WRITE)) as accounts:
            accounts.execute(INSERT_ENTRY, entry.row)
        make_private(part)
        part.replace(data)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    sync_folder(data.parent)


def _migrate_and_erase(data: Path, backup: Path, cipher_key: str | None, erasures: Sequence[Erasure]) -> None:
    """Bring a copied office.db in the folder `data` up to date, and erase people in it with all that they wrote."""
    with closing(open_accounts(Config(data=data))) as accounts:
        accounts.log_positions.forget()  # the restored log may give events other numbers
        if erasures:
            with closing(open_games(Config(data=backup, cipher_key=cipher_key), migrate=False)) as games:
                store_text_authors(accounts, games)
            accounts.erasures.erase_again(erasures)


def _to_postgres(backup: Path, config: Config, entry: AdminLogEntry, erasures: Sequence[Erasure]) -> None:
    """Create the tables, then copy every row, with the admin log entry, in one transaction."""
    shards = shards_of(backup / LOG)
    open_accounts(config).close()
    open_games(replace(config, shards=shards)).close()
    with closing(open_file(backup / LOG, Access.READ)) as log, closing(sqlite3.connect(":memory:")) as accounts:
        _read_migrated_accounts(backup, accounts, config.cipher_key, erasures)
        copy_files_to_secrets(accounts, backup / KEYS)
        accounts.execute(INSERT_ENTRY, entry.row)
        copy_in(config, shards, log, accounts)


def _read_migrated_accounts(
    backup: Path, accounts: sqlite3.Connection, cipher_key: str | None, erasures: Sequence[Erasure]
) -> None:
    """Copy the accounts of a backup, which an older version may have made, with the tables of this version."""
    with temporary_folder() as folder:
        shutil.copyfile(backup / ACCOUNTS, folder / ACCOUNTS)
        _migrate_and_erase(folder, backup, cipher_key, erasures)
        with closing(open_file(folder / ACCOUNTS, Access.READ)) as source:
            source.backup(accounts)
