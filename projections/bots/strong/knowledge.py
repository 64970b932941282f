"""The cards as a seat knows them: its own, those it saw, and those that a seat can't hold by what it has played."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from domain.cards import Card, Rank, Suit
from domain.engine.tricks import TRUMPS_ONLY, suit_by_card
from domain.events import CardsBuried, CardsDiscarded, Fact, Play
from domain.rules.choices import Follow
from domain.rules.model import Rules
from domain.state import Hand, State, clockwise, current_hand

_TRUMP_ANYTIME = Follow.SUIT_OR_TRUMP


class Knowledge:
    """A seat's knowledge in its turn. `state` is folded from the facts that the seat saw, so no other card is in it.

    `facts` are the facts of this deal that the seat saw: they tell the discards, which a state forgets.
    """

    def __init__(self, state: State, seat: int, facts: Iterable[Fact]) -> None:
        self.state, self.seat = state, seat
        self.hand: Hand = current_hand(state)
        self.rules: Rules = state.rules
        self.thrown, self.thrown_away = _discards(facts)

    @cached_property
    def unseen(self) -> tuple[Card, ...]:
        """The cards whose place the seat doesn't know, in canonical order."""
        hand = self.hand
        seen = {card for held in hand.cards if held for card in held} | self.thrown | {hand.upcard}
        seen |= {play.card for play in self.plays}
        return tuple(card for card in self.rules.deck if card not in seen)

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """The cards played in this hand, in order."""
        trick = self.hand.trick
        gathered = [play for each in self.hand.gathered for play in each.trick.plays]
        return (*gathered, *(trick.plays if trick else ()))

    @cached_property
    def buried(self) -> int:
        """How many unseen cards were discarded face down."""
        return self.thrown_away - len(self.thrown)

    @cached_property
    def impossible(self) -> tuple[frozenset[Card], ...]:
        """The cards that each seat can't hold, by seat."""
        without: list[set[Card]] = [set() for _ in self.hand.counts]
        trump = self.hand.trump
        for off, plays, is_over in _tricks(self.rules, self.hand):
            suits = suit_by_card(off, trump)
            if self.rules.follow is TRUMPS_ONLY:
                voids = [(seat, trump) for seat in self._passed_over(plays, is_over=is_over)]
            else:
                led = suits[plays[0].card]
                voids = [(play.seat, led) for play in plays if not self._follows(suits[play.card], led)]
            for seat, suit in voids:
                without[seat].update(card for card in suits if suits[card] == suit)
        self._exclude_called(without)
        return tuple(map(frozenset, without))

    def _follows(self, suit: Suit | None, led: Suit | None) -> bool:
        """Return whether a seat that holds the suit led could have played a card of `suit`."""
        return suit == led or (suit == self.hand.trump and self.rules.follow is _TRUMP_ANYTIME)

    def _passed_over(self, plays: tuple[Play, ...], *, is_over: bool) -> list[int]:
        """Return the seats that had no card to play to this trick."""
        seats = len(self.hand.counts)
        order = clockwise(plays[0].seat, seats)
        end = seats if is_over or not self.state.turn else order.index(self.state.turn[0])
        played = {play.seat for play in plays}
        return [seat for seat in order[:end] if seat not in played]

    @property
    def partner_with_called(self) -> int | None:
        """The seat that is known to hold the called card, which hasn't been played yet."""
        hand = self.hand
        if not hand.call_settled or hand.called not in self.unseen or hand.sides is None:
            return None
        others = [seat for seat in hand.sides[0] if seat != hand.pitcher]
        return others[0] if others else None

    def _exclude_called(self, without: list[set[Card]]) -> None:
        """Leave the called card to the one partner, or, if nobody became one, to the pitcher or to nobody."""
        called = self.hand.called
        if called is None or not self.hand.call_settled:
            return
        partner = self.partner_with_called
        holder = self.hand.pitcher if partner is None else partner
        for seat, cards in enumerate(without):
            if seat != holder:
                cards.add(called)


def _tricks(rules: Rules, hand: Hand) -> Iterator[tuple[tuple[Rank, ...], tuple[Play, ...], bool]]:
    """Yield each trick of the hand: the ranks whose off card was a trump, its plays, and whether it's over."""
    offs = {version.name: version.off for version in rules.changes.versions} | {rules.version: rules.off}
    for gathered in hand.gathered:
        yield offs[gathered.version], gathered.trick.plays, True
    if hand.trick is not None:
        yield rules.off, hand.trick.plays, False


def _discards(facts: Iterable[Fact]) -> tuple[frozenset[Card], int]:
    """Return the discards that the seat saw, and the number of all."""
    seen, count = set[Card](), 0
    for fact in facts:
        if isinstance(fact, CardsDiscarded):
            seen.update(fact.shown)
            count += fact.count
        elif isinstance(fact, CardsBuried):
            seen.update(fact.cards)
    return frozenset(seen), count
