"""Which PostgreSQL server holds each shard: a map in the database of the store, which is called `home`.

The map names servers, and the settings say how to reach each name, so that the map holds no secret. A shard without a
row is at home. A process learns of a change when a server refuses it: a shard that has left a server isn't found there
by its name any more, and its old copy takes no rows.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import TypeVar

from eventsourcing.persistence import OperationalError, PersistenceError
from eventsourcing.postgres import PostgresDatastore

from domain.store.postgres import fetch_rows
from domain.store.shards.layout import Select

HOME = "home"
SERVER_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")
MAP_TABLE = "shard_servers"
CREATE_MAP = (
    f"CREATE TABLE IF NOT EXISTS log.{MAP_TABLE}"
    " (shard bigint PRIMARY KEY, server text NOT NULL, moving_to text, version bigint NOT NULL)"
)
"""`version` counts the moves of a shard; `moving_to` is where a copy of it is made now."""
HAS_MAP = f"SELECT 1 WHERE to_regclass('log.{MAP_TABLE}') IS NOT NULL"
SELECT_MAP = f"SELECT shard, server, moving_to, version FROM log.{MAP_TABLE} ORDER BY shard"
READ_ONLY_STATE = "25006"
"""The SQLSTATE with which a shard's copy refuses rows (read_only_sql_transaction)."""
LEFT_STATES = frozenset(("42P01", "42883", READ_ONLY_STATE))
"""SQLSTATEs of a statement on a shard that has left the server: no such table, no such function, read-only."""
MOVES = "a shard is being moved to another server; try again in a moment"

Result = TypeVar("Result")
OpenServer = Callable[[str], PostgresDatastore]
"""Opens the database at a URL."""


class UnknownServer(Exception):
    """The map names a server (`name`) whose address the settings don't give."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"shards of this store are on the server {name}, which TRICKBOOK_SERVERS doesn't name; add"
            f" {name}=postgresql://... to it, and start again"
        )
        self.name = name


class ShardIsMoving(OperationalError):
    """A shard is between two servers for a moment. Nothing was stored."""


def parse_servers(text: str) -> dict[str, str]:
    """Return the URL of each server in a text such as "east=postgresql://... west=postgresql://...".

    Raise ValueError without showing the text, which may hold passwords.
    """
    servers = dict[str, str]()
    for number, word in enumerate(text.split(), start=1):
        name, equals, url = word.partition("=")
        if not equals or SERVER_NAME.fullmatch(name) is None or name == HOME or name in servers:
            raise ValueError(
                f"expected NAME=URL with spaces between them, each name once, of letters, digits and hyphens, and not"
                f" {HOME}; number {number} is something else"
            )
        servers[name] = url
    return servers


def read_map(select: Select) -> dict[int, tuple[str, str | None, int]]:
    """Return (server, moving to, version) of each shard that was ever moved."""
    if not select(HAS_MAP):
        return {}
    return {int(shard): (server, moving_to, int(version)) for shard, server, moving_to, version in select(SELECT_MAP)}


def has_left(error: BaseException) -> bool:
    """Return whether a statement failed because its shard isn't on that server any more, or takes no rows."""
    cause: BaseException | None = error
    while cause is not None:
        if getattr(cause, "sqlstate", None) in LEFT_STATES:
            return True
        cause = cause.__cause__
    return False


class ShardServers:
    """The server of each shard, as this process knows them. Safe for concurrent use by several threads."""

    def __init__(self, home: PostgresDatastore, urls: Mapping[str, str], count: int, open_server: OpenServer) -> None:
        self._home, self._urls, self._open_server = home, urls, open_server
        self._lock = Lock()
        self._opened = {HOME: home}
        self._names: tuple[str, ...] = (HOME,) * count
        self._read()

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the server of each shard."""
        return self._names

    def datastore(self, name: str) -> PostgresDatastore:
        """Return the database of a server that the map names."""
        return self._opened[name]

    def follow(self, run: Callable[[], Result], on_change: Callable[[], None]) -> Result:
        """Run something; if a shard has left its server, read the map, call `on_change`, and run it again.

        Raise ShardIsMoving if that fails too: a move is at its end, and the shard takes no rows for a moment.
        """
        try:
            return run()
        except PersistenceError as error:
            if not has_left(error):
                raise
        self._reload()
        on_change()
        try:
            return run()
        except PersistenceError as error:
            if has_left(error):
                raise ShardIsMoving(MOVES) from error
            raise

    def _reload(self) -> None:
        try:
            self._read()
        except UnknownServer as error:
            raise OperationalError(str(error)) from error

    def _read(self) -> None:
        with self._lock:
            rows = read_map(lambda sql: fetch_rows(self._home, sql.encode(), ()))
            names = tuple(rows[shard][0] if shard in rows else HOME for shard in range(len(self._names)))
            for name in sorted({*names} - self._opened.keys()):
                if name not in self._urls:
                    raise UnknownServer(name)
                self._opened[name] = self._open_server(self._urls[name])
            self._names = names

    def close(self) -> None:
        """Close the connections to all servers."""
        for datastore in self._opened.values():
            datastore.close()


def places_by_server(names: Sequence[str], shards: Sequence[int]) -> dict[str, list[int]]:
    """Return for each server the places in `shards` that name one of its shards."""
    places = dict[str, list[int]]()
    for place, shard in enumerate(shards):
        places.setdefault(names[shard], []).append(place)
    return places
