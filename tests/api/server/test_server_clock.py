"""The server's clock in one process: jumps, gaps, a second clock, an operator, and the time that is given back."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pytest

from api.accounts.accounts import open_accounts
from api.clock import ClockRecords, ServerClock
from domain.engine.timestamps import format_time, parse_time
from tests.api.conftest import config_for
from tests.commands import run
from tests.conftest import Database

SECOND = 1_000_000
HOUR = 3600 * SECOND
DAY = 24 * HOUR
MONTH = 30 * DAY
START = parse_time("2026-11-21T08:00:00.000000Z")


@dataclass
class Machine:
    """The clocks of a machine: the one that anybody can set, the counter, and the database's, if it has one."""

    shown: int = START
    counted: int = 5 * HOUR
    database: int | None = None

    def passes(self, time: int) -> None:
        """Let time pass on all clocks."""
        self.shown, self.counted = self.shown + time, self.counted + time
        self.database = None if self.database is None else self.database + time

    def starts(self, records: ClockRecords) -> ServerClock:
        """Start a process on this machine."""
        machine, steady, database = lambda: self.shown, lambda: self.counted, lambda: self.database
        return ServerClock(records, 3600, 3 * 24 * 3600, machine=machine, steady=steady, database=database)


@pytest.fixture
def records(database: Database) -> Iterator[ClockRecords]:
    with closing(open_accounts(config_for(database))) as accounts:
        yield accounts.clock_records


def now(clock: ServerClock) -> int:
    return parse_time(clock.now()) - START


def beats(machine: Machine, clock: ServerClock, times: int = 3) -> None:
    """Let a worker run for some heartbeats."""
    for _ in range(times):
        machine.passes(5 * SECOND)
        clock.beat()


def started(records: ClockRecords, database: int | None = None) -> tuple[Machine, ServerClock]:
    """Return a machine, and a process on it whose worker has run for three heartbeats."""
    machine = Machine(database=database)
    clock = machine.starts(records)
    beats(machine, clock)
    return machine, clock


def held(clock: ServerClock, since: int, until: int) -> int:
    """Return for how long the clock was held between two times after the start, in seconds."""
    return clock.held_ms(format_time(START + since), format_time(START + until)) // 1000


def test_the_first_start_trusts_the_machine(records: ClockRecords) -> None:
    machine = Machine()
    clock = machine.starts(records)
    assert (now(clock), clock.is_held()) == (0, False)
    assert records.heartbeats() == []
    beats(machine, clock)
    assert (now(clock), clock.is_held(), records.holds()) == (15 * SECOND, False, [])
    assert [(each.at - START, each.sure) for each in records.heartbeats()] == [(15 * SECOND, True)]


@pytest.mark.parametrize("jump", [MONTH, -MONTH, HOUR + SECOND, -HOUR - SECOND])
def test_after_a_jump_the_time_goes_on_as_it_was_and_is_held(records: ClockRecords, jump: int) -> None:
    machine, clock = started(records)
    machine.shown += jump
    machine.passes(4 * SECOND)
    assert (now(clock), clock.is_held()) == (19 * SECOND, True)
    clock.beat()
    assert machine.starts(records).is_held(), "another process knows"
    machine.shown -= jump
    machine.passes(6 * SECOND)
    assert now(clock) == 25 * SECOND
    clock.beat()
    assert (clock.is_held(), held(clock, 0, DAY) >= 10) == (False, True)
    assert held(clock, 0, 25 * SECOND) == 10, "from the last heartbeat before the jump to the end of the doubt"
    assert [hold.reason for hold in records.holds()] == ["doubt"]


def test_the_log_says_when_a_doubt_begins_and_ends_also_if_a_request_asks_first(
    records: ClockRecords, caplog: pytest.LogCaptureFixture
) -> None:
    machine, clock = started(records)
    for jump in (MONTH, -MONTH):
        machine.shown += jump
        clock.kept_us()  # as a transaction does
        clock.now_us()
        clock.now_us()
    assert [each.levelname for each in caplog.records] == ["ERROR", "WARNING"]


