"""A log as version 0.2 wrote it: no state is compressed, and no table says so."""

import sqlite3
from contextlib import closing
from random import Random
from uuid import UUID

import psycopg

from domain.store import Games
from domain.store.compression import is_plain
from tests.conftest import Database
from tests.domain.store.storing import at, open_game, play

PLAIN = {"COMPRESSOR_TOPIC": "domain.store.compression:PlainFactCompressor"}


def fill_plainly(database: Database, **settings: str) -> list[str]:
    """Play three games in a new log of version 0.2, and return their ids."""
    with closing(at(database, settings=PLAIN | settings)) as games:
        opened = three_games(games)
    execute(database, "DROP TABLE {schema}dictionaries")
    return opened


def three_games(games: Games) -> list[str]:
    """Open three games, and make some moves in each in turn."""
    opened = [open_game(games) for _ in range(3)]
    for seed, game in enumerate(opened * 2):
        play(games, game, 3, Random(seed))
    return opened


def states(database: Database, game: str) -> list[bytes]:
    """Return the states of a game as they are stored."""
    with closing(at(database, migrate=False)) as games:
        return [state for _, _, state in games.log.raw_events(UUID(game))]


def execute(database: Database, statement: str) -> None:
    """Run SQL with {schema} before the names of tables."""
    if database.url:
        with psycopg.connect(database.url) as connection:
            connection.execute(statement.format(schema="log.").encode())
    else:
        with closing(sqlite3.connect(database.data / "log.db", isolation_level=None)) as file:
            file.execute(statement.format(schema=""))


def plain_versions(database: Database, game: str) -> list[int]:
    """Return the versions whose states aren't compressed, of a log that isn't encrypted."""
    return [version for version, state in enumerate(states(database, game), 1) if is_plain(state)]
