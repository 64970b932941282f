"""Event streams held by one server while games are played: memory for each, and how soon every reader has a move.

    python -m bench.server.streams [--streams 1000] [--tables 1] [--seconds 20] [--postgres URL]

The streams are spectators', spread over the tables. One process plays, a move at each table every 50 ms; another one
reads all streams, and fails if a version is missing, doubled or out of order, if two readers get different bytes, or if
the chain of hashes is broken.
"""

import argparse
import json
import os
import re
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bench.server.tables import Table
from domain.protocols.merkle_log import EMPTY, Frontier

PAUSE_S = 0.05
SETTLE_S = 2.0
FRAME = re.compile(rb"id: (\d+)\ndata: (\{.*\})\n\n")


@contextmanager
def running(data: str, url: str | None) -> Iterator[tuple[str, int]]:
    """Start the server as `make run` and compose start it, and yield its address and process id."""
    env = {"TRICKBOOK_LIMITS": "off", "TRICKBOOK_SEATING": "at-once", "TRICKBOOK_LOG": "error"} | (
        {"TRICKBOOK_DATABASE_URL": url} if url else {}
    )
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0", "--data", data]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | env) as server:
        try:
            assert server.stdout is not None
            line = next(line for line in server.stdout if line.startswith("listening on http://"))
            yield line.split("http://")[1].strip(), server.pid
        finally:
            server.terminate()


def private_bytes(parent: int) -> int:
    """Return the memory that the server's processes share with nobody."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a process that has ended meanwhile
            if f"PPid:\t{parent}\n" in (folder / "status").read_text():
                rollup = (folder / "smaps_rollup").read_text()
                private = re.findall(r"^Private_\w+:\s+(\d+) kB", rollup, re.MULTILINE)
                total += sum(int(size) for size in private) * 1024
    return total


@dataclass
class Move:
    """A move: when it was sent and answered, and the version after it."""

    table: int
    sent: float
    answered: float
    version: int


def play(address: str, tables: int, pipe: Connection) -> None:
    """Open the tables, report their addresses, and play until told to stop; report every move."""
    playing = [Table(address, number) for number in range(tables)]
    pipe.send([table.path for table in playing])
    seconds = pipe.recv()
    for table in playing:
        table.client.connection.close()  # the server may have, and the next request opens it again
    moves, until = list[Move](), time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        for number, table in enumerate(playing):
            if table.view["status"] == "active":
                table.prepare()
                sent = time.monotonic()
                table.move()
                moves.append(Move(number, sent, time.monotonic(), table.view["version"]))
        time.sleep(max(0.0, PAUSE_S - (time.monotonic() - began)))
    pipe.send(moves)


@dataclass
class Reader:
    """One stream: its version, and the bytes of an incomplete frame."""

    table: int
    connection: socket.socket
    version: int = 0
    rest: bytes = b""


@dataclass
class Readings:
    """The lines that all readers got: the line of each event, how often, and when the last reader had it."""

    lines: dict[tuple[int, int], bytes] = field(default_factory=dict)
    counts: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    last: dict[tuple[int, int], float] = field(default_factory=dict)

    def add(self, reader: Reader, data: bytes, now: float) -> None:
        """Read the frames in `data`."""
        text = re.sub(rb"\r\n[0-9A-F]+\r\n", b"", reader.rest + data)  # the chunks of HTTP
        end = 0
        for frame in FRAME.finditer(text):
            end = frame.end()
            version = int(frame[1])
            assert version == reader.version + 1, "an event is missing, doubled or out of order"
            reader.version, key = version, (reader.table, version)
            assert self.lines.setdefault(key, frame[2]) == frame[2], "two readers got different bytes"
            self.counts[key] += 1
            self.last[key] = now
        reader.rest = text[end:]


def connect(address: str, path: str, table: int) -> Reader:
    """Open one stream."""
    host, port = address.split(":")
    connection = socket.create_connection((host, int(port)))
    connection.sendall(f"GET {path}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode())
    begun = connection.recv(65536)
    assert begun.startswith(b"HTTP/1.1 200 "), begun
    connection.setblocking(False)
    return Reader(table, connection, rest=begun)


def read_until(readers: selectors.BaseSelector, readings: Readings, done: Any) -> None:
    """Read all streams until `done()`."""
    while not done():
        for ready, _ in readers.select(0.1):
            data = ready.fileobj.recv(65536)  # type: ignore[union-attr]
            assert data, "the server closed a stream"
            readings.add(ready.data, data, time.monotonic())


def check_chains(readings: Readings) -> None:
    """Check that the `prev` of each event is the root over the leaves of all events before it."""
    frontiers: dict[int, Frontier] = {}
    for (table, _), line in sorted(readings.lines.items()):
        item, frontier = json.loads(line), frontiers.get(table, EMPTY)
        assert item["prev"] == frontier.root().hex(), "an event isn't linked to those before it"
        frontiers[table] = frontier.append(bytes.fromhex(item["leaf"]))


def measure(streams: int, tables: int, seconds: float, url: str | None) -> None:
    """Print one row."""
    context = get_context("fork")
    ours, theirs = context.Pipe()
    with tempfile.TemporaryDirectory() as data, running(data, url) as (address, server):
        player = context.Process(target=play, args=(address, tables, theirs))
        player.start()
        paths = ours.recv()
        before, readings, readers = private_bytes(server), Readings(), selectors.DefaultSelector()
        for number in range(streams):
            reader = connect(address, paths[number % tables], number % tables)
            readers.register(reader.connection, selectors.EVENT_READ, reader)
        settled = time.monotonic() + SETTLE_S
        read_until(readers, readings, lambda: time.monotonic() > settled)
        each = (private_bytes(server) - before) / streams
        ours.send(seconds)
        read_until(readers, readings, ours.poll)
        moves: list[Move] = ours.recv()
        settled = time.monotonic() + SETTLE_S
        read_until(readers, readings, lambda: time.monotonic() > settled)
        player.join()
        expected = [len(range(table, streams, tables)) for table in range(tables)]
        check_chains(readings)
        for move in moves:
            assert readings.counts[move.table, move.version] == expected[move.table], "a reader misses an event"
        for key in readers.get_map().values():
            key.fileobj.close()  # type: ignore[union-attr]
    answers = statistics.quantiles([1000 * (move.answered - move.sent) for move in moves], n=100)
    everybody = [1000 * (readings.last[move.table, move.version] - move.sent) for move in moves]
    times = statistics.quantiles(everybody, n=100)
    cells = (
        "PostgreSQL" if url else "SQLite",
        f"{streams:,}",
        tables,
        f"{len(moves) / seconds:,.0f}",
        f"{each / 1024:.0f} kB",
        f"{answers[49]:.0f} / {answers[98]:.0f}",
        f"{times[49]:.0f} / {times[98]:.0f}",
        f"{sum(readings.counts.values()):,}",
    )
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def main() -> None:
    """Measure SQLite, or PostgreSQL if a URL is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, nargs="+", default=[200, 1000])
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 20])
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--postgres", default=None, metavar="URL")
    asked = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print("| store | streams | tables | moves/s | memory of a stream | ms of a move, p50 / p99 |", end="")
    print(" ms until the last reader has it, p50 / p99 | frames |\n|---|---:|---:|---:|---:|---:|---:|---:|")
    for streams in asked.streams:
        for tables in asked.tables:
            measure(streams, tables, asked.seconds, asked.postgres)


if __name__ == "__main__":
    main()
