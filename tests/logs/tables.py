"""The tables of a log, for tests that read or change them behind the server's back."""

import sqlite3
from uuid import UUID

import psycopg

from domain.store.compression import FactCompressor
from domain.store.log import shard_of
from domain.store.shards.layout import postgres_tables


def log_tables(url: str) -> list[str]:
    """Return the tables of all shards, with their schema."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count FROM log.shards").fetchone()
    assert row is not None
    return [f"log.{table}" for table in postgres_tables(row[0])]


def log_table(url: str, game: UUID | str) -> str:
    """Return the table that holds a game, with its schema."""
    tables = log_tables(url)
    return tables[shard_of(UUID(str(game)), len(tables))]


def change_time(log: sqlite3.Connection, game: UUID | str, version: int) -> None:
    """Change the time of an event in an SQLite file, and leave its state uncompressed."""
    where, key = "WHERE originator_id = ? AND originator_version = ?", (UUID(str(game)).hex, version)
    ((state,),) = log.execute(f"SELECT state FROM stored_events {where}", key).fetchall()
    changed = FactCompressor().decompress(state).replace(b'"at":"2', b'"at":"1')
    log.execute(f"UPDATE stored_events SET state = ? {where}", (changed, *key))
