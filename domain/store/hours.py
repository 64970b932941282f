"""Times in which a player's clock doesn't run: nights, weekends and vacations (R-P16). They are kept beside the log."""

from typing import Protocol

from domain.events.table_talk import Intervals


class Hours(Protocol):
    """The closed times of all players."""

    def closed_intervals(self, player: str, since: str, time_ms: int) -> Intervals:
        """Return the player's closed times from `since` on, until `time_ms` of open time have passed (UTC)."""

    def count(self, player: str, closed: Intervals) -> None:
        """Note that the log counts with these closed times, so that the player can't take them back."""


class AlwaysOpen:
    """The hours of players who have no closed times, as in tests and tools."""

    def closed_intervals(self, _player: str, _since: str, _time_ms: int) -> Intervals:
        return ()

    def count(self, _player: str, _closed: Intervals) -> None:
        pass


ALWAYS_OPEN = AlwaysOpen()
