"""Connections to PostgreSQL on which no wait is without end, even if the server is stopped or its machine is gone.

The server ends statements and waits for locks itself (`statement_timeout`, `lock_timeout`). A stopped server ends
nothing, and its machine still acknowledges packets. So the client counts too: it closes a connection on which nothing
arrives for longer than the server may take, and then refuses further statements at once (`Breaker`).
"""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from math import inf
from os import getpid
from threading import BoundedSemaphore, Lock, RLock
from time import monotonic, sleep
from typing import Any, Self, TypeVar

import psycopg
from psycopg import Connection, Cursor
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import LockNotAvailable, QueryCanceled
from psycopg.rows import RowFactory, tuple_row
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from domain.store.sql.breaker import DEFAULT_TIMEOUTS, Breaker, Timeouts

LISTS = ("host", "hostaddr", "port")
"""The parameters that have a value for each host, or one for all."""


class HostOrder:
    """The hosts of a URL: one that hangs costs each attempt its time-out, so the one that answered last comes first.

    Safe for concurrent use by several threads: each change replaces the order.
    """

    def __init__(self, url: str) -> None:
        given = conninfo_to_dict(url)
        self._values = {name: str(given[name]).split(",") for name in LISTS if given.get(name)}
        self._order = tuple(range(max((len(values) for values in self._values.values()), default=1)))

    @property
    def count(self) -> int:
        """The number of hosts."""
        return len(self._order)

    def arrange(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return psycopg's parameters for a URL with its hosts in the order in which to try them."""
        order, several = self._order, {name: each for name, each in self._values.items() if len(each) > 1}
        return {**parameters, **{name: ",".join(values[at] for at in order) for name, values in several.items()}}

    def connected(self, connection: Connection[Any]) -> None:
        """Put the host of a connection first."""
        found = [at for at in self._order if self._leads_to(at, connection)]
        self._order = (*found, *(at for at in self._order if at not in found))

    def failed(self) -> None:
        """Put the first host last, since no host answered an attempt that began with it."""
        first, *others = self._order
        self._order = (*others, first)

    def _leads_to(self, at: int, connection: Connection[Any]) -> bool:
        reached = {
            "host": connection.info.host,
            "hostaddr": connection.info.hostaddr,
            "port": str(connection.info.port),
        }
        return all(values[at] == reached[name] for name, values in self._values.items() if len(values) > 1)


hosts_of = cache(HostOrder)
"""The order that all connections of this process to one URL share."""


GRACE_S = 0.5
"""Seconds that the client waits longer than the server may take."""
PROBE_S = 1.0
"""Seconds that the client waits for a server that didn't answer a moment ago."""
CHECK_S = 0.1
"""Seconds between two looks at the clock during a wait."""
RECONNECT_S = 5.0
"""Seconds for which the pool itself tries to connect. Later attempts are made for callers."""
KEEPALIVES = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
"""How an idle connection, such as one that listens, notices that the server's machine is gone."""
MIGRATION_S = 30.0
"""Seconds to wait for another program that creates tables."""
IDLE_S = 20.0
"""Seconds after which one more of the connections that nobody needed is closed."""
CONNECTIONS = 14
"""The most connections of a process to one server. Moves may take all of them, and each other use a share."""
PREPARED = 400
"""The most statements that a connection keeps prepared: those of all uses."""
OUR_SCHEMAS = "office,views,limits"
"""The search path for tables that are named without a schema. No name is in two of them."""
SERVER = "the whole server"
STOPPED = "10s"
"""How long a program that creates tables may be silent before its transaction ends."""
TAKE_LOCK = """SELECT set_config('idle_in_transaction_session_timeout', %s, true)
    WHERE pg_try_advisory_xact_lock(%s)"""
RAISE_DURABILITY = """SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') IN ('off', 'local')"""
SELECT_STATEMENT_TIMEOUT = "SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'"

Result = TypeVar("Result")
breaker_of = cache(lambda _url: Breaker())
"""The breaker that all pools of this process on one URL share."""


class DatabaseHangs(psycopg.OperationalError):
    """The server doesn't answer. The statement may be carried out later."""


class CannotConnect(DatabaseHangs):
    """No connection in time; str(error) is the reason in one line, without secrets."""


class StatementWaits(psycopg.OperationalError):
    """The same statement waited in vain a moment ago, for a lock or for the end of its work."""


def _is_silence(error: Exception) -> bool:
    return isinstance(error, DatabaseHangs)


def _is_long_wait(error: Exception) -> bool:
    return isinstance(error, LockNotAvailable | QueryCanceled)


class TimedCursor(Cursor[Any]):
    """A cursor whose statements pass the breaker of their connection."""

    def execute(self, query: Any, *parameters: Any, **options: Any) -> Self:
        """Execute as psycopg does. Raise StatementWaits at once if this statement waited in vain a moment ago."""
        breaker: Breaker = vars(self.connection)["breaker"]
        key = query if isinstance(query, bytes | str) else repr(query)
        with breaker.attempt(key, _is_long_wait, StatementWaits):
            super().execute(query, *parameters, **options)
        breaker.reset(SERVER)
        return self


class TimedConnection(Connection[Any]):
    """A connection that closes itself when the server hasn't sent anything for `answer_s` seconds of a wait."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.cursor_factory = TimedCursor
        self.breaker = Breaker()
        self.answer_s = DEFAULT_TIMEOUTS.statement_s + GRACE_S

    def wait(self, gen: PQGen[Result], interval: float = CHECK_S, timeout: float | None = None) -> Result:
        """Wait as psycopg does; raise DatabaseHangs in time. Only a wait for notifications comes with a time-out."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(self._until_silence(gen), interval)
        except DatabaseHangs:
            self.close()  # what it sends later answers no later statement
            raise

    def _until_silence(self, gen: PQGen[Result]) -> Generator[Any, Any, Result]:
        """Pass on what psycopg waits for, and the answers; psycopg sends 0 after each CHECK_S without one."""
        trips = self.breaker.trips(SERVER)
        patience_s = min(self.answer_s, PROBE_S) if self.breaker.is_tripped(SERVER) else self.answer_s
        until = monotonic() + patience_s
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    until = monotonic() + patience_s
                elif monotonic() > until or self.breaker.trips(SERVER) != trips:
                    raise DatabaseHangs("the database doesn't answer this statement, or didn't answer another one")
                wanted = gen.send(ready)
        except StopIteration as end:
            answer: Result = end.value
            return answer


class TimedPool(ConnectionPool[TimedConnection]):
    """A pool of such connections to one URL, which acknowledge no commit before it's on disk. Call `open` after a fork.

    Parameters in the URL win over `timeouts`, and `search_path` wins over them.
    """

    def __init__(
        self, url: str, timeouts: Timeouts, search_path: str = OUR_SCHEMAS, *, max_size: int = CONNECTIONS
    ) -> None:
        self.breaker, self._hosts = breaker_of(url), hosts_of(url)
        self._trips = self.breaker.trips(SERVER)
        self._reason: psycopg.Error | None = None
        self._parameters = connection_parameters(url, timeouts, search_path and f"-c search_path={search_path}")
        super().__init__(
            connection_class=TimedConnection,
            kwargs=self._parameters,
            configure=prepare,
            min_size=1,
            max_size=max_size,
            max_idle=IDLE_S,
            timeout=timeouts.connect_s * self._hosts.count,
            reconnect_timeout=RECONNECT_S,
            open=False,
        )

    @contextmanager
    def connection(self, timeout: float | None = None) -> Iterator[TimedConnection]:
        """Lend a connection. Raise DatabaseHangs at once while the server is known not to answer."""
        with self.breaker.attempt(SERVER, _is_silence, DatabaseHangs):
            if self._trips != self.breaker.trips(SERVER):
                self._trips = self.breaker.trips(SERVER)
                self.drain()  # idle connections may lead nowhere by now
            with super().connection(timeout) as connection:
                yield connection

    def getconn(self, timeout: float | None = None) -> TimedConnection:
        """Lend a connection, as psycopg does. Raise CannotConnect with the reason if that takes too long."""
        try:
            return super().getconn(self.patience_s(timeout))
        except PoolTimeout as error:
            raise CannotConnect(describe_failure(self._reason)) from error

    def patience_s(self, timeout: float | None = None) -> float:
        """Return how long a caller waits for a connection: less while the server is known not to answer."""
        longest_s = self.timeout if timeout is None else timeout
        return min(longest_s, PROBE_S) if self.breaker.is_tripped(SERVER) else longest_s

    def _connect(self, timeout: float | None = None) -> TimedConnection:
        self.kwargs = self._hosts.arrange(self._parameters)
        try:
            connection = super()._connect(timeout)
        except psycopg.Error as error:
            self._reason = error
            self._hosts.failed()
            raise
        self._hosts.connected(connection)
        connection.breaker = self.breaker
        return connection


class PoolShare:
    """The connections to a server for one use, from the pool that all uses in this process share. Call `open` first.

    At most `most` of them are in use at a time. The methods are those of psycopg's pool that eventsourcing calls.
    """

    def __init__(
        self,
        url: str,
        timeouts: Timeouts,
        most: int = CONNECTIONS,
        row_factory: RowFactory[Any] = tuple_row,
        search_path: str = OUR_SCHEMAS,
    ) -> None:
        self.breaker = breaker_of(url)
        self._place = url, timeouts, search_path
        self._most, self._free = most, BoundedSemaphore(most)
        self._row_factory = row_factory
        self._joined: TimedPool | None = None
        self._closed, self._opening = False, Lock()

    def open(self, wait: bool = False, timeout: float = 30.0) -> None:
        """Join the pool of the server, and open it if nobody has."""
        if self._joined is None and not self._closed:
            with self._opening:
                if self._joined is None:
                    self._joined = _join(*self._place)
            if wait:
                self._joined.wait(timeout)

    @contextmanager
    def connection(self, timeout: float | None = None) -> Iterator[TimedConnection]:
        """Lend a connection. Raise as `TimedPool.connection` does, and CannotConnect if too many are in use."""
        pool = self._pool
        with self._turn(pool.patience_s(timeout)), pool.connection(timeout) as connection:
            connection.row_factory = self._row_factory
            yield connection

    @contextmanager
    def _turn(self, patience_s: float) -> Iterator[None]:
        if not self._free.acquire(timeout=patience_s):
            raise CannotConnect(f"all {self._most} connections for this use are busy")
        try:
            yield
        finally:
            self._free.release()

    def check(self) -> None:
        """Replace idle connections that are broken."""
        self._pool.check()

    def close(self) -> None:
        """Leave the pool. The last one to leave closes it."""
        pool, self._joined, self._closed = self._joined, None, True
        if pool is not None:
            _leave(pool)

    @property
    def _pool(self) -> TimedPool:
        if self._joined is None:
            raise PoolClosed("the connections to this database are closed")
        return self._joined


_pools: dict[object, tuple[TimedPool, int]] = {}
"""The pools of this process, and how many have joined each."""
_pools_lock = RLock()
"""One that the same thread takes again if it collects garbage that has a share."""


def _join(url: str, timeouts: Timeouts, search_path: str) -> TimedPool:
    server = frozenset(conninfo_to_dict(url).items()), timeouts, search_path, getpid()  # not the pools of a parent
    with _pools_lock:
        pool, members = _pools.get(server) or (TimedPool(url, timeouts, search_path), 0)
        _pools[server] = pool, members + 1
    pool.open()
    return pool


def _leave(left: TimedPool) -> None:
    with _pools_lock:
        server, members = next((key, members) for key, (pool, members) in _pools.items() if pool is left)
        _pools[server] = left, members - 1
        if members == 1:
            del _pools[server]
    if members == 1:
        left.close()


def connection_parameters(url: str, timeouts: Timeouts, options: str = "") -> dict[str, Any]:
    """Return psycopg's parameters for a URL with these time-outs. Parameters in the URL win."""
    given = conninfo_to_dict(url)
    statement_ms = 1000 * max(timeouts.statement_s, timeouts.lock_s)
    defaults = [f"-c statement_timeout={statement_ms} -c lock_timeout={1000 * timeouts.lock_s}"]
    ours = {"connect_timeout": timeouts.connect_s, "tcp_user_timeout": statement_ms + 1000, **KEEPALIVES}
    chosen = " ".join([*defaults, str(given.get("options") or ""), options])
    return {"autocommit": True, "prepare_threshold": 2} | ours | given | {"options": chosen}


def connect(url: str, timeouts: Timeouts) -> TimedConnection:
    """Return a connection outside a pool, with transactions. Raise CannotConnect if that takes too long."""
    hosts = hosts_of(url)
    try:
        connection = TimedConnection.connect(**hosts.arrange(connection_parameters(url, timeouts)))
    except psycopg.OperationalError as error:
        hosts.failed()
        raise CannotConnect(describe_failure(error)) from error
    hosts.connected(connection)
    prepare(connection)
    connection.autocommit = False
    return connection


def prepare(connection: TimedConnection) -> None:
    """Set the client's patience by the server's: the URL, the role and the database may have changed it.

    Also raise a `synchronous_commit` that would lose acknowledged commits; leave stricter values.
    """
    connection.prepared_max = PREPARED
    with connection.cursor(row_factory=tuple_row) as cursor:
        found = cursor.execute(SELECT_STATEMENT_TIMEOUT).fetchone()
    milliseconds = found[0] if found else 0
    connection.answer_s = milliseconds / 1000 + GRACE_S if milliseconds else inf
    connection.execute(RAISE_DURABILITY)


def lock_migrations(cursor: Cursor[Any], lock_id: int) -> None:
    """Wait until no other transaction with this lock creates tables: longer than a statement may take.

    Raise DatabaseHangs after `MIGRATION_S`. The lock ends with the transaction, at the latest `STOPPED` after its last
    statement: its program may have been stopped.
    """
    until = monotonic() + MIGRATION_S
    while not _take_advisory_lock(cursor, lock_id):
        if monotonic() > until:
            raise DatabaseHangs("another program has been creating tables for too long")
        sleep(CHECK_S)
    # the search path had the session remember that a schema is missing; a new lock of a catalog makes it look again
    cursor.execute("SELECT 1 FROM pg_namespace LIMIT 1")


def _take_advisory_lock(cursor: Cursor[Any], lock_id: int) -> bool:
    return cursor.execute(TAKE_LOCK, (STOPPED, lock_id)).fetchone() is not None


def describe_failure(error: BaseException | None) -> str:
    """Return the reason in one line, without secrets: what the server said, or libpq's last line.

    After what the server said, libpq may name the file of the password. Both name hosts, users and files at most.
    """
    lines = str(error or "").strip().splitlines() or ["no connection in time"]
    return next((line for line in lines if "FATAL:" in line), lines[-1]).rpartition("FATAL:")[2].strip()
