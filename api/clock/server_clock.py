"""The server's clock, which everything asks for the time and for what was held (docs/operations.md#the-clock).

Each process compares the machine's clock with a counter that nobody can set, and at its start with the last heartbeat
in the store. If they differ by too much, the process doubts the machine's clock: it uses the time that it kept, and the
store applies no time-out. A second clock that agrees, or an operator, ends the doubt. Only workers write.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from uuid import uuid4

from api.clock.records import DOWN_US, ClockRecords, Heartbeat
from domain.engine.timestamps import format_time, parse_time
from domain.store import StoreUnavailable
from domain.store.held_clock import KeptTime, machine_time, steady_time
from domain.store.sql.database import DATABASE_ERRORS, Clock, describe_error

LOG = logging.getLogger("trickbook.clock")
BEAT_US = 5_000_000
"""How often a worker writes a heartbeat."""
LOOK_US = 1_000_000
"""How long a process may rely on what it last read about doubts and holds."""
GONE_US = 60_000_000
"""How long a process must have given no heartbeat before another one ends its hold."""
LONG_AGO = -(10**18)


class ServerClock(KeptTime):
    """The clock of one process. Every method may be called from any thread."""

    def __init__(
        self,
        records: ClockRecords,
        jump_s: int,
        gap_s: int,
        *,
        machine: Clock = machine_time,
        steady: Clock = steady_time,
        database: Callable[[], int | None] = lambda: None,
    ) -> None:
        """Compare the machine's clock with the last heartbeat, which may be `gap_s` seconds old.

        `database` returns the time of the database's clock, or None if it has none of its own.
        """
        self.name = uuid4().hex
        super().__init__(jump_s * 1_000_000, machine, steady)
        self._records, self._database = records, database
        self._weighing = threading.Lock()
        self._confirmed = False
        self._compared_until: int | None = None
        self._database_offset: int | None = None
        self._holders = frozenset[str]()
        self._watched_since = LONG_AGO
        self._beaten = self._weighed = self._asked = self._compared_at = LONG_AGO
        self._was_sure, self._is_held, self._has_told = True, False, False
        self._last_numbers: dict[str, tuple[int, int]] = {}
        self._compare_with_heartbeats(gap_s * 1_000_000)

    def in_doubt(self, now: int) -> int:
        """Return the time once a second clock was looked for, or say that the doubt has ended."""
        if not self.doubts:
            if self._has_told:
                self._has_told = False
                LOG.warning("the machine's clock is right again: %s", format_time(now))
            self.was_in_doubt, self._confirmed, self._compared_until, self._weighed = False, False, None, LONG_AGO
            return now
        if not self._has_told:
            self._has_told = True
            self._log_doubt(now)
        if self.steady() - self._weighed < LOOK_US or not self._weighing.acquire(blocking=False):
            return now  # one thread asks the database, and moves don't wait for it
        try:
            self._weighed = self.steady()
            self._weigh(now)
        except DATABASE_ERRORS as error:
            LOG.warning("the clock can't be compared with others: %s", describe_error(error))
        finally:
            self._weighing.release()
        return self.kept_us()

    def is_held(self) -> bool:
        """Return whether no time-out may be applied now, because this process or a worker doubts its clock."""
        self.now_us()
        if not self._is_sure():
            return True
        if self.steady() - self._asked >= LOOK_US:
            with _store_errors():
                self._is_held = bool(self._records.open_holds())
            self._asked = self.steady()
        return self._is_held

    def may_end(self) -> bool:
        """Return whether accounts and tables may end by their time: guests, people who left, tables that form.

        They wait while the clock is held, and after a silence until a heartbeat has recorded it: that put them off.
        """
        if self.is_held():
            return False
        with _store_errors():
            last = self._records.newest()
        return last is None or self.now_us() - last.at <= DOWN_US

    def held_ms(self, since: str, until: str) -> int:
        """Return for how many milliseconds of that time the clock was held or no worker ran."""
        try:
            began, ended = parse_time(since), parse_time(until)
        except ValueError:
            return 0
        return self.held_us(began, ended) // 1000

    def held_us(self, began: int, ended: int) -> int:
        """Return for how many microseconds between two times the clock was held or no worker ran."""
        with _store_errors():
            spans = self._records.spans(began, ended)
        return _covered(spans, began, ended)

    def beat(self) -> None:
        """Write a heartbeat if it's time, or at once if a doubt began or ended. Only workers call this."""
        now, sure = self.now_us(), self._is_sure()
        steady = self.steady()
        if sure == self._was_sure and steady - self._beaten < BEAT_US:
            return
        with _store_errors():
            holding = self._records.beat(self.name, now, sure=sure)
            if sure:
                self._end_holds_of_the_gone(now, set(holding) - {self.name})
                self._remember_database()
        self._beaten, self._asked, self._was_sure = steady, LONG_AGO, sure

    def _is_sure(self) -> bool:
        return self._confirmed or not self.doubts

    def _log_doubt(self, now: int) -> None:
        shown, kept = format_time(self.machine()), format_time(now)
        LOG.error(
            "the machine's clock shows %s, but it should be about %s: no time-out is applied until the clock is right,"
            " another clock agrees with it, or you run `trickbook store clock release`",
            shown,
            kept,
        )

    def _weigh(self, now: int) -> None:
        """Look for a second clock: it may agree with the machine's clock, or with the time that was kept."""
        for name, other in self._other_clocks(now):
            machine = self.machine()
            if self.agree(other, machine):
                LOG.warning("the machine's clock is right: %s agrees with it", name)
                self.restart_at(machine)
                return
            if self.agree(other, now) and not self._confirmed:
                LOG.warning("time-outs go on by the time that was kept: %s agrees with it", name)
                self._confirmed = True

    def _other_clocks(self, now: int) -> Iterator[tuple[str, int]]:
        """Yield the names and times of clocks that didn't jump together with this one."""
        for each in self._fresh_heartbeats():
            if each.sure and each.server != self.name:
                yield f"the clock of {each.server}", each.at
            elif each.server in self._holders and self.agree(each.at, now):
                self._database_offset = now - self.steady()  # the database's clock has jumped if it shows another time
        shown = self._database()
        if shown is not None and self._is_steady(shown):
            yield "the database's clock", shown

    def _is_steady(self, shown: int) -> bool:
        """Return whether the database's clock didn't jump, as far as this process can know.

        One that started while others held the clock first watches whether they still do: then that's no gap.
        """
        if self._database_offset is None:
            return self.steady() - self._watched_since >= GONE_US
        return self.agree(shown - self.steady(), self._database_offset)

    def _fresh_heartbeats(self) -> list[Heartbeat]:
        """Return the heartbeats since the last look, or none if that is long ago.

        An old heartbeat is no clock: one that is two hours old would agree with a clock that is two hours slow.
        """
        heartbeats, steady = self._records.heartbeats(), self.steady()
        compared, is_recent = self._compared_until, steady - self._compared_at <= GONE_US
        self._compared_until, self._compared_at = heartbeats[0].number if heartbeats else 0, steady
        if compared is None or not is_recent:
            self._watched_since = steady if self._holders else LONG_AGO
            return []
        return [each for each in heartbeats if each.number > compared]

    def _compare_with_heartbeats(self, gap_us: int) -> None:
        """Doubt the machine's clock if the last heartbeat is too long ago, or later than now.

        Of two clocks that could be right, the machine's and the database's, the earlier one counts.
        """
        last, machine, database = self._records.newest(), self.machine(), self._database()
        self._holders, jump_us = frozenset(self._records.open_holds()), self.jump_us
        if last is not None and not -jump_us <= machine - last.at <= (jump_us if self._holders else gap_us):
            self.restart_at(last.at)
        elif database is not None and machine - database > jump_us and (last is None or last.at - database <= jump_us):
            self.restart_at(database)
        self.now_us()
        if not self.doubts:
            self._remember_database()

    def _remember_database(self) -> None:
        """Remember how the database's clock stands, so that one that jumps together with ours isn't a second clock."""
        shown, steady = self._database(), self.steady()
        self.kept_us()
        if not self.doubts:  # both clocks may have jumped since the last look at this one
            self._database_offset = None if shown is None else shown - steady

    def _end_holds_of_the_gone(self, now: int, holders: set[str]) -> None:
        """End the holds of those of these processes that gave no heartbeat for some time."""
        numbers = {each.server: each.number for each in self._records.heartbeats()} if holders else {}
        for server in holders:
            number, steady = numbers.get(server, 0), self.steady()
            if self._last_numbers.setdefault(server, (number, steady))[0] != number:
                self._last_numbers[server] = number, steady
            if steady - self._last_numbers[server][1] >= GONE_US:
                self._records.end_hold_of(server, now, self.name)


def _covered(spans: Iterable[tuple[int, int]], since: int, until: int) -> int:
    """Return how much of the time between `since` and `until` is in at least one of the spans."""
    covered, reached = 0, since
    for began, ended in sorted(spans):
        first, last = max(began, reached), min(ended, until)
        if last > first:
            covered, reached = covered + last - first, last
    return covered


@contextmanager
def _store_errors() -> Iterator[None]:
    """Raise StoreUnavailable for an error of the database."""
    try:
        yield
    except DATABASE_ERRORS as error:
        raise StoreUnavailable(describe_error(error)) from error
