"""How long the games of a shard pause while it moves to another PostgreSQL server, under load.

    python -m bench.storage.shard_move [--rows 20000,200000] [--writers 4]

Each writer is a thread that stores one commit of four events after the other in the shard that moves, and repeats what
is refused. The pause is from the fence to the switch of the map. Both servers are on this machine.
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event
from time import monotonic
from uuid import UUID, uuid4

from eventsourcing.persistence import PersistenceError, StoredEvent

from domain.store import Games
from domain.store.log import shard_of
from domain.store.shards.opening import open_move, server_settings, shard_settings
from domain.store.sql.breaker import Timeouts
from tests import postgres

EVENTS, STATE, SHARDS, SHARD, BATCH = 4, b"s" * 300, 8, 3, 1000
LONG = Timeouts(statement_s=600)


def game_of_shard() -> UUID:
    """Return the id of a new game in the shard that moves."""
    return next(game for game in iter(uuid4, None) if shard_of(game, SHARDS) == SHARD)


def events_of(game: UUID, after: int, count: int) -> list[StoredEvent]:
    """Return the next events of a game."""
    return [StoredEvent(game, after + 1 + each, "CardPlayed/1", STATE) for each in range(count)]


def write(games: Games, stop: Event) -> tuple[int, float]:
    """Store commits until `stop`; return their number, and the longest time between two of them, in seconds."""
    game, commits, longest, last = game_of_shard(), 0, 0.0, monotonic()
    while not stop.is_set():
        try:
            stored = games.log.insert_batches([events_of(game, commits * EVENTS, EVENTS)])
        except PersistenceError:
            continue
        if stored == [None]:
            raise AssertionError("a commit was refused that follows the last one")
        commits, longest, last = commits + 1, max(longest, monotonic() - last), monotonic()
    return commits, longest


def measure(servers: tuple[postgres.Server, postgres.Server], rows: int, writers: int) -> Iterator[str]:
    """Move a shard with that many rows under load, and yield the cells of a row of the table."""
    with ExitStack() as stack:
        home, east = (stack.enter_context(server.fresh()) for server in servers)
        settings = shard_settings(SHARDS) | server_settings([("east", east)])
        games = stack.enter_context(closing(Games(Path(), home, settings=settings)))
        for _ in range(rows // BATCH):
            games.log.insert_batches([events_of(game_of_shard(), 0, BATCH)])
        pool, stop = stack.enter_context(ThreadPoolExecutor(writers)), Event()
        calls = [pool.submit(write, games, stop) for _ in range(writers)]
        steps, began = dict[str, float](), monotonic()
        mover = open_move({"home": home, "east": east}, LONG, SHARD, SHARDS)
        try:
            moved = mover.run("east", lambda _: None, lambda _: None, lambda step: steps.update({step: monotonic()}))
        finally:
            took = monotonic() - began
            stop.set()
        results = [call.result() for call in calls]
        commits = sum(commits for commits, _ in results)
        total = rows + commits * EVENTS
        if games.log.last_version(game_of_shard()) is not None or moved.events > total:
            raise AssertionError("the shard holds what nobody wrote")
        yield from (f"{rows:,}", str(writers), f"{took:.1f}", f"{commits / took:,.0f}")
        yield from (f"{steps['done'] - steps['fence']:.2f}", f"{max(longest for _, longest in results):.2f}")


def main() -> None:
    """Move a shard of each size, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="20000,200000")
    parser.add_argument("--writers", type=int, default=4)
    asked = parser.parse_args()
    print("| rows before | writers | move took, s | commits/s meanwhile | pause, s | longest wait of a writer, s |")
    print("|---:|---:|---:|---:|---:|---:|")
    with postgres.cluster() as home, postgres.cluster() as east:
        for rows in map(int, asked.rows.split(",")):
            print(f"| {' | '.join(measure((home.server, east.server), rows, asked.writers))} |", flush=True)


if __name__ == "__main__":
    main()
