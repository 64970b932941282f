"""Records of games beside the log: receipts, and the lists that follow the log.

They contradict a log that was changed alone.
"""

from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any

from api.ops.check.raw_store import OFFICE, VIEWS, RawStore, StoreDamaged
from domain.protocols.signed_notes import Key, NotANote, parse_key
from domain.store.positions import numbers_of
from projections.storage.row_codec import DamagedRow
from projections.storage.statements import read_positions
from replay.history.signatures import BadSignature, read_rotation

KEYS, LISTS, RECEIPTS, BOARDS = "keys", "lists", "receipts", "boards"
ReceiptRow = tuple[int, str, str]
"""A row of a receipt: size, root in hex, note."""


@dataclass
class GameRecords:
    """The records of a few games: receipts, the version that the lists followed each to, and board numbers.

    `unmatched` holds, for each game, the sizes at which a witness has signed a receipt that isn't stored.
    """

    receipts: dict[str, list[ReceiptRow]] = field(default_factory=dict)
    unmatched: dict[str, list[int]] = field(default_factory=dict)
    lobby: dict[str, int] = field(default_factory=dict)
    boards: dict[str, Any] = field(default_factory=dict)

    def receipts_of(self, game: str) -> tuple[ReceiptRow, ...]:
        """Return the receipts of a game by size."""
        return tuple(sorted(self.receipts.get(game, ()), key=lambda receipt: repr(receipt[0]).zfill(20)))


@dataclass
class SideRecords:
    """The records of a store, a few games at a time, the keys of its receipts, and what's wrong with both.

    `tails` are the numbers that the lists reached in each shard, and `seen` those at which the accounts saw its end;
    `lobbies` are the tables with the version of each game.
    `damaged` holds (where, error) for kinds of records that can't be read, `forged` the faults of the keys.
    """

    store: RawStore
    keys: list[Key] = field(default_factory=list)
    tails: dict[int, int] = field(default_factory=dict)
    seen: dict[int, int] = field(default_factory=dict)
    lobbies: list[str] = field(default_factory=list)
    damaged: dict[str, tuple[str, str]] = field(default_factory=dict)
    forged: list[str] = field(default_factory=list)

    def of(self, games: Sequence[str]) -> GameRecords:
        """Return the records of these games."""
        found = GameRecords()
        with self.unless_damaged(RECEIPTS):
            self._read_receipts(found, games)
        with self.unless_damaged(LISTS):
            for table in self.lobbies:
                rows = self.store.select_games(VIEWS, table, ("id", "version"), games)
                found.lobby.update((str(game), version) for game, version in rows)
        with self.unless_damaged(BOARDS):
            found.boards = {str(game): number for game, number in self.store.boards_of(games)}
        return found

    def _read_receipts(self, found: GameRecords, games: Sequence[str]) -> None:
        """Add the receipts of games, each with the lines of its witnesses."""
        lines: dict[tuple[str, Any], str] = {}
        columns: tuple[str, ...] = ("game", "size", "witness", "line")
        for game, size, _, line in sorted(self.store.select_games(OFFICE, "cosignatures", columns, games), key=repr):
            lines[str(game), size] = lines.get((str(game), size), "") + str(line)
        columns = ("game", "size", "root", "note")
        for game, size, root, note in self.store.select_games(OFFICE, "receipts", columns, games):
            whole = str(note) + lines.pop((str(game), size), "")
            found.receipts.setdefault(str(game), []).append((size, str(root), whole))
        for game, size in lines:
            found.unmatched.setdefault(game, []).append(size)

    def missing_from(self, games: Container[str]) -> dict[str, str]:
        """Return `{game: kind of record}` for every game with receipts, or in the lists, that isn't in `games`."""
        missing = dict[str, str]()
        tables = [(RECEIPTS, OFFICE, "receipts", "game"), *((LISTS, VIEWS, lobby, "id") for lobby in self.lobbies)]
        for kind, schema, table, column in tables:
            with self.unless_damaged(kind):
                for game, _ in groupby(self.store.scan(schema, table, (column,))):
                    if str(game[0]) not in games:
                        missing.setdefault(str(game[0]), kind)
        return missing

    @contextmanager
    def unless_damaged(self, kind: str) -> Iterator[None]:
        """Note that a kind of records is damaged when reading it fails."""
        try:
            yield
        except StoreDamaged as damage:
            self.damaged.setdefault(kind, (damage.where, str(damage)))
        except DamagedRow as damage:
            self.damaged.setdefault(kind, (VIEWS, str(damage)))


def read_side_records(store: RawStore) -> SideRecords:
    """Read the keys of a store, and how far its lists followed the log."""
    records = SideRecords(store)
    with records.unless_damaged(KEYS):
        _read_keys(store, records)
    with records.unless_damaged(LISTS):
        _read_lists(store, records)
    with records.unless_damaged(OFFICE):
        for shard, number in sorted(store.select(OFFICE, "log_positions", ("shard", "number")) or ()):
            records.seen[shard] = number
    return records


def _read_keys(store: RawStore, records: SideRecords) -> None:
    rows = store.select(OFFICE, "signing_keys", ("number", "vkey", "note")) or []
    for number, vkey, _ in rows:
        try:
            records.keys.append(parse_key(str(vkey)))
        except NotANote as error:
            records.forged.append(f"key {number} is invalid: {error}")
    if not records.forged:
        records.forged += _rotation_faults(records.keys, [note for _, _, note in rows])


def _rotation_faults(keys: Sequence[Key], notes: Sequence[str | None]) -> Iterator[str]:
    """Yield the faults of rotation notes: each key replaced the one before, by a note of both unless that was lost."""
    for number, (pair, note) in enumerate(zip(pairwise(keys), notes[1:], strict=True), 2):
        try:
            if note is not None and read_rotation(note) != pair:
                yield f"the note of key {number} names other keys"
        except (NotANote, BadSignature) as error:
            yield f"the note of key {number} is invalid: {error}"


def _read_lists(store: RawStore, records: SideRecords) -> None:
    for projection, generation, positions in _followers(store):
        reached = numbers_of(read_positions(positions))
        for shard, number in enumerate(reached if len(reached) == store.shards else ()):
            records.tails[shard] = max(records.tails.get(shard, 0), number)
        if projection == "lobby":
            records.lobbies.append(f"lobby_{int(generation)}_games")


def _followers(store: RawStore) -> Iterator[tuple[str, int, str]]:
    """Yield projection, generation and positions of the live rows. An older version kept a number before the state."""
    for projection, generation, _, *rest in store.select(VIEWS, "followers", ("*",), state="live") or ():
        yield projection, generation, f"{rest[0]}:" if isinstance(rest[0], int) else rest[1]
