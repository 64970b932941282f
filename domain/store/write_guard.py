"""A last question before facts are stored: is the log the one that was written, and can all who share it read them?"""

from collections.abc import Mapping, Sequence

from domain.store.aggregate import Entry
from domain.store.repository import LogDamaged, StoreUnavailable

RULES = "rules"
"""The name of the rules inside facts, which have a version of their own; no fact begins in lower case."""
TOO_NEW = (
    "Another server of this store still runs release {release}, which can't read this yet. Send the request again when"
    " the upgrade is done."
)


class FactTooNew(StoreUnavailable):
    """Another node that shares the store can't read a fact of this commit. Nothing was stored."""


class WriteGuard:
    """Judges commits before they are stored, by what others have found out. Safe for use by several threads."""

    def __init__(self) -> None:
        self.damage: str | None = None
        """Why this isn't the log that was written, if it isn't."""
        self.unknown: Mapping[str, str] = {}
        """The facts that another node can't read as this one writes them, with that node's release."""

    def check(self, entries: Sequence[Entry] = ()) -> None:
        """Raise LogDamaged if the log isn't whole, and FactTooNew unless every node can read these entries."""
        if self.damage is not None:
            raise LogDamaged(self.damage)
        if not self.unknown:
            return
        for entry in entries:
            release = self.unknown.get(entry.event.fact)
            if release is None and getattr(entry.event.data, RULES, None) is not None:
                release = self.unknown.get(RULES)
            if release is not None:
                raise FactTooNew(TOO_NEW.format(release=release))