def test_small_steps_are_followed_at_once(records: ClockRecords) -> None:
    machine = Machine()
    clock = machine.starts(records)
    for step in (HOUR, HOUR, -HOUR):
        machine.shown += step
        assert (now(clock), clock.is_held()) == (machine.shown - START, False)
        machine.passes(HOUR)
        assert not clock.is_held()


def test_small_steps_that_add_up_to_a_jump_within_an_hour_are_one(records: ClockRecords) -> None:
    machine, clock = started(records)
    for held in (False, True, True):
        machine.shown += HOUR - SECOND
        assert clock.is_held() == held
    assert now(clock) == HOUR + 14 * SECOND, "the first step was followed"


def test_an_old_heartbeat_does_not_confirm_a_clock_that_is_as_slow_as_it_is_old(records: ClockRecords) -> None:
    # given a machine whose clock is set back by two hours, and another one that says so and stops
    machine, other = Machine(), Machine()
    clock, right = machine.starts(records), other.starts(records)
    beats(machine, clock)
    machine.shown -= 2 * HOUR
    assert clock.is_held()
    for _ in range(2):
        machine.passes(5 * SECOND)
        other.passes(5 * SECOND)
        right.beat()
        now(clock)
    # when two hours have passed, in which the process looks every second or not at all
    for pause in (SECOND, 10 * SECOND, HOUR, HOUR - 21 * SECOND, SECOND):
        machine.passes(pause)
        now(clock)
    # then the last heartbeat of the other one shows what the slow clock shows, but the time goes on
    assert now(clock) == 2 * HOUR + 16 * SECOND


def test_an_operator_says_that_the_clock_is_right(records: ClockRecords) -> None:
    machine, clock = started(records)
    machine.shown += MONTH
    beats(machine, clock)
    assert clock.is_held()
    assert records.release(machine.shown) == 1
    machine.passes(SECOND)
    assert now(clock) == MONTH + 31 * SECOND
    clock.beat()
    assert not clock.is_held()
    assert held(clock, 0, MONTH + 31 * SECOND) == 30 * 24 * 3600 + 15


def test_an_operators_word_for_another_time_changes_nothing(records: ClockRecords) -> None:
    machine, clock = started(records)
    machine.shown += MONTH
    beats(machine, clock)
    records.release(START + 30 * SECOND)
    machine.passes(SECOND)
    assert now(clock) == 31 * SECOND, "the operator agrees with the time that was kept"
    assert not clock.is_held()


@pytest.mark.parametrize("gap", [61 * SECOND, 8 * HOUR, 3 * DAY])
def test_time_without_a_server_is_given_back(records: ClockRecords, gap: int) -> None:
    machine, _ = started(records)
    machine.passes(gap)
    clock = machine.starts(records)
    assert (now(clock), clock.is_held()) == (15 * SECOND + gap, False)
    assert held(clock, 0, 15 * SECOND + gap) == gap // SECOND, "before the first heartbeat"
    clock.beat()
    assert held(clock, 0, 15 * SECOND + gap) == gap // SECOND
    assert [hold.reason for hold in records.holds()] == ["down"]


def test_a_short_stop_is_not_given_back(records: ClockRecords) -> None:
    machine, _ = started(records)
    machine.passes(60 * SECOND)
    clock = machine.starts(records)
    clock.beat()
    assert (held(clock, 0, 75 * SECOND), records.holds()) == (0, [])


def test_a_laptop_that_sleeps_gives_the_night_back(records: ClockRecords) -> None:
    machine, clock = started(records)
    machine.passes(8 * HOUR)
    assert not clock.is_held()
    assert held(clock, 0, 9 * HOUR) >= 8 * 3600, "before the worker's next heartbeat"
    clock.beat()
    assert held(clock, 0, 15 * SECOND + 8 * HOUR) == 8 * 3600


def test_a_gap_that_is_too_long_waits_for_an_operator(records: ClockRecords) -> None:
    machine, _ = started(records)
    machine.passes(MONTH)
    clock = machine.starts(records)
    machine.passes(SECOND)
    assert (now(clock), clock.is_held()) == (16 * SECOND, True)
    beats(machine, clock)
    records.release(machine.shown)
    machine.passes(SECOND)
    clock.beat()
    assert (now(clock), clock.is_held()) == (machine.shown - START, False)
    assert held(clock, 0, machine.shown - START) >= MONTH // SECOND


