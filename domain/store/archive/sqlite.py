"""The archive of a log in an SQLite file: the file archive.db beside log.db, with tables of the same names."""

import os
from pathlib import Path

from domain.store.archive.table import GameVersions
from domain.store.sqlite.file import SqliteLogFile
from domain.store.sqlite.recorder import SqliteLogRecorder
from domain.store.sqlite.rows import hex_of

ARCHIVE_FILE = "archive.db"
COLUMNS = "notification_id, originator_id, originator_version, topic, state"
HAS_TABLE = "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"


class SqliteArchive:
    """See ArchiveTable. The log's file keeps its size after a move; SQLite uses the free pages for new rows."""

    def __init__(self, recorder: SqliteLogRecorder) -> None:
        self._log, self._path = recorder, recorder.file.path.with_name(ARCHIVE_FILE)
        self._archive = SqliteLogRecorder(SqliteLogFile(self._path), recorder.table)
        self._exists = False

    def reader(self) -> SqliteLogRecorder | None:
        if not self._exists and self._path.exists():
            self._exists = self._archive.file.rows(HAS_TABLE, (self._log.table,)) == [(1,)]
        return self._archive if self._exists else None

    def create(self) -> None:
        self._archive.create_table()
        _sync_folder(self._path.parent)

    def copy(self, moves: GameVersions) -> None:
        below = f"{self._log.table} WHERE originator_id = ? AND originator_version < ?"
        insert = f"INSERT OR IGNORE INTO {self._log.table} ({COLUMNS}) VALUES (?, ?, ?, ?, ?)"
        with self._archive.file.transaction() as archive:
            for game, version in moves:
                rows = self._log.file.rows(f"SELECT {COLUMNS} FROM {below}", (hex_of(game), version))
                archive.executemany(insert, rows)

    def delete(self, moves: GameVersions) -> None:
        statement = f"DELETE FROM {self._log.table} WHERE originator_id = ? AND originator_version < ?"
        with self._log.file.transaction() as log:
            log.executemany(statement, [(hex_of(game), version) for game, version in moves])

    def close(self) -> None:
        self._archive.close()


def _sync_folder(folder: Path) -> None:
    """Write the name of a new file to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
