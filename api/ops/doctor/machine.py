"""The machine and the server's folder: versions, disk space, permissions, open files."""

import os
import platform
import resource
import shutil
import sqlite3
import stat
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from api.config import Config
from api.ops.doctor.symptom import Symptom, note, ok, wrong

GB = 1 << 30
LEAST_FREE, LITTLE_FREE = GB // 2, 2 * GB
LEAST_INODES = 1000
FILES_BESIDE_STREAMS = 1024
"""The files that a server opens besides those of its event streams."""
FUTURE_S = 300.0
"""How much later than now a file may have been written: the clocks of file servers differ a little."""


def look_at_machine(config: Config) -> Iterator[Symptom]:
    """Yield what the machine says without opening a store."""
    yield ok("versions", f"trickbook {version('trickbook')}, Python {platform.python_version()}")
    if config.database_url is None:
        yield ok("versions", f"SQLite {sqlite3.sqlite_version}")
    yield from _disk(config.data, holds_store=config.database_url is None)
    yield from _permissions(config.data, holds_store=config.database_url is None)
    yield from _file_times(config.data)
    yield _open_files(config.streams)
    if not config.is_limited:
        yield note("settings", "TRICKBOOK_LIMITS is off: anybody may guess passwords as fast as the server answers")


def _disk(data: Path, *, holds_store: bool) -> Iterator[Symptom]:
    place = _existing(data)
    free, inodes = shutil.disk_usage(place).free, os.statvfs(place).f_favail
    text = f"{free / GB:.1f} GB free where {data} is"
    size = sum(path.stat().st_size for path in _files(data))
    if free < LEAST_FREE and holds_store:
        yield wrong("disk", f"only {text}: when the disk is full, no move can be stored. Make room")
    elif free < max(LITTLE_FREE, size):
        yield note("disk", f"only {text}, and a backup beside the store takes about {size / GB:.1f} GB")
    else:
        yield ok("disk", text)
    if 0 < inodes < LEAST_INODES:
        yield wrong("disk", f"only {inodes} more files can be created where {data} is. Delete small files there")


def _permissions(data: Path, *, holds_store: bool) -> Iterator[Symptom]:
    if not data.exists():
        return
    if not holds_store and os.access(data, os.R_OK | os.X_OK) and not any(data.iterdir()):
        yield ok("permissions", f"nothing is in {data}: PostgreSQL has the store")
        return
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        yield wrong("permissions", f"{data}: this user can't write here. Run the command as the server's user")
        return
    found = [data, *sorted(data.rglob("*"))]
    open_ = [path for path in found if path.lstat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]
    foreign = [path for path in found if path.lstat().st_uid != data.stat().st_uid]
    for path in open_:
        fix = f"chmod {'700' if path.is_dir() else '600'} {path}"
        yield wrong("permissions", f"{path}: other users can open it, and live cards or keys may be in it. Run {fix}")
    for path in foreign:
        yield wrong("permissions", f"{path}: belongs to another user than {data}. Run commands as the server's user")
    if not open_ and not foreign:
        yield ok("permissions", f"{data} and the files in it are only for their owner")


def _file_times(data: Path) -> Iterator[Symptom]:
    ahead = [path for path in _files(data) if path.stat().st_mtime > time.time() + FUTURE_S]
    for path in ahead[:1]:
        yield wrong("clock", f"{path} was written in the future: this machine's clock is or was wrong. Correct it")


def _open_files(streams: int) -> Symptom:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = streams + FILES_BESIDE_STREAMS
    if hard != resource.RLIM_INFINITY and hard < needed:
        advice = f"raise it to {needed} (LimitNOFILE in systemd), or set TRICKBOOK_STREAMS lower"
        return wrong("open files", f"this user may open {hard} files, too few for {streams} event streams: {advice}")
    return ok("open files", f"enough for {streams} event streams")


def _files(data: Path) -> list[Path]:
    return [path for path in sorted(data.rglob("*")) if path.is_file()] if data.exists() else []


def _existing(path: Path) -> Path:
    """Return the path, or the nearest folder above it that exists."""
    return next(each for each in (path, *path.absolute().parents) if each.exists())