def test_after_a_restart_in_a_hold_the_clock_is_still_held(records: ClockRecords) -> None:
    machine, clock = started(records)
    machine.shown += 2 * DAY
    beats(machine, clock)
    assert machine.starts(records).is_held()
    machine.shown -= 2 * DAY
    again = machine.starts(records)
    assert now(again) == 30 * SECOND
    beats(machine, again, 13)
    assert not again.is_held(), "the process that began the hold is gone"


def test_a_heartbeat_that_is_later_than_now_holds_the_clock(records: ClockRecords) -> None:
    machine, _ = started(records)
    machine.shown -= 2 * HOUR
    clock = machine.starts(records)
    assert (now(clock), clock.is_held()) == (15 * SECOND, True)


def test_the_databases_clock_ends_a_doubt_after_a_gap(records: ClockRecords) -> None:
    machine, _ = started(records, database=START)
    machine.passes(MONTH)
    clock = machine.starts(records)
    assert (now(clock), clock.is_held()) == (15 * SECOND + MONTH, False)
    clock.beat()
    assert held(clock, 0, 15 * SECOND + MONTH) == MONTH // SECOND


def test_the_databases_clock_confirms_the_time_that_was_kept(records: ClockRecords) -> None:
    machine, clock = started(records, database=START)
    machine.shown += MONTH
    beats(machine, clock)
    assert (now(clock), clock.is_held(), records.holds()) == (30 * SECOND, False, [])


def test_a_database_whose_clock_jumped_too_is_no_second_clock(records: ClockRecords) -> None:
    machine, clock = started(records, database=START)
    machine.shown, machine.database = machine.shown + MONTH, START + MONTH
    beats(machine, clock)
    assert (now(clock), clock.is_held()) == (30 * SECOND, True)


@pytest.mark.parametrize("jump", [HOUR + SECOND, 2 * HOUR, MONTH])
def test_a_process_that_starts_beside_a_clock_that_jumped_asks_the_databases(records: ClockRecords, jump: int) -> None:
    # given a worker that goes on by the time that was kept, since the database's clock agrees with it
    machine, clock = started(records, database=START)
    machine.shown += jump
    beats(machine, clock)
    assert (now(clock), clock.is_held()) == (30 * SECOND, False)
    # when another process starts
    other = machine.starts(records)
    # then it has the same time, also after the clock is right again
    assert (now(other), other.is_held()) == (30 * SECOND, False)
    machine.shown -= jump
    machine.passes(2 * SECOND)
    assert (now(other), other.is_held()) == (32 * SECOND, False)


@pytest.mark.parametrize("jump", [HOUR + SECOND, MONTH, -MONTH])
def test_a_process_that_starts_while_the_clock_is_held_takes_no_clock_that_jumped_too_for_a_second_one(
    records: ClockRecords, jump: int
) -> None:
    # given a worker that holds the clock, since that of PostgreSQL on the same machine jumped with it
    machine, clock = started(records, database=START)
    machine.shown, machine.database = machine.shown + jump, START + 15 * SECOND + jump
    beats(machine, clock, 1)
    # when another worker starts, and both go on
    other = machine.starts(records)
    for _ in range(30):
        beats(machine, other, 1)
        clock.beat()
        # then none takes the other for a proof
        assert (clock.is_held(), other.is_held()) == (True, True)
        assert now(other) - now(clock) == 0
    assert now(clock) == (4 + 30) * 5 * SECOND
    # when the first one is gone
    for _ in range(30):
        beats(machine, other, 1)
    # then the other one still knows that both clocks jumped, and so does a third one
    third = machine.starts(records)
    for _ in range(30):
        beats(machine, third, 1)
        other.beat()
        assert (other.is_held(), third.is_held()) == (True, True)
    assert (now(other), now(third)) == (94 * 5 * SECOND, 94 * 5 * SECOND)


