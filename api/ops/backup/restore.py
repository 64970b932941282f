"""Putting a backup back into an empty place, of either store, and noting it in the office's journal."""

import hashlib
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from api.accounts.accounts import TABLES, open_accounts
from api.accounts.admin_log import INSERT_ENTRY, RESTORED, AdminLogEntry
from api.accounts.secret_files import files_to_secrets
from api.config import Config, ConfigError
from api.ops.atomic_file import sync_folder
from api.ops.backup.create import private
from api.ops.backup.manifest import (
    KEYS,
    LOG,
    MANIFEST,
    OFFICE,
    Broken,
    Manifest,
    NoBackup,
    Told,
    check_files,
    check_logs,
)
from api.ops.backup.postgres import THERE, fill, refuse_rows
from api.services.container import WRONG_CIPHER_KEY, open_games
from domain.store import utc_now

LISTED = 5


def restore(backup: Path, manifest: Manifest, config: Config, checking: Told, *, broken: bool = False) -> None:
    """Put a backup where the configuration says; FileExistsError where anything is there already.

    First every file and every log of it is checked, `checking` being told how many games' logs have been read: NoBackup
    for one that is not right, but for logs that were `broken` when it was made, where that is said. Of the place
    nothing is left half done.
    """
    _refuse_what_is_there(config)
    check_files(backup, manifest)
    _same_cipher(backup, config)
    found = check_logs(backup, config.cipher_key, checking)
    if not (broken and tuple(each.says for each in found) == manifest.broken):
        _refuse_broken(found)
    entry = AdminLogEntry(
        utc_now(), RESTORED, {"backup": manifest.at, "position": manifest.position, "games": manifest.games}
    )
    if config.database_url is None:
        _to_sqlite(backup, manifest, config.data, entry)
    else:
        _to_postgres(backup, config, config.database_url, entry)


def _refuse_broken(found: list[Broken]) -> None:
    if found:
        more = f", and {len(found) - LISTED} more" if len(found) > LISTED else ""
        raise NoBackup("logs in it do not hold: " + "; ".join(each.says for each in found[:LISTED]) + more)


def _same_cipher(backup: Path, config: Config) -> None:
    """ConfigError unless facts are to be stored under the key they were stored under."""
    with closing(_reading(backup / OFFICE)) as office:
        marks = [mark for (mark,) in office.execute("SELECT hex FROM secrets WHERE name = 'cipher'")]
    key = config.cipher_key
    if marks and marks != ["none" if key is None else hashlib.sha256(key.encode()).hexdigest()]:
        raise ConfigError(WRONG_CIPHER_KEY)


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _refuse_what_is_there(config: Config) -> None:
    if config.database_url is not None:
        refuse_rows(config.database_url)
    elif config.data.exists() and (not config.data.is_dir() or any(config.data.iterdir())):
        raise FileExistsError(THERE, "is not empty; a backup is restored into a new place only", str(config.data))


def _to_sqlite(backup: Path, manifest: Manifest, data: Path, entry: AdminLogEntry) -> None:
    """A copy made beside, checked and noted in, which then gets the place's name."""
    data.parent.mkdir(parents=True, exist_ok=True)
    part = data.with_name(data.name + ".part")
    try:
        shutil.copytree(backup, part)
        private(part)
        check_files(part, manifest)
        (part / MANIFEST).unlink()
        open_accounts(Config(data=part)).close()
        with closing(sqlite3.connect(part / OFFICE)) as office, office:
            office.execute(INSERT_ENTRY, entry.row)
        private(part)
        part.replace(data)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    sync_folder(data.parent)


def _to_postgres(backup: Path, config: Config, url: str, entry: AdminLogEntry) -> None:
    """Tables first, then every row in one transaction; the journal's among them."""
    open_accounts(config).close()
    open_games(config).close()
    with closing(_reading(backup / LOG)) as log, closing(sqlite3.connect(":memory:")) as office:
        with closing(_reading(backup / OFFICE)) as kept:
            kept.backup(office)
        for statement in TABLES:  # those that an older backup lacks
            office.execute(statement)
        files_to_secrets(office, backup / KEYS)
        office.execute(INSERT_ENTRY, entry.row)
        fill(url, log, office)
