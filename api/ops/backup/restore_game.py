"""Bringing one game back from a backup into its own store: the events that are damaged or gone there, and no others.

Servers may run meanwhile: the log is locked while its rows are read, compared and written.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from api.config import Config, ConfigError
from api.container import Services, open_games, open_services
from api.monitoring.logs import log_event
from api.ops.backup.create import store_of
from api.ops.backup.manifest import ACCOUNTS, LOG, BackupError, Manifest, check_files, shards_of
from api.ops.backup.restore import RESTORE_LOG, require_same_cipher
from api.ops.shards import require_one_server
from api.people.stored.admin_log import GAME_RESTORED, INSERT_ENTRY, AdminLogEntry
from domain.state import require
from domain.store import utc_now
from domain.store.aggregate import Corrupt, Game, read_row
from domain.store.application import FactMapper, parse_uuid
from domain.store.held_clock import machine_time
from domain.store.log import shard_of
from domain.store.recorder import RawEvent
from domain.store.shards.layout import postgres_tables, sqlite_tables
from domain.store.sql.database import Schema, Transaction, open_database
from domain.store.sql.sqlite import Access, open_file

OTHER_STORE = "the backup is of another store, whose receipts have other keys"
NOT_IN_BACKUP = "{backup}: the backup has no game {game}"
OTHER_EVENT = "event {version} of game {game} isn't that of the backup, but can be read: it's another continuation"
OTHER_RECEIPT = (
    "a receipt of {size} events of game {game} names another root than the backup: it's another continuation"
)
STILL_WRONG = "the game can't be read with the events of this backup either: {error}"
STRANGE_ROW = "a row of game {game} has a version that isn't a number; restore the whole backup into a new place"
NO_PLACE = "event {version} of game {game} has no place between its others; restore the whole backup into a new place"
OTHER_BOARD = "board {board} of game {game} belongs to another game by now"
SELECT_POSITIONS = "SELECT originator_version, notification_id FROM {table} WHERE originator_id = ?"
UPDATE = "UPDATE {table} SET topic = ?, state = ? WHERE originator_id = ? AND originator_version = ?"
INSERT = "INSERT INTO {table} (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"
INSERT_AT = (
    "INSERT INTO {table} (originator_id, originator_version, topic, state, notification_id) {how}VALUES (?, ?, ?, ?, ?)"
)


@dataclass(frozen=True)
class GameRestore:
    """A game that is readable again: how many events it has, and the versions of those that came from the backup.

    A receipt may name more events (`receipt`): those after the last one are gone.
    """

    game: str
    board: int
    events: int
    written: tuple[int, ...]
    receipt: int


@dataclass(frozen=True)
class SavedGame:
    """The rows of a game in a backup, as they are stored, and their positions by version."""

    id: str
    rows: Sequence[RawEvent]
    positions: Mapping[int, int]

    @property
    def uuid(self) -> UUID:
        return UUID(self.id)


def restore_game(backup: Path, manifest: Manifest, config: Config, reference: str) -> GameRestore:
    """Write the events of a game in the backup that its store lacks or can't read. `reference` is its id or board.

    Raise BackupError if the backup or the game in it isn't right, if the log or a receipt shows another continuation,
    or if the game can't be read even so. Then nothing changes.
    """
    require_one_server(config, "restore --game")
    check_files(backup, manifest)
    require_same_cipher(backup, config)
    saved = _read_saved(backup, config, reference)
    with closing(open_services(config.with_long_statements())) as services:
        if services.receipts.keys.public_keys()[0].text != store_of(backup):
            raise ConfigError(OTHER_STORE)
        with _open_place(config, services, saved) as place:
            restored = _merge(services, saved, place)
            entry = None
            if restored.written:
                details = {"game": saved.id, "backup": manifest.at, "events": len(restored.written)}
                entry = AdminLogEntry(utc_now(), GAME_RESTORED, details)
                with services.accounts.database.transaction(writes=True) as transaction:
                    transaction.lock_schema()  # the next number of the admin log is nobody else's
                    transaction.run(INSERT_ENTRY, *entry.row)
        if entry is not None:
            log_event(RESTORE_LOG, entry.what, logging.INFO, **entry.details)
            _show_again(services, saved.id)
    return restored


def _read_saved(backup: Path, config: Config, reference: str) -> SavedGame:
    """Return a game of the backup, after its links have been checked."""
    game = _id_in(backup, reference)
    with closing(open_games(Config(data=backup, cipher_key=config.cipher_key), migrate=False)) as games:
        rows = games.log.raw_events(UUID(game))
        try:
            Game(game).read(games.log.mapper.decrypt_rows(game, rows))
        except Corrupt as error:
            raise BackupError(f"{backup}: {error}") from None
    if not rows:
        raise BackupError(NOT_IN_BACKUP.format(backup=backup, game=reference))
    shards = shards_of(backup / LOG)
    table = sqlite_tables(shards)[shard_of(UUID(game), shards)]
    with closing(open_file(backup / LOG, Access.UNCHANGED)) as log:
        positions = dict(log.execute(SELECT_POSITIONS.format(table=table), (UUID(game).hex,)).fetchall())
    return SavedGame(game, rows, positions)


def _id_in(backup: Path, reference: str) -> str:
    if parse_uuid(reference) is not None:
        return reference
    with closing(open_file(backup / ACCOUNTS, Access.UNCHANGED)) as accounts:
        select = "SELECT game FROM boards WHERE number = ?"
        row = accounts.execute(select, (int(reference[:18]),)).fetchone() if reference.isdecimal() else None
    if row is None:
        raise BackupError(NOT_IN_BACKUP.format(backup=backup, game=reference))
    return str(row[0])


class _Place:
    """The table of the log that holds a game."""

    def __init__(self, saved: SavedGame, log: Transaction, table: str, stored_id: str, overriding: str = "") -> None:
        self._saved, self._log, self._table = saved, log, table
        self._stored_id, self._overriding = stored_id, overriding

    def write(self, versions: Sequence[int]) -> None:
        """Write these rows of the backup: each where its row is, and those that are gone at their old positions."""
        existing: dict[int, int] = dict(self._log.run(SELECT_POSITIONS.format(table=self._table), self._stored_id))
        inserted = self._choose(existing, [version for version in versions if version not in existing])
        for version in versions:
            _, topic, state = self._saved.rows[version - 1]
            if version in inserted:
                self._insert((self._stored_id, version, topic, state), inserted[version])
            else:
                self._log.run(UPDATE.format(table=self._table), topic, state, self._stored_id, version)

    def _choose(self, existing: Mapping[int, int], missing: Sequence[int]) -> dict[int, int | None]:
        """Return the position of each missing row; None for those after all others of the log.

        In the log, the events of a game are in order.
        """
        last = int(str(self._log.run(f"SELECT COALESCE(MAX(notification_id), 0) FROM {self._table}")[0][0]))
        chosen, before, appended = dict[int, int | None](), 0, False
        for version in missing:
            later = [at for other, at in existing.items() if other > version]
            before = max((before, *(at for other, at in existing.items() if other < version)))
            at = self._saved.positions[version]
            appended = appended or not (before < at < min(later, default=last + 1) and self._is_free(at))
            if appended and later:
                raise BackupError(NO_PLACE.format(version=version, game=self._saved.id))
            chosen[version] = None if appended else at
            before = at
        return chosen

    def _is_free(self, position: int) -> bool:
        return not self._log.run(f"SELECT 1 FROM {self._table} WHERE notification_id = ?", position)

    def _insert(self, row: tuple[Any, ...], at: int | None) -> None:
        if at is None:
            self._log.run(INSERT.format(table=self._table), *row)
        else:
            self._log.run(INSERT_AT.format(table=self._table, how=self._overriding), *row, at)


@contextmanager
def _open_place(config: Config, services: Services, saved: SavedGame) -> Iterator[_Place]:
    """Lock the log for writers until the block ends; an exception in it undoes everything."""
    count = services.games.log.shards
    shard, timeouts = shard_of(saved.uuid, count), config.with_long_statements().timeouts
    schema = Schema(Path(LOG).stem, durable=True, lock_id=0)
    with (
        closing(open_database(schema, config.data, config.database_url, timeouts, machine_time)) as database,
        database.transaction(writes=True) as log,
    ):
        if config.database_url is None:
            yield _Place(saved, log, sqlite_tables(count)[shard], saved.uuid.hex)
            return
        table = f"{schema.name}.{postgres_tables(count)[shard]}"
        log.run(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
        yield _Place(saved, log, table, saved.id, "OVERRIDING SYSTEM VALUE ")


def _merge(services: Services, saved: SavedGame, place: _Place) -> GameRestore:
    """Compare the game in the log with that of the backup, and write what is missing or damaged."""
    rows, mapper = services.games.log.raw_events(saved.uuid), services.games.log.mapper
    if not all(isinstance(version, int) for version, _, _ in rows):
        raise BackupError(STRANGE_ROW.format(game=saved.id))
    log, ours = _readable(mapper, saved.id, rows), _readable(mapper, saved.id, saved.rows)
    written = [version for version in sorted(ours) if log.get(version) != ours[version]]
    for version in written:
        if version in log and not _is_damage(version, log, ours):
            raise BackupError(OTHER_EVENT.format(version=version, game=saved.id))
    merged = _read(mapper, saved.id, [*saved.rows, *(row for row in rows if row[0] > len(ours))])
    receipt = _check_receipts(services, merged)
    board = require(merged.state.opened).board
    if not services.accounts.boards.bind(board, saved.id):
        raise BackupError(OTHER_BOARD.format(board=board, game=saved.id))
    place.write(written)
    return GameRestore(saved.id, board, merged.version, tuple(written), receipt)


Readable = dict[int, tuple[str, bytes]]
"""Topic and plain bytes by version, of the rows that can be decoded."""


def _readable(mapper: FactMapper, game: str, rows: Sequence[RawEvent]) -> Readable:
    found = Readable()
    for version, topic, state in rows:
        with suppress(Corrupt, TypeError):
            ((_, _, plain),) = mapper.decrypt_rows(game, [(version, topic, state)])
            read_row(game, version, topic, plain)
            found[version] = topic, plain
    return found


def _is_damage(version: int, log: Readable, ours: Readable) -> bool:
    """Return whether an event that can be read but isn't the backup's was changed after it was written.

    The event after it links to the backup's then. That after the backup's last one is compared with the whole.
    """
    following = log.get(version + 1)
    return following is not None and following == ours.get(version + 1, following)


def _read(mapper: FactMapper, game: str, rows: Sequence[RawEvent]) -> "_Roots":
    """Fold rows and check their links. Raise BackupError if one doesn't fit."""
    read = _Roots(game)
    try:
        for entry in read.read(mapper.decrypt_rows(game, rows)):
            read.roots[entry.event.version - 1] = entry.prev.hex()
    except Corrupt as error:
        raise BackupError(STILL_WRONG.format(error=error)) from None
    read.roots[read.version] = read.root
    return read


@dataclass
class _Roots(Game):
    """A game with the root of its log at each size."""

    roots: dict[int, str] = field(default_factory=dict)


def _check_receipts(services: Services, merged: _Roots) -> int:
    """Return the size of the newest receipt, 0 without one. Raise BackupError if one names another root."""
    stored = services.receipts.stored_receipts(merged.game)
    for receipt in stored:
        if merged.roots.get(receipt.size, receipt.root) != receipt.root:
            raise BackupError(OTHER_RECEIPT.format(size=receipt.size, game=merged.game))
    return max((receipt.size for receipt in stored), default=0)


def _show_again(services: Services, game: str) -> None:
    """Fold the game again in every list, and take it out of quarantine.

    First the lists follow the log up to the events that came back, which may be after all others.
    """
    services.games.state(game)
    services.followers.catch_up()
    services.followers.retry(game)
    services.rows.release_log(game)
