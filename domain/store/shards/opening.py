"""Opening a log: its tables in either database, and an application of the library for each shard."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from eventsourcing.persistence import InfrastructureFactory, PersistenceError
from eventsourcing.postgres import PostgresDatastore
from eventsourcing.utils import Environment, EnvType

from domain.store.application import CACHED, GameApplication, GameCache, SharedParts, translate_errors
from domain.store.compression import compressor_topic
from domain.store.log import ShardedLog
from domain.store.postgres import MIGRATION_LOCK, PostgresLogFactory, fetch_rows
from domain.store.recorder import LogTables, recorder_env
from domain.store.shards.layout import MOST_SHARDS, SHARD, shard_names
from domain.store.shards.move import ShardMove
from domain.store.shards.old_archive import bring_back
from domain.store.shards.postgres_copy import PostgresCopy
from domain.store.shards.postgres_tables import PostgresTables, open_postgres_tables
from domain.store.shards.postgres_tables import read_dictionaries as select_dictionaries
from domain.store.shards.reshard import CopyPlace
from domain.store.shards.routed_tables import RoutedTables
from domain.store.shards.servers import HOME, ShardServers, parse_servers
from domain.store.shards.sqlite_copy import SqliteCopy
from domain.store.sql.breaker import Timeouts
from domain.store.sql.postgres_pool import lock_migrations
from domain.store.sqlite import SqliteLogFactory, SqliteLogFile, open_sqlite_tables, read_dictionaries

SHARDS = "TRICKBOOK_LOG_SHARDS"
"""Our own key among the library's settings: the number of shards of a new log."""
SERVERS = "TRICKBOOK_LOG_SERVERS"
"""Another key of ours: the other servers that may hold shards, as `parse_servers` reads them."""
SHARD_NUMBER = "TRICKBOOK_LOG_SHARD"
"""Another key of ours: the shard that a `LogShard` opens, 0 to n-1."""


def shard_settings(shards: int | None) -> dict[str, str]:
    """Return the settings for a log with this number of shards, 1 to 64; None: 1 in a file and 8 in a database."""
    if shards is not None and not 1 <= shards <= MOST_SHARDS:
        raise ValueError(f"a log has 1 to {MOST_SHARDS} shards")
    return {} if shards is None else {SHARDS: str(shards)}


