"""Notices a log that isn't the one that was written: gone, older, truncated or overwritten; and a disk that is full.

The accounts remember where the log ended (`log_positions`). At the start, and every second in which something is
stored, each process looks whether the log still has these events, and whether its files are those that it uses. If not,
it stores nothing more, and says what to do. docs/decisions/0044-backups-and-lost-logs.md says what this can't notice.
"""

import logging
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic

import psycopg

from api.accounts.accounts import Accounts
from api.config import Config
from domain.store import Games, LogDamaged, StoreUnavailable
from domain.store.log import LogPosition, Numbers, Positions
from domain.store.sql.database import DATABASE_ERRORS, describe_error
from domain.store.sql.sqlite_errors import DISK_FAULTS, missing_file_sentence
from projections.followers.troubles import TroubleLog, background

LOG = logging.getLogger("trickbook.log")
LOOK_S, IDLE_LOOK_S = 1.0, 5.0
"""How often a process looks at the log while something is stored, and at other times."""
STOP_TIMEOUT_S = 5.0
COMPARED = 32
"""Of how many of its last commits a process looks whether the log has them, others each time."""
LEAST_FREE = 1 << 20
"""With fewer bytes free, the next commits may find no room."""
LOG_FILE = "log.db"
HAS_LOG = "SELECT to_regclass('log.shards') IS NOT NULL"
NO_LOG = (
    "the log in PostgreSQL is gone, and the accounts know of events in it: restore your last backup. `trickbook"
    " store log` says what is lost otherwise."
)
OLD_ACCOUNTS = (
    "the log has games that the accounts don't know: the accounts are gone, or older than the log. Put the right"
    " office.db or schema office back, or restore your last backup. `trickbook store log` says how to go on without it."
)
OTHER_ACCOUNTS = (
    "the log has a game that the accounts don't know: a server with other accounts uses it, too, and both give the same"
    " board numbers. Stop both, and leave one of them to the log; `trickbook store log` says how to go on."
)
WENT_BACK = (
    "the accounts have forgotten where the log ended a moment ago: they are others, or older than they were. Put the"
    " right office.db or schema office back, or stop every server and restore your last backup."
)
GAMES_A_PAGE = 500
LACKS_EVENTS = (
    "{shard} lacks event {number}, which was stored: it's older than it was, cut, overwritten or another one. Nothing"
    " more is stored in it. Put the right one back, or restore your last backup; `trickbook store log` says what is"
    " lost otherwise."
)
FULL = "{place} has {free} bytes free, too few to store moves: make room"
CANNOT_WRITE = "the log can't be written ({reason}): make room on its disk, and look at the disk's health"
POSTGRES_FAULTS = (psycopg.errors.DiskFull, psycopg.errors.IoError, psycopg.errors.ReadOnlySqlTransaction)


class CannotWrite(StoreUnavailable):
    """Nothing can be stored, since the disk is full or can't be written; str(error) says what to do."""


def has_log(accounts: Accounts, config: Config) -> bool:
    """Return whether the store has a log, whatever is in it."""
    if config.database_url is None:
        return (config.data / LOG_FILE).exists()
    return bool(accounts.database.run(HAS_LOG)[0][0])


def require_log(accounts: Accounts, config: Config) -> None:
    """Raise LogDamaged if the accounts know a log that isn't there at all: opening it would create an empty one."""
    if not has_log(accounts, config) and accounts.log_positions.all():
        raise LogDamaged(missing_file_sentence(config.data / LOG_FILE) if config.database_url is None else NO_LOG)


def find_unknown_games(
    accounts: Accounts, games: Games, positions: Sequence[LogPosition] | None = None
) -> Iterator[str]:
    """Yield the games that the accounts don't know, of those after these positions: by default those they remember.

    None, if there's no position but they know games: an older release wrote them, or the store was restored.
    """
    seen = [each.at for each in accounts.log_positions.all()] if positions is None else positions
    if seen or not accounts.boards.has_any():
        yield from games_without_board(games, seen, accounts.boards.known_among)


