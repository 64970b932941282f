"""Records of games beside the log: receipts, and the lists that follow the log.

They contradict a log that was changed alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from api.ops.check.raw_store import OFFICE, VIEWS, RawStore, StoreDamaged
from domain.protocols.signed_notes import Key, NotANote, parse_key
from domain.store.positions import numbers_of
from projections.storage.row_codec import DamagedRow
from projections.storage.statements import read_positions
from replay.history.signatures import BadSignature, read_rotation

LISTS, RECEIPTS = "lists", "receipts"
ReceiptRow = tuple[int, str, str]
"""A row of a receipt: size, root in hex, note."""


@dataclass
class SideRecords:
    """Receipts by game and their keys, the records of lists, and what's wrong with them.

    `tails` are the numbers that the lists reached in each shard, `lobby` the version of each game. `damaged` holds
    (where, error) for records that can't be read, `forged` the faults of the keys.
    """

    receipts: dict[str, list[ReceiptRow]] = field(default_factory=dict)
    keys: list[Key] = field(default_factory=list)
    tails: dict[int, int] = field(default_factory=dict)
    lobby: dict[str, int] = field(default_factory=dict)
    damaged: list[tuple[str, str]] = field(default_factory=list)
    forged: list[str] = field(default_factory=list)

    @property
    def games(self) -> dict[str, str]:
        """`{game: kind of record}` for every game with records."""
        return dict.fromkeys(self.lobby, LISTS) | dict.fromkeys(self.receipts, RECEIPTS)

    def receipts_of(self, game: str) -> tuple[ReceiptRow, ...]:
        """Return the receipts of a game by size."""
        return tuple(sorted(self.receipts.get(game, ()), key=lambda receipt: repr(receipt[0]).zfill(20)))


def read_side_records(store: RawStore) -> SideRecords:
    """Read every record of `store`."""
    records = SideRecords()
    for read in (_read_keys, _read_receipts, _read_lists):
        try:
            read(store, records)
        except StoreDamaged as damage:
            records.damaged.append((damage.where, str(damage)))
        except DamagedRow as damage:
            records.damaged.append((VIEWS, str(damage)))
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


def _read_receipts(store: RawStore, records: SideRecords) -> None:
    for game, size, root, note in store.select(OFFICE, "receipts", ("game", "size", "root", "note")) or ():
        records.receipts.setdefault(str(game), []).append((size, str(root), str(note)))


def _read_lists(store: RawStore, records: SideRecords) -> None:
    for projection, generation, positions in _followers(store):
        reached = numbers_of(read_positions(positions))
        for shard, number in enumerate(reached if len(reached) == store.shards else ()):
            records.tails[shard] = max(records.tails.get(shard, 0), number)
        if projection == "lobby":
            rows = store.select(VIEWS, f"lobby_{int(generation)}_games", ("id", "version")) or ()
            records.lobby.update((str(game), version) for game, version in rows)


def _followers(store: RawStore) -> Iterator[tuple[str, int, str]]:
    """Yield projection, generation and positions of the live rows. An older version kept a number before the state."""
    for projection, generation, _, *rest in store.select(VIEWS, "followers", ("*",), state="live") or ():
        yield projection, generation, f"{rest[0]}:" if isinstance(rest[0], int) else rest[1]
