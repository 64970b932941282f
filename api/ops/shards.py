"""Where the shards of a log are, and whether each is whole, on one PostgreSQL server or several."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from uuid import UUID

import psycopg

from api.config import Config, ConfigError
from api.ops.progress import SetProgress
from domain.protocols.merkle_log import EMPTY, Frontier, leaf
from domain.store.aggregate import PREV_SIZE, Corrupt
from domain.store.application import FactMapper
from domain.store.log import shard_of
from domain.store.shards.layout import Select
from domain.store.shards.postgres_tables import read_shards, select_with
from domain.store.shards.servers import HOME, read_map
from domain.store.shards.shard_copy import ShardNames, ShardTables, open_shard, shard_tables
from domain.store.sql.postgres_pool import CannotConnect, connect, describe_failure

ROWS_PER_FETCH = 2000
MOST_FINDINGS = 20
"""The most findings about games of one shard."""
ONLY_POSTGRES = "an SQLite file can't be spread over servers; move the log to PostgreSQL first (docs/postgresql.md)"
ELSEWHERE = (
    "shards of this store are on other servers ({servers}), and {command} reads one server; move them home with"
    " `trickbook shards move`{instead}"
)
SELECT_WEAK = "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY 1"
UNFINISHED = (
    "a move to {to} was interrupted; finish it with `trickbook shards move {shard} --to {to}`, or give it up with"
    " `--to {server}`"
)


@dataclass(frozen=True)
class ShardLocation:
    """A shard, the server that holds it, and where a move that isn't finished goes to."""

    shard: int
    server: str
    moving_to: str | None = None
    moves: int = 0


@dataclass(frozen=True)
class ShardSize:
    """How much a server holds of a shard: rows, the last position, bytes with indexes."""

    rows: int
    last: int
    bytes: int


@dataclass
class ShardCheck:
    """The contents of a shard: games, rows, and a digest of the games with their versions and roots."""

    location: ShardLocation
    games: int = 0
    rows: int = 0
    digest: str = ""
    findings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_locations(config: Config) -> list[ShardLocation]:
    """Return the location of each shard. Raise ConfigError for SQLite, and CannotConnect without the server `home`."""
    if config.database_url is None:
        raise ConfigError(ONLY_POSTGRES)
    with connect(config.database_url, config.timeouts) as home:
        select = select_with(home)
        found, count = read_map(select), read_shards(select, "log") or 1
    return [ShardLocation(shard, *found.get(shard, (HOME, None, 0))) for shard in range(count)]


def require_one_server(config: Config, command: str, instead: str = "") -> None:
    """Raise ConfigError if shards are on other servers than `home`, for a command that reads only that one.

    `instead` says what else the operator can do, such as ", or ..."; see `describe_other_servers`.
    """
    if config.database_url is not None:
        with connect(config.database_url, config.timeouts) as home:
            says = describe_other_servers(select_with(home), command, instead)
        if says is not None:
            raise ConfigError(says)


def describe_other_servers(select: Select, command: str, instead: str = "") -> str | None:
    """Return why a command that reads only the server `home` can't read the log there; None if it can.

    The text says to move the shards home, and ends with `instead`.
    """
    names = {server for server, _, _ in read_map(select).values()} - {HOME}
    return ELSEWHERE.format(servers=", ".join(sorted(names)), command=command, instead=instead) if names else None


def shard_size(config: Config, location: ShardLocation, count: int) -> ShardSize:
    """Return how much there is of a shard on its server. Raise psycopg's errors."""
    names = shard_tables(location.shard, count)
    with _open(config, location.server, names) as tables:
        rows = int(tables.run("SELECT COUNT(*) FROM log.{table}", table=names.table)[0][0])
        size = int(tables.run("SELECT pg_total_relation_size(to_regclass(%s))", f'log."{names.table}"')[0][0])
        return ShardSize(rows, tables.last_number(names.table), size)


def old_copies(config: Config, location: ShardLocation, count: int) -> list[str]:
    """Return the names of the servers that can be reached and hold an old copy of a shard."""
    names, found = shard_tables(location.shard, count), []
    for server in (name for name in config.server_urls if name != location.server):
        try:
            with _open(config, server, names) as tables:
                if tables.old_tables():
                    found.append(server)
        except psycopg.Error:
            continue
    return found


