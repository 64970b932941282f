"""The hours of players, beside the log: the time zone, nights, free weekends, and days of vacation (R-P16)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, timedelta, tzinfo
from typing import TypedDict
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from domain.json_fields import Day
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS hours (
        player TEXT PRIMARY KEY, zone TEXT NOT NULL, sleeps TEXT, wakes TEXT, weekends BIGINT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS vacation_days (
        player TEXT NOT NULL, day TEXT NOT NULL, counted BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (player, day))""",
)
INSERT_DAY = "INSERT INTO vacation_days (player, day) VALUES (?, ?) ON CONFLICT DO NOTHING"
COUNT_DAY = "UPDATE vacation_days SET counted = 1 WHERE player = ? AND day = ?"
INSERT_HOURS = """INSERT INTO hours VALUES (?, ?, ?, ?, ?) ON CONFLICT (player) DO UPDATE SET
    zone = EXCLUDED.zone, sleeps = EXCLUDED.sleeps, wakes = EXCLUDED.wakes, weekends = EXCLUDED.weekends"""
FIRST_DAYS = 7
"""The days of vacation that a new player has."""
DAYS_FOR_ONE = 14
"""In how many days another day of vacation accrues."""
MOST_DAYS = 28
"""How many days of vacation a player can have at a time."""


class Night(TypedDict):
    """A night by the player's own clock."""

    start: str
    end: str


class StoredHours(TypedDict):
    """When a player's clock stands still, as the server stores it."""

    zone: str
    night: Night | None
    weekends: bool
    vacation_days: list[Day]


@dataclass(frozen=True)
class PlayerHours:
    """When a player's clock stands still: from `sleeps` until `wakes` ("22:00") in their zone, and on free days."""

    zone: str = "UTC"
    sleeps: str | None = None
    wakes: str | None = None
    weekends: bool = False
    vacation: tuple[date, ...] = ()
    counted: tuple[date, ...] = ()
    """The days of vacation with which the clock of a turn has counted. They can't be taken back."""

    @property
    def is_always_open(self) -> bool:
        """Whether the clock always runs."""
        return self.sleeps is None and not self.weekends and not self.vacation

    @property
    def night(self) -> Night | None:
        """The night of these hours as JSON values."""
        return None if self.sleeps is None or self.wakes is None else {"start": self.sleeps, "end": self.wakes}


class HoursRecords:
    """The tables of hours. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, player: str) -> PlayerHours:
        """Return a player's hours, with all days of vacation, also those that have passed."""
        return _read(self._database, player)

    def set(self, player: str, hours: PlayerHours, today: date, joined: date) -> bool:
        """Set a player's hours, with the days of vacation from `today` on; those before stay as they were.

        So do days with which a clock has counted: otherwise one day of vacation would stop one clock after the other.
        Return False, and change nothing, if a player who joined at `joined` has fewer days of vacation.
        """
        with self._database.transaction(writes=True) as transaction:
            stored = _read(transaction, player)
            spent = [day for day in stored.vacation if day < today]
            planned = sorted(day for day in {*hours.vacation, *stored.counted} if day >= today)
            if days_left([*spent, *planned], joined, max([today, *planned])) < 0:
                return False
            transaction.run(INSERT_HOURS, player, hours.zone, hours.sleeps, hours.wakes, int(hours.weekends))
            transaction.run(
                "DELETE FROM vacation_days WHERE player = ? AND day >= ? AND counted = 0", player, today.isoformat()
            )
            for day in planned:
                transaction.run(INSERT_DAY, player, day.isoformat())
        return True

    def count(self, player: str, days: Iterable[date]) -> None:
        """Remember that a clock counts with these days of vacation."""
        with self._database.transaction(writes=True) as transaction:
            transaction.run_many(COUNT_DAY, [(player, day.isoformat()) for day in days])


def zone_of(name: str) -> tzinfo:
    """Return a time zone; UTC if this machine doesn't know it (any more), so that no turn fails for it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def days_left(taken: list[date], joined: date, until: date) -> int:
    """Return how many days of vacation are left on the day `until`, or -1 if one was taken that wasn't there.

    A day accrues in two weeks, up to the most that a player can have.
    """
    left, used = FIRST_DAYS, {*taken}
    for passed in range((until - joined).days + 1):
        day = joined + timedelta(days=passed)
        if passed and passed % DAYS_FOR_ONE == 0:
            left = min(MOST_DAYS, left + 1)
        if day in used:
            left -= 1
        if left < 0:
            return -1
    return left


def _read(database: Database | Transaction, player: str) -> PlayerHours:
    days = database.run("SELECT day, counted FROM vacation_days WHERE player = ? ORDER BY day", player)
    vacation = tuple(date.fromisoformat(day) for day, _ in days)
    counted = tuple(date.fromisoformat(day) for day, is_counted in days if is_counted)
    for zone, sleeps, wakes, weekends in database.run(
        "SELECT zone, sleeps, wakes, weekends FROM hours WHERE player = ?", player
    ):
        return PlayerHours(zone, sleeps, wakes, bool(weekends), vacation, counted)
    return PlayerHours(vacation=vacation, counted=counted)


def own_data(database: Database, player: str) -> StoredHours:
    """Return what is stored about a player's hours."""
    hours = _read(database, player)
    days = [day.isoformat() for day in hours.vacation]
    return {"zone": hours.zone, "night": hours.night, "weekends": hours.weekends, "vacation_days": days}


def erase_player(transaction: Transaction, player: str) -> None:
    """Delete a player's hours."""
    for table in ("hours", "vacation_days"):
        transaction.run(f"DELETE FROM {table} WHERE player = ?", player)
