"""How many commits a second one PostgreSQL stores, with one shard and with eight.

    python -m bench.storage.shards [--seconds 5] [--writers 8,32] [--shards 1,8] [--disk-ms 2]

Each writer is a process that stores one commit of four events after the other, each of another of its 64 games: what a
server does for a lone move, without the rules. The limit in the same run: as many processes insert the same rows into
the same number of tables without a lock. Followers could miss some of those. --disk-ms makes each flush longer.
"""

import argparse
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from time import monotonic
from uuid import uuid4

import psycopg
from eventsourcing.persistence import StoredEvent

from bench.storage.slow_disk import environment, slow_disk
from domain.store import Games
from domain.store.log import shard_of
from domain.store.shards.opening import shard_settings
from tests import postgres

EVENTS, GAMES, STATE = 4, 64, b"s" * 300
PATIENCE_S = 120
CREATE_LIMIT = """CREATE TABLE limit_{shard} (
    originator_id uuid NOT NULL, originator_version bigint NOT NULL, topic text NOT NULL, state bytea NOT NULL,
    notification_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE, PRIMARY KEY (originator_id, originator_version))"""
INSERT_LIMIT = """INSERT INTO limit_{shard} (originator_id, originator_version, topic, state)
    SELECT * FROM unnest(%b::uuid[], %b::bigint[], %b::text[], %b::bytea[]) RETURNING notification_id"""
Commit = Callable[[list[StoredEvent]], object]
fresh = multiprocessing.get_context("spawn")


@contextmanager
def shards_of(url: str, shards: int) -> Iterator[Commit]:
    """Yield the function that stores a commit in the log."""
    with closing(Games(None, url, settings=shard_settings(shards), migrate=False)) as games:
        yield lambda events: games.log.insert_batches([events])


@contextmanager
def unlocked(url: str, shards: int) -> Iterator[Commit]:
    """Yield the function that inserts the same rows without a lock."""
    with psycopg.connect(url, autocommit=True, prepare_threshold=1) as connection:

        def insert(events: list[StoredEvent]) -> None:
            shard = shard_of(events[0].originator_id, shards)  # type: ignore[arg-type]
            columns = [[getattr(event, name) for event in events] for name in StoredEvent.__dataclass_fields__]
            connection.execute(INSERT_LIMIT.format(shard=shard).encode(), columns, binary=True).fetchall()

        yield insert


def write(locks: bool, url: str, shards: int, seconds: float, start: Barrier, made: "Queue[int]") -> None:
    """Store commits for that long, and tell how many."""
    games, commits = [uuid4() for _ in range(GAMES)], 0
    with (shards_of if locks else unlocked)(url, shards) as commit:
        start.wait(PATIENCE_S)
        until = monotonic() + seconds
        while monotonic() < until:
            game = games[commits % GAMES]
            version = commits // GAMES * EVENTS
            commit([StoredEvent(game, version + 1 + each, "CardPlayed/1", STATE) for each in range(EVENTS)])
            commits += 1
    made.put(commits)


def commits_a_second(server: postgres.Server, shards: int, writers: int, seconds: float, *, locks: bool) -> float:
    """Return the commits a second of that many writers on a new database."""
    with server.fresh() as url:
        Games(Path(), url, settings=shard_settings(shards)).close()
        with psycopg.connect(url) as connection:
            for shard in range(shards):
                connection.execute(CREATE_LIMIT.format(shard=shard).encode())
        start, made = fresh.Barrier(writers), fresh.Queue()
        arguments = (locks, url, shards, seconds, start, made)
        processes = [fresh.Process(target=write, args=arguments) for _ in range(writers)]
        for process in processes:
            process.start()
        total = sum(made.get(timeout=PATIENCE_S) for _ in processes)
        for process in processes:
            process.join()
    return total / seconds


def main() -> None:
    """Measure each number of shards with each number of writers, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--writers", default="8,32")
    parser.add_argument("--shards", default="1,8")
    parser.add_argument("--disk-ms", type=float, default=0)
    asked = parser.parse_args()
    print("| disk | writers | shards | commits/s | without a lock | ratio |\n|---|---:|---:|---:|---:|---:|")
    with ExitStack() as stack:
        stack.enter_context(environment(stack.enter_context(slow_disk(asked.disk_ms))))
        server = stack.enter_context(postgres.server())
        disk = f"+{asked.disk_ms:g} ms" if asked.disk_ms else "as it is"
        for writers in map(int, asked.writers.split(",")):
            for shards in map(int, asked.shards.split(",")):
                ours, limit = (
                    commits_a_second(server, shards, writers, asked.seconds, locks=locks) for locks in (True, False)
                )
                figures = f"{ours:,.0f} | {limit:,.0f} | {ours / limit:.2f}"
                print(f"| {disk} | {writers} | {shards} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
