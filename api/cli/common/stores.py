"""The stores of this machine for commands: errors name an unusable file, and no command creates a stray store."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psycopg

from api.accounts.accounts import Accounts, open_accounts
from api.cli.common.config import CannotAnswer, exit_on_store_errors, load_config, no_store_error
from api.cli.parser.groups import did_you_mean
from api.config import Config, ConfigError
from api.container import check_cipher, open_games, open_node
from api.monitoring.log_watch import NO_LOG
from api.ops.backup.manifest import MANIFEST
from api.people.stored import roles
from api.people.stored.user_admin import UserFilter
from api.people.stored.users import User
from domain.store import Games, NoSuchGame, StoreUnavailable
from domain.store.sql.postgres_pool import connect, describe_failure
from domain.store.sql.sqlite import Access, lacks_wal, open_file
from domain.store.sql.sqlite_errors import (
    damage_sentence,
    describe_damage,
    missing_file_sentence,
    missing_wal_sentence,
)

REBUILT = "views.db"
HAS_STORE = "SELECT COALESCE(to_regclass('office.users'), to_regclass('log.shards'))"
"""A store that lost its accounts or its log is one."""
HEADER = b"SQLite format 3\0"
FILES = ("log.db", "office.db", REBUILT, "archive.db")
HINT = "the server's user needs to read and write it"
IS_BACKUP = (
    "{data} is a backup, and a command that used it as a store would change it. Restore it into a new folder:"
    " `trickbook store restore {data} --data NEW`."
)


def check_store_files(config: Config) -> None:
    """Raise CannotAnswer for a folder or file that can't be used, or a database that refuses; create nothing."""
    if config.database_url is not None:
        _query(config, config.database_url, "SELECT 1")
    elif config.data.exists():
        _check_folder(config.data)


def has_store(config: Config) -> bool:
    """Return whether the folder or the database holds a store. Raise CannotAnswer if it can't be used."""
    check_store_files(config)
    if config.database_url is not None:
        return _query(config, config.database_url, HAS_STORE) is not None
    return any((config.data / name).exists() for name in FILES[:2])


def require_store(config: Config) -> None:
    """Raise CannotAnswer if there is no store, or if it can't be used."""
    if not has_store(config):
        raise no_store_error(config)


def require_games(config: Config) -> None:
    """Raise CannotAnswer if there are no games, or if the store can't be used."""
    check_store_files(config)
    if config.database_url is None and not (config.data / FILES[0]).exists():
        raise no_games_error(config)
    require_store(config)


def no_games_error(config: Config) -> CannotAnswer:
    """Return the error for a place without a log: whether it has no store, or one that lost its log."""
    if not has_store(config):
        return no_store_error(config)
    return CannotAnswer(missing_file_sentence(config.data / FILES[0]) if config.database_url is None else NO_LOG)


def _query(config: Config, url: str, statement: str) -> object:
    """Return the first value of a query. Raise CannotAnswer with libpq's reason, which holds no password."""
    try:
        with connect(url, config.timeouts) as connection:
            row = connection.execute(statement.encode()).fetchone()
    except psycopg.Error as error:
        raise CannotAnswer(f"Can't use the database: {describe_failure(error)}") from None
    return row[0] if row else None


def _check_folder(data: Path) -> None:
    if not data.is_dir():
        raise CannotAnswer(f"{data}: This isn't a folder.")
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK, effective_ids=True):
        raise CannotAnswer(f"{data}: Can't create files in this folder; {HINT}")
    if (data / MANIFEST).exists():
        raise CannotAnswer(IS_BACKUP.format(data=data))
    for name in FILES:
        if name != REBUILT and lacks_wal(data / name):
            raise CannotAnswer(missing_wal_sentence(data / name))
    for name in FILES:
        if (data / name).exists():
            _check_file(data / name)


