"""Positions: places in the order of commits. The leaf of the event there tells one history from another.

Somebody may put the log back from a backup and play on, until it's longer than before. Then a number alone names
another event than it did, but the leaf differs. Each shard of the log has an order of its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

LEAF_DIGITS = 8
"""The number of hex digits of a leaf in a position."""


@dataclass(frozen=True)
class LogPosition:
    """A place in the log of a shard: the number of an event in the order of commits, and the start of its leaf in hex.

    Before the first event the number is 0, and the leaf is empty.
    """

    shard: int
    number: int
    leaf: str


Positions: TypeAlias = tuple[LogPosition, ...]
"""One position for each shard, in order. The empty tuple is the beginning of a log with any number of shards."""
Numbers: TypeAlias = tuple[int, ...]
"""The number of a position in each shard, in order."""


def beginning(shards: int) -> Positions:
    """Return the positions before the first event of each shard."""
    return tuple(LogPosition(shard, 0, "") for shard in range(shards))


def numbers_of(positions: Iterable[LogPosition]) -> Numbers:
    return tuple(position.number for position in positions)


def includes(reached: Sequence[int], wanted: Iterable[LogPosition]) -> bool:
    """Return whether a reader that has reached these numbers has seen everything up to the wanted positions."""
    return all(not each.number or (each.shard < len(reached) and each.number <= reached[each.shard]) for each in wanted)


def shard_of(game: UUID, shards: int) -> int:
    """Return the number of the shard that always holds a game."""
    return game.int % shards


def number_for(game: str, numbers: Numbers) -> int:
    """Return the number in the shard of a game; 0 at the beginning, or if the id is no game's."""
    try:
        return numbers[shard_of(UUID(game), len(numbers))] if numbers else 0
    except ValueError:
        return 0


def short_leaf(leaf: bytes) -> str:
    """Return the part of a leaf that stands in a position."""
    return leaf.hex()[:LEAF_DIGITS]
