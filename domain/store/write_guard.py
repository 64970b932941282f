"""A last question before facts are stored: can everybody who shares the store read them?"""

from collections.abc import Sequence
from typing import Protocol

from domain.store.aggregate import Entry
from domain.store.repository import StoreUnavailable


class FactTooNew(StoreUnavailable):
    """Another node that shares the store can't read a fact of this commit. Nothing was stored."""


class WriteGuard(Protocol):
    """Judges commits before they are stored. It may be called from any thread, and doesn't wait."""

    def check(self, entries: Sequence[Entry]) -> None:
        """Raise FactTooNew unless every node can read these entries."""
