"""How long after its commit an event is in the lists, at a steady rate of commits.

    python -m bench.storage.freshness [--rates 200,500,1000] [--seconds 20] [--tables 200]

One process commits moves of random games, those that are due at the same time in one transaction as the server's group
commit does. Another process follows the log, as `trickbook work` does. A third one reads every 2 ms up to which
positions each list is readable. An event is late by the time from the return of its commit until all lists have it.
Processor time is that of the follower for each event.
"""

import argparse
import os
import resource
import signal
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from operator import lt
from pathlib import Path
from threading import Event

import psycopg
from eventsourcing.persistence import StoredEvent

from bench.storage.random_log import random_commits, store_at_once
from domain.store import Games
from domain.store.positions import Numbers
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore
from tests import postgres

LOOK_S = 0.002
SELECT = "SELECT positions FROM followers WHERE state = 'live'"
Seen = tuple[float, Numbers]
"""A moment, and the number of the last event in each shard that was committed or readable then."""


def follow(data: Path, url: str | None, pipe: Connection) -> None:
    """Follow the log until told to stop; send the processor time taken."""
    with Games(data, url) as games, closing(RowStore(data, url, PROJECTIONS)) as rows:
        stop, follower = Event(), LogFollower(games, rows)
        follower.catch_up()
        began = resource.getrusage(resource.RUSAGE_SELF)
        signal.signal(signal.SIGTERM, lambda *_: stop.set())
        pipe.send("ready")
        follower.run(stop)
        ended = resource.getrusage(resource.RUSAGE_SELF)
        pipe.send(ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime)


@contextmanager
def reader(data: Path, url: str | None) -> Iterator[Callable[[], list[tuple[str]]]]:
    """Yield a function that returns the positions of each list."""
    if url is None:
        with closing(sqlite3.connect(data / "views.db", isolation_level=None)) as file:
            yield lambda: file.execute(SELECT).fetchall()
    else:
        with psycopg.connect(url, autocommit=True, options="-c search_path=views") as database:
            yield lambda: database.execute(SELECT).fetchall()


def watch(data: Path, url: str | None, pipe: Connection) -> None:
    """Note every change of the positions that all lists have reached, up to those that arrive through the pipe."""
    seen, last = list[Seen](), None
    with reader(data, url) as positions:
        pipe.send("ready")
        while last is None or not seen or any(map(lt, seen[-1][1], last)):
            if pipe.poll(LOOK_S):
                last = pipe.recv()
            reached = [[int(each.partition(":")[0]) for each in text.split()] for (text,) in positions()]
            if all(reached):
                numbers = tuple(map(min, zip(*reached, strict=True)))
                if not seen or seen[-1][1] != numbers:
                    seen.append((time.monotonic(), numbers))
    pipe.send(seen)


def write(games: Games, commits: Iterator[list[StoredEvent]], rate: float, seconds: float) -> tuple[list[Seen], int]:
    """Commit at a steady rate. Return what was committed when, and the number of events."""
    committed, done, events, began = list[Seen](), 0, 0, time.monotonic()
    while (now := time.monotonic()) < began + seconds:
        due = list(islice(commits, int((now - began) * rate) - done))
        if due:
            store_at_once(games, due)
            at = time.monotonic()
            committed.append((at, games.log.last_numbers()))
            done += len(due)
            events += sum(map(len, due))
        time.sleep(0.001)
    return committed, events


def delays_ms(committed: list[Seen], seen: list[Seen]) -> list[float]:
    """Return for each transaction how long it took until all lists had it."""
    delays, at = list[float](), 0
    for moment, numbers in committed:
        while any(reached < number for reached, number in zip(seen[at][1], numbers, strict=True)):
            at += 1
        delays.append(max(0.0, 1e3 * (seen[at][0] - moment)))
    return delays


def measure(data: Path, url: str | None, rates: list[float], seconds: float, tables: int) -> None:
    """Print a row for each rate."""
    context, commits = get_context("fork"), random_commits(tables)
    for rate in rates:
        ahead = list(islice(commits, int(rate * seconds) + tables))
        with Games(data, url) as games:
            store_at_once(games, ahead[:tables])
        running = []
        for job in (follow, watch):
            ours, theirs = context.Pipe()
            process = context.Process(target=job, args=(data, url, theirs))
            process.start()
            ours.recv()
            running.append((process, ours))
        with Games(data, url) as games:
            committed, events = write(games, iter(ahead[tables:]), rate, seconds)
        (follower, from_follower), (watcher, from_watcher) = running
        from_watcher.send(committed[-1][1])
        seen = from_watcher.recv()
        os.kill(follower.pid or 0, signal.SIGTERM)
        used = from_follower.recv()
        for process in (follower, watcher):
            process.join()
        delays = sorted(delays_ms(committed, seen))
        p99, made = delays[int(len(delays) * 0.99)], events / (committed[-1][0] - committed[0][0])
        store, p50 = "PostgreSQL" if url else "SQLite", statistics.median(delays)
        print(
            f"| {store} | {rate:,.0f} | {made:,.0f} | {p50:.0f} | {p99:.0f} | {delays[-1]:.0f}"
            f" | {1e6 * used / events:.0f} | {100 * used / seconds:.0f} % |",
            flush=True,
        )


def main() -> None:
    """Print a row for each store and rate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rates", default="200,500,1000")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--tables", type=int, default=200)
    asked = parser.parse_args()
    rates = [float(each) for each in asked.rates.split(",")]
    print("| store | commits/s | events/s | ms, p50 | p99 | longest | us of processor time an event | of a core |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("sqlite", "postgresql"):
            (Path(folder) / name).mkdir()
        measure(Path(folder) / "sqlite", None, rates, asked.seconds, asked.tables)
        with postgres.server() as server, server.fresh() as url:
            measure(Path(folder) / "postgresql", url, rates, asked.seconds, asked.tables)


if __name__ == "__main__":
    main()
