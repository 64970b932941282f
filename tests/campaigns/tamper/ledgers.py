"""A log for tampering: its rows can be changed and put back into a store or a file."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from uuid import UUID

import psycopg

from domain.events.codec import topic
from domain.protocols import merkle_log as cardlog
from domain.protocols.merkle_log import EMPTY, canonical
from domain.store.aggregate import Entry
from domain.store.log import shard_of
from domain.store.shards.layout import postgres_tables, sqlite_tables
from replay.history import header_of, trailer_of, write_export
from tests.campaigns.tamper.places import neighbours, tables
from tests.conftest import Database

Event = dict[str, Any]
StoredRow = tuple[int, UUID, int, str, bytes]
"""The number, the game, the version, the topic and the state."""


@dataclass
class Row:
    """A row: its columns and its event's bytes. `leaf` is that of a line of an export."""

    game: str
    version: int
    topic: str
    prev: bytes
    raw: bytes
    leaf: bytes

    @property
    def event(self) -> Event:
        """Return a copy of the row's event."""
        event: Event = json.loads(self.raw)
        return event

    def write(self, event: Event) -> None:
        """Replace the event by canonical bytes; the rest of the row stays."""
        self.raw = canonical(event)

    def line(self) -> bytes:
        """Return the row as a line of an export."""
        hashes = self.leaf.hex().encode(), self.prev.hex().encode(), self.version
        return b'{"event":%b,"leaf":"%b","prev":"%b","version":%d}' % (self.raw, *hashes)


@dataclass
class Ledger:
    """Every row of a store in order of position, and the game to tamper with."""

    game: str
    rows: list[Row]

    @property
    def own(self) -> list[Row]:
        """Return the rows of that game."""
        return [row for row in self.rows if row.game == self.game]

    def at(self, version: int) -> Row:
        """Return the row of a version."""
        return next(row for row in self.own if row.version == version)

    def of(self, game: str, version: int) -> Row:
        """Return a row of another game."""
        return next(row for row in self.rows if (row.game, row.version) == (game, version))

    def nth(self, fact: str, n: int = 0) -> Row:
        """Return the n-th row with that fact."""
        return [row for row in self.own if row.event["fact"] == fact][n]

    def replace(self, own: Sequence[Row]) -> None:
        """Replace all rows of the game, at the place of its first one."""
        place = next(place for place, row in enumerate(self.rows) if row.game == self.game)
        others = [row for row in self.rows if row.game != self.game]
        self.rows = [*others[:place], *own, *others[place:]]

    def rehash(self) -> None:
        """Recompute the numbers, topics and hashes of the game's rows."""
        frontier = EMPTY
        for version, row in enumerate(self.own, 1):
            event = row.event
            row.write({**event, "version": version})
            row.version, row.topic = version, f"{event['fact']}/{event['v']}"
            row.prev, row.leaf = frontier.root(), cardlog.leaf(row.raw)
            frontier = frontier.append(row.leaf)

    def export(self) -> bytes:
        """Return the game as a file, with a trailer for its leaves."""
        table = tables()[self.game]
        header = header_of(table.entries[0].event, {f"p{seat}": f"player {seat}" for seat in range(4)})
        trailer = trailer_of([row.leaf for row in self.own])
        return b"".join(write_export(header, [row.line() for row in self.own], trailer))

    def store(self, database: Database, shards: int = 1) -> None:
        """Replace all rows of the store: each is in the shard of the game that it names."""
        for shard in range(shards):
            placed = enumerate((row for row in self.rows if shard_of(UUID(row.game), shards) == shard), 1)
            rows = [(at, UUID(row.game), row.version, row.topic, row.prev + row.raw) for at, row in placed]
            if database.url is None:
                _to_sqlite(database, sqlite_tables(shards)[shard], rows)
            else:
                _to_postgres(database.url, postgres_tables(shards)[shard], rows)


def _to_sqlite(database: Database, table: str, rows: Sequence[StoredRow]) -> None:
    with closing(sqlite3.connect(database.data / "log.db")) as file, file:
        file.execute("PRAGMA synchronous=OFF")
        file.execute(f"DELETE FROM {table}")
        file.executemany(
            f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?)", [(at, game.hex, *row) for at, game, *row in rows]
        )


def _to_postgres(url: str, table: str, rows: Sequence[StoredRow]) -> None:
    columns = "(notification_id, originator_id, originator_version, topic, state)"
    with psycopg.connect(url) as server, server.cursor() as cursor:
        cursor.execute(f"TRUNCATE log.{table}".encode())
        with cursor.copy(f"COPY log.{table} {columns} FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)


def ledger(game: str) -> Ledger:
    """Return the original rows of the place of `game`, to tamper with that game."""
    return Ledger(game, [replace(row) for row in _rows(game)])


@lru_cache(maxsize=4)
def _rows(game: str) -> list[Row]:
    return [_row(entry) for table in neighbours(game) for entry in table.entries]


def _row(entry: Entry) -> Row:
    event = entry.event
    return Row(event.game, event.version, topic(event), entry.prev, entry.raw, entry.leaf)
