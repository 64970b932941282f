"""SQLite's files on disk: what tells one from any other, and those that programs leave beside it."""

import os
from pathlib import Path

SIDE_FILES = ("-wal", "-shm")
"""As the last connection is closed, SQLite removes both, the second one first. It creates the first one first."""
Identity = tuple[int, int]


def lacks_wal(path: Path) -> bool:
    """Return whether a file's write-ahead log was removed: programs that were killed leave it beside its index.

    The index is looked for twice, since a program that ends at this moment removes both.
    """
    wal, index = (path.with_name(path.name + suffix) for suffix in SIDE_FILES)
    return index.exists() and not wal.exists() and index.exists()


def identity_of(path: str | Path) -> Identity | None:
    """Return what tells a file from any other; None if it is missing."""
    try:
        status = os.stat(path)  # noqa: PTH116 - each commit asks, and Path.stat takes five times as long
    except OSError:
        return None
    return status.st_dev, status.st_ino
