"""How long after its commit an event is in the lists, and at a live subscription, at a steady rate of commits.

    python -m bench.storage.freshness [--rates 200,500,1000] [--seconds 20] [--tables 200]

One process commits moves of random games, those that are due at the same time in one transaction as the server's group
commit does. Another process follows the log, as `trickbook work` does. A third one reads every 2 ms up to which
positions each list is readable. An event is late by the time from the return of its commit until all lists have it.
Then, in place of these two, one process reads a subscription to all shards, and an event is late until it arrives.
Processor time is that of the follower, or of the subscriber, for each event.
"""

import argparse
import os
import signal
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from operator import lt
from pathlib import Path
from threading import Event, Thread

import psycopg
from eventsourcing.persistence import StoredEvent

from bench.storage.random_log import random_commits, store_at_once
from domain.store import Games
from domain.store.log import Numbers
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
        began = time.process_time()
        signal.signal(signal.SIGTERM, lambda *_: stop.set())
        pipe.send("ready")
        follower.run(stop)
        pipe.send(time.process_time() - began)


def subscribe(data: Path, url: str | None, pipe: Connection) -> None:
    """Note every event of a subscription, up to the positions that arrive through the pipe, and the processor time."""
    with Games(data, url, migrate=False) as games:
        names, numbers = [each.name for each in games.log.applications], [*games.log.last_numbers()]
        seen, begun = [(time.monotonic(), (*numbers,))], time.process_time()
        with games.log.subscribe(dict(zip(names, numbers, strict=True)).get) as live:

            def stop_after_last() -> None:
                last = pipe.recv()
                while any(map(lt, seen[-1][1], last)):
                    time.sleep(LOOK_S)
                live.stop()

            Thread(target=stop_after_last).start()
            pipe.send("ready")
            for _, tracking in live:
                numbers[names.index(tracking.application_name)] = tracking.notification_id
                seen.append((time.monotonic(), (*numbers,)))
        pipe.send((seen, time.process_time() - begun))


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


@contextmanager
def child(
    job: Callable[[Path, str | None, Connection], None], data: Path, url: str | None
) -> Iterator[tuple[BaseProcess, Connection]]:
    """Run a job in a process, which is ready, and yield our end of its pipe."""
    context = get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=job, args=(data, url, theirs))
    process.start()
    ours.recv()
    yield process, ours
    process.join()


End = Callable[[Numbers], tuple[list[Seen], float]]
"""Waits for the last event, and returns what was readable when, and the processor time."""


@contextmanager
def lists(data: Path, url: str | None) -> Iterator[End]:
    """Follow the log into the lists, and watch them."""
    with child(follow, data, url) as (follower, from_follower), child(watch, data, url) as (_, from_watcher):

        def end(last: Numbers) -> tuple[list[Seen], float]:
            from_watcher.send(last)
            seen = from_watcher.recv()
            os.kill(follower.pid or 0, signal.SIGTERM)
            return seen, from_follower.recv()

        yield end


@contextmanager
def subscription(data: Path, url: str | None) -> Iterator[End]:
    """Follow the log by a subscription."""
    with child(subscribe, data, url) as (_, pipe):

        def end(last: Numbers) -> tuple[list[Seen], float]:
            pipe.send(last)
            seen, used = pipe.recv()
            return seen, used

        yield end


def measure(
    data: Path,
    url: str | None,
    rates: list[float],
    seconds: float,
    tables: int,
    reader: Callable[[Path, str | None], AbstractContextManager[End]],
) -> None:
    """Print a row for each rate."""
    commits = random_commits(tables)
    for rate in rates:
        ahead = list(islice(commits, int(rate * seconds) + tables))
        with Games(data, url) as games:
            store_at_once(games, ahead[:tables])
        with reader(data, url) as end, Games(data, url) as games:
            committed, events = write(games, iter(ahead[tables:]), rate, seconds)
            seen, used = end(committed[-1][1])
        delays = sorted(delays_ms(committed, seen))
        p99, made = delays[int(len(delays) * 0.99)], events / (committed[-1][0] - committed[0][0])
        store, p50 = "PostgreSQL" if url else "SQLite", statistics.median(delays)
        print(
            f"| {reader.__name__} | {store} | {rate:,.0f} | {made:,.0f} | {p50:.0f} | {p99:.0f} | {delays[-1]:.0f}"
            f" | {1e6 * used / events:.0f} | {100 * used / seconds:.0f} % |",
            flush=True,
        )


def main() -> None:
    """Print a row for each reader, store and rate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rates", default="200,500,1000")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--tables", type=int, default=200)
    asked = parser.parse_args()
    rates = [float(each) for each in asked.rates.split(",")]
    print("| reader | store | commits/s | events/s | ms, p50 | p99 | longest | us of CPU an event | of a core |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for reader in (lists, subscription):
        with tempfile.TemporaryDirectory() as folder, postgres.server() as server, server.fresh() as url:
            for name, database in (("sqlite", None), ("postgresql", url)):
                (Path(folder) / name).mkdir()
                measure(Path(folder) / name, database, rates, asked.seconds, asked.tables, reader)


if __name__ == "__main__":
    main()
