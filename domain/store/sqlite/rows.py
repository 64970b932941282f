"""Rows of the log as SQLite stores them, and the SQL that creates and asks for them.

A column of a damaged or changed file may hold a value of any type.
"""

import sqlite3
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from domain.store.recorder import RawEvent, RawLogRow

MOST_ROWS = 64
"""The most rows of one INSERT. A statement for each row would let other threads take the interpreter after each."""
CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS {table} (
    notification_id INTEGER PRIMARY KEY,
    originator_id TEXT NOT NULL,
    originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL,
    state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version)
)"""
COLUMNS = "originator_id, originator_version, topic, state"
BETWEEN_VERSIONS = (
    "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? ORDER BY originator_version"
)
SAFE_COLUMNS = (
    "CASE typeof(topic) WHEN 'text' THEN CAST(topic AS BLOB) END, CASE typeof(state) WHEN 'blob' THEN state END"
)
"""The casts keep Python from decoding text that isn't UTF-8, which would fail for all rows of a query."""
IS_GAME_ID = "typeof(originator_id) = 'text' AND length(originator_id) = 32 AND originator_id NOT GLOB '*[^0-9a-f]*'"
"""Rows of a changed file that name no game are left out."""


class LogStatements:
    """The statements for one table."""

    def __init__(self, table: str) -> None:
        self.create_table = CREATE_TABLE.format(table=table)
        self.insert = f"INSERT INTO {table} ({COLUMNS}) VALUES (?, ?, ?, ?) RETURNING notification_id"
        self.select_last_version = f"SELECT MAX(originator_version) FROM {table} WHERE originator_id = ?"
        self.select_version_at = f"{self.select_last_version} AND notification_id <= ?"
        self.select_through_index = (  # whatever values a changed file holds, the row's own ones are looked up
            f"SELECT found.notification_id FROM {table} AS row NOT INDEXED"
            f" JOIN {table} AS found USING (originator_id, originator_version) WHERE row.notification_id = ?"
        )
        self.select_last_id = f"SELECT MAX(notification_id) FROM {table}"
        select_game = f"SELECT originator_version, {SAFE_COLUMNS} FROM {table} {BETWEEN_VERSIONS}"
        self.select_game = {False: f"{select_game} LIMIT ?", True: f"{select_game} DESC LIMIT ?"}
        """Whether it's the other way round, and the statement."""
        self.select_log_rows = (
            "SELECT notification_id, CAST(originator_id AS BLOB),"
            f" CASE typeof(originator_version) WHEN 'integer' THEN originator_version END, {SAFE_COLUMNS}"
            f" FROM {table} WHERE notification_id > ? ORDER BY notification_id LIMIT ?"
        )
        self.select_openings = (
            f"SELECT notification_id, originator_id FROM {table} WHERE notification_id > ? AND notification_id <= ?"
            f" AND originator_version = 1 AND {IS_GAME_ID} ORDER BY notification_id LIMIT ?"
        )
        self.select_all = (
            f"SELECT notification_id, {COLUMNS} FROM {table} WHERE notification_id >= ? AND notification_id <= ?"
        )
        self._insert_rows = f"INSERT INTO {table} ({COLUMNS}) VALUES "

    def insert_rows(self, count: int) -> str:
        """Return the statement that inserts that many rows, up to `MOST_ROWS`. Their ids are consecutive."""
        return self._insert_rows + ", ".join(["(?, ?, ?, ?)"] * count)


log_statements = cache(LogStatements)
"""Return the statements for a table."""


ID_LENGTH = 32
read_uuid = lru_cache(4096)(UUID)
"""Return the UUID of a stored id; raise ValueError if it's none."""


def read_game_row(row: tuple[Any, ...]) -> RawEvent:
    """Return a row of `select_game` with its topic as text. None replaces a value of another kind."""
    version, topic, state = row
    return version, _text(topic), state


def read_log_row(row: tuple[Any, ...]) -> RawLogRow:
    """Return a row of `select_log_rows` with its game and topic."""
    at, game, version, topic, state = row
    return at, _uuid_or_text(game), version, _text(topic), state


@lru_cache(256)
def _text(stored: bytes | None) -> Any:
    """Return a topic as text; the same few topics come again and again."""
    return None if stored is None else stored.decode(errors="replace")


def _uuid_or_text(stored: bytes | None) -> UUID | str:
    """Return the UUID in a column, or its text if it's none. Only ids of the usual length are cached."""
    if stored is not None and len(stored) == ID_LENGTH:
        return _cached_id(stored)
    return (stored or b"").decode(errors="replace")


@lru_cache(4096)
def _cached_id(stored: bytes) -> UUID | str:
    text = stored.decode(errors="replace")
    try:
        uuid = UUID(text)
    except ValueError:
        return text
    return uuid if uuid.hex == text else text


def hex_of(originator_id: UUID | str) -> str:
    """Return a game's id as it is stored."""
    return (originator_id if isinstance(originator_id, UUID) else UUID(originator_id)).hex


def follows_last_event(connection: sqlite3.Connection, sql: LogStatements, batch: Sequence[StoredEvent]) -> bool:
    """Return whether a batch follows the last event of its game."""
    last = connection.execute(sql.select_last_version, (hex_of(batch[0].originator_id),)).fetchone()[0]
    return bool(batch[0].originator_version == (1 if last is None else last + 1))


def insert(connection: sqlite3.Connection, sql: LogStatements, events: Sequence[StoredEvent]) -> list[int]:
    """Insert events with few statements and return their ids, which are consecutive."""
    ids: list[int] = []
    for at in range(0, len(events), MOST_ROWS):
        rows = [(hex_of(e.originator_id), e.originator_version, e.topic, e.state) for e in events[at : at + MOST_ROWS]]
        last = connection.execute(sql.insert_rows(len(rows)), [value for row in rows for value in row]).lastrowid or 0
        ids += range(last - len(rows) + 1, last + 1)
    return ids
