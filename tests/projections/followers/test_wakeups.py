"""Loops look at the store at once after a ring, and rarely while nobody rings."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from math import inf
from pathlib import Path

import psycopg

from projections.followers.wakeups import Poll, Wakeups
from tests.postgres import Server

PATIENCE_S = 60
END_LISTENERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


class StillClock:
    """A clock that a test sets, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def turns(poll: Poll, clock: StillClock, seconds: float) -> int:
    """Return how often a loop looks in that time, if a look takes none and nobody rings."""
    until, count = clock.now + seconds, 0
    while clock.now < until:
        clock.now += poll.pause_s()
        count += 1
    return count


def test_a_loop_looks_often_after_a_ring_and_once_a_second_at_last() -> None:
    clock = StillClock()
    wakeups = Wakeups(clock)
    poll = Poll(wakeups, 0.01)
    assert turns(poll, clock, 0.095) == 10
    assert turns(poll, clock, 60) < 110
    assert turns(poll, clock, 60) == 60
    wakeups.ring()
    assert turns(poll, clock, 0.095) == 10


def test_a_change_is_found_within_a_tenth_of_the_time_without_one() -> None:
    clock = StillClock()
    poll = Poll(Wakeups(clock), 0.01, longest_s=5)
    for clock.now, pause_s in ((0.05, 0.01), (4, 0.4), (30, 3), (3600, 5)):
        assert round(poll.pause_s(), 9) == pause_s


def test_a_ring_ends_a_wait_in_each_process_of_the_server_and_in_no_other(tmp_path: Path) -> None:
    clock, stop = StillClock(), threading.Event()
    here, there, elsewhere = (Wakeups(clock) for _ in range(3))
    clock.now = 3600
    here.join_folder(tmp_path, "requests")
    there.join_folder(tmp_path, "worker")
    polls = [Poll(each, 0.01, longest_s=PATIENCE_S) for each in (here, there)]
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(poll.wait, stop) for poll in polls]
        here.ring()
        assert [each.result(PATIENCE_S / 2) for each in waiting] == [False, False]
    assert (here.quiet_s(), elsewhere.quiet_s()) == (0, 3600)
    assert there.quiet_s() == 0


def test_a_process_that_is_gone_or_starts_again_is_no_trouble(tmp_path: Path) -> None:
    clock = StillClock()
    here, there, again = (Wakeups(clock) for _ in range(3))
    here.join_folder(tmp_path, "requests")
    there.join_folder(tmp_path, "worker")
    (tmp_path / "gone.bell").touch()
    again.join_folder(tmp_path, "worker")
    heard = again.rings
    here.ring()
    assert again.wait(heard, PATIENCE_S) == heard + 1


def test_rings_that_follow_each_other_closely_go_to_others_once(tmp_path: Path) -> None:
    clock = StillClock()
    here, there = Wakeups(clock), Wakeups(clock)
    here.join_folder(tmp_path, "requests")
    there.join_folder(tmp_path, "worker")
    for _ in range(3):
        here.ring()
    clock.now += 1
    here.ring()
    heard = 0
    while heard < 2:
        heard = there.wait(heard, PATIENCE_S)
    assert (here.rings, heard) == (4, 2)


def test_a_ring_ends_a_wait_in_each_process_at_the_database_also_after_a_lost_connection(
    postgres_server: Server,
) -> None:
    with postgres_server.fresh() as url, closing(Wakeups()) as here, closing(Wakeups()) as there:
        for each in (here, there):
            heard = each.rings
            each.join_database(url)
            assert each.wait(heard, PATIENCE_S) > heard, "it listens"
        assert ring_and_wait(here, there)
        heard_again = [each.rings for each in (here, there)]
        with psycopg.connect(url, autocommit=True) as database:
            database.execute(END_LISTENERS)
        for each, heard in zip((here, there), heard_again, strict=True):
            assert each.wait(heard, PATIENCE_S) > heard, "it listens again"
        assert ring_and_wait(there, here)


def ring_and_wait(here: Wakeups, there: Wakeups) -> bool:
    """Ring in one process, and return whether the other one is woken."""
    heard, here._told_at = there.rings, -inf
    here.ring()
    return there.wait(heard, PATIENCE_S) > heard


def test_a_loop_that_is_to_stop_waits_no_longer() -> None:
    stop, wakeups = threading.Event(), Wakeups()
    poll = Poll(wakeups, PATIENCE_S, longest_s=PATIENCE_S)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(poll.wait, stop)
        stop.set()
        wakeups.wake()
        assert waiting.result(PATIENCE_S / 2)
    assert poll.wait(stop)