def check_shard(
    config: Config, location: ShardLocation, count: int, mapper: FactMapper, progress: SetProgress = lambda _: None
) -> ShardCheck:
    """Check that a shard is where the map says and nowhere else, and every version and root of its games."""
    result = ShardCheck(location)
    if location.moving_to is not None:
        result.findings.append(UNFINISHED.format(to=location.moving_to, shard=location.shard, server=location.server))
    if location.server not in config.server_urls:
        result.findings.append(
            f"TRICKBOOK_SERVERS doesn't name {location.server}; add {location.server}=postgresql://... to it"
        )
    for server in config.server_urls:
        try:
            with _open(config, server, shard_tables(location.shard, count)) as tables:
                if server == location.server:
                    _check_tables(result, tables, count, mapper, progress)
                else:
                    _check_elsewhere(result, server, tables, count)
        except psycopg.Error as error:
            result.findings.append(f"{server} can't be read: {reason(error)}")
    return result


def reason(error: psycopg.Error) -> str:
    """Return why a server doesn't answer, without secrets."""
    if isinstance(error, CannotConnect):
        return str(error)
    return describe_failure(error) if isinstance(error, psycopg.OperationalError) else type(error).__name__


@contextmanager
def _open(config: Config, server: str, names: ShardNames) -> Iterator[ShardTables]:
    """Connect to a server, with the time limits for long statements."""
    with open_shard(config.server_urls[server], config.with_long_statements().timeouts, names) as tables:
        yield tables


def _check_tables(
    result: ShardCheck, tables: ShardTables, count: int, mapper: FactMapper, progress: SetProgress
) -> None:
    name = shard_tables(result.location.shard, count).table
    if not tables.has(name):
        result.findings.append(
            f"{result.location.server} has no table log.{name}; if a move was interrupted, run it again; otherwise"
            " restore that server, or correct TRICKBOOK_SERVERS"
        )
        return
    weak = ", ".join(setting for (setting,) in tables.run(SELECT_WEAK))
    if weak:
        result.findings.append(f"{result.location.server} runs with {weak} off, so a crash may lose games; turn it on")
    if tables.is_fenced(name):
        result.findings.append(f"log.{name} on {result.location.server} takes no rows, as in the last step of a move")
    _check_games(result, tables, count, mapper, progress)


def _check_elsewhere(result: ShardCheck, server: str, tables: ShardTables, count: int) -> None:
    shard, names = result.location.shard, shard_tables(result.location.shard, count)
    if tables.has(names.table) and server != result.location.moving_to:
        result.findings.append(
            f"{server} has a table log.{names.table} too, which nobody reads; find out whose it is, then drop it"
        )
    if tables.old_tables():
        result.notes.append(f"{server} holds an old copy; `trickbook shards drop {shard} --from {server}` drops it")


def _check_games(
    result: ShardCheck, tables: ShardTables, count: int, mapper: FactMapper, progress: SetProgress
) -> None:
    digest = sha256()
    table = shard_tables(result.location.shard, count).table
    for game, rows in groupby(_rows(tables, table), key=itemgetter(0)):
        result.games += 1
        frontier, problem = _follow_links(game, rows, mapper)
        result.rows += frontier.size
        digest.update(b"%s %d %s" % (game.bytes, frontier.size, frontier.root()))
        if shard_of(game, count) != result.location.shard:
            problem = f"it belongs to shard {shard_of(game, count)}"
        if problem is not None and len(result.findings) < MOST_FINDINGS:
            result.findings.append(f"game {game}: {problem}; see `trickbook game audit {game}`")
        progress(result.rows)
    result.digest = digest.hexdigest()[:16]


def _rows(tables: ShardTables, table: str) -> Iterator[tuple[UUID, int, str, bytes]]:
    """Yield the rows of a shard by game and version, as of one moment."""
    select = f"SELECT originator_id, originator_version, topic, state FROM log.{table} ORDER BY 1, 2"
    with tables.connection.transaction(), tables.connection.cursor(name="shard") as cursor:
        cursor.itersize = ROWS_PER_FETCH
        yield from cursor.execute(select.encode())


def _follow_links(
    game: UUID, rows: Iterable[tuple[UUID, int, str, bytes]], mapper: FactMapper
) -> tuple[Frontier, str | None]:
    """Return the tree of a game's events, and the first thing that is wrong with their versions or roots."""
    frontier, problem = EMPTY, None
    stored = [(version, topic, state) for _, version, topic, state in rows]
    try:
        for version, _, state in mapper.decrypt_rows(str(game), stored):
            if problem is None and version != frontier.size + 1:
                problem = f"version {frontier.size + 1} is missing"
            if problem is None and state[:PREV_SIZE] != frontier.root():
                problem = f"the root before version {version} differs from the events before it"
            frontier = frontier.append(leaf(state[PREV_SIZE:]))
    except Corrupt as error:
        problem = error.what
    return frontier, problem
