"""All stores of a process share the connections to a PostgreSQL server, and others leave some for moves."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

import psycopg
import pytest
from psycopg_pool import PoolClosed

from domain.store.sql.breaker import Timeouts
from domain.store.sql.postgres_pool import CONNECTIONS, SERVER, CannotConnect, PoolShare
from tests.waiting import wait_until

NO_WAIT_S = 0.01


def share(url: str, most: int = CONNECTIONS) -> PoolShare:
    made = PoolShare(url, Timeouts(), most)
    made.open()
    return made


@pytest.fixture
def moves(fresh_postgres: str) -> Iterator[PoolShare]:
    with closing(share(fresh_postgres)) as opened:
        yield opened


@pytest.fixture
def lists(fresh_postgres: str) -> Iterator[PoolShare]:
    spelt_otherwise = f"{fresh_postgres}&"
    with closing(share(spelt_otherwise, CONNECTIONS - 1)) as opened:
        yield opened


def server_process(pool: PoolShare) -> int:
    with pool.connection() as connection:
        return connection.info.backend_pid


def test_two_uses_of_one_server_share_a_connection(moves: PoolShare, lists: PoolShare) -> None:
    assert {server_process(moves) for _ in range(4)} & {server_process(lists) for _ in range(4)}


def test_slow_reads_of_lists_leave_a_connection_for_a_move(moves: PoolShare, lists: PoolShare) -> None:
    with ExitStack() as reads:
        for _ in range(CONNECTIONS - 1):
            reads.enter_context(lists.connection())
        with pytest.raises(CannotConnect, match=f"all {CONNECTIONS - 1} connections for this use are busy"):
            reads.enter_context(lists.connection(NO_WAIT_S))
        assert not lists.breaker.is_tripped(SERVER), "the server answers"
        with moves.connection() as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    assert server_process(lists)


def test_the_last_use_to_end_closes_the_connections(fresh_postgres: str, postgres_url: str) -> None:
    first, last = share(fresh_postgres), share(fresh_postgres)
    processes = [server_process(first)]
    first.close()
    processes.append(server_process(last))  # the same one, or another of the pool
    last.close()
    for ended in (first, last):
        with pytest.raises(PoolClosed):
            server_process(ended)
    with psycopg.connect(postgres_url, autocommit=True) as other:
        running = "SELECT FROM pg_stat_activity WHERE pid = ANY(%s)"
        wait_until(lambda: not other.execute(running, (processes,)).fetchall())


def test_those_who_close_twice_leave_once(fresh_postgres: str, moves: PoolShare) -> None:
    other = share(fresh_postgres)
    other.close()
    other.close()
    assert server_process(moves)
