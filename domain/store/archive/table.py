"""The table of archived rows beside the log of one shard, on either database."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol, TypeAlias
from uuid import UUID

from domain.store.recorder import LogRecorder

GameVersions: TypeAlias = Sequence[tuple[UUID, int]]
"""Games, each with the version below which its rows move."""


class ArchiveTable(Protocol):
    """Rows with the ids, versions, topics and states that they had in the log.

    First `copy` rows, then compare them, then `delete` them from the log. Both can be repeated after an interruption,
    and by several processes at the same time. Each raises the library's PersistenceError.
    """

    @abstractmethod
    def reader(self) -> LogRecorder | None:
        """Return a recorder that reads the archive, or None if there's no archive. Never write to it."""

    @abstractmethod
    def create(self) -> None:
        """Create the table if it's missing."""

    @abstractmethod
    def copy(self, moves: GameVersions) -> None:
        """Copy rows from the log and return once they are on disk. Rows that the archive holds stay as they are."""

    @abstractmethod
    def delete(self, moves: GameVersions) -> None:
        """Delete rows from the log, in one transaction."""

    @abstractmethod
    def close(self) -> None:
        """Close what this object has opened."""
