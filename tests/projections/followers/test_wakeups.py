"""Loops look at the store at once after a ring, and rarely while nobody rings."""

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from math import inf
from pathlib import Path

import psycopg
import pytest

from domain.store.wakeups import Poll, Wakeups
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


Join = Callable[[str], Wakeups]


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def join(tmp_path: Path, clock: StillClock) -> Iterator[Join]:
    """Return what starts a process of a server, by its name."""
    with ExitStack() as stack:

        def start(name: str) -> Wakeups:
            started = stack.enter_context(closing(Wakeups(clock)))
            started.join_folder(tmp_path, name)
            return started

        yield start


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


def test_a_ring_ends_a_wait_in_each_process_of_the_server_and_in_no_other(join: Join, clock: StillClock) -> None:
    stop, elsewhere = threading.Event(), Wakeups(clock)
    clock.now = 3600
    here, there = join("requests"), join("worker")
    polls = [Poll(each, 0.01, longest_s=PATIENCE_S) for each in (here, there)]
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(poll.wait, stop) for poll in polls]
        here.ring()
        assert [each.result(PATIENCE_S / 2) for each in waiting] == [False, False]
    assert (here.quiet_s(), there.quiet_s(), elsewhere.quiet_s()) == (0, 0, 3600)


def test_there_is_a_pause_between_two_looks_however_often_it_rings() -> None:
    clock, stop = StillClock(), threading.Event()
    wakeups = Wakeups(clock)
    poll = Poll(wakeups, PATIENCE_S, longest_s=PATIENCE_S)
    wakeups.ring()
    assert not poll.wait(stop)
    with ThreadPoolExecutor(1) as pool:
        wakeups.ring()
        waiting = pool.submit(poll.wait, stop)
        wakeups.ring()
        assert not waiting.done()
        stop.set()
        assert waiting.result(PATIENCE_S / 2)


def test_a_process_that_is_gone_or_starts_again_is_no_trouble(join: Join, tmp_path: Path) -> None:
    here, _ = join("requests"), join("worker")
    (tmp_path / "gone.bell").touch()
    again = join("worker")
    heard = again.rings
    here.ring()
    assert again.wait(heard, PATIENCE_S) == heard + 1


def test_an_empty_datagram_deafens_nobody(join: Join, tmp_path: Path) -> None:
    here, there = join("requests"), join("worker")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stranger:
        stranger.sendto(b"", str(tmp_path / "worker.bell"))
    assert there.wait(0, PATIENCE_S) == 1
    here.ring()
    assert there.wait(1, PATIENCE_S) == 2


def test_rings_that_follow_each_other_closely_go_to_others_once(join: Join, clock: StillClock) -> None:
    here, there, heard = join("requests"), join("worker"), 0
    for _ in range(3):
        here.ring()
    clock.now += 1
    here.ring()
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
