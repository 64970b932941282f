"""How fast the lists catch up with a log on each database, and what a view costs.

    python -m bench.storage.projections [--events 60000] [--tables 200]

Every list folds the log of random games. Two limits in the same run: the rows of the log are read and decoded, and no
list folds them, in large pages and in those of a quiet log; and the rows that the lists wrote are written again with
executemany, a transaction for each table of a page, to the same tables with the same indexes. Processor time is that of
this process; PostgreSQL's comes on top.
"""

import argparse
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import perf_counter, process_time
from typing import Any
from unittest.mock import patch

import psycopg

from bench.storage.random_log import fill
from domain.store import Games
from domain.store.log import Positions, read_log_row
from domain.store.sql.transactions import ColumnType, upsert_statement
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.page_rows import PageRows
from projections.storage.rows import RowStore
from projections.storage.tables import table_names
from projections.views.seat import ViewFold, view_at, view_json
from tests import postgres
from tests.projections.playing_stored import Play

PAGE, FEW = 4000, 40
Upsert = tuple[str, Mapping[str, ColumnType], int, list[tuple[Any, ...]]]
"""A table, its columns, the length of its key, and the rows that a page put there."""


def show(label: str, count: int, run: Callable[[], object]) -> None:
    """Run something that handles `count` things, and print its rate and processor time."""
    wall, used = perf_counter(), process_time()
    run()
    wall, used = perf_counter() - wall, process_time() - used
    print(f"| {label} | {count:,} | {count / wall:,.0f} | {1e6 * used / count:.1f} |", flush=True)


@contextmanager
def noted() -> Iterator[list[Upsert]]:
    """Collect what the lists write."""
    written, write = list[Upsert](), PageRows.write

    def write_and_note(rows: PageRows) -> None:
        for table in rows._tables.values():
            put = [values for key, values in table._encoded.items() if (table._stored or {}).get(key) != values]
            written.append((table._name, table._table.columns, table._table.key, put))
        write(rows)

    with patch.object(PageRows, "write", write_and_note):
        yield written


def catch_up(data: Path, urls: Sequence[str] | None, tables: int, events: int) -> None:
    """Fill a log, let every list catch up, and measure the limits."""
    store, (url, *others) = ("SQLite", [None] * 4) if urls is None else ("PostgreSQL", urls)
    with Games(data, url) as games, closing(RowStore(data, url, PROJECTIONS)) as rows:
        count, followers = fill(games, tables, events), LogFollower(games, rows)
        show(f"{store}: all lists catch up", count, followers.catch_up)
        for page in (PAGE, FEW):
            show(f"{store}: limit, the log read and decoded, pages of {page}", count, partial(read, games, page))
            show(f"{store}: the same by select_notifications", count, partial(read_by_shard, games, page))
        for name in followers.each:
            show(f"{store}: {name} rebuilt", count, partial(followers.rebuild, name))
    with Games(data, url) as games, closing(RowStore(data / "threads", others[0], PROJECTIONS)) as rows:
        show(f"{store}: all lists followed, a thread for each", count, partial(follow, games, LogFollower(games, rows)))
    with (
        Games(data, url) as games,
        closing(RowStore(data / "noted", others[1], PROJECTIONS)) as rows,
        noted() as written,
    ):
        LogFollower(games, rows).catch_up()
        names = table_names_of(rows)
    with closing(RowStore(data / "limit", others[2], PROJECTIONS)) as limit:
        renamed = dict(zip(names, table_names_of(limit), strict=True))
        written = [(renamed[name], *more) for name, *more in written]
        wrote = sum(len(put) for *_, put in written)
        show(
            f"{store}: limit, {wrote / count:.2f} rows an event",
            count,
            lambda: write(data / "limit", others[2], written),
        )


def table_names_of(rows: RowStore) -> list[str]:
    """Return the names of all tables: those of a list with numbered rows differ from store to store."""
    return [
        name
        for projection in rows.projections.values()
        for name in table_names(projection, rows.live_generation(projection.name)).values()
    ]


def follow(games: Games, followers: LogFollower) -> None:
    """Follow the log as the worker does, until every list has all of it."""
    stop, heads = Event(), games.log.heads()
    thread = Thread(target=followers.run, args=(stop,))
    thread.start()
    while not followers.wait_for(heads, 60):
        pass
    stop.set()
    thread.join()


def read(games: Games, size: int) -> None:
    """Read the log as the followers do."""
    after: Positions = ()
    upto = games.log.last_numbers()
    while (page := games.log.read(after, size, upto)).rows:
        after = page.end


def read_by_shard(games: Games, size: int) -> None:
    """Read pages of the same size with one call for each shard."""
    log, after, last = games.log, [0] * games.log.shards, games.log.last_numbers()
    while behind := [shard for shard, number in enumerate(after) if number < last[shard]]:
        for shard in behind:
            recorder, most = log.applications[shard].recorder, max(1, size // len(behind))
            for row in recorder.select_notifications(after[shard], most, inclusive_of_start=False):
                place = (row.id, row.originator_id, row.originator_version, row.topic, row.state)
                read_log_row(log.mapper, place, shard)
                after[shard] = row.id


def write(data: Path, url: str | None, written: list[Upsert]) -> None:
    """Write rows with the driver alone."""
    if url is None:
        with closing(sqlite3.connect(data / "views.db", isolation_level=None)) as file:
            file.execute("PRAGMA synchronous=NORMAL")
            for table, columns, key, put in written:
                file.execute("BEGIN IMMEDIATE")
                file.executemany(upsert_statement(table, columns, key), put)
                file.execute("COMMIT")
        return
    with psycopg.connect(url, autocommit=True, options="-c search_path=views -c synchronous_commit=off") as database:
        for table, columns, key, put in written:
            with database.transaction(), database.cursor() as cursor:
                cursor.executemany(upsert_statement(table, columns, key).replace("?", "%s").encode(), put)


def viewed(data: Path) -> None:
    """Fold a long game for one seat and render its views."""
    with Games(data) as games:
        play = Play(games)
        game = play.open(4, 21)
        play.steps(game, 1000)
        entries = games.entries(game)
    start, seen = perf_counter(), ViewFold(1)
    for entry in entries:
        seen.add(entry.event)
    folded = perf_counter()
    for _ in range(1000):
        view_json(seen, "")
    rendered = perf_counter()
    view_at(entries, 1, len(entries))
    refolded = perf_counter()
    print(f"view: {1e6 * (folded - start) / len(entries):.1f} us to fold an event, {len(entries)} of them")
    print(f"view: {1e3 * (rendered - folded):.0f} us to render, {1e3 * (refolded - rendered):.1f} ms from event 1")


def main() -> None:
    """Print what a view costs, and a row for each measurement of the lists."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=60_000)
    parser.add_argument("--tables", type=int, default=200)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for each in ("views", "sqlite", "postgresql"):
            (Path(folder) / each).mkdir()
        viewed(Path(folder) / "views")
        print(f"\n| {asked.tables} tables | events | events/s | us of processor time |\n|---|---:|---:|---:|")
        catch_up(Path(folder) / "sqlite", None, asked.tables, asked.events)
        with postgres.server() as server, ExitStack() as databases:
            urls = [databases.enter_context(server.fresh()) for _ in range(4)]
            catch_up(Path(folder) / "postgresql", urls, asked.tables, asked.events)


if __name__ == "__main__":
    main()
