"""Compressing the states of a log that an earlier version has written, while games are played.

Each game's states are read again after they were written, in the same transaction: their bytes, and so the game's root,
must be those from before. Interrupt and repeat it at any time: states that are compressed already stay as they are.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from eventsourcing.postgres import PostgresFactory
from psycopg import Cursor
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from domain.store.aggregate import Corrupt
from domain.store.application import FactMapper, translate_errors
from domain.store.compression import FactCompressor, is_plain
from domain.store.log import ShardedLog
from domain.store.postgres import PostgresLogRecorder
from domain.store.recorder import MAX_INTEGER, LogRecorder, RawEvent
from domain.store.shards.layout import ADD_DICTIONARY, SetProgress
from domain.store.sqlite import SqliteLogFactory, SqliteLogRecorder, log_statements, read_game_row

GAMES_A_PAGE = 16
"""How many games are compressed in one transaction: commits wait meanwhile in an SQLite file."""
SELECT_ROWS = """
SELECT originator_version, topic, state FROM {schema}.{table} WHERE originator_id = %s ORDER BY originator_version"""
UPDATE_ROWS = """
UPDATE {schema}.{table} SET state = given.state FROM unnest(%s::bigint[], %s::bytea[]) AS given (version, state)
WHERE originator_id = %s AND originator_version = given.version"""

NewStates = Sequence[tuple[int, bytes]]
"""States by version."""


class CompressionDiffers(Exception):
    """The compressed states of a game aren't those from before. Those of its page stay as they were."""

    def __init__(self, game: str) -> None:
        super().__init__(f"the compressed facts of game {game} differ from those before, so they stay as they were")


@dataclass
class CompressionReport:
    """The findings of a run: numbers of games and states, bytes of all states before and after, unreadable games."""

    games: int = 0
    states: int = 0
    before: int = 0
    after: int = 0
    unreadable: list[str] = field(default_factory=list)


def compress_log(log: ShardedLog, set_progress: SetProgress = lambda _: None) -> CompressionReport:
    """Compress every plain state, and let the log have compressed ones from its next opening on.

    Report how much of the log was done, up to the sum of its last numbers. Raise CompressionDiffers.
    """
    report, passed = CompressionReport(), 0
    mapper = FactMapper(log.mapper.transcoder, FactCompressor(), log.mapper.cipher)
    with translate_errors():
        _add_dictionary(log)
        for shard, last in enumerate(log.last_numbers()):
            after = 0
            while opened := log.openings(shard, after, last, GAMES_A_PAGE):
                with _transaction(log.recorder(shard)) as rows:
                    for _, game in opened:
                        _compress_game(game, rows, mapper, report)
                after = opened[-1][0]
                set_progress(passed + after)
            passed += last
            set_progress(passed)
    return report


def _compress_game(game: str, rows: "_Rows", mapper: FactMapper, report: CompressionReport) -> None:
    stored = rows.read(UUID(game))
    try:
        plain = [*mapper.decrypt_rows(game, stored)]
    except Corrupt:
        report.unreadable.append(game)
        return
    changes = [(version, state) for version, _, old in stored if (state := _compressed(old, mapper)) is not None]
    if changes:
        rows.write(UUID(game), changes)
        if [*mapper.decrypt_rows(game, rows.read(UUID(game)))] != plain:
            raise CompressionDiffers(game)
    before, new = sum(len(state) for _, _, state in stored), dict(changes)
    report.games, report.states, report.before = report.games + 1, report.states + len(stored), report.before + before
    report.after += sum(len(new.get(version, state)) for version, _, state in stored)


def _compressed(state: bytes, mapper: FactMapper) -> bytes | None:
    """Return a stored state compressed, and encrypted if it was; None if it is compressed or can't be."""
    compressor, cipher = mapper.compressor, mapper.cipher
    plain = state if cipher is None else cipher.decrypt(state)
    if compressor is None or not is_plain(plain):
        return None
    compressed = compressor.compress(plain)
    if is_plain(compressed):
        return None
    return compressed if cipher is None else cipher.encrypt(compressed)


class _Rows(ABC):
    """The rows of a shard within a transaction."""

    @abstractmethod
    def read(self, game: UUID) -> list[RawEvent]:
        """Return the rows of a game by version."""

    @abstractmethod
    def write(self, game: UUID, states: NewStates) -> None:
        """Change the states of a game."""


class _SqliteRows(_Rows):
    def __init__(self, connection: Any, table: str) -> None:
        self._connection, self._sql = connection, log_statements(table)
        self._update = f"UPDATE {table} SET state = ? WHERE originator_id = ? AND originator_version = ?"

    def read(self, game: UUID) -> list[RawEvent]:
        rows = self._connection.execute(self._sql.select_game[False], (game.hex, -MAX_INTEGER, MAX_INTEGER, -1))
        return [read_game_row(row) for row in rows]

    def write(self, game: UUID, states: NewStates) -> None:
        self._connection.executemany(self._update, [(state, game.hex, version) for version, state in states])


class _PostgresRows(_Rows):
    def __init__(self, cursor: Cursor[Any], schema: str, table: str) -> None:
        self._cursor = cursor
        names = {"schema": Identifier(schema), "table": Identifier(table)}
        self._select, self._update = SQL(SELECT_ROWS).format(**names), SQL(UPDATE_ROWS).format(**names)

    def read(self, game: UUID) -> list[RawEvent]:
        return self._cursor.execute(self._select, (game,)).fetchall()

    def write(self, game: UUID, states: NewStates) -> None:
        columns = [version for version, _ in states], [state for _, state in states]
        self._cursor.execute(self._update, (*columns, game))


@contextmanager
def _transaction(recorder: LogRecorder) -> Iterator[_Rows]:
    if isinstance(recorder, SqliteLogRecorder):
        with recorder.file.transaction() as connection:
            yield _SqliteRows(connection, recorder.table)
    elif isinstance(recorder, PostgresLogRecorder):
        datastore = recorder.datastore
        with datastore.transaction(commit=True) as cursor:
            rows = cursor.connection.cursor(binary=True, row_factory=tuple_row)
            yield _PostgresRows(rows, datastore.schema, recorder.events_table_name)


def _add_dictionary(log: ShardedLog) -> None:
    """Note in the log that states may be compressed, before any is."""
    factory = log.factory
    if isinstance(factory, SqliteLogFactory):
        with factory.log_file().transaction() as connection:
            connection.execute(ADD_DICTIONARY.format(schema=""))
    elif isinstance(factory, PostgresFactory):
        with factory.datastore.transaction(commit=True) as cursor:
            cursor.execute(SQL(ADD_DICTIONARY).format(schema=Identifier(factory.datastore.schema) + SQL(".")))
