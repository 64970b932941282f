"""The events that a log lacks although the accounts know of them: after it was cut, put back from a backup, or lost.

The accounts know positions at which the log ended, the games by their boards, and how long each was by its receipts.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from api.accounts.accounts import Accounts
from api.config import Config
from api.container import open_games
from api.monitoring.log_positions import FORGET, SeenPosition
from api.monitoring.log_watch import LOG_FILE, find_unknown_games, has_log
from api.people.stored.admin_log import INSERT_ENTRY, SERVED_AFTER_LOSS, SERVED_WITHOUT_ACCOUNTS, AdminLogEntry
from api.tables.stored.boards import bind_boards
from api.tables.stored.seats import TableStatus
from domain.engine.timestamps import format_time
from domain.state import require
from domain.store import Games
from domain.store.aggregate import Corrupt, Game
from domain.store.sql.sqlite import lacks_wal

INDEX_FILE = f"{LOG_FILE}-shm"
SELECT_BOARDS = """SELECT b.number, b.game, (SELECT MAX(r.size) FROM receipts r WHERE r.game = b.game) FROM boards b
    WHERE NOT EXISTS (SELECT 1 FROM forming_tables f WHERE f.game = b.game AND f.status IN (?, ?, ?))
    ORDER BY b.number"""
NEVER_DEALT = (TableStatus.FORMING, TableStatus.CANCELLED, TableStatus.LAPSED)


@dataclass(frozen=True)
class LostGame:
    """A game that has `size` events, or none, and a receipt for `known`; None without a receipt."""

    board: int
    game: str
    size: int
    known: int | None

    def __str__(self) -> str:
        which = f"board {self.board} (game {self.game})"
        if self.size:
            return f"{which}: events {self.size + 1} to {self.known}, if not more"
        return f"{which}: all events, " + ("if it was dealt" if self.known is None else f"{self.known} or more")


@dataclass(frozen=True)
class Loss:
    """The loss of a log: this number of events at least, of all shards. `newest` is the last position that is known.

    `is_cut` says that its write-ahead log is missing. `unknown` are the boards and ids of games that the accounts don't
    know, since these are gone or older.
    """

    events: int
    newest: SeenPosition | None
    is_cut: bool
    games: tuple[LostGame, ...]
    unknown: tuple[tuple[int, str], ...] = ()

    @property
    def is_real(self) -> bool:
        """Whether anything is lost, or may be."""
        return self.events > 0 or self.is_cut or bool(self.unknown)


def find_loss(accounts: Accounts, config: Config) -> Loss:
    """Compare the log with what the accounts know, and change nothing. Raise LogDamaged if its file can't be read."""
    known = accounts.log_positions.all()
    newest = max(known, key=lambda each: each.seen, default=None)
    is_cut = config.database_url is None and lacks_wal(config.data / LOG_FILE)
    with _open_log(accounts, config, is_cut=is_cut) as games:
        events = _count_lost(known, games)
        lost = tuple(_lost_games(accounts, games)) if events or is_cut else ()
        unknown = () if games is None else tuple(_unknown_games(accounts, games))
    return Loss(events, newest, is_cut, lost, unknown)


def accept_loss(accounts: Accounts, config: Config, loss: Loss) -> None:
    """Let servers use the log as it is, or an empty one if it's gone, and write that to the admin log.

    Games that the accounts don't know get their boards again. No server may run.
    """
    acts = [(SERVED_AFTER_LOSS, {"events": loss.events})] if loss.events or loss.is_cut else []
    acts += [(SERVED_WITHOUT_ACCOUNTS, {"games": len(loss.unknown)})] if loss.unknown else []
    with accounts.database.transaction(writes=True) as transaction:
        transaction.lock_schema()  # the next number of the admin log is nobody else's
        transaction.run(FORGET)
        bind_boards(transaction, [(board, game) for board, game in loss.unknown if board])
        for act, details in acts:
            transaction.run(INSERT_ENTRY, *AdminLogEntry(format_time(transaction.now()), act, details).row)
    if loss.is_cut:
        (config.data / INDEX_FILE).unlink()
    if not has_log(accounts, config) or loss.unknown:
        with closing(open_games(config)) as games:
            accounts.log_positions.remember([end for end in games.log.heads() if end.number], ())


@contextmanager
def _open_log(accounts: Accounts, config: Config, *, is_cut: bool) -> Iterator[Games | None]:
    """Open the log, or yield None without one. If its write-ahead log is gone, open a copy: it begins another."""
    with TemporaryDirectory(prefix="trickbook-") as folder:
        if not has_log(accounts, config):
            yield None
            return
        if is_cut:
            shutil.copyfile(config.data / LOG_FILE, Path(folder) / LOG_FILE)
            config = replace(config, data=Path(folder))
        with closing(open_games(replace(config, shards=None), migrate=False)) as games:
            yield games


def _count_lost(known: list[SeenPosition], games: Games | None) -> int:
    """Return how many events are lost at least: those from the last one that is there to the last that was."""
    missing = [each.at for each in known] if games is None else games.log.missing([each.at for each in known])
    lost = 0
    for shard in {each.shard for each in missing}:
        numbers = [each.at.number for each in known if each.at.shard == shard]
        gone = {each.number for each in missing if each.shard == shard}
        kept = max((number for number in numbers if number not in gone), default=0)
        last = games.log.last_numbers()[shard] if games is not None and shard < games.log.shards else 0
        is_prefix = all(number > last for number in gone)
        lost += max(max(numbers) - (last if is_prefix else kept), len(gone))
    return lost


def _lost_games(accounts: Accounts, games: Games | None) -> Iterator[LostGame]:
    for board, game, known in accounts.database.run(SELECT_BOARDS, *NEVER_DEALT):
        size = 0 if games is None else games.log.version_at(UUID(game), None)
        if not size or (known is not None and known > size):
            yield LostGame(board, game, size, known)


def _unknown_games(accounts: Accounts, games: Games) -> Iterator[tuple[int, str]]:
    """Yield the boards and ids of the games that the accounts don't know; the board is 0 if its event can't be read."""
    for game in find_unknown_games(accounts, games):
        opened, rows = Game(game), games.log.raw_events(UUID(game), 0, 1)
        try:
            opened.read(games.log.mapper.decrypt_rows(game, rows))
        except Corrupt:
            yield 0, game
        else:
            yield require(opened.state.opened).board, game
