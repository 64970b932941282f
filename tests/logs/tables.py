"""The tables of a log in a PostgreSQL database, for tests that read or change them behind the server's back."""

from uuid import UUID

import psycopg

from domain.store.positions import shard_of
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
