"""A backup: a folder like that of a server with SQLite files, whatever store it was made from, and a manifest.

    log.db, office.db, keys/..., manifest.json

The manifest is written last, when everything else is on the disk and every log in it has been read: a folder without
one is no backup, and a file that is not as the manifest says makes it none. All of it is of one moment.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import msgspec

from api.config import Config
from api.services.container import open_games
from domain.store.aggregate import Corrupt
from domain.store.recorder import MAX_INTEGER

FORMAT = "trickbook-backup/1"
MANIFEST = "manifest.json"
LOG, OFFICE, KEYS = "log.db", "office.db", "keys"
PIECE = 1 << 20

Told = Callable[[int], None]
Bar = Callable[[str, int | None], Told]
"""Names what is done and how much of it there is; what it answers is told how much is done."""


class NoBackup(Exception):
    """The folder holds no backup, or not the one its manifest tells of; the sentence says what is wrong."""


@dataclass(frozen=True)
class Broken:
    """A game whose log is not the one that was written, and what is wrong with it."""

    game: str
    says: str


class File(msgspec.Struct, frozen=True):
    """A file of the backup: bytes and SHA-256 in hex."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup holds: of which moment (`at`, UTC, and position in the log), how many games and events.

    `broken` are the games whose logs did not hold when it was made; files are named within the folder.
    """

    format: str
    at: str
    position: int
    games: int
    events: int
    broken: tuple[str, ...]
    files: dict[str, File]


def files_of(folder: Path) -> dict[str, File]:
    """The files in a folder and the folders in it, but for the manifest."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {str(path.relative_to(folder)): _file(path) for path in paths}


def _file(path: Path) -> File:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
            size += len(piece)
    return File(size, digest.hexdigest())


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """The last file of a backup."""
    text = json.dumps(msgspec.to_builtins(manifest), indent=1, sort_keys=True)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a backup. NoBackup where there is none that can be read."""
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise NoBackup(f"{folder}: there is no {MANIFEST} in it: it is no backup, or one that was broken off") from None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        raise NoBackup(f"{folder / MANIFEST}: it is no manifest of a backup") from None
    if manifest.format != FORMAT:
        raise NoBackup(f"{folder / MANIFEST}: its format is not {FORMAT}")
    return manifest


def check_files(folder: Path, manifest: Manifest) -> None:
    """NoBackup unless every file is as the manifest says, and there is no other."""
    found = files_of(folder)
    for name in sorted({*found, *manifest.files}):
        if found.get(name) != manifest.files.get(name):
            what = "is missing" if name not in found else "is not in it" if name not in manifest.files else "differs"
            raise NoBackup(f"{folder}: {name} {what}: this is not the backup its manifest tells of")


def position_of(log: Path) -> tuple[int, int, int]:
    """The last position of a copied log, and how many games and events it has."""
    with closing(sqlite3.connect(f"{log.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        asked = "SELECT COALESCE(MAX(notification_id), 0), COUNT(DISTINCT originator_id), COUNT(*) FROM stored_events"
        position, games, events = connection.execute(asked).fetchone()
    return position, games, events


def check_logs(folder: Path, cipher_key: str | None, told: Told) -> list[Broken]:
    """Read every game in a copied log from its first event, links checked; `told` is told how many are done."""
    found = list[Broken]()
    with closing(open_games(Config(data=folder, cipher_key=cipher_key), migrate=False)) as games:
        for done, game in enumerate(_games_in(folder / LOG), 1):
            try:
                games.as_of(game, MAX_INTEGER)
            except Corrupt as error:
                found.append(Broken(game, str(error)))
            except LookupError:
                found.append(Broken(game, f"{game} is no game"))
            told(done)
    return found


def _games_in(log: Path) -> Iterator[str]:
    with closing(sqlite3.connect(f"{log.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        for (game,) in connection.execute("SELECT DISTINCT originator_id FROM stored_events ORDER BY 1"):
            yield _hyphened(str(game))


def _hyphened(name: str) -> str:
    parts = name[:8], name[8:12], name[12:16], name[16:20], name[20:]
    return "-".join(parts)


