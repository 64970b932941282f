"""A second implementation of the rules of Blackout, written from the rule sheet alone; it shares no code with domain/.

Slow and simple on purpose: cards are texts like "10C", seats 0..3, trump a suit, None in hand 13. `said` are the bids
so far in the order of bidding, the eldest's first and the dealer's last.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.rulebooks.rulebook import Trick, height, suit

SEATS = 4


def eldest(hand: int) -> int:
    """R-B2, R-B3, B17: the seat that bids and leads first in hand 1..13; the dealer is the seat before."""
    return (hand - 1) % SEATS


def legal_bids(said: Sequence[int], cards: int, hook: bool = True) -> list[int]:
    """B6, B7, B14, R-B5; `cards` is the number of tricks in the hand."""
    every = list(range(cards + 1))
    if hook and len(said) == SEATS - 1:
        return [bid for bid in every if sum(said) + bid != cards]
    return every


def playable_cards(cards: Sequence[str], led: str | None) -> list[str]:
    """B20, B21; `led` is the first card of the trick."""
    following = [card for card in cards if led is not None and suit(card) == suit(led)]
    return following or list(cards)


def taker(trick: Trick, trump: str | None) -> int:
    """B22."""
    trumps = [(height(card), seat) for seat, card in trick if suit(card) == trump]
    led = [(height(card), seat) for seat, card in trick if suit(card) == suit(trick[0][1])]
    return max(trumps or led)[1]


@dataclass(frozen=True)
class Judged:
    """A hand by the rule sheet, seat by seat; `exact` is true for a seat that took exactly its bid."""

    taken: list[int]
    exact: list[bool]
    changes: list[int]
    scores: list[int]


def judge_hand(tricks: Sequence[Trick], bids: Sequence[int], trump: str | None, scores: Sequence[int]) -> Judged:
    """B12, B13, R-B13; `bids` and `scores` (before the hand) are by seat."""
    takers = [taker(trick, trump) for trick in tricks]
    taken = [takers.count(seat) for seat in range(SEATS)]
    exact = [taken[seat] == bids[seat] for seat in range(SEATS)]
    changes = [10 + bids[seat] if exact[seat] else 0 for seat in range(SEATS)]
    return Judged(taken, exact, changes, [old + new for old, new in zip(scores, changes, strict=True)])


def ahead(scores: Sequence[int], exact: Sequence[int], gone: Sequence[int] = ()) -> list[int]:
    """B24, B25, R-B12, R-B14: the seats ahead before any coin, ascending; the coin decides between several.

    `exact` counts each seat's exact bids over the game; a seat that left can't win.
    """
    still = [seat for seat in range(SEATS) if seat not in gone]
    top = [seat for seat in still if scores[seat] == max(scores[each] for each in still)]
    return [seat for seat in top if exact[seat] == max(exact[each] for each in top)]
