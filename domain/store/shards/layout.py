"""How a log is laid out in its database: the number of its shards, and the names of their tables.

The number is in the table `shards`, so that every process agrees. A log without that table is older and has one shard.
For the same reason, the table `dictionaries` says whether states are compressed.
Names differ between numbers of shards: a program that doesn't know of a new number finds no table to write to.
"""

from collections.abc import Callable, Collection
from typing import Any

from domain.store.compression import NEWEST
from domain.store.recorder import LogFileDamaged

SHARD = "games00"
"""The application that holds every game of a log with one shard."""
MOST_SHARDS = 64
SHARDS_TABLE = "shards"
RESHARDING_TABLE = "resharding"
"""The table of a copy into another number of shards that isn't complete."""
CREATE_RESHARDING = (
    f"CREATE TABLE IF NOT EXISTS {{schema}}{RESHARDING_TABLE}"
    " (shard bigint PRIMARY KEY, copied bigint NOT NULL, target bigint NOT NULL)"
)
"""How far each shard is copied, and the number of shards of the copy."""
SELECT_TARGET = f"SELECT MAX(target) FROM {{schema}}{RESHARDING_TABLE}"
SELECT_WITHOUT_OPENING = "SELECT originator_id FROM {table} GROUP BY 1 HAVING MIN(originator_version) > 1 LIMIT 1"
"""A game whose first event is missing in a table."""
CREATE_SHARDS = f"CREATE TABLE IF NOT EXISTS {{schema}}{SHARDS_TABLE} (count bigint PRIMARY KEY)"
KEEP_SHARDS = "UPDATE {table} SET count = count"
"""Changes nothing, but is a commit."""
DICTIONARIES_TABLE = "dictionaries"
CREATE_DICTIONARIES = f"CREATE TABLE IF NOT EXISTS {{schema}}{DICTIONARIES_TABLE} (version bigint PRIMARY KEY)"
"""The dictionaries that states may be compressed with. Empty in a log that isn't compressed; an older one has no such
table."""
ADD_DICTIONARY = f"INSERT INTO {{schema}}{DICTIONARIES_TABLE} VALUES ({NEWEST}) ON CONFLICT DO NOTHING"
SELECT_DICTIONARIES = f"SELECT version FROM {{schema}}{DICTIONARIES_TABLE} ORDER BY version"
SELECT_SHARDS = f"SELECT count FROM {{schema}}{SHARDS_TABLE}"
ONLY_SQLITE_TABLE = "stored_events"
DAMAGED = (
    "the log is damaged: its table `{table}` holds {found!r}, and a log has 1 to {most} shards. Restore your last"
    " backup (docs/operations.md)."
)


class OtherShards(Exception):
    """The log has another number of shards (`found`) than the caller wanted."""

    def __init__(self, found: int) -> None:
        super().__init__(f"the log has {found} shards")
        self.found = found


def shard_names(count: int) -> list[str]:
    """Return the name of each shard, which is that of its application."""
    return [SHARD] if count == 1 else [f"games{shard:02}of{count:02}" for shard in range(count)]


def sqlite_tables(count: int) -> list[str]:
    """Return the name of the table of each shard in an SQLite file."""
    return [ONLY_SQLITE_TABLE] if count == 1 else postgres_tables(count)


def postgres_tables(count: int) -> list[str]:
    """Return the name of the table of each shard in the schema of a PostgreSQL database."""
    return [f"{name}_events" for name in shard_names(count)]


def choose_shards(found: int | None, wanted: int | None, default: int) -> int:
    """Return the number of shards of a log: the one in its database, or for a new one the one wanted or the default.

    Raise OtherShards if both are given and differ.
    """
    if found is not None and wanted not in (None, found):
        raise OtherShards(found)
    return found or wanted or default


Select = Callable[[str], list[Any]]
"""Runs a statement and returns its rows."""
SetProgress = Callable[[int], None]
"""Gets the number of rows or events that are done."""


def find_shards(tables: Collection[str], only_table: str, select: Select, schema: str = "") -> int | None:
    """Return the number of shards of the log with these tables; None if there's no log.

    `only_table` is the table of a log with one shard; `schema` ends in a dot. Raise LogFileDamaged if the number can't
    be one.
    """
    if SHARDS_TABLE in tables:
        return next((_valid(SHARDS_TABLE, found) for (found,) in select(SELECT_SHARDS.format(schema=schema))), None)
    return 1 if only_table in tables else None


def find_dictionaries(tables: Collection[str], select: Select, schema: str = "") -> list[int]:
    """Return the dictionaries that states of the log with these tables may be compressed with."""
    if DICTIONARIES_TABLE not in tables:
        return []
    return [version for (version,) in select(SELECT_DICTIONARIES.format(schema=schema))]


def find_copy(tables: Collection[str], select: Select, schema: str = "") -> int | None:
    """Return the number of shards of a copy that isn't complete, or None. Raise LogFileDamaged if it can't be one."""
    if RESHARDING_TABLE not in tables:
        return None
    [(found,)] = select(SELECT_TARGET.format(schema=schema))
    return None if found is None else _valid(RESHARDING_TABLE, found)


def _valid(table: str, found: Any) -> int:
    if not isinstance(found, int) or not 1 <= found <= MOST_SHARDS:
        raise LogFileDamaged(DAMAGED.format(table=table, found=found, most=MOST_SHARDS))
    return found
