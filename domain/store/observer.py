"""Reports of the store to the process that runs it, such as how long a transaction took."""

from typing import Protocol


class StoreObserver(Protocol):
    """Receives reports. Its methods may be called from any thread, return at once, and never fail."""

    def note_commit(self, commands: int, events: int, seconds: float) -> None:
        """Note that a transaction stored the events of some commands, and its time."""

    def note_lookup(self, *, found: bool) -> None:
        """Note that a game was looked up in memory, and whether it was there."""


class NoObserver:
    """Ignores every report."""

    def note_commit(self, commands: int, events: int, seconds: float) -> None:
        """Do nothing."""

    def note_lookup(self, *, found: bool) -> None:
        """Do nothing."""
