"""Durable moves a second over HTTP at tables of people, and a raw INSERT behind the same server, by the same client.

    python -m bench.server.http [--seconds 5] [--clients 16,64] [--rate 500] [--stores sqlite,postgresql] [--disk-ms 2]
                         [--streams 200 --lists 20] [--servers trickbook,waitress]

Each client plays at a table of four people of its own, one move after another, on one connection. The peer is asked
by the same client with bodies of the same size, and commits one row of an event's size for each. With --rate, moves
fall due at that rate over all clients, and each is timed from when it fell due. --disk-ms makes each flush of the disk
slower for our server, the peer and PostgreSQL alike. --streams spectators and a reader of lists run beside our server.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

import psycopg

from api.config import Config
from api.config.limits import NO_LIMITS
from api.container import open_services
from bench.server.background import Background, background
from bench.server.load import Driver, Line, Load, play_games, post_rows, prepare
from bench.server.processes import cpu_seconds, memory_mb
from bench.storage.slow_disk import environment, slow_disk
from tests import postgres

PASSWORD = "correct-horse-battery"
WARM_UP_S = 1.0
SETTINGS = {"TRICKBOOK_LIMITS": "off", "TRICKBOOK_SEATING": "at-once", "TRICKBOOK_LOG": "error"}
HEAD = """\
| server | store | clients | load | moves/s | p50 ms | p99 ms | us of server | of database | of client | MB | ratio |
|---|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|"""


@dataclass(frozen=True)
class Case:
    """One row with its peer: where and how to play."""

    server: str
    url: str | None
    database: int | None
    """The process id of PostgreSQL's server."""
    clients: int
    rate: float | None
    seconds: float
    streams: int
    lists: float
    disk_ms: float

    @property
    def words(self) -> list[str]:
        """The first columns of the row."""
        load = "closed" if self.rate is None else f"{self.rate:.0f}/s"
        load += f", {self.streams} streams" if self.streams else ""
        load += f", disk +{self.disk_ms:g} ms" if self.disk_ms else ""
        return ["PostgreSQL" if self.url else "SQLite", str(self.clients), load]


@dataclass(frozen=True)
class Measured:
    """A load, and what the servers used meanwhile: microseconds of processor time for each move, and MB."""

    load: Load
    server_us: float
    database_us: float
    memory_mb: float
    background: Background

    def row(self, name: str, case: Case, ratio: float | None) -> str:
        load = self.load
        cells = [
            name, *case.words, f"{load.rate:,.0f}", f"{load.quantile_ms(0.5):.1f}", f"{load.quantile_ms(0.99):.1f}",
            f"{self.server_us:.0f}", f"{self.database_us:.0f}" if case.url else "", f"{load.client_us:.0f}",
            f"{self.memory_mb:.0f}", "" if ratio is None else f"{ratio:.2f}",
        ]  # fmt: skip
        return f"| {' | '.join(cells)} |"