def server_settings(servers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the settings that name these PostgreSQL servers, (name, URL) each, beside the one of the store."""
    return {SERVERS: " ".join(f"{name}={url}" for name, url in servers)}


def open_log(data: Path, url: str | None, settings: Mapping[str, str], cache: int = CACHED) -> ShardedLog:
    """Open the log in the file `data`/log.db, or in the PostgreSQL database at `url` and those of its map.

    `settings` are the library's, and our `SHARDS` and `SERVERS`. Raise OtherShards if an existing log has another
    number, UnknownServer if shards are on a server that isn't in `SERVERS`, GamesArchived as `bring_back` does, and
    NoDictionary if its states are compressed with a dictionary that's missing.
    """
    factory, tables = _open_tables(recorder_env(data, url, name=SHARD, **settings))
    names = shard_names(len(tables.recorders))
    named = [(name, recorder_env(data, url, name=name, **settings)) for name in names]
    log = ShardedLog(named, factory, tables, cache)
    try:
        bring_back(log, migrate=settings.get("CREATE_TABLE", "y") == "y")
    except BaseException:
        log.close()
        raise
    return log


class LogShard(GameApplication):
    """The application of one shard, opened by its `env` alone, as the library's ProjectionRunner opens one.

    `projection_envs` returns the `env` for each shard of a log.
    """

    def __init__(self, env: EnvType) -> None:
        factory, self._tables = _open_tables(env)
        number = int(env.get(SHARD_NUMBER) or 0)
        name = shard_names(len(self._tables.recorders))[number]
        named = {f"{name.upper()}_{key}": value for key, value in env.items()}
        parts = SharedParts(factory, GameCache(CACHED), self._tables.recorders[number])
        super().__init__({**env, **named}, name, parts)

    def close(self) -> None:
        """End its subscriptions, and close the database."""
        self._tables.close()
        super().close()


def projection_envs(
    projection: str, data: Path, url: str | None = None, settings: Mapping[str, str] | None = None
) -> list[dict[str, str]]:
    """Return the `env` of a ProjectionRunner for each shard of the log in `data`/log.db, or in the database at `url`.

    `projection` is the projection's name. Its view is kept apart from the log: in the file `data`/NAME.db, or in the
    schema `public` of the database. `settings` are those of `open_log`. Raise StoreUnavailable if there's no log yet.
    """
    chosen = {"CREATE_TABLE": "n", **(settings or {})}
    with translate_errors(), closing(open_log(data, url, chosen)) as log:
        count = log.shards
    log_env, prefix = recorder_env(data, url, name=SHARD, **chosen), projection.upper()
    place = {"SQLITE_DBNAME": str(data / f"{projection.lower()}.db")} if url is None else {"POSTGRES_SCHEMA": "public"}
    view_env = {f"{prefix}_{key}": value for key, value in {**place, "CREATE_TABLE": "y"}.items()}
    return [{**log_env, **view_env, SHARD_NUMBER: str(shard)} for shard in range(count)]


def _open_tables(env: EnvType) -> tuple[InfrastructureFactory[Any], LogTables]:
    shards = int(env[SHARDS]) if SHARDS in env else None
    named = Environment(SHARD, env)
    return _open_postgres(named, shards) if named.get("POSTGRES_URL") else _open_sqlite(named, shards)


def _open_sqlite(env: Environment, shards: int | None) -> tuple[InfrastructureFactory[Any], LogTables]:
    factory = SqliteLogFactory(env)
    try:
        tables = open_sqlite_tables(factory.log_file(), shards, create=factory.env_create_table())
        _set_compressor(factory, read_dictionaries(factory.log_file().rows))
    except BaseException:
        factory.close()
        raise
    return factory, tables


def _open_postgres(env: Environment, shards: int | None) -> tuple[InfrastructureFactory[Any], LogTables]:
    factory = PostgresLogFactory(env)
    try:
        count = open_postgres_tables(factory.datastore, shards, create=factory.env_create_table())
        urls = parse_servers(env.get(SERVERS, ""))
        servers = ShardServers(factory.datastore, urls, count, lambda url: _open_server(url, env))
        if factory.env_create_table():
            _update_functions(servers)
        dictionaries = select_dictionaries(
            lambda statement: fetch_rows(factory.datastore, statement.encode(), ()), factory.datastore.schema
        )
        _set_compressor(factory, dictionaries)
        return factory, RoutedTables(servers)
    except BaseException:
        factory.close()
        raise


def _set_compressor(factory: InfrastructureFactory[Any], dictionaries: Sequence[int]) -> None:
    """Let a factory make the compressor of a log with these dictionaries, unless the settings name another one."""
    topic = compressor_topic(dictionaries)
    if not factory.env.get(factory.COMPRESSOR_TOPIC):
        factory.env.update(dict.fromkeys(factory.env.create_keys(factory.COMPRESSOR_TOPIC), topic))


def _update_functions(servers: ShardServers) -> None:
    """Update the functions on the servers beside home; one that can't be reached keeps those that it has."""
    count = len(servers.names)
    for datastore in map(servers.datastore, sorted({*servers.names} - {HOME})):
        with suppress(PersistenceError), datastore.transaction(commit=True) as cursor:
            lock_migrations(cursor, MIGRATION_LOCK)
            PostgresTables(datastore, count).create(cursor, assigned=range(count))


def _open_server(url: str, settings: Mapping[str, str]) -> PostgresDatastore:
    """Return the database of another server. It's connected to when it's used."""
    chosen = {**settings, "POSTGRES_URL": url}
    return PostgresLogFactory(Environment(SHARD, recorder_env(Path(), url, name=SHARD, **chosen))).datastore


@contextmanager
def open_copy(log: ShardedLog, data: Path, url: str | None, shards: int, timeouts: Timeouts) -> Iterator[CopyPlace]:
    """Open the place, in the database of a log, of a copy with this number of shards."""
    if isinstance(log.factory, PostgresLogFactory) and url is not None:
        yield PostgresCopy(url, timeouts, log.shards, PostgresTables(log.factory.datastore, shards))
    else:
        with closing(SqliteLogFile(data / "log.db", timeouts.lock_s)) as file:
            yield SqliteCopy(file, log.shards, shards)


def open_move(urls: Mapping[str, str], timeouts: Timeouts, shard: int, count: int) -> ShardMove:
    """Return the mover of one shard of a log with `count` shards. `urls` has the URL of each server, also of `home`."""
    return ShardMove(urls, timeouts, shard, count, lambda url: _open_server(url, {}))
