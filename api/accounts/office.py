"""The office: users, tokens and board numbers - what is no fact, and may be changed or erased.

A name is one of `schemas.NAME` and is compared as it is written; registration refuses one that differs from a name
already there only by upper and lower case (R-P12). Tokens are kept as SHA-256, passwords as argon2id, neither as text.
"""

import hashlib
import os
import secrets
import time
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from api.accounts import admin_log as journal
from api.accounts import dispute_texts as texts
from api.accounts import roles
from api.accounts.passwords import Passwords
from api.accounts.sql import PostgresSql, Sql, SqliteSql
from api.config import Config

TABLES = (
    """CREATE TABLE IF NOT EXISTS users (
        player TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL UNIQUE,
        password TEXT NOT NULL, created BIGINT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS tokens (
        sha256 TEXT PRIMARY KEY, player TEXT NOT NULL, created BIGINT NOT NULL, revoked BIGINT)""",
    "CREATE INDEX IF NOT EXISTS tokens_of_player ON tokens (player)",
    "CREATE TABLE IF NOT EXISTS boards (number BIGINT PRIMARY KEY, game TEXT NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, last BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, hex TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS signing_keys (
        number BIGINT PRIMARY KEY, vkey TEXT NOT NULL UNIQUE, secret TEXT, note TEXT, since BIGINT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS receipts (
        game TEXT NOT NULL, size BIGINT NOT NULL, root TEXT NOT NULL, note TEXT NOT NULL, given BIGINT NOT NULL,
        PRIMARY KEY (game, size))""",
    *journal.TABLES,
    *roles.TABLES,
    *texts.TABLES,
)


@dataclass(frozen=True)
class Player:
    """Somebody registered: the id that facts carry (`p_` and 24 hex) and the name that is joined when shown."""

    id: str
    name: str


class NameTaken(Exception):
    """Another user has this name, or one that differs only in upper and lower case (R-P12)."""


class BadLogin(Exception):
    """No user has this name with this password."""


class Office:
    """All of it over one database; every method may be called from any thread."""

    def __init__(self, sql: Sql, passwords: Passwords, keys: Path | None) -> None:
        """`keys` is the folder for the server's secret; None keeps it in the database."""
        self._sql = sql
        self._passwords = passwords
        self._keys = keys

    @property
    def sql(self) -> Sql:
        """The door to its tables, for what keeps tables of its own here."""
        return self._sql

    @property
    def keys(self) -> Path | None:
        """The folder of the server's secrets; None where they are kept in the database."""
        return self._keys

    def migrate(self) -> None:
        """Create the tables that are missing; harmless to repeat and to race."""
        self._sql.create(TABLES)

    def close(self) -> None:
        """Let go of the database."""
        self._sql.close()

    def ping(self) -> None:
        """Raise what the database raises when it does not answer."""
        self._sql.run("SELECT last FROM counters LIMIT 1")

    def register(self, name: str, password: str) -> Player:
        """A new user; 409 `name-taken` for a name in use, whatever its case."""
        player = Player("p_" + secrets.token_hex(12), name)
        added = self._sql.run(
            "INSERT INTO users (player, name, folded, password, created) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING RETURNING player",
            player.id, name, name.lower(), self._passwords.hash(password), _now(),
        )  # fmt: skip
        if not added:
            raise NameTaken(self._taken(name))
        return player

    def _taken(self, name: str) -> str:
        """Why not `name`: it is somebody's, or too like somebody's to be told from it at a glance (R-P12)."""
        other = self._player("SELECT player, name FROM users WHERE folded = ?", name.lower())
        if other is None or other.name == name:
            return f"the name {name} is taken"
        return f"the name {other.name} is taken, and {name} differs from it only in upper and lower case"

    def login(self, name: str, password: str) -> str:
        """A new token (`tb_` and 43 characters); 401 `bad-login`, the same for a wrong name and a wrong password."""
        rows = self._sql.run("SELECT player, password FROM users WHERE name = ?", name)
        player, stored = rows[0] if rows else (None, None)
        if not self._passwords.fits(stored, password):
            raise BadLogin("no user has this name with this password")
        token = "tb_" + secrets.token_urlsafe(32)
        self._sql.run("INSERT INTO tokens VALUES (?, ?, ?, NULL)", _sha256(token), player, _now())
        return token

    def player_of_token(self, token: str) -> Player | None:
        """Whose token it is; None when it is unknown or revoked."""
        return self._player(
            "SELECT u.player, u.name FROM tokens t JOIN users u ON u.player = t.player"
            " WHERE t.sha256 = ? AND t.revoked IS NULL",
            _sha256(token),
        )

    def revoke(self, token: str) -> None:
        """Make the token worthless from now on, in every process; nothing happens to an unknown one."""
        self._sql.run("UPDATE tokens SET revoked = ? WHERE sha256 = ? AND revoked IS NULL", _now(), _sha256(token))

    def player_by_name(self, name: str) -> Player | None:
        """Who has exactly this name."""
        return self._player("SELECT player, name FROM users WHERE name = ?", name)

    def _player(self, statement: str, value: str) -> Player | None:
        rows = self._sql.run(statement, value)
        return Player(*rows[0]) if rows else None

    def names_of(self, ids: Iterable[str]) -> dict[str, str]:
        """`{player id: name}` of those that are users; bots and unknown ids are left out."""
        wanted = sorted(set(ids))
        if not wanted:
            return {}
        marks = ", ".join("?" * len(wanted))
        return dict(self._sql.run(f"SELECT player, name FROM users WHERE player IN ({marks})", *wanted))

    def new_board(self) -> int:
        """The next board number, from 1; a number that is never bound leaves a gap."""
        rows = self._sql.run(
            "INSERT INTO counters VALUES ('boards', 1) ON CONFLICT (name) DO UPDATE SET last = counters.last + 1"
            " RETURNING last"
        )
        return int(rows[0][0])

    def bind_board(self, number: int, game: str) -> int:
        """Give the game this number and answer the number it has: an earlier one if it was bound before."""
        self._sql.run("INSERT INTO boards VALUES (?, ?) ON CONFLICT DO NOTHING", number, game)
        bound = self.board_of_game(game)
        if bound is None:
            raise ValueError(f"board {number} belongs to another game")
        return bound

    def board_of_game(self, game: str) -> int | None:
        """The number of a game."""
        rows = self._sql.run("SELECT number FROM boards WHERE game = ?", game)
        return int(rows[0][0]) if rows else None

    def game_of_board(self, number: int) -> str | None:
        """The id of the game on a board; it need not have been opened."""
        rows = self._sql.run("SELECT game FROM boards WHERE number = ?", number)
        return str(rows[0][0]) if rows else None

    def server_secret(self) -> bytes:
        """32 random bytes, made once for this database and the same ever after."""
        fresh = secrets.token_bytes(32)
        if self._keys is not None:
            return _kept_in_file(self._keys / "server.secret", fresh)
        self._sql.run("INSERT INTO secrets VALUES ('server', ?) ON CONFLICT DO NOTHING", fresh.hex())
        return bytes.fromhex(self._sql.run("SELECT hex FROM secrets WHERE name = 'server'")[0][0])

    def knows_cipher(self, key: str | None) -> bool:
        """Whether the games have been kept under this cipher key (None: in clear) ever since the first start."""
        mark = _sha256(key) if key is not None else "none"
        if not self._sql.run("SELECT hex FROM secrets WHERE name = 'cipher'"):
            self._sql.run("INSERT INTO secrets VALUES ('cipher', ?) ON CONFLICT DO NOTHING", mark)
        return bool(self._sql.run("SELECT hex FROM secrets WHERE name = 'cipher'")[0][0] == mark)


def _kept_in_file(path: Path, fresh: bytes) -> bytes:
    """What the file holds; `fresh` if it is not there yet. A link appears whole, so no process reads half a secret."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_suffix(f".{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(fresh)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_bytes()


def _sha256(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _now() -> int:
    """UTC microseconds since 1970."""
    return time.time_ns() // 1000


def open_office(config: Config) -> Office:
    """The office that the configuration names, its tables in place."""
    passwords = Passwords(config.hashing)
    if config.database_url is None:
        office = Office(SqliteSql(config.data / "office.db"), passwords, config.data / "keys")
    else:
        office = Office(PostgresSql(config.database_url), passwords, None)
    with ExitStack() as closing:
        closing.callback(office.close)
        office.migrate()
        closing.pop_all()
    return office
