"""Which older backups of a store may go, once a newer one is complete."""

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from api.ops.backup.manifest import MANIFEST, OFFICE, BackupError, read_manifest

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
    with closing(sqlite3.connect(f"{(folder / OFFICE).absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as office:
        row = office.execute(FIRST_KEY).fetchone()
    return None if row is None else str(row[0])
