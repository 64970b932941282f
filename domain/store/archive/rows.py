"""The rows of one shard, wherever they are: in its log, or in its archive.

Every method reads the log first and then the archive, and only if rows are missing in the log. A move copies before it
deletes, so a row that has left the log is in the archive by then. If the shard has moved to another server between the
two, both are read again there.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar
from uuid import UUID

from domain.store.archive.postgres import PostgresArchive
from domain.store.archive.sqlite import SqliteArchive
from domain.store.archive.table import ArchiveTable
from domain.store.postgres import PostgresLogRecorder
from domain.store.recorder import MAX_INTEGER, LogRecorder, LogTables, RawEvent, RawLogRow
from domain.store.sqlite.recorder import SqliteLogRecorder

Result = TypeVar("Result")


def archive_of(recorder: LogRecorder) -> ArchiveTable:
    """Return the archive of a shard's log."""
    if isinstance(recorder, SqliteLogRecorder):
        return SqliteArchive(recorder)
    if isinstance(recorder, PostgresLogRecorder):
        return PostgresArchive(recorder)
    raise TypeError(f"no archive for {type(recorder).__name__}")


def read_in_one_place(log: LogRecorder | LogTables, read: Callable[[], Result]) -> Result:
    """Return what `read` finds in the log and its archive; read again if a shard has moved meanwhile."""
    while True:
        place = log.place
        found = read()
        if log.place is place:
            return found


class ShardRows:
    """Reads like a LogRecorder, and finds archived rows too. What isn't here is always in the log itself."""

    def __init__(self, log: LogRecorder) -> None:
        self._log = log

    @cached_property
    def archive(self) -> ArchiveTable:
        """The archive of the log, which may not exist."""
        return archive_of(self._log)

    def raw_events(self, originator_id: UUID, gt: int = 0, lte: int | None = None) -> list[RawEvent]:
        """Return the game's stored rows above version gt, up to and including lte, in order of version."""
        return read_in_one_place(self._log, lambda: self._raw_events(originator_id, gt, lte))

    def _raw_events(self, originator_id: UUID, gt: int, lte: int | None) -> list[RawEvent]:
        rows = self._log.raw_events(originator_id, gt, lte)
        first: Any = rows[0][0] if rows else MAX_INTEGER if lte is None else lte + 1
        if not isinstance(first, int) or first == gt + 1 or (archive := self.archive.reader()) is None:
            return rows
        return archive.raw_events(originator_id, gt, first - 1) + rows

    def with_archived(self, rows: list[RawLogRow], gt: int, limit: int) -> list[RawLogRow]:
        """Return the first `limit` rows above id gt of log and archive, given those of the log."""
        if not rows or rows[-1][0] == gt + len(rows) or (archive := self.archive.reader()) is None:
            return rows
        merged = {row[0]: row for row in archive.log_rows(gt, limit) if row[0] < rows[-1][0]}
        merged.update((row[0], row) for row in rows)
        return [merged[number] for number in sorted(merged)][:limit]

    def openings(self, gt: int, lte: int, limit: int) -> list[tuple[int, UUID]]:
        """Return up to `limit` (notification id, game) of first events with gt < id <= lte, in order."""
        return read_in_one_place(self._log, lambda: self._openings(gt, lte, limit))

    def _openings(self, gt: int, lte: int, limit: int) -> list[tuple[int, UUID]]:
        opened = self._log.openings(gt, lte, limit)
        archive = self.archive.reader()
        return opened if archive is None else sorted({*opened, *archive.openings(gt, lte, limit)})[:limit]

    def version_at(self, originator_id: UUID, lte: int) -> int | None:
        """Return the version of the game's last event with a notification id of at most lte, or None."""
        return read_in_one_place(self._log, lambda: self._version_at(originator_id, lte))

    def _version_at(self, originator_id: UUID, lte: int) -> int | None:
        version = self._log.version_at(originator_id, lte)
        if version is None and (archive := self.archive.reader()) is not None:
            version = archive.version_at(originator_id, lte)
        return version

    def close(self) -> None:
        """Close the archive."""
        self.archive.close()
