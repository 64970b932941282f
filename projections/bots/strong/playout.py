"""Plays a hand to its end in one world, many times faster than by facts.

Which cards can be played, which trumps there are, who takes a trick and what a hand scores are the answers of
`domain.engine`. This module only moves cards. A test compares it with `decide` and `evolve` card by card.
"""

from collections.abc import Callable, Sequence

from domain.cards import RANK, SUIT, Card, Suit
from domain.engine.sides import current_sides, sides_with_partner
from domain.engine.tricks import cards_to_lead, kept_plays, legal_cards, strengths, taker
from domain.events import Play, Seats, TrickTaken
from domain.rules.choices import Call, Trump
from domain.rules.model import Rules
from domain.state import NAMED_TRUMP, GatheredTrick, Hand
from domain.struct import replace

_PITCHED, _ANNOUNCED = Trump.PITCHED, Call.ANNOUNCED
"""Read off the enums once, because an enum lookup is slow."""


class CardPlay:
    """The play of a hand whose cards are all known."""

    def __init__(self, rules: Rules, hand: Hand) -> None:
        self.rules, self.hand = rules, hand
        self.cards: list[list[Card]] = [list(held or ()) for held in hand.cards]
        self.trump: Suit | None = hand.trump
        self.first_joker = hand.first_joker
        self.plays: list[Play] = list(hand.trick.plays) if hand.trick else []
        self.lead = hand.trick.leader if hand.trick else hand.lead
        self.taken = list(hand.taken)
        self.tricks = list(hand.tricks)
        self.gathered = list(hand.gathered)
        self.sides: tuple[Seats, ...] = current_sides(rules, hand)
        self.call_open = hand.called is not None and not hand.call_settled

    def strength(self) -> dict[Card, int]:
        """Return each card's strength in this trick, or before the lead."""
        led = SUIT[self.plays[0].card] if self.plays else None
        return strengths(self.rules, self.trump, self.first_joker, led)

    def legal(self, seat: int) -> Sequence[Card]:
        """Return the cards that `seat` can play now; () if it can't play."""
        held, rules, hand = self.cards[seat], self.rules, self.hand
        if not held:
            return ()
        cards: Sequence[Card]
        if self.plays:
            cards = legal_cards(rules, held, self.trump, self.plays[0].card)
        else:
            opening = rules.trump is NAMED_TRUMP and not self.gathered
            cards = cards_to_lead(rules, held, self.trump, opening=opening)
        if hand.called is not None and seat != hand.pitcher and hand.called in cards and self._call_counts():
            return (hand.called,)  # R-C29
        return cards

    def _call_counts(self) -> bool:
        return self.hand.counts_from is not None and len(self.gathered) + 1 >= self.hand.counts_from

    def play(self, seat: int, card: Card) -> None:
        """Play a card to the trick, or lead it; the first lead may make trump."""
        self.cards[seat].remove(card)
        if self.trump is None and self.rules.trump is _PITCHED and not self.gathered and not self.plays:
            self.trump = SUIT[card]
        if self.first_joker is None and RANK[card] == "X":
            self.first_joker = card
        if not self.plays:
            self.lead = seat
        self.plays.append(Play(seat, card))
        if self.call_open and card == self.hand.called and self.rules.call is not _ANNOUNCED and self._call_counts():
            self._settle_call(seat)

    def next_to_play(self) -> tuple[int, Sequence[Card]] | None:
        """Return the seat that plays next and its legal cards, after gathering a full trick; None at the end."""
        seats = len(self.cards)
        if self.plays:
            seat = (self.plays[-1].seat + 1) % seats
            while seat != self.lead:
                if legal := self.legal(seat):
                    return seat, legal
                seat = (seat + 1) % seats
            self._gather()
        for turn in range(seats):
            seat = (self.lead + turn) % seats
            if legal := self.legal(seat):
                if self.call_open and self.rules.call is _ANNOUNCED:  # C11, R-C29
                    self._settle_call(self._holder())
                    return seat, self.legal(seat)
                return seat, legal
        return None

    def _holder(self) -> int | None:
        return next((seat for seat, held in enumerate(self.cards) if self.hand.called in held), None)

    def _reveal_at_end(self) -> None:
        """Let a secret call that counted take effect at the end of the hand (R-C61)."""
        counts_from = self.hand.counts_from
        secret = self.call_open and self.rules.call is not _ANNOUNCED
        if secret and counts_from is not None and len(self.gathered) >= counts_from:
            self._settle_call(self._holder())

    def _settle_call(self, holder: int | None) -> None:
        pitcher = self.hand.pitcher
        if pitcher is not None:
            self.sides = sides_with_partner(pitcher, None if holder == pitcher else holder, len(self.cards))
            self.call_open = False

    def _gather(self) -> None:
        plays = tuple(self.plays)
        seat = taker(self.rules, plays, self.trump, self.first_joker)
        kept = kept_plays(self.rules, plays, self.trump)
        for play in plays:
            self.taken[play.seat if play in kept else seat] += (play.card,)
        self.tricks[seat] += 1
        trick = TrickTaken(self.hand.number, len(self.gathered) + 1, seat, plays, kept, ())
        self.gathered.append(GatheredTrick(trick, not self.rules.dirty, self.rules.version))
        self.plays, self.lead = [], seat

    def to_end(self, choose: Callable[["CardPlay", int, Sequence[Card]], Card]) -> Hand:
        """Play to the end with the cards that `choose` chooses, and return the hand as it's scored."""
        while (following := self.next_to_play()) is not None:
            seat, legal = following
            self.play(seat, legal[0] if len(legal) == 1 else choose(self, seat, legal))
        hand = self.hand
        self._reveal_at_end()
        return replace(
            hand,
            trump=self.trump,
            first_joker=self.first_joker,
            cards=tuple(map(tuple, self.cards)),
            counts=tuple(map(len, self.cards)),
            taken=tuple(self.taken),
            tricks=tuple(self.tricks),
            gathered=tuple(self.gathered),
            sides=self.sides if hand.sides is not None or hand.called else hand.sides,
            trick=None,
        )
