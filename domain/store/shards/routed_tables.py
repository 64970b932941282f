"""The tables of all shards on one or several PostgreSQL servers, each found by the map of `servers`."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from eventsourcing.persistence import StoredEvent

from domain.store.postgres import PostgresLogRecorder
from domain.store.recorder import LogTables, RawLogRow
from domain.store.shards.layout import MOST_SHARDS, postgres_tables
from domain.store.shards.postgres_tables import PostgresTables, write_nothing
from domain.store.shards.servers import HOME, ShardServers, places_by_server

Result = TypeVar("Result")


@dataclass(frozen=True)
class _Routes:
    """The server of each shard, and the tables on each server."""

    names: tuple[str, ...]
    tables: Mapping[str, PostgresTables]


class RoutedRecorder(PostgresLogRecorder):
    """The recorder of a shard. After a move, it reads and writes another database."""

    def __init__(self, tables: "RoutedTables", shard: int, name: str) -> None:
        self._tables = tables
        super().__init__(tables.datastore_of(shard), events_table_name=name)

    def _rows(self, statement: bytes, parameters: Sequence[Any]) -> list[Any]:
        fetch = super()._rows
        return self._tables.follow(lambda: fetch(statement, parameters))


class RoutedTables(LogTables):
    """The tables of a log. A commit of games on several servers is one transaction on each of them."""

    def __init__(self, servers: ShardServers) -> None:
        self._servers = servers
        self._routes = self._find_routes()
        names = postgres_tables(len(servers.names))
        self._recorders = [RoutedRecorder(self, shard, name) for shard, name in enumerate(names)]
        self._threads = ThreadPoolExecutor(MOST_SHARDS, "shards")
        self._watch = self.watch_commits()

    @property
    def recorders(self) -> Sequence[PostgresLogRecorder]:
        """The recorder of each shard, in order."""
        return self._recorders

    def datastore_of(self, shard: int) -> Any:
        """Return the database that holds a shard."""
        return self._servers.datastore(self._routes.names[shard])

    def follow(self, run: Callable[[], Result]) -> Result:
        """Run something, and once more if the map of the servers has changed. Raise ShardIsMoving during a switch."""
        return self._servers.follow(run, self._change_routes)

    def insert_batches(self, shards: Sequence[int], batches: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        """Insert batches as `LogTables` says. After an error, those on other servers may be stored."""
        stored = self.follow(lambda: self._insert_batches(shards, batches)) if batches else []
        self._watch.note((shard, ids[-1]) for shard, ids in zip(shards, stored, strict=True) if ids)
        return stored

    def last_ids(self) -> list[int]:
        return self.follow(self._last_ids)

    def log_rows(self, after: Sequence[int | None], limit: int) -> list[tuple[int, RawLogRow]]:
        return self.follow(lambda: self._log_rows(after, limit))

    def try_to_write(self) -> None:
        """See `LogTables`. Write on the home server alone: what isn't there is found by the commits themselves."""
        write_nothing(self._servers.datastore(HOME))

    def close(self) -> None:
        self._watch.close()
        self._threads.shutdown()
        self._servers.close()

    def _find_routes(self) -> _Routes:
        names = self._servers.names
        held = places_by_server(names, range(len(names)))
        open_tables = self._servers.datastore
        return _Routes(
            names, {name: PostgresTables(open_tables(name), len(names), some) for name, some in held.items()}
        )

    def _change_routes(self) -> None:
        if self._routes.names != self._servers.names:
            self._routes = self._find_routes()
        for shard, recorder in enumerate(self._recorders):
            recorder.datastore = self.datastore_of(shard)

    def _insert_batches(
        self, shards: Sequence[int], batches: Sequence[Sequence[StoredEvent]]
    ) -> list[list[int] | None]:
        routes = self._routes
        places = places_by_server(routes.names, shards)

        def insert(server: str) -> list[list[int] | None]:
            here = places[server]
            return routes.tables[server].insert_batches([shards[at] for at in here], [batches[at] for at in here])

        stored: list[list[int] | None] = [None] * len(batches)
        for server, ids in zip(places, self._at_once(insert, [*places]), strict=True):
            for place, each in zip(places[server], ids, strict=True):
                stored[place] = each
        return stored

    def _last_ids(self) -> list[int]:
        tables = [*self._routes.tables.values()]
        ids = self._at_once(PostgresTables.last_ids, tables)
        pairs = (pair for each, some in zip(tables, ids, strict=True) for pair in zip(each.held, some, strict=True))
        return [last for _, last in sorted(pairs)]

    def _log_rows(self, after: Sequence[int | None], limit: int) -> list[tuple[int, RawLogRow]]:
        tables = [each for each in self._routes.tables.values() if any(after[shard] is not None for shard in each.held)]
        found = self._at_once(lambda each: each.log_rows(after, limit), tables)
        return sorted((row for rows in found for row in rows), key=lambda each: (each[0], each[1][0]))

    def _at_once(self, run: Callable[[Any], Result], arguments: Sequence[Any]) -> list[Result]:
        """Return the results of calls that run at the same time. Wait for all of them, then raise the first error."""
        if len(arguments) == 1:
            return [run(arguments[0])]
        calls = [self._threads.submit(run, argument) for argument in arguments]
        errors = [call.exception() for call in calls]
        for error in filter(None, errors):
            raise error
        return [call.result() for call in calls]
