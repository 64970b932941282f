"""How many commits a second three PostgreSQL servers store beside one.

    python -m bench.storage.servers [--layouts 8x1,8x3,24x1,24x3] [--writers 8,32] [--disk-ms 2] [--rounds 3]
                                    [--events 4] [--pgbench]

A layout is a number of shards and of servers. The shards are moved to the servers in turn, by the map of
TRICKBOOK_SERVERS. Each writer is a process that stores one commit of --events events after the other, each of another
of its 64 games, as in bench.storage.shards; one of each game before the time begins. Servers on machines of their own
don't share a disk, so the data is in memory, and each flush takes --disk-ms. They do share the processor, with the
writers too. With --pgbench, clients of PostgreSQL's own load generator are the writers: each calls the same function,
and needs a small part of the time that a process of Python needs. The layouts alternate for --rounds rounds; the table
has the median of each, and its ratio to that of the first layout.
"""

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from statistics import median
from time import monotonic
from uuid import uuid4

from eventsourcing.persistence import StoredEvent

from bench.storage.append_script import run_clients
from bench.storage.shards import EVENTS, GAMES, PATIENCE_S, STATE, fresh
from bench.storage.slow_disk import environment, slow_disk
from domain.store import Games
from domain.store.shards.opening import open_move, server_settings, shard_settings
from domain.store.shards.servers import HOME
from domain.store.sql.breaker import Timeouts
from tests import postgres

LONG = Timeouts(statement_s=600)


def settings_of(urls: dict[str, str], shards: int) -> dict[str, str]:
    """Return the settings of a log on these servers."""
    return shard_settings(shards) | server_settings((name, url) for name, url in urls.items() if name != HOME)


def spread(urls: dict[str, str], shards: int) -> None:
    """Create a log at home, and move each shard to its server."""
    Games(Path(), urls[HOME], settings=settings_of(urls, shards)).close()
    names = [*urls]
    for shard in range(shards):
        target = names[shard % len(names)]
        if target != HOME:
            open_move(urls, LONG, shard, shards).run(target, lambda _: None, lambda _: None, lambda _: None)


def write(urls: dict[str, str], shards: int, seconds: float, events: int, start: Barrier, made: "Queue[int]") -> None:
    """Store commits of that many events for that long, and tell how many."""
    games = [uuid4() for _ in range(GAMES)]
    with closing(Games(None, urls[HOME], settings=settings_of(urls, shards), migrate=False)) as log:

        def commit(number: int) -> None:
            game, version = games[number % GAMES], number // GAMES * events
            batch = [StoredEvent(game, version + 1 + each, "CardPlayed/1", STATE) for each in range(events)]
            if log.log.insert_batches([batch]) == [None]:
                raise AssertionError("a commit was refused that follows the last one")

        for number in range(GAMES):  # connections are made, and PostgreSQL plans each statement
            commit(number)
        number = GAMES
        start.wait(PATIENCE_S)
        until = monotonic() + seconds
        while monotonic() < until:
            commit(number)
            number += 1
    made.put(number - GAMES)


@contextmanager
def new_log(servers: list[postgres.Server], shards: int) -> Iterator[dict[str, str]]:
    """Create a log in new databases, and yield the URL of each of them by the name of its server."""
    with ExitStack() as stack:
        names = [HOME, *(f"server{number}" for number in range(2, len(servers) + 1))]
        urls = {name: stack.enter_context(server.fresh()) for name, server in zip(names, servers, strict=True)}
        spread(urls, shards)
        yield urls


def commits_a_second(clusters: list[postgres.Cluster], shards: int, writers: int, seconds: float, events: int) -> float:
    """Return the commits a second of that many writers on new databases of these servers."""
    with new_log([cluster.server for cluster in clusters], shards) as urls:
        start, made = fresh.Barrier(writers), fresh.Queue()
        processes = [
            fresh.Process(target=write, args=(urls, shards, seconds, events, start, made)) for _ in range(writers)
        ]
        for process in processes:
            process.start()
        total = sum(made.get(timeout=PATIENCE_S) for _ in processes)
        for process in processes:
            process.join()
    return float(total / seconds)


def commits_of_clients(
    clusters: list[postgres.Cluster], shards: int, writers: int, seconds: float, events: int
) -> float:
    """Return the same for clients of pgbench, as many for each shard: the number of writers is rounded to that."""
    with new_log([cluster.server for cluster in clusters], shards) as urls:
        servers = [*urls.values()]
        places = [(shard, servers[shard % len(servers)]) for shard in range(shards)]
        clients = max(1, round(writers / shards))
        return run_clients(clusters[0].bindir / "pgbench", places, clients, int(seconds), events)


def main() -> None:
    """Measure each layout with each number of writers, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--writers", default="8,32")
    parser.add_argument("--layouts", default="8x1,8x3,24x1,24x3")
    parser.add_argument("--disk-ms", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--pgbench", action="store_true")
    asked = parser.parse_args()
    measure = commits_of_clients if asked.pgbench else commits_a_second
    layouts = [tuple(map(int, text.split("x"))) for text in asked.layouts.split(",")]
    print("| flush | writers | shards | servers | commits/s | of all rounds | ratio |")
    print("|---|---:|---:|---:|---:|---|---:|")
    with ExitStack() as stack:
        stack.enter_context(environment(stack.enter_context(slow_disk(asked.disk_ms))))
        most = max(count for _, count in layouts)
        clusters = [stack.enter_context(postgres.cluster(postgres.memory_folder())) for _ in range(most)]
        for writers in map(int, asked.writers.split(",")):
            rounds: dict[tuple[int, ...], list[float]] = {layout: [] for layout in layouts}
            for _ in range(asked.rounds):
                for shards, count in layouts:
                    rounds[shards, count].append(
                        measure(clusters[:count], shards, writers, asked.seconds, asked.events)
                    )
            first = median(rounds[layouts[0]])
            for (shards, count), figures in rounds.items():
                every = ", ".join(f"{each:,.0f}" for each in sorted(figures))
                cells = f"{median(figures):,.0f} | {every} | {median(figures) / first:.2f}"
                print(f"| {asked.disk_ms:g} ms | {writers} | {shards} | {count} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
