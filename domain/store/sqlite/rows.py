"""Rows of the log as SQLite stores them: a column of a damaged or changed file may hold a value of any type."""

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from domain.store.recorder import RawEvent, RawLogRow
from domain.store.sqlite.statements import MOST_ROWS, LogStatements

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
