"""Helpers for the tests of the store: games on a store, random moves, and direct access to the rows."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from random import Random
from typing import Any, LiteralString
from uuid import UUID, uuid4

import psycopg
from zstandard import ZstdError

from domain.commands import OpenGame
from domain.engine.legal_moves import Move, legal_moves
from domain.events import Player
from domain.state import State
from domain.store import Commit, Games
from domain.store.compression import FactCompressor, NoDictionary
from domain.store.log import shard_of
from tests.conftest import Database
from tests.domain.store.recording import PATIENT
from tests.logs.reading import all_games
from tests.logs.tables import log_table

SEALED = {"CIPHER_KEY": "AAECAwQFBgcICQoLDA0ODw=="}


def at(database: Database, **more: Any) -> Games:
    """Open the games of a database. They wait for others as long as it takes, unless `settings` say otherwise."""
    return Games(database.data, database.url, settings={**PATIENT, **more.pop("settings", {})}, **more)


def new_id() -> str:
    return str(uuid4())


def id_in(shard: int, shards: int) -> UUID:
    """Return a new id of a game in this shard."""
    return next(game for game in iter(uuid4, None) if shard_of(game, shards) == shard)


def command_id(n: int, body: int = 0) -> str:
    return f"{n:016x}-{body:016x}"


def opening(game: str, players: int = 4, board: int = 1) -> OpenGame:
    return OpenGame(game, board, "pitch", {}, tuple(Player(f"p{seat}", "human") for seat in range(players)))


def open_game(games: Games, game: str | None = None, players: int = 4) -> str:
    game = game or new_id()
    games.open(opening(game, players), by="p0", command_id=command_id(0))
    return game


def any_move(state: State, chance: Random) -> Move:
    return chance.choice(legal_moves(state, state.turn[0]))


def play(games: Games, game: str, moves: int, by: Random | None = None) -> list[Commit]:
    """Make that many random moves, each with its own command id. The first 84 of four players can't end a game:

    a game takes at least three hands, since it needs eleven points and a hand has five.
    """
    by, made = by or Random(1), []
    for _ in range(moves):
        move = any_move(games.state(game), by)
        made.append(games.act(game, move, by=f"p{move.seat}", command_id=command_id(by.getrandbits(64))))
    return made


def logs(games: Games) -> dict[str, list[bytes]]:
    """Return the stored bytes of every game."""
    return {game: [entry.stored for entry in games.entries(game)] for game in all_games(games)}


class Rows:
    """Direct access to the stored rows, for an attacker who can write to the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(self, statement: LiteralString, *values: Any) -> list[Any]:
        """Run SQL with {table} for the table of the game whose id is among the values, and ? for a value."""
        url, game = self._database.url, next((value for value in values if isinstance(value, UUID)), "")
        with self._connection() as connection:
            text = statement.format(table=log_table(url, game) if url else "stored_events")
            if self._database.url:
                cursor = connection.execute(text.replace("?", "%s"), values)
                return list(cursor.fetchall()) if cursor.description else []
            shown = [value.hex if isinstance(value, UUID) else value for value in values]
            return list(connection.execute(text, shown).fetchall())

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        if self._database.url:
            with psycopg.connect(self._database.url, autocommit=True) as server:
                yield server
        else:
            with closing(sqlite3.connect(self._database.data / "log.db", isolation_level=None)) as file:
                yield file

    def of(self, game: str) -> list[tuple[int, str, bytes]]:
        """Return version, topic and state of each row: 32 bytes `prev` and canonical bytes, unless it's encrypted."""
        rows = self.ask(
            "SELECT originator_version, topic, state FROM {table} WHERE originator_id = ? ORDER BY 1", UUID(game)
        )
        return [(version, topic, _plain(bytes(state))) for version, topic, state in rows]

    def put(self, game: str, version: int, topic: str, state: bytes) -> None:
        """Change a row. A plain state is read like a compressed one."""
        self.ask(
            "UPDATE {table} SET topic = ?, state = ? WHERE originator_id = ? AND originator_version = ?",
            topic, state, UUID(game), version
        )  # fmt: skip

    def renumber(self, game: str, version: int, to: int) -> None:
        self.ask(
            "UPDATE {table} SET originator_version = ? WHERE originator_id = ? AND originator_version = ?",
            to, UUID(game), version
        )  # fmt: skip

    def drop(self, game: str, version: int) -> None:
        self.ask("DELETE FROM {table} WHERE originator_id = ? AND originator_version = ?", UUID(game), version)


def _plain(state: bytes) -> bytes:
    try:
        return FactCompressor().decompress(state)
    except (NoDictionary, ValueError, ZstdError):
        return state
