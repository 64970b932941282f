"""A URL with several hosts, of which one hangs: it accepts connections, and never answers."""

import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from domain.store.sql.breaker import Timeouts
from domain.store.sql.postgres_pool import CannotConnect, HostOrder, TimedPool, connect
from tests.api.server_process import limits_file, run_program

LIMITS = Timeouts(connect_s=5, lock_s=60, statement_s=60)


@dataclass
class HungHost:
    """A URL whose first host hangs, and its socket."""

    url: str
    socket: socket.socket

    def attempts(self) -> int:
        """Return how many connections were tried since the last call."""
        found = 0
        with suppress(BlockingIOError):
            while True:
                self.socket.accept()[0].close()
                found += 1
        return found


@pytest.fixture
def hung(fresh_postgres: str) -> Iterator[HungHost]:
    parts = conninfo_to_dict(fresh_postgres)
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:
        listening.setblocking(False)
        hosts, ports = f"127.0.0.1,{parts['host']}", f"{listening.getsockname()[1]},{parts.get('port', 5432)}"
        query = f"user={parts['user']}&host={hosts}&port={ports}&target_session_attrs=read-write"
        yield HungHost(f"postgresql:///{parts['dbname']}?{query}", listening)


def test_only_the_first_connection_waits_for_a_host_that_hangs(hung: HungHost) -> None:
    with closing(TimedPool(hung.url, LIMITS, max_size=1)) as pool:
        pool.open()
        with pool.connection() as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    assert hung.attempts() == 1
    connect(hung.url, LIMITS).close()
    with closing(TimedPool(hung.url, LIMITS, max_size=1)) as pool:
        pool.open()
        with pool.connection():
            assert hung.attempts() == 0


def test_a_host_without_an_answer_comes_last() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ports = f"{listening.getsockname()[1]},1"
    url = f"postgresql://ann@127.0.0.1,127.0.0.1/cards?port={ports}"
    with pytest.raises(CannotConnect):
        connect(url, LIMITS)
    order = HostOrder(url)
    order.failed()
    assert order.arrange({"port": "", "dbname": "cards"}) == {
        "host": "127.0.0.1,127.0.0.1", "port": ",".join(reversed(ports.split(","))), "dbname": "cards"
    }  # fmt: skip


def test_the_parameters_of_a_url_with_one_host_stay() -> None:
    for rest in ("ann@one:5/cards", "/cards?host=/run/one", "ann@/cards"):
        order = HostOrder(f"postgresql://{rest}")
        order.failed()
        parameters = conninfo_to_dict(f"postgresql://{rest}")
        assert (order.count, order.arrange(parameters)) == (1, parameters)


def test_one_port_for_all_hosts_stays() -> None:
    order = HostOrder("postgresql://ann@one,two,three/cards?port=5433")
    order.failed()
    assert order.arrange({"port": "5433"}) == {"host": "two,three,one", "port": "5433"}


@pytest.mark.slow
def test_a_command_runs_although_the_first_host_hangs(hung: HungHost, tmp_path: Path) -> None:
    limits = limits_file(tmp_path / "limits.toml", lock_timeout_s=60)
    done = run_program("store", "init", "--data", str(tmp_path / "data"), url=hung.url, LIMITS=limits)
    assert done.returncode == 0, done.stderr
