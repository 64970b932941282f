"""A second implementation of Corellian Pitch: a hand in play and its continuations, without changes and discards."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.rulebooks.corellian import SEATS, Setting, next_up, playable_cards
from tests.rulebooks.corellian_deal import bidder, holder, legal_bids, partner
from tests.rulebooks.corellian_end import Gathered, gather_trick
from tests.rulebooks.perft import Hands, Play, without
from tests.rulebooks.rulebook import ORDER

SUITS = "CDHS"
DECK = [rank + suit for suit in SUITS for rank in ORDER] + ["X1", "X2"]


@dataclass(frozen=True)
class Position:
    """A hand in play. `hands[seat]` are the cards held; with `said` complete it begins at the naming.

    `partners` is "across", "left", "right" or "call"; a call hand has one move more, the card called. As soon as nobody
    can play to the open `table` it lies in `tricks`.
    """

    hands: Hands
    setting: Setting
    partners: str = "across"
    eldest: int = 0
    said: tuple[int, ...] = ()
    trump: str | None = None
    called: str | None = None
    table: tuple[Play, ...] = ()
    tricks: tuple[Gathered, ...] = ()
    partner: int | None = None

    @property
    def bidder(self) -> int:
        """R-C5; only once all have bid."""
        return bidder(self.said, self.eldest)

    def following(self) -> Iterator["Position"]:
        """Yield every position after one legal bid, naming, call or card; no position if the hand is over."""
        if len(self.said) < SEATS:
            for bid in legal_bids(self.said, self.setting):
                yield replace(self, said=(*self.said, bid))
        elif self.trump is None:
            yield from self._namings()
        elif self.partners == "call" and self.called is None:
            for card in DECK:  # R-C28
                yield replace(self, called=card, partner=holder(self.hands, self.bidder, card))
        else:
            yield from self._cards(self.trump)

    def _namings(self) -> Iterator["Position"]:
        across = None if self.partners == "call" else partner(self.bidder, self.partners)
        for suit in SUITS:  # R-C60
            yield replace(self, trump=suit, partner=across)

    def turn(self) -> int | None:
        """R-C10, R-C53: the seat whose turn it is; None if the hand is over."""
        if self.trump is None:
            return self.bidder
        start = self.tricks[-1].seat if self.tricks else self.bidder
        return next_up(self.hands, self.table, start, self.trump, self.setting, not self.tricks)

    def _cards(self, trump: str) -> Iterator["Position"]:
        seat = self.turn()
        if seat is None:
            return
        must = self.called if seat == self.partner else None
        for card in playable_cards(self.hands[seat], self.table, trump, self.setting, not self.tricks, must):
            moved = replace(self, hands=without(self.hands, card), table=(*self.table, (seat, card)))
            yield moved if moved.turn() is not None else moved.gathers(trump)

    def gathers(self, trump: str) -> "Position":
        """R-C54: move the open trick to its taker."""
        return replace(self, table=(), tricks=(*self.tricks, gather_trick(self.table, trump, self.setting)))
