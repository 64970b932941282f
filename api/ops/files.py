"""Files that are written in one step, and folders that don't outlive the program.

Each has a file that is locked while a process uses the folder. A process that is killed leaves its folder; the next one
of the same user removes it.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write; it replaces `path` once everything is on disk. A killed program leaves PATH.part behind."""
    draft = path.with_name(path.name + ".part")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_folder(path.parent)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Write a folder's file names to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


PREFIX = "trickbook-"
LOCK = "lock"


@contextmanager
def temporary_folder(place: Path | None = None) -> Iterator[Path]:
    """Yield a new folder in `place`, or where the system has such folders, that only this user can read.

    Processes that this one forks keep it locked, too.
    """
    place = place or Path(tempfile.gettempdir())
    _remove_abandoned(place)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
    lock = os.open(folder / f"{LOCK}.new", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / f"{LOCK}.new").rename(folder / LOCK)  # from here on it counts, and nobody else had the lock before
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _remove_abandoned(place: Path) -> None:
    """Remove folders of this user whose processes are gone. A folder without a lock isn't ours."""
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError):  # another process removes it, or it's in use
            if folder.lstat().st_uid != os.geteuid() or folder.is_symlink():
                continue
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
