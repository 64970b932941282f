"""The records of the second fold about a hand: its cards, calls and tricks."""

from collections.abc import Mapping
from typing import NamedTuple

from domain.cards import Card, Suit
from domain.events import AuctionWon, HandDealt, Play, RulesChangeDeferred, Seats
from domain.rules.model import Rules
from domain.struct import Value, redacted_repr


class TrickRead(NamedTuple):
    """A trick that `seat` took; `kept` stayed with the seats that played them; `rules` were in force then."""

    seat: int
    plays: tuple[Play, ...]
    kept: tuple[Play, ...]
    rules: Rules


class HandRead(Value, frozen=True):
    """A hand: known `cards` by seat, `calls` and trick `takers` in order, the open trick on the `table`.

    `totals` are the points in play at each of the `calls`, `scaled` the bids that have changed since, by seat.
    `unburied` and `untaken` count discarded or drawn cards that no fact has named yet; `untaken` is None if no draw or
    stock is to be named. `shown` are the open cards of the last discard, `filled` says that its seat has drawn; `out`
    are the known discards.
    `called_from` is the trick (from 1) from which the called card counts; `settled` says that the call took effect.
    `turns` counts the turns that weren't taken back; `drawn` is the turn of the randomizer's last change.
    """

    dealt: HandDealt
    counts: tuple[int, ...]
    stock_left: int = 0
    cards: Mapping[int, tuple[Card, ...]] = {}
    stock: tuple[Card, ...] | None = None
    calls: tuple[tuple[int, int | None], ...] = ()
    totals: tuple[int, ...] = ()
    scaled: Mapping[int, int] = {}
    won: AuctionWon | None = None
    sides: tuple[Seats, ...] | None = None
    trump: Suit | None = None
    marker: Card | None = None
    upcard: Card | None = None
    called: Card | None = None
    called_from: int = 0
    settled: bool = False
    mid_hand: bool = False
    discarded: Seats = ()
    thrown: int = 0
    shown: tuple[Card, ...] = ()
    filled: bool = False
    out: tuple[Card, ...] = ()
    unburied: int = 0
    untaken: int | None = None
    table: tuple[Play, ...] = ()
    taken: tuple[tuple[Card, ...], ...] = ()
    takers: Seats = ()
    gathered: tuple[TrickRead, ...] = ()
    turns: int = 0
    drawn: int | None = None
    held: bool = False
    acquitted: bool = False
    deferred: tuple[RulesChangeDeferred, ...] = ()
    misdealt: bool = False
    thrown_in: bool = False
    over: bool = False

    __repr__ = redacted_repr("cards", "stock", "out")

    @property
    def bids(self) -> tuple[int | None, ...]:
        """Each seat's current bid; None for a pass or no call yet."""
        calls = dict(self.calls)
        standing = {seat: self.scaled.get(seat, bid) for seat, bid in calls.items() if bid is not None}
        return tuple(standing.get(seat) for seat in range(len(self.counts)))

    @property
    def passed(self) -> Seats:
        """The seats that passed, in order."""
        return tuple(seat for seat, bid in self.calls if bid is None)

    @property
    def bid(self) -> int:
        """The pitcher's current bid; 0 without a pitcher."""
        return self.scaled.get(self.won.seat, self.won.bid) if self.won else 0

    @property
    def tricks(self) -> tuple[int, ...]:
        """The number of tricks each seat took."""
        return tuple(self.takers.count(seat) for seat in range(len(self.counts)))

    @property
    def leader(self) -> int | None:
        """The seat that led or leads the trick; without a pitcher, the eldest hand once every seat has bid."""
        if self.table:
            return self.table[0].seat
        if self.takers:
            return self.takers[-1]
        if self.won:
            return self.won.seat
        return self.dealt.eldest if len(self.calls) == len(self.counts) else None

    @property
    def played(self) -> tuple[Play, ...]:
        """Every card played in the hand, in order."""
        return (*(play for trick in self.gathered for play in trick.plays), *self.table)
