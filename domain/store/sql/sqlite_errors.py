"""The errors of SQLite that a caller must tell apart: a lock that another program holds, and a damaged file."""

import sqlite3
from pathlib import Path

WRITE_LOCK = "the write lock"
"""The key of a breaker for a file's write lock."""
DAMAGES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DISK_FAULTS = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)
"""SQLite's codes for a file that can't be written."""
LOG_FILE = "log.db"
LOG_WITHOUT_WAL = "`trickbook store log` says what is lost otherwise."
WITHOUT_WAL = "To go on without it, stop every server on this folder, and remove {index}."


class FileDamaged(Exception):
    """A file that isn't a database any more; str(error) is a sentence that names the file and the way out."""


def is_busy(error: Exception) -> bool:
    """Return whether somebody else holds a lock that the statement needed."""
    return _code(error) == sqlite3.SQLITE_BUSY


def busy_error(reason: str) -> sqlite3.OperationalError:
    """Return the error of a caller that doesn't get a lock."""
    error = sqlite3.OperationalError(f"database is locked: {reason}")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return error


def is_damage(error: Exception) -> bool:
    """Return whether SQLite found that the file isn't as it was written, or that its write-ahead log was cut."""
    return _code(error) in DAMAGES or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHORT_READ


def describe_damage(path: Path, error: Exception) -> str | None:
    """Return a sentence that names the damaged file and the way out, or None for another error."""
    return damage_sentence(path, str(error)) if is_damage(error) else None


def damage_sentence(path: Path, reason: str) -> str:
    """Return a sentence that names the damaged file and the way out."""
    return (
        f"{path} is damaged ({reason}): stop every server on this folder, keep a copy of it, and restore your last"
        " backup into a new folder with `trickbook store restore`."
    )


def replacement_sentence(path: Path) -> str:
    """Return a sentence about a file that was removed or replaced while it was in use, and the way out."""
    return (
        f"{path} was removed or replaced while it was in use, so nothing more is stored in it: put the file back, or"
        " stop every server on this folder, restore your last backup into a new folder, and start the servers again."
        " On Linux, the servers still have the file until they stop: docs/operations.md says how to copy it."
    )


def missing_file_sentence(path: Path) -> str:
    """Return a sentence about a log whose file is gone although accounts know of it, and the way out."""
    return (
        f"{path} is missing, and the accounts know of events in it: put it back, or restore your last backup."
        " `trickbook store log` says what is lost otherwise. Don't stop a server that still runs: on Linux it still has"
        " the file, and docs/operations.md says how to copy it."
    )


def removed_wal_sentence(path: Path) -> str:
    """Return a sentence about a file beside the log that was removed while it was in use, and the way out."""
    return (
        f"{path.name}-wal or {path.name}-shm was removed while {path} was in use, so nothing more is stored. Stop every"
        " server on this folder, and start them again: what they had stored is in the file then, or they say what"
        " isn't."
    )


def missing_wal_sentence(path: Path) -> str:
    """Return a sentence about a file whose WAL is gone although programs used it until they were killed."""
    return (
        f"{path.name}-wal is missing, and it held what was stored last in {path}: put it back, or restore your last"
        f" backup. {LOG_WITHOUT_WAL if path.name == LOG_FILE else WITHOUT_WAL.format(index=f'{path}-shm')}"
    )


def _code(error: Exception) -> int:
    """Return SQLite's primary result code, 0 for an error of another kind."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
