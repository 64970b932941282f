"""A second implementation of the rules of gamerz Pitch, from the rule sheet alone; it shares no code with domain/.

Slow and simple on purpose: cards are texts like "10C", seats 0..n-1, 0 is a pass. It says what may be bid and played,
and who takes a trick. What a hand comes to and who wins has a second reading in the product: the audit in `replay`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ORDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
BIDS = (2, 3, 4, 5)
Play = tuple[int, str]
"""A seat and its card."""
Trick = Sequence[Play]
"""The plays in order."""


def suit(card: str) -> str:
    """Return the suit: "10C" is of C."""
    return card[-1]


def height(card: str) -> int:
    """Return the rank: two is 0, ace is 12."""
    return ORDER.index(card[:-1])


def legal_bids(high: int) -> list[int]:
    """S11, S13: pass, or more than the highest bid so far."""
    return [0, *(bid for bid in BIDS if bid > high)]


def playable_cards(cards: Sequence[str], led: str | None, trump: str | None) -> list[str]:
    """S33-S36; `led` is the first card of the trick, `trump` None before the first lead."""
    if led is None or trump is None:
        return list(cards)
    following = [card for card in cards if suit(card) == suit(led)]
    if not following:
        return list(cards)
    return [card for card in cards if suit(card) in (suit(led), trump)]


def taker(trick: Trick, trump: str) -> int:
    """S37."""
    trumps = [(height(card), seat) for seat, card in trick if suit(card) == trump]
    led = [(height(card), seat) for seat, card in trick if suit(card) == suit(trick[0][1])]
    return max(trumps or led)[1]


@dataclass(frozen=True)
class Position:
    """A hand in play. `hands` are the cards held, `said` the bids from seat 0 on, `tricks` end with the open one."""

    hands: tuple[tuple[str, ...], ...]
    said: tuple[int, ...] = ()
    tricks: tuple[tuple[Play, ...], ...] = ()

    @property
    def trump(self) -> str | None:
        """S33."""
        return suit(self.tricks[0][0][1]) if self.tricks else None

    def following(self) -> Iterator["Position"]:
        """Yield every position after one legal bid or card; no position if the hand is over or thrown in."""
        seats = len(self.hands)
        if len(self.said) < seats:
            for bid in legal_bids(max(self.said, default=0)):
                yield Position(self.hands, (*self.said, bid), self.tricks)
        elif max(self.said) > 0 and any(self.hands):
            open_trick = self.tricks[-1] if self.tricks and len(self.tricks[-1]) < seats else ()
            yield from self._cards(open_trick, self.tricks[:-1] if open_trick else self.tricks)

    def _cards(self, on_table: tuple[Play, ...], before: tuple[tuple[Play, ...], ...]) -> Iterator["Position"]:
        seat = self._turn(on_table)
        for card in playable_cards(self.hands[seat], on_table[0][1] if on_table else None, self.trump):
            left = tuple(tuple(each for each in own if each != card) for own in self.hands)
            yield Position(left, self.said, (*before, (*on_table, (seat, card))))

    def _turn(self, on_table: tuple[Play, ...]) -> int:
        """S32, S47: the pitcher leads, then the taker of the last trick; within a trick play goes to the left."""
        if on_table:
            return (on_table[-1][0] + 1) % len(self.hands)
        if self.tricks and self.trump:
            return taker(self.tricks[-1], self.trump)
        return self.said.index(max(self.said))


def sequences(position: Position, deep: int) -> int:
    """Return the number of legal sequences of `deep` bids and cards from here; finished hands count as they are."""
    return 1 if deep == 0 else sum(sequences(each, deep - 1) for each in position.following())
