"""What else a place keeps of its games: receipts in the office, and the lists that follow the log.

Whoever changes the log alone has these against him.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from api.ops.check.raw_store import OFFICE, VIEWS, Damaged, Place
from domain.protocols.signed_notes import Key, NotANote, parse_key
from replay.history.signatures import BadSignature, read_rotation

LISTS, RECEIPTS = "lists", "receipts"
Receipt = tuple[int, str, str]
"""A receipt as the office keeps it: size, root in hex, note."""


@dataclass
class Kept:
    """Receipts by game and the keys that sign them; how far the lists have followed the log, and the lobby each game.

    `damaged` is what could not be read, `forged` what is wrong with the keys; each with where.
    """

    receipts: dict[str, list[Receipt]] = field(default_factory=dict)
    keys: list[Key] = field(default_factory=list)
    tail: int = 0
    lobby: dict[str, int] = field(default_factory=dict)
    damaged: list[tuple[str, str]] = field(default_factory=list)
    forged: list[str] = field(default_factory=list)

    @property
    def games(self) -> dict[str, str]:
        """Every game that something is kept of, and what."""
        return dict.fromkeys(self.lobby, LISTS) | dict.fromkeys(self.receipts, RECEIPTS)

    def of(self, game: str) -> tuple[Receipt, ...]:
        """The receipts of a game by size."""
        return tuple(sorted(self.receipts.get(game, ()), key=lambda receipt: repr(receipt[0]).zfill(20)))


def kept_of(place: Place) -> Kept:
    """Everything kept in `place`."""
    kept = Kept()
    for reading in (_keys, _receipts, _lists):
        try:
            reading(place, kept)
        except Damaged as damage:
            kept.damaged.append((damage.where, str(damage)))
    return kept


def _keys(place: Place, kept: Kept) -> None:
    rows = place.select(OFFICE, "signing_keys", ("number", "vkey", "note")) or []
    for number, vkey, _ in rows:
        try:
            kept.keys.append(parse_key(str(vkey)))
        except NotANote as error:
            kept.forged.append(f"key {number} is none: {error}")
    if not kept.forged:
        kept.forged += _rotations(kept.keys, [note for _, _, note in rows])


def _rotations(keys: Sequence[Key], notes: Sequence[str | None]) -> Iterator[str]:
    """Each key but the first took the place of the one before, by a note of both, or where that one was lost."""
    for number, (pair, note) in enumerate(zip(pairwise(keys), notes[1:], strict=True), 2):
        try:
            if note is not None and read_rotation(note) != pair:
                yield f"the note of key {number} is about other keys"
        except (NotANote, BadSignature) as error:
            yield f"the note of key {number} is none: {error}"


def _receipts(place: Place, kept: Kept) -> None:
    for game, size, root, note in place.select(OFFICE, "receipts", ("game", "size", "root", "note")) or ():
        kept.receipts.setdefault(str(game), []).append((size, str(root), str(note)))


def _lists(place: Place, kept: Kept) -> None:
    found = place.select(VIEWS, "followers", ("projection", "generation", "position"), state="live") or ()
    for projection, generation, position in found:
        kept.tail = max(kept.tail, position)
        if projection == "lobby":
            rows = place.select(VIEWS, f"lobby_{int(generation)}_games", ("id", "version")) or ()
            kept.lobby.update((str(game), version) for game, version in rows)