def games_without_board(
    games: Games, seen: Iterable[LogPosition], known_among: Callable[[list[str]], set[str]]
) -> Iterator[str]:
    """Yield the games opened after these positions that aren't among the known ones, by shard and in order.

    A game gets its board before its first event, so on a sound store there's none, whenever a process is killed.
    """
    after = dict[int, int]()
    for each in seen:
        after[each.shard] = max(each.number, after.get(each.shard, 0))
    for shard, last in enumerate(games.log.last_numbers()):
        while page := games.log.openings(shard, after.get(shard, 0), last, GAMES_A_PAGE):
            after[shard] = page[-1][0]
            opened = [game for _, game in page]
            known = known_among(opened)
            yield from (game for game in opened if game not in known)


class LogWatch:
    """The watch of one process, which tells the guard of the store of damage. Safe for use by several threads."""

    def __init__(self, games: Games, accounts: Accounts, config: Config) -> None:
        self._games, self._accounts, self._wakeups = games, accounts, games.log.wakeups
        self._positions = accounts.log_positions
        self._folder = None if config.database_url is not None else config.data
        self._lock = threading.Lock()
        self._guard = games.guard
        self._trouble: str | None = None
        self._excused: Exception | None = None
        self._numbers: Numbers | None = None
        self._ends: Positions = ()
        self._lost: list[LogPosition] = []
        """The events that were missing at the last look that found any damage."""
        self._turn = 0
        self._looked_at = self._compared_at = -IDLE_LOOK_S

    def require_whole(self) -> None:
        """Raise LogDamaged if the log lacks anything that is remembered, or if the accounts are gone or older than it.

        What can't be asked now is asked later.
        """
        try:
            is_unknown = next(find_unknown_games(self._accounts, self._games), None) is not None
            self._require(self._some([each.at for each in reversed(self._positions.all())]))
        except LogDamaged:
            raise
        except StoreUnavailable as error:
            LOG.warning("the log can't be compared with what the accounts know: %s", error)
            return
        if is_unknown:
            raise LogDamaged(OLD_ACCOUNTS)

    def look(self, *, remembers: bool = True) -> None:
        """Compare the log with the positions that are remembered and those of this process.

        Remember where it ends, unless `remembers` is false: then nothing is written.
        """
        with self._lock:
            try:
                self._compare(remembers=remembers)
                self._guard.damage, self._trouble = None, self._find_trouble()
            except LogDamaged as damage:
                if self._guard.damage is None:
                    LOG.error("%s", damage)  # noqa: TRY400 - the message says why and what to do
                self._guard.damage = str(damage)
            except (StoreUnavailable, *DATABASE_ERRORS) as error:
                if not is_disk_fault(error):
                    raise
                self._trouble = CANNOT_WRITE.format(reason=describe_error(error))
            self._looked_at = monotonic()

    def require_ready(self) -> None:
        """Raise LogDamaged or CannotWrite by a look of the last second, or by the one before the look under way.

        That isn't waited for: it may be slow, and moves run in the thread that asks.
        """
        if monotonic() - self._looked_at >= LOOK_S and not self._lock.locked():
            self.look(remembers=False)
        self._guard.check()
        if self._trouble is not None:
            raise CannotWrite(self._trouble)

    def run(self, stop: threading.Event) -> None:
        """Look until `stop`."""
        trouble = TroubleLog(LOG, "looking at the log")
        while not stop.wait(LOOK_S):
            if self._folder is None and self._is_quiet() and monotonic() - self._looked_at < IDLE_LOOK_S:
                continue
            try:
                self.look()
            except (StoreUnavailable, *DATABASE_ERRORS) as error:
                trouble.failed(describe_error(error))
            else:
                trouble.succeeded()

    def _compare(self, *, remembers: bool) -> None:
        """Raise LogDamaged unless the log has the events that are remembered, read before the log is.

        In PostgreSQL, compare only where it ended as long as nothing is stored.
        """
        log = self._games.log
        is_known = self._folder is None and self._guard.damage is None and bool(self._ends)
        if is_known and self._is_quiet() and log.has_positions(self._ends):
            return
        numbers = log.last_numbers()
        is_recent = self._guard.damage is None and monotonic() - self._compared_at < IDLE_LOOK_S
        if is_recent and numbers == self._numbers:
            log.missing(())
            return
        known, commits = self._positions.all(), list(self._games.recent)
        remembered, self._turn = [each.at for each in reversed(known)], self._turn + 1
        try:
            self._require([*self._lost, *self._some(remembered), *self._some(commits)])
        except LogDamaged:
            if remembers:  # the next start looks for them, and counts what is lost
                with suppress(*DATABASE_ERRORS):
                    self._positions.remember([*self._lost, *_last_of_each(commits)], ())
            raise
        self._lost = []
        reached = {each.shard: each.number for each in remembered}  # the last one of each shard comes last
        if any(end.number > reached.get(end.shard, 0) for end in self._ends):
            raise LogDamaged(WENT_BACK)
        heads = log.heads()
        if next(find_unknown_games(self._accounts, self._games, [*remembered, *self._ends]), None) is not None:
            raise LogDamaged(OTHER_ACCOUNTS)
        if not remembers:
            return
        ends = [end for end in heads if end.number and end not in remembered]
        if ends:
            self._positions.remember(ends, known)
        self._ends = heads
        self._numbers, self._compared_at = numbers, monotonic()

    def _is_quiet(self) -> bool:
        """Return whether the last look was after the last commit that this process knows of."""
        return self._wakeups.quiet_s() > 2 * LOOK_S

    def _some(self, positions: Sequence[LogPosition]) -> list[LogPosition]:
        """Return some of these positions, the last of each shard among them, and others each time.

        In PostgreSQL only the last of each: its files aren't ours.
        """
        step = max(1, len(positions) // COMPARED)
        others = [] if self._folder is None else positions[self._turn % step :: step]
        return [*_last_of_each(positions), *others]

    def _require(self, positions: Sequence[LogPosition]) -> None:
        missing = self._games.log.missing(list(dict.fromkeys(positions)))
        if missing:
            self._lost = missing
            shard = "the log" if self._games.log.shards == 1 else f"shard {missing[0].shard} of the log"
            raise LogDamaged(LACKS_EVENTS.format(shard=shard, number=missing[0].number))

    def _find_trouble(self) -> str | None:
        """Return why nothing can be stored. After a commit that failed, try until it can."""
        if self._folder is not None and (free := shutil.disk_usage(self._folder).free) < LEAST_FREE:
            return FULL.format(place=self._folder, free=free)
        error = self._games.write_error
        if error is not None and error is not self._excused and is_disk_fault(error):
            self._games.log.try_to_write()
            self._excused = error
        return None


def is_disk_fault(error: BaseException) -> bool:
    """Return whether a database says that its disk is full, broken or read-only."""
    cause: BaseException | None = error
    while cause is not None:
        code = getattr(cause, "sqlite_errorcode", 0) if isinstance(cause, sqlite3.Error) else 0
        if code & 0xFF in DISK_FAULTS or isinstance(cause, POSTGRES_FAULTS):
            return True
        cause = cause.__cause__
    return False


def _last_of_each(positions: Sequence[LogPosition]) -> list[LogPosition]:
    """Return the last position of each shard."""
    return list({each.shard: each for each in positions}.values())


@contextmanager
def watched_log(watch: LogWatch) -> Iterator[None]:
    """Look at the log until the end of the block, and remember where it ends then."""
    try:
        with background(watch.run, "log", STOP_TIMEOUT_S):
            yield
    finally:
        try:
            watch.look()
        except (StoreUnavailable, *DATABASE_ERRORS) as error:
            LOG.warning("the end of the log isn't remembered: %s", describe_error(error))
