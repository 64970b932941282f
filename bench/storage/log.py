"""The costs of the log for each event: its bytes, its leaf, the root it links to, and the commit on both stores.

    python -m bench.storage.log [--postgres URL]

The best of five runs over one game of Pitch, in processor time; commits are by the clock. Beside the
typed bytes stands the JSON encoder that checks any value; beside a commit, rows of the same size by themselves.
"""

import argparse
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import perf_counter
from uuid import uuid4

import msgspec
import psycopg

from bench.storage.store import rate
from domain.events.codec import decode, encode
from domain.protocols.merkle_log import EMPTY, canonical, leaf, roots
from domain.store import Games
from domain.store.aggregate import Entry, Game
from tests.replay.playing import played

COMMITS = 300
TABLE = "CREATE TABLE peer (game {id}, version BIGINT, topic TEXT, state {bytes}, PRIMARY KEY (game, version))"

Row = tuple[str, int, str, bytes]


def row(what: str, us: float) -> None:
    """Print a line of the table."""
    print(f"| {what} | {us:,.2f} |", flush=True)


def grown(entries: list[Entry]) -> None:
    """Append each leaf to the log."""
    frontier = EMPTY
    for entry in entries:
        frontier = frontier.append(entry.leaf)


def linked(entries: list[Entry]) -> None:
    """Append each leaf and compute the root after it, as a writer does."""
    frontier = EMPTY
    for entry in entries:
        frontier = frontier.append(entry.leaf)
        frontier.root()


def in_memory(entries: list[Entry]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Measure everything about an event that needs no disk."""
    values = [msgspec.to_builtins(entry.event) for entry in entries]
    rows = [(entry.event.version, f"{entry.event.fact}/{entry.event.v}", entry.prev + entry.raw) for entry in entries]
    yield "canonical bytes, typed", lambda: [encode(entry.event) for entry in entries]
    yield "peer: canonical bytes of any JSON value, checked", lambda: [canonical(value) for value in values]
    yield "leaf hash", lambda: [leaf(entry.raw) for entry in entries]
    yield "the leaf appended to the frontier", lambda: grown(entries)
    yield "the leaf appended, and the root after it", lambda: linked(entries)
    yield "the root after it, for a reader of a whole log", lambda: [*roots(entry.leaf for entry in entries)]
    yield "bytes read into a typed fact", lambda: [decode(entry.raw) for entry in entries]
    yield "a stored row read, its link checked, and folded", lambda: Game(entries[0].event.game).read(rows)


def committed(games: Games, entries: list[Entry], many: int) -> float:
    """Return microseconds an event, by the clock, for commits of `many` events, each on the disk before the next."""
    batches = [entries_of(str(uuid4()), entries[:many]) for _ in range(COMMITS)]
    start = perf_counter()
    for batch in batches:
        games.log.application_of(batch[0].originator_id).save(*batch)
    return (perf_counter() - start) / COMMITS / many * 1e6


def entries_of(game: str, entries: list[Entry]) -> list[Entry]:
    """Return entries as those of another game. Their bytes stay as they are, since nobody reads them."""
    change = msgspec.structs.replace
    return [change(entry, event=change(entry.event, game=game)) for entry in entries]


def rows_of(entries: list[Entry], many: int) -> list[Row]:
    game = str(uuid4())
    return [(game, entry.event.version, entry.event.fact, entry.prev + entry.raw) for entry in entries[:many]]


def in_sqlite(place: Path, entries: list[Entry], many: int) -> float:
    """Return the same for plain rows in a SQLite file with synchronous=FULL."""
    with closing(sqlite3.connect(place / f"peer{many}.db", isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("PRAGMA synchronous=FULL")
        file.execute(TABLE.format(id="TEXT", bytes="BLOB"))
        start = perf_counter()
        for _ in range(COMMITS):
            file.execute("BEGIN")
            file.executemany("INSERT INTO peer VALUES (?, ?, ?, ?)", rows_of(entries, many))
            file.execute("COMMIT")
        return (perf_counter() - start) / COMMITS / many * 1e6


def in_postgres(url: str, entries: list[Entry], many: int) -> float:
    """Return the same for plain rows in PostgreSQL."""
    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE IF EXISTS peer")
        connection.execute(TABLE.format(id="UUID", bytes="BYTEA").encode())
        connection.commit()
        start = perf_counter()
        for _ in range(COMMITS):
            with connection.cursor() as cursor:
                cursor.executemany("INSERT INTO peer VALUES (%s, %s, %s, %s)", rows_of(entries, many))
            connection.commit()
        return (perf_counter() - start) / COMMITS / many * 1e6


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", metavar="URL")
    url = parser.parse_args().postgres
    entries = played_entries()
    name = "PostgreSQL" if url else "SQLite"
    print(f"A game of {len(entries)} events, {sum(len(e.raw) for e in entries) / len(entries):.0f} bytes each\n")
    print(f"| microseconds an event, {name} | |\n| --- | ---: |")
    for what, work in in_memory(entries):
        row(what, 1e6 / rate(len(entries), work))
    with tempfile.TemporaryDirectory() as place, closing(Games(Path(place), url)) as games:
        for many in (1, 4, 16):
            row(f"commits of {many}, by the clock", committed(games, entries, many))
            peer = in_postgres(url, entries, many) if url else in_sqlite(Path(place), entries, many)
            row(f"peer: commits of {many} plain rows", peer)


def played_entries() -> list[Entry]:
    """Return the entries of a whole game."""
    history = played(1, 4, win=11).history
    return [Entry(line.event, line.raw, line.prev, line.leaf) for line in history.lines if line.event and line.raw]


if __name__ == "__main__":
    main()
