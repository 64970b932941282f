"""The closed times of a player in UTC, from the hours that they set in their own zone (R-P16).

The store asks for them when a turn begins. Only these times get into the log, never the zone.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from api.people.stored.hours import PlayerHours, zone_of
from domain.engine.paces import EVENT_TIME
from domain.events.table_talk import Intervals
from domain.store import StoreUnavailable
from domain.store.sql.database import DATABASE_ERRORS, describe_error

LOG = logging.getLogger("trickbook.hours")
MOST_DAYS = 4000
"""How many days are looked at for one turn: more than the longest turn lasts with the most closed times."""
SATURDAY, WEEKEND_DAYS = 5, 2


CountDays = Callable[[str, Iterable[date]], None]
"""Takes a player and days of vacation."""


def count_nothing(_player: str, _days: Iterable[date]) -> None:
    """Remember nothing, as in tests and tools."""


class ClosedTimes:
    """The hours of all players, as the store of games asks for them."""

    def __init__(self, read: Callable[[str], PlayerHours], count_days: CountDays = count_nothing) -> None:
        """`read` returns the hours of a player, `count_days` remembers with which days of vacation a clock counts."""
        self._read, self._count_days = read, count_days

    def closed_intervals(self, player: str, since: str, time_ms: int) -> Intervals:
        """Return the player's closed times from `since` on, until `time_ms` of open time have passed (UTC)."""
        try:
            hours = self._read(player)
        except DATABASE_ERRORS as error:
            raise StoreUnavailable(describe_error(error)) from error
        return () if hours.is_always_open else closed_times(hours, since, time_ms)

    def count(self, player: str, closed: Intervals) -> None:
        """Count the days of vacation in these closed times: the player can't take them back from now on.

        The log has the times already, so a failure is only logged.
        """
        try:
            hours = self._read(player)
            days = {*vacation_days_in(closed, hours)}
            if not days <= {*hours.counted}:
                self._count_days(player, sorted(days))
        except DATABASE_ERRORS as error:
            LOG.warning("days of vacation aren't counted: %s", describe_error(error))


def closed_times(hours: PlayerHours, since: str, time_ms: int) -> Intervals:
    """Return the times of `hours` from `since` on, joined and ascending, until `time_ms` of open time have passed."""
    times = list[tuple[datetime, datetime]]()
    moment, left = datetime.fromisoformat(since), timedelta(milliseconds=time_ms)
    for first, last in _times_by_day(hours, moment):
        begin = max(moment, first)
        if last <= begin:  # it has passed, or the change to summer time skips it
            continue
        left -= begin - moment
        if left <= timedelta():
            break
        if times and begin == times[-1][1]:
            times[-1] = times[-1][0], last
        else:
            times.append((begin, last))
        moment = last
    return tuple((first.strftime(EVENT_TIME), last.strftime(EVENT_TIME)) for first, last in times)


def vacation_days_in(times: Intervals, hours: PlayerHours) -> Iterator[date]:
    """Yield the days of vacation that belong to the closed times of a turn."""
    if times:
        since, until = (datetime.fromisoformat(moment) for moment in (times[0][0], times[-1][1]))
        zone = zone_of(hours.zone)
        for day in hours.vacation:
            if _moment(day, time(), zone) < until and _moment(day + timedelta(days=1), time(), zone) > since:
                yield day


def _times_by_day(hours: PlayerHours, since: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Yield the closed times of each day in the player's zone, ascending by their beginning."""
    zone, vacation = zone_of(hours.zone), frozenset(hours.vacation)
    first = since.astimezone(zone).date() - timedelta(days=WEEKEND_DAYS)
    for passed in range(MOST_DAYS):
        day = first + timedelta(days=passed)
        if day in vacation or (hours.weekends and day.weekday() >= SATURDAY):
            yield _moment(day, time(), zone), _moment(day + timedelta(days=1), time(), zone)
        if hours.sleeps is not None and hours.wakes is not None:
            sleeps, wakes = time.fromisoformat(hours.sleeps), time.fromisoformat(hours.wakes)
            wakes_on = day + timedelta(days=wakes <= sleeps)
            yield _moment(day, sleeps, zone), _moment(wakes_on, wakes, zone)


def _moment(day: date, at: time, zone: tzinfo) -> datetime:
    """Return the time in UTC. A local time that is skipped or repeated is the first one it can be."""
    return datetime.combine(day, at, zone).astimezone(UTC)