def _has_header(path: Path) -> bool:
    """Return whether a file begins as SQLite's do, or is empty; SQLite itself overwrites a file of a few bytes."""
    with path.open("rb") as file:
        return file.read(len(HEADER)) in (HEADER, b"")


def _check_file(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        raise CannotAnswer(f"{path}: {error.strerror}; {HINT}") from None
    if not path.is_file():
        raise CannotAnswer(f"{path}: This isn't a file.")
    if path.name != REBUILT and not _has_header(path):
        raise CannotAnswer(damage_sentence(path, "file is not a database"))
    try:
        with closing(open_file(path, Access.WRITE)) as connection:
            connection.execute("PRAGMA schema_version")
    except sqlite3.OperationalError:
        return  # locked at the moment: opening it later waits
    except sqlite3.DatabaseError as error:
        if path.name == REBUILT:
            return  # opening it sets it aside, and the lists are built again
        raise CannotAnswer(describe_damage(path, error) or f"{path}: {error}") from None


MOST_NAMES = 1000


@contextmanager
def open_stored_accounts(data: Path | None) -> Iterator[Accounts]:
    """Yield the accounts of the store. Raise CannotAnswer if there is no store, or if it doesn't respond."""
    config = load_config(data)
    require_store(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        yield accounts


def require_user(accounts: Accounts, name: str) -> User:
    """Return the user of this name; raise CannotAnswer if there isn't one."""
    user = accounts.users.by_name(name)
    if user is None:
        raise CannotAnswer(no_such_user(accounts, name))
    return user


def require_moderator(accounts: Accounts, name: str | None) -> User:
    """Return the moderator of this name; raise CannotAnswer without a name, or for somebody who isn't one."""
    if name is None:
        raise CannotAnswer("Name the moderator who acts with --by NAME.")
    user = accounts.users.by_name(name)
    if user is None or not accounts.roles.has_any(user.id, *roles.MODERATORS):
        raise CannotAnswer(f"{name} isn't a moderator. `trickbook user role {name} moderator` gives a user this role.")
    return user


def no_such_user(accounts: Accounts, name: str) -> str:
    """Return the sentence about a user who doesn't exist, with the nearest name that begins with the same letter."""
    near = [each.name for each in accounts.admin.users(UserFilter(name[:1]), MOST_NAMES)] if name else []
    return f"There is no user {name}.{did_you_mean(name, near) or ' `trickbook user list` lists them.'}"


def require_no_servers(accounts: Accounts, config: Config) -> None:
    """Raise CannotAnswer if a server uses the log: it couldn't store anything afterwards, until it starts again."""
    nodes = {each.name.partition(" ")[0] for each in open_node(accounts, config).others()}
    if nodes:
        raise CannotAnswer(
            f"A server uses this log, on {' and '.join(sorted(nodes))}. Stop every server, then run this again. One "
            "that was killed counts for a minute."
        )


@contextmanager
def open_stores(config: Config, command: str) -> Iterator[tuple[Accounts, Games]]:
    """Yield the accounts and games; raise CannotAnswer if they don't exist or don't respond to `command`."""
    require_games(config)
    try:
        with ExitStack() as stores:
            accounts = stores.enter_context(closing(open_accounts(config)))
            check_cipher(accounts, config)
            yield accounts, stores.enter_context(closing(open_games(config, migrate=False)))
    except (NoSuchGame, StoreUnavailable) as error:
        raise CannotAnswer(f"{command}: {error}") from None
    except ConfigError as error:
        raise CannotAnswer(str(error)) from None
    except (sqlite3.Error, psycopg.Error) as error:
        raise CannotAnswer(f"The database failed: {type(error).__name__}.") from None


def resolve_game(accounts: Accounts, game: str) -> str:
    """Return the id of the game with this id or board number."""
    game_id = accounts.boards.game_of(int(game[:18])) if game.isdigit() else game
    if game_id is None:
        raise CannotAnswer(f"There is no board {game}.")
    return game_id