@contextmanager
def serving(command: Sequence[str], env: dict[str, str]) -> Iterator[tuple[tuple[str, int], int]]:
    """Start a server. Yield its address, from the line with `listening on`, and its process id."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | env) as server:
        try:
            assert server.stdout is not None
            line = next((line for line in server.stdout if "listening on http://" in line), None)
            if line is None:
                sys.exit(f"the server didn't start: {' '.join(command)}")
            Thread(target=server.stdout.read, daemon=True).start()
            host, _, port = line.split("http://")[1].strip().rstrip("/").rpartition(":")
            yield (host, int(port)), server.pid
        finally:
            server.terminate()


def register(data: Path, url: str | None, tables: int) -> list[tuple[list[str], list[str]]]:
    """Register four people for each table, with cheap hashes. Return the names and tokens of each table."""
    data.mkdir(parents=True, exist_ok=True)
    people = list[tuple[list[str], list[str]]]()
    with closing(
        open_services(Config(data=data, database_url=url, limits=NO_LIMITS, seating="at-once", hashing="cheapest"))
    ) as services:
        accounts = services.accounts
        for table in range(tables):
            names = [f"t{table}s{seat}" for seat in range(4)]
            for name in names:
                accounts.users.register(name, PASSWORD)
            people.append((names, [accounts.login(name, PASSWORD) for name in names]))
    return people


def drive(case: Case, server: int, lines: Sequence[Line]) -> tuple[Load, float, float]:
    """Warm up, then measure. Return the load, and the microseconds of the server and the database for each move."""
    driver = Driver(lines, case.rate)
    driver.run(WARM_UP_S)
    roots = [server, *([case.database] if case.database else [])]
    before = [cpu_seconds(root) for root in roots]
    load = driver.run(case.seconds)
    used = [1e6 * (cpu_seconds(root) - then) / len(load.moves) for root, then in zip(roots, before, strict=True)]
    return load, used[0], sum(used[1:])


def measure_ours(case: Case, data: Path, env: dict[str, str]) -> Measured:
    """Measure trickbook on a new store."""
    people, paths = register(data, case.url, case.clients), list[str]()
    with ExitStack() as running:
        address, pid = running.enter_context(serving(command(case, data, running, env), env))
        lines = [
            Line(address, play_games(names, tokens, random.Random(number), paths))
            for number, (names, tokens) in enumerate(people)
        ]
        prepare(lines)
        with background(address, paths[:], people[0][1][0], case.streams, case.lists) as others:
            load, server_us, database_us = drive(case, pid, lines)
            memory = memory_mb(pid)
    return Measured(load, server_us, database_us, memory, others)


def command(case: Case, data: Path, running: ExitStack, env: dict[str, str]) -> list[str]:
    """Return the command of the server. Other servers than our own get a worker beside them."""
    trickbook = [sys.executable, "-m", "api.cli"]
    if case.server == "trickbook":
        return [*trickbook, "serve", "--port", "0", "--data", str(data)]
    work = subprocess.Popen([*trickbook, "work", "--data", str(data)], env=os.environ | env, stdout=subprocess.DEVNULL)
    running.callback(work.wait)
    running.callback(work.terminate)
    return arrangement(case.server, data, case.url)


def arrangement(server: str, data: Path, url: str | None, *more: str) -> list[str]:
    """Return the command of a server of bench.server.arrangements."""
    database = ["--postgres", url] if url else []
    return [sys.executable, "-m", "bench.server.arrangements", server, str(data), *database, *more]


def measure_peer(case: Case, data: Path, env: dict[str, str]) -> Measured:
    """Measure the raw INSERT behind the same server."""
    data.mkdir()
    server = "asgi" if case.server == "trickbook" else case.server
    with serving(arrangement(server, data, case.url, "--peer"), env) as (address, pid):
        lines = [Line(address, post_rows(number)) for number in range(case.clients)]
        load, server_us, database_us = drive(case, pid, lines)
        return Measured(load, server_us, database_us, memory_mb(pid), Background())


def compare(case: Case, env: dict[str, str]) -> None:
    """Print the rows of trickbook and of the peer behind one server, on one store."""
    with tempfile.TemporaryDirectory() as folder:
        on_url = {"TRICKBOOK_DATABASE_URL": case.url} if case.url else {}
        ours = measure_ours(case, Path(folder) / "ours", SETTINGS | env | on_url)
        peer = measure_peer(case, Path(folder) / "peer", env)
    print(ours.row(case.server, case, None if case.rate else ours.load.rate / peer.load.rate))
    print(peer.row("raw INSERT", replace(case, streams=0), None), flush=True)
    if case.streams:
        print(f"beside {case.server}: {ours.background}", file=sys.stderr)


@contextmanager
def store(name: str, slow: dict[str, str]) -> Iterator[tuple[str | None, int | None]]:
    """Yield the URL and the process id of a new PostgreSQL with the disk of `slow`, or None twice for SQLite."""
    if name == "sqlite":
        yield None, None
        return
    with environment(slow), postgres.cluster() as cluster:
        pid = int((cluster.data / "postmaster.pid").read_text().split()[0])
        with cluster.server.fresh() as url:
            with psycopg.connect(url) as connection:
                (method,) = connection.execute("SHOW wal_sync_method").fetchone() or ("",)
            if slow and method not in {"fdatasync", "fsync"}:
                sys.exit(f"wal_sync_method is {method}; --disk-ms delays only fdatasync and fsync.")
            yield url, pid


def numbers(text: str) -> list[int]:
    """Read whole numbers with commas."""
    return [int(part) for part in text.split(",")]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--clients", type=numbers, default=[16], metavar="N,N")
    parser.add_argument("--rate", type=float, help="moves a second over all clients; by default as fast as answered")
    parser.add_argument("--stores", default="sqlite,postgresql")
    parser.add_argument("--servers", default="trickbook", help="trickbook, or names of arrangements, with commas")
    parser.add_argument("--streams", type=int, default=0)
    parser.add_argument("--lists", type=float, default=20, help="lists read a second beside --streams")
    parser.add_argument("--disk-ms", type=float, default=0)
    asked = parser.parse_args()
    print(HEAD, flush=True)
    with slow_disk(asked.disk_ms) as slow:
        for name in asked.stores.split(","):
            for server in asked.servers.split(","):
                for clients in asked.clients:
                    with store(name, slow) as (url, database):
                        compare(
                            Case(
                                server, url, database, clients, asked.rate, asked.seconds, asked.streams, asked.lists,
                                asked.disk_ms,
                            ),
                            slow,
                        )  # fmt: skip


if __name__ == "__main__":
    main()
