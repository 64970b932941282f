"""The limits: what they grant, across processes, on each store and without one."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from api.config.limits import Backoff, Rate
from api.limits import GuessLimiter, LimitReached, LimitStorage, RateLimiter
from tests.conftest import Database

WINDOW = 60
START = 60.0 * 30_000_000  # the beginning of a window


class Clock:
    """A clock that stands still until a test moves it."""

    now = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def storage(database: Database, clock: Clock) -> Iterator[LimitStorage]:
    with closing(LimitStorage(database.data, database.url, clock)) as opened:
        yield opened


@pytest.fixture
def neighbor(database: Database, clock: Clock) -> Iterator[LimitStorage]:
    """The storage of another process on the same store; on PostgreSQL it has no folder, and needs none."""
    data = database.data if database.url is None else database.data / "none"
    with closing(LimitStorage(data, database.url, clock)) as opened:
        yield opened


def wait_s(attempt: Callable[[], None]) -> int:
    """Return 0 if the attempt is granted, else the seconds to wait."""
    try:
        attempt()
    except LimitReached as error:
        return error.wait_s
    return 0


def test_a_window_grants_its_count_and_slides(storage: LimitStorage, clock: Clock) -> None:
    limiter = RateLimiter(Rate(4, WINDOW), storage, "reads")
    waits = []
    for at in (30, 31, 32, 33, 34, 59, 60, 60.5, 75, 75.5, 76, 91, 240, 240, 240, 240, 240):
        clock.now = START + at
        waits.append(wait_s(lambda: limiter.take("ann")))
    assert waits == [0, 0, 0, 0, 26, 1, 1, 0, 1, 0, 14, 0, 0, 0, 0, 0, 60]


def test_a_refused_key_may_try_again_after_the_wait_that_was_named(storage: LimitStorage, clock: Clock) -> None:
    limiter = RateLimiter(Rate(5, WINDOW), storage, "reads")
    for _ in range(40):
        if wait := wait_s(lambda: limiter.take("ann")):
            clock.now += wait + 0.1
            limiter.take("ann")
    assert clock.now - START > 5 * WINDOW


def test_keys_and_names_are_counted_apart(storage: LimitStorage) -> None:
    reads, writes = (RateLimiter(Rate(1, WINDOW), storage, name) for name in ("reads", "writes"))
    for limiter, key in ((reads, "ann"), (reads, "bob"), (writes, "ann")):
        limiter.take(key)
        assert wait_s(lambda limiter=limiter, key=key: limiter.take(key)) > 0  # type: ignore[misc]


def test_processes_count_together(storage: LimitStorage, neighbor: LimitStorage) -> None:
    here, there = (RateLimiter(Rate(4, WINDOW), each, "reads") for each in (storage, neighbor))
    waits = [wait_s(lambda limiter=limiter: limiter.take("ann")) for limiter in (here, there) * 3]  # type: ignore[misc]
    assert [wait > 0 for wait in waits] == [False] * 4 + [True] * 2


def test_without_a_rate_nothing_is_counted_and_no_database_is_opened(tmp_path: Path) -> None:
    storage = LimitStorage(tmp_path / "data", None)
    RateLimiter(None, storage, "reads").take("ann")
    GuessLimiter(None, storage, "guesses").begin("ann")
    storage.close()
    assert not (tmp_path / "data").exists()


def test_in_a_folder_that_was_moved_away_a_process_counts_alone_and_makes_no_other(tmp_path: Path) -> None:
    with closing(LimitStorage(tmp_path / "data", None)) as storage:
        limiter = RateLimiter(Rate(1, WINDOW), storage, "reads")
        assert [wait_s(lambda: limiter.take("ann")) > 0 for _ in range(2)] == [False, True]
    assert not (tmp_path / "data").exists()


def test_check_takes_nothing_and_charge_counts_what_passed(storage: LimitStorage) -> None:
    limiter = RateLimiter(Rate(2, WINDOW), storage, "guesses")
    for _ in range(4):
        limiter.check("key")
    for _ in range(4):
        limiter.charge("key")
    assert wait_s(lambda: limiter.check("key")) == WINDOW


def test_waits_after_failures_double_up_to_the_longest(
    storage: LimitStorage, neighbor: LimitStorage, clock: Clock
) -> None:
    here, there = (GuessLimiter(Backoff(3, 30, 3600), each, "guesses") for each in (storage, neighbor))
    waits = []
    for turn in range(10):
        guesses = (here, there)[turn % 2]
        if wait := wait_s(lambda guesses=guesses: guesses.begin("ann")):  # type: ignore[misc]
            clock.now += wait
            guesses.begin("ann")
        waits.append(wait)
        guesses.fail("ann")
    assert waits == [0, 0, 0, 1, 2, 4, 8, 16, 30, 30]


def test_an_attempt_during_a_wait_does_not_prolong_it(storage: LimitStorage, clock: Clock) -> None:
    guesses = GuessLimiter(Backoff(1, 30, 3600), storage, "guesses")
    for _ in range(6):
        clock.now += 30
        guesses.begin("ann")
        guesses.fail("ann")
    clock.now += 10
    assert {wait_s(lambda: guesses.begin("ann")) for _ in range(50)} == {20}
    clock.now += 20
    assert wait_s(lambda: guesses.begin("ann")) == 0


@pytest.mark.both_stores
def test_attack_190_a_clock_that_was_ahead_for_a_while_locks_nobody_out(storage: LimitStorage, clock: Clock) -> None:
    guesses, ahead_s = GuessLimiter(Backoff(2, 30, 3600), storage, "guesses"), 40 * 24 * 3600
    clock.now += ahead_s
    for _ in range(9):
        clock.now += 30
        guesses.begin("ann")
        guesses.fail("ann")
    assert wait_s(lambda: guesses.begin("ann")) == 30
    clock.now -= ahead_s
    assert wait_s(lambda: guesses.begin("ann")) <= 30
    clock.now += 30
    assert wait_s(lambda: guesses.begin("ann")) == 0


@pytest.mark.both_stores
def test_a_success_forgets_the_failures_and_so_does_time(storage: LimitStorage, clock: Clock) -> None:
    guesses = GuessLimiter(Backoff(2, 30, 3600), storage, "guesses")
    guesses.fail("ann")
    guesses.succeed("ann")
    guesses.fail("ann")
    assert wait_s(lambda: guesses.begin("ann")) == 0
    guesses.fail("ann")
    assert wait_s(lambda: guesses.begin("ann")) == 1
    clock.now += 3600
    assert wait_s(lambda: guesses.begin("ann")) == 0


def test_expired_counts_are_deleted(tmp_path: Path, clock: Clock) -> None:
    with closing(LimitStorage(tmp_path, None, clock)) as storage:
        limiter = RateLimiter(Rate(1, WINDOW), storage, "reads")
        for key in "abc":
            limiter.take(key)
        clock.now += 3 * WINDOW
        limiter.take("d")
    with closing(sqlite3.connect(tmp_path / "limits.db")) as file:
        assert file.execute("SELECT COUNT(*) FROM counts").fetchone() == (1,)


def test_a_process_whose_database_fails_counts_alone_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "limits.db").write_bytes(b"this is no database" * 100)
    with closing(LimitStorage(tmp_path, None)) as storage:
        limiter = RateLimiter(Rate(2, 3600), storage, "reads")
        waits = [wait_s(lambda: limiter.take("ann")) for _ in range(4)]
    assert [wait > 0 for wait in waits] == [False, False, True, True]
    assert [record.message for record in caplog.records] == [
        "limits: this process counts alone for 5 s: file is not a database"
    ]
