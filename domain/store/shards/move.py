"""Moving a shard to another PostgreSQL server, while games are played.

A copy is made beside the shard, with the numbers that the rows have, and compared with it. Then the shard is fenced: a
trigger refuses rows from every process, whichever map it has read, and the rows that came meanwhile are copied and
compared too. Then the copy gets the shard's name, the shard gets that of an old copy, and the map gets a new row. Only
the last step counts: until then, the shard is where it was, and a move that was interrupted can go on or be given up. A
process with the older map finds no table, and reads the map again. The old copy keeps its fence until somebody drops
it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress

import psycopg
from psycopg.errors import LockNotAvailable

from domain.store.postgres import CREATE_SCHEMA, CREATE_TABLE, MIGRATION_LOCK
from domain.store.shards.layout import SetProgress
from domain.store.shards.old_archive import IS_ARCHIVED
from domain.store.shards.postgres_tables import PostgresTables, select_with
from domain.store.shards.servers import CREATE_MAP, HOME, MAP_TABLE, OpenServer, read_map
from domain.store.shards.shard_copy import (
    PAGE,
    Connection,
    CopyContents,
    ShardTables,
    open_shard,
    shard_tables,
)
from domain.store.sql.breaker import Timeouts
from domain.store.sql.postgres_pool import connect, lock_migrations

MOST_ROUNDS = 20
"""How often to copy what came meanwhile before the shard is fenced anyway."""
MOVE_LOCKS = 0x6D6F7665 << 32
"""The advisory locks of moves, held for the time of a connection: added is the number of the shard."""
SET_MOVE = (
    f"INSERT INTO log.{MAP_TABLE} VALUES (%s, %s, %s, 0)"
    " ON CONFLICT (shard) DO UPDATE SET moving_to = EXCLUDED.moving_to"
)
END_MOVE = f"UPDATE log.{MAP_TABLE} SET moving_to = NULL WHERE shard = %s"
SWITCH = (
    f"UPDATE log.{MAP_TABLE} SET server = %s, moving_to = NULL, version = version + 1"
    " WHERE shard = %s AND server = %s AND moving_to = %s"
)
CHANGED = "Somebody else has changed the map of shard {shard}. Run the command again."

Step = Callable[[str], object]


class CannotMove(Exception):
    """The shard can't be moved; str(error) says why and what to do. It's where it was."""


class ShardMove:
    """Moves one shard of a log with `count` shards. Its map is on the server `urls["home"]`."""

    def __init__(
        self, urls: Mapping[str, str], timeouts: Timeouts, shard: int, count: int, open_server: OpenServer
    ) -> None:
        self._urls, self._timeouts, self._shard, self._open_server = urls, timeouts, shard, open_server
        self._names = shard_tables(shard, count)
        self._count = count

    def run(
        self, target: str, copying: SetProgress, comparing: SetProgress, step: Step = lambda _: None
    ) -> CopyContents:
        """Move the shard to `target`, or go on with a move there. Return what it holds.

        `step` is called with the name of each step before it's done. Raise CannotMove, or psycopg's errors.
        """
        with ExitStack() as stack:
            home = stack.enter_context(self._lead())
            if target == self._row(home)[0]:
                raise CannotMove(f"{target} holds shard {self._shard} already.")
            source = self._begin(home, target)
            here, there = stack.enter_context(self._open(source)), stack.enter_context(self._open(target))
            step("prepare")
            self._prepare(here, there, target)
            step("copy")
            copied = self._copy_while_games_go_on(here, there, copying, comparing)
            if self._row(home) != (source, target):
                raise CannotMove(CHANGED.format(shard=self._shard))
            step("fence")
            try:
                with here.connection.transaction():
                    here.fence(self._names.table)
                step("rest")
                copied = self._extend(copied, here, there, copying, comparing)
            except BaseException:
                with suppress(psycopg.Error):
                    if self._row(home) == (source, target):  # the connection still holds the lock of this move
                        self._reopen(here)
                raise
            step("switch")
            self._switch(home, here, there, (source, target), step)
        return copied

    def give_up(self) -> str | None:
        """Give up a move that was interrupted, and return its target; None if no move was interrupted.

        The shard stays on its server and takes rows again. The copy is dropped, if its server can be reached.
        """
        with ExitStack() as stack:
            home = stack.enter_context(self._lead())
            source, target = self._row(home)
            if target is None:
                return None
            self._reopen(stack.enter_context(self._open(source)))
            home.execute(END_MOVE.encode(), (self._shard,))
            with suppress(psycopg.Error), self._open(target) as there:
                self._hide_copy(there)
                there.run("DROP TABLE IF EXISTS log.{table}", table=self._names.incoming)
            return target

    def drop_old(self, server: str) -> int:
        """Drop the copy that a move has left on a server, and return how many events it had.

        Raise CannotMove if the server of the shard doesn't hold each row of it.
        """
        with ExitStack() as stack:
            home = stack.enter_context(self._lead())
            source, target = self._row(home)
            if target is not None:
                raise CannotMove(self._unfinished(source, target))
            here, there = stack.enter_context(self._open(source)), stack.enter_context(self._open(server))
            old = there.old_tables()
            if server == source or not old:
                raise CannotMove(f"{server} holds no old copy of shard {self._shard}. See `trickbook shards show`.")
            last = max(there.last_number(table) for table in old)
            left = there.contents(old, 0, last)
            if left != here.contents([self._names.table], 0, last):
                raise CannotMove(
                    f"The old copy of shard {self._shard} on {server} holds other rows than the shard on {source}, so"
                    " it stays. Run `trickbook shards check`."
                )
            with there.connection.transaction():
                for table in old:
                    there.run("DROP TABLE log.{table}", table=table)
            return left.events

    @contextmanager
    def _lead(self) -> Iterator[Connection]:
        """Connect to the home of the map, and hold the lock that lets only one process move this shard."""
        with connect(self._urls[HOME], self._timeouts) as home:
            home.autocommit = True
            try:
                home.execute("SELECT pg_advisory_lock(%s)", (MOVE_LOCKS + self._shard,))
            except LockNotAvailable:
                raise CannotMove(
                    f"Somebody is moving shard {self._shard} right now. Wait until that has ended."
                ) from None
            yield home

    @contextmanager
    def _open(self, server: str) -> Iterator[ShardTables]:
        if server not in self._urls:
            raise CannotMove(f"TRICKBOOK_SERVERS doesn't name {server}. Add {server}=postgresql://... to it.")
        with open_shard(self._urls[server], self._timeouts, self._names) as tables:
            yield tables

    def _row(self, home: Connection) -> tuple[str, str | None]:
        """Return the server of the shard, and that to which it's moving."""
        rows = read_map(select_with(home))
        return rows[self._shard][:2] if self._shard in rows else (HOME, None)

    def _unfinished(self, source: str, target: str) -> str:
        return (
            f"A move of shard {self._shard} from {source} to {target} was interrupted. Finish it with `trickbook shards"
            f" move {self._shard} --to {target}`, or give it up with `--to {source}`."
        )

    def _begin(self, home: Connection, target: str) -> str:
        """Say in the map that the shard moves, and return the server that holds it."""
        source, moving_to = self._row(home)
        if moving_to not in (None, target):
            raise CannotMove(self._unfinished(source, str(moving_to)))
        if moving_to is None:
            self._require_free(source, target)
        with home.transaction():
            lock_migrations(home.cursor(), MIGRATION_LOCK)  # a server that starts now creates tables, or comes later
            home.execute(CREATE_MAP.encode())
            home.execute(SET_MOVE.encode(), (self._shard, source, target))
        return source

    def _require_free(self, source: str, target: str) -> None:
        """Raise CannotMove unless the target can be reached and holds nothing of this shard."""
        with self._open(target) as there:
            if there.has(self._names.table):
                raise CannotMove(
                    f"{target} holds a table {self._names.table} already. Give {target} a database of its own, which no"
                    f" other store uses and which isn't that of {source}."
                )
            if there.old_tables():
                raise CannotMove(
                    f"{target} still holds an old copy of shard {self._shard}. Drop it first: `trickbook shards drop"
                    f" {self._shard} --from {target}`."
                )

    def _prepare(self, here: ShardTables, there: ShardTables, target: str) -> None:
        """Undo the end of a move that was interrupted, and create what is missing for the copy."""
        self._hide_copy(there)
        self._reopen(here)
        if here.has(self._names.archive):
            raise CannotMove(f"The shard has an archive: {IS_ARCHIVED}.")
        with there.connection.transaction():
            lock_migrations(there.connection.cursor(), MIGRATION_LOCK)
            for statement in (CREATE_SCHEMA, CREATE_TABLE):
                there.run(statement, schema="log", table=self._names.incoming)
            functions = PostgresTables(self._open_server(self._urls[target]), self._count)
            functions.create(there.connection.cursor(), assigned=range(self._count))

    def _hide_copy(self, there: ShardTables) -> None:
        if there.has(self._names.table):
            with there.connection.transaction():
                there.rename(self._names.table, self._names.incoming)

    def _reopen(self, here: ShardTables) -> None:
        """Give the shard its name back, and let it take rows again."""
        names = self._names
        with here.connection.transaction():
            for old, name in ((names.old, names.table), (names.old_archive, names.archive)):
                if here.has(old) and not here.has(name):
                    here.rename(old, name)
            if here.is_fenced(names.table):
                here.unfence(names.table)

    def _copy_while_games_go_on(
        self, here: ShardTables, there: ShardTables, copying: SetProgress, comparing: SetProgress
    ) -> CopyContents:
        """Copy and compare until only a few rows came meanwhile, so that the pause is short."""
        copied = CopyContents()
        for _ in range(MOST_ROUNDS):
            before, copied = copied, self._extend(copied, here, there, copying, comparing)
            if copied.events - before.events < PAGE:
                break
        return copied

    def _extend(
        self,
        copied: CopyContents,
        here: ShardTables,
        there: ShardTables,
        copying: SetProgress,
        comparing: SetProgress,
    ) -> CopyContents:
        """Copy what came since, compare it, and return what the copy holds now. Raise CannotMove if it differs."""
        last = self._copy(here, there, copying)
        found = here.contents([self._names.table], copied.last, last, comparing)
        if found != there.contents([self._names.incoming], copied.last, last):
            raise CannotMove(
                f"The copy of shard {self._shard} differs from the shard, so nothing was switched. Give the move up"
                " with `--to` and the server that holds the shard, run `trickbook shards check`, then try again."
            )
        return copied.extended_by(found)

    def _copy(self, here: ShardTables, there: ShardTables, copying: SetProgress) -> int:
        """Copy rows in pages until there are few, and return the last number."""
        reached = there.last_number(self._names.incoming)
        while True:
            with here.connection.transaction():
                here.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                rows = here.page([self._names.table], reached)
            if rows:
                with there.connection.transaction():
                    there.insert(self._names.incoming, rows)
                reached = rows[-1][0]
                copying(reached)
            if len(rows) < PAGE:
                return reached

    def _switch(
        self, home: Connection, here: ShardTables, there: ShardTables, places: tuple[str, str], step: Step
    ) -> None:
        """Give both copies their new names, and then the map its new row, which decides."""
        names, (source, target) = self._names, places
        with home.transaction():
            lock_migrations(home.cursor(), MIGRATION_LOCK)
            with there.connection.transaction():
                there.rename(names.incoming, names.table)
                there.continue_numbers(names.table)
            step("leave")
            with here.connection.transaction():
                here.rename(names.table, names.old)
            step("decide")
            changed = home.execute(SWITCH.encode(), (target, self._shard, source, target))
            if changed.rowcount != 1:
                raise CannotMove(CHANGED.format(shard=self._shard))
        step("done")
