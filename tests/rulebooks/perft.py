"""Shared by the second implementations of the rules: counting the continuations of a hand, and the shape of a peg.

A play is (seat, card), a trick the plays in order, a peg (point, worth, seat, card or None, credited).
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

Play = tuple[int, str]
Trick = Sequence[Play]
Hands = tuple[tuple[str, ...], ...]
Peg = tuple[str, int, int, str | None, bool]


class Node(Protocol):
    """A hand in play that knows every position after one legal move; no position if the hand is over."""

    def following(self) -> Iterator["Node"]:
        """Yield one position for each legal move."""
        ...


def perft(position: Node, depth: int) -> int:
    """Return the number of sequences of exactly `depth` moves; a hand that ends earlier has none."""
    return 1 if depth == 0 else sum(perft(each, depth - 1) for each in position.following())


def without(hands: Hands, card: str) -> Hands:
    """Return the hands after the card is played."""
    return tuple(tuple(each for each in own if each != card) for own in hands)


def hands(*texts: str) -> Hands:
    """ "AH KH", "2C" are two hands."""
    return tuple(tuple(text.split()) for text in texts)


def trick(leader: int, text: str, seats: int = 4) -> tuple[Play, ...]:
    """Return the cards in the order played, from the leader on; - for a skipped seat."""
    return tuple(((leader + n) % seats, card) for n, card in enumerate(text.split()) if card != "-")
