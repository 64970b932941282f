"""The format of a backup: the folder of a server with SQLite files, whatever its store was, and a manifest.

    log.db, office.db, keys/..., manifest.json

The manifest is written last, once everything else is on disk and every log in it has been read. A folder without a
manifest isn't a backup; a file that differs from its manifest entry makes the backup invalid.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import msgspec

from api.config import Config
from api.container import open_games
from api.ops.progress import SetProgress
from api.people.stored.own_data import Erasure
from domain.store.aggregate import Corrupt
from domain.store.shards.layout import sqlite_tables
from domain.store.sql.sqlite import Access, open_file
from domain.store.sqlite import read_shards, select_with

FORMAT = "trickbook-backup/1"
MANIFEST = "manifest.json"
LOG, ACCOUNTS, KEYS = "log.db", "office.db", "keys"
"""The log, the accounts, and the folder of keys."""
CHUNK_BYTES = 1 << 20
NUMBERS = "SELECT notification_id FROM {table} WHERE notification_id > ? ORDER BY 1 LIMIT ?"
NUMBERS_PER_PAGE = 10_000


class BackupError(Exception):
    """The folder isn't a valid backup; the message says why."""


@dataclass(frozen=True)
class UnreadableGame:
    """A game whose log can't be read, and the error."""

    game: str
    error: str


class BackupFile(msgspec.Struct, frozen=True):
    """A file of the backup: its size in bytes and its SHA-256 in hex."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """The contents of a backup: its time (`at`, UTC), position summed over shards, and numbers of games and events.

    `broken` holds the errors of logs that couldn't be read; `files` are named relative to the folder. `gaps` says
    whether positions may be missing in between, since PostgreSQL doesn't use all of them. `erasures` are the users who
    had been deleted: a restore of an older backup needs them (`read_erasures`).
    """

    format: str
    at: str
    position: int
    games: int
    events: int
    broken: tuple[str, ...]
    files: dict[str, BackupFile]
    gaps: bool = False
    erasures: tuple[Erasure, ...] = ()


def files_of(folder: Path) -> dict[str, BackupFile]:
    """Return the files of a folder and its subfolders, except the manifest."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {str(path.relative_to(folder)): _backup_file(path) for path in paths}


def _backup_file(path: Path) -> BackupFile:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
            size += len(chunk)
    return BackupFile(size, digest.hexdigest())


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the last file of a backup."""
    text = json.dumps(msgspec.to_builtins(manifest), indent=1, sort_keys=True)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a backup. Raise BackupError if it's missing or invalid."""
    try:
        if (folder / MANIFEST).exists() and not (folder / MANIFEST).is_file():
            raise BackupError(f"{folder / MANIFEST}: not a file")
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except FileNotFoundError:
        why = f"{MANIFEST} is missing: this folder isn't a backup, or the backup was interrupted"
        raise BackupError(f"{folder}: {why}") from None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        raise BackupError(f"{folder / MANIFEST}: invalid manifest") from None
    if manifest.format != FORMAT:
        raise BackupError(f"{folder / MANIFEST}: the format isn't {FORMAT}; use the trickbook version that made it")
    return manifest


class ErasureList(msgspec.Struct, frozen=True):
    """The part of a manifest, or of what `trickbook user list --erased` prints, that names deleted users."""

    erasures: tuple[Erasure, ...]


def read_erasures(path: Path) -> tuple[Erasure, ...]:
    """Return the erasures of a newer manifest, or of `trickbook user list --erased`. Raise BackupError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=ErasureList).erasures
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        raise BackupError(
            f"{path}: names no deleted users; give a newer manifest.json, or what `trickbook user list --erased` prints"
        ) from None


def check_files(folder: Path, manifest: Manifest) -> None:
    """Raise BackupError unless every file matches the manifest and there are no other files."""
    files = files_of(folder)
    for name in sorted({*files, *manifest.files}):
        if files.get(name) != manifest.files.get(name):
            difference = _difference(name, files, manifest)
            raise BackupError(f"{folder}: {name} {difference}; use another copy of this backup")


def _difference(name: str, files: Mapping[str, BackupFile], manifest: Manifest) -> str:
    if name not in files:
        return "is missing"
    return "differs from the manifest" if name in manifest.files else "isn't in the manifest"


def log_position(log: Path) -> tuple[int, int, int]:
    """Return a copied log's last position, summed over its shards, and its numbers of games and events."""
    columns = "COALESCE(MAX(notification_id), 0), COUNT(DISTINCT originator_id), COUNT(*)"
    with _open_log(log) as (connection, tables):
        found = [connection.execute(f"SELECT {columns} FROM {table}").fetchone() for table in tables]
    position, games, events = (sum(column) for column in zip(*found, strict=True))
    return position, games, events


def close_gaps(log: Path) -> None:
    """Number the rows of each shard of a copied log from 1 without gaps, in their order, as SQLite does."""
    with closing(open_file(log, Access.WRITE)) as connection, connection:
        connection.execute("BEGIN")
        for table in sqlite_tables(shards_of(log)):
            after, numbers = 0, count(1)
            while page := connection.execute(NUMBERS.format(table=table), (after, NUMBERS_PER_PAGE)).fetchall():
                changes = [(number, at) for (at,), number in zip(page, numbers, strict=False)]
                connection.executemany(f"UPDATE {table} SET notification_id = ? WHERE notification_id = ?", changes)
                after = page[-1][0]


def shards_of(log: Path) -> int:
    """Return the number of shards of a copied log."""
    with _open_log(log) as (_, tables):
        return len(tables)


@contextmanager
def _open_log(log: Path) -> Iterator[tuple[sqlite3.Connection, list[str]]]:
    """Open a copied log for reading, with the names of its tables."""
    with closing(open_file(log, Access.READ)) as connection:
        yield connection, sqlite_tables(read_shards(select_with(connection)) or 1)


def check_logs(folder: Path, cipher_key: str | None, set_progress: SetProgress) -> list[UnreadableGame]:
    """Read every game of a copied log from its first event, checking its links, and return the unreadable games."""
    unreadable = list[UnreadableGame]()
    with closing(open_games(Config(data=folder, cipher_key=cipher_key), migrate=False)) as games:
        for done, game in enumerate(_games_in(folder / LOG), 1):
            try:
                games.read_at_position(game, None)
            except Corrupt as error:
                unreadable.append(UnreadableGame(game, str(error)))
            except LookupError:
                unreadable.append(UnreadableGame(game, f"{game}: there is no such game"))
            set_progress(done)
    return unreadable


def _games_in(log: Path) -> Iterator[str]:
    with _open_log(log) as (connection, tables):
        for table in tables:
            for (game,) in connection.execute(f"SELECT DISTINCT originator_id FROM {table} ORDER BY 1"):
                yield _with_hyphens(str(game))


def _with_hyphens(name: str) -> str:
    parts = name[:8], name[8:12], name[12:16], name[16:20], name[20:]
    return "-".join(parts)