def test_a_hold_whose_process_is_gone_lets_the_databases_clock_wait_for_a_minute(records: ClockRecords) -> None:
    # given a server that was killed while its clock was held, and clocks that are right a month later
    machine, _ = started(records, database=START)
    machine.shown, machine.database = machine.shown + MONTH, None
    beats(machine, machine.starts(records), 1)
    machine.database = machine.shown
    # when two others start
    clocks = [machine.starts(records) for _ in range(2)]
    # then they watch for a minute whether anybody still holds the clock
    for seconds in range(5, 300, 5):
        machine.passes(5 * SECOND)
        for clock in clocks:
            clock.beat()
            assert (now(clock) == machine.shown - START) == (seconds >= 60)
    assert [clock.is_held() for clock in clocks] == [False, False]


def test_a_jump_between_a_heartbeat_and_the_look_at_the_database_is_not_taken_for_steady(records: ClockRecords) -> None:
    machine, clock = started(records, database=START)
    # given a worker that is sure when it begins a heartbeat, and clocks that jump together before it has looked at all
    usual, jumps = clock._database, [MONTH]

    def database() -> int | None:
        jump = jumps.pop() if jumps else 0
        machine.shown, machine.database = machine.shown + jump, (machine.database or 0) + jump
        return usual()

    clock._database = database
    beats(machine, clock, 1)
    # then the next looks don't find that the database's clock has always shown that
    beats(machine, clock, 2)
    assert (now(clock), clock.is_held()) == (30 * SECOND, True)


def test_another_server_is_a_second_clock(records: ClockRecords) -> None:
    here, there = Machine(), Machine()
    clock, other = here.starts(records), there.starts(records)
    for _ in range(3):
        beats(here, clock, 1)
        beats(there, other, 1)
    here.shown += MONTH
    beats(here, clock, 1)
    assert clock.is_held()
    assert other.is_held(), "one server's doubt holds all"
    for _ in range(2):
        beats(there, other, 1)
        beats(here, clock, 1)
    assert (now(clock), clock.is_held()) == (30 * SECOND, False)
    there.passes(2 * SECOND)
    assert not other.is_held()


def test_servers_whose_clocks_jump_together_are_no_second_clock(records: ClockRecords) -> None:
    here, there = Machine(), Machine()
    clock, other = here.starts(records), there.starts(records)
    for jump in (0, MONTH, 0, 0):
        for machine, each in ((here, clock), (there, other)):
            machine.shown += jump
            beats(machine, each, 1)
    assert (now(clock), now(other)) == (20 * SECOND, 20 * SECOND)
    assert clock.is_held()


def test_overlapping_holds_count_once(records: ClockRecords) -> None:
    here, there = Machine(), Machine()
    clocks = [(here, here.starts(records)), (there, there.starts(records))]
    for jump in (0, MONTH, 0, -MONTH):
        for machine, clock in clocks:
            machine.shown += jump
            beats(machine, clock, 1)
    assert len(records.holds()) == 2
    assert held(clocks[0][1], 0, 20 * SECOND) == 15


@pytest.mark.parametrize("since", ["", "soon", "2026-11-21"])
def test_a_turn_without_a_time_has_no_held_time(records: ClockRecords, since: str) -> None:
    assert Machine().starts(records).held_ms(since, format_time(START)) == 0


def test_an_operator_looks_at_the_clock_and_releases_it(records: ClockRecords, database: Database) -> None:
    (database.data / "log.db").touch()
    here = config_for(database)
    machine, clock = started(records)
    shown = run("store", "clock", "status", at=here)
    assert (shown.exit_code, shown.stdout.splitlines()[-1]) == (0, "the clock isn't held")
    machine.shown += MONTH
    beats(machine, clock)
    shown = run("store", "clock", "status", at=here)
    assert shown.exit_code == 1
    assert "2026-11-21T08:00:30.000000Z, in doubt" in shown.stdout
    assert "held from 2026-11-21T08:00:15.000000Z to now: a worker doubted its clock" in shown.stdout
    assert run("store", "clock", "release", at=here).stdout.endswith("; 1 hold ended\n")
    assert run("store", "clock", "status", at=here).exit_code == 0
    missing = run("store", "clock", "release", "--data", str(database.data / "nowhere"))
    assert (missing.exit_code, "There is no store in" in missing.stderr) == (2, True)
