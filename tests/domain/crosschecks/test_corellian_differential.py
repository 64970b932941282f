"""Random hands of Corellian Pitch, compared step by step with the second reading in tests/rulebooks/corellian*.py.

Every version, dirty or not, reversed or not, with every orientation and either way to follow: what may be said, thrown
and played, whose turn it is, and who takes which trick and keeps which card. What a hand comes to is compared with the
audit, in whole sessions.
"""

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from domain.cards import DECK_54, SUITS, Card
from domain.commands import CallPartner, Command, Discard, MakeBid, NameTrump, PlayCard
from domain.decide import decide
from domain.engine.legal_moves import can_call_partner, legal_discards, legal_moves
from domain.events import CardsDiscarded, Fact, PartnerRevealed, TrickTaken
from domain.rules.choices import Phase
from domain.state import Hand, State, current_hand
from tests.games.corellian_hands import EVERY, ORIENTATIONS, rules_of, table
from tests.games.hands import facts_of_kind, only_fact
from tests.games.tables import folded
from tests.rulebooks import corellian as rulebook
from tests.rulebooks import corellian_deal as dealing
from tests.rulebooks.corellian import VERSIONS, Setting
from tests.rulebooks.rulebook import Play
from tests.step_limit import steps

OPTIONS: dict[str, tuple[str, ...]] = {
    "ten": ("card", "game"),
    "jokers": ("first_high", "first_low"),
    "deal": ("fill", "all"),
}
SETTINGS = list(product((False, True), (False, True), ORIENTATIONS, ("trumps", "suit_or_trump")))


def hands_of(state: State) -> list[list[str]]:
    return [list(own or ()) for own in current_hand(state).cards]


class Differential:
    """A hand played at random; both readings must agree on every step."""

    def __init__(self, points: str, setting: tuple[bool, bool, str, str], seed: int) -> None:
        self.rng = Random(f"{points} {setting} {seed}")
        self.dirty, self.reverse, self.partners, self.follow = setting
        self.options = {name: self.rng.choice(values) for name, values in OPTIONS.items()}
        self.setting = Setting(
            points, self.dirty, self.reverse, self.options["ten"], self.follow, self.options["jokers"]
        )
        self.state = self._dealt()
        self.said: list[int] = []
        self.taker: int | None = None
        self.facts: list[Fact] = []
        self.partner: int | None = None

    def _dealt(self) -> State:
        """Return a deal without a misdeal, by any seat."""
        size = 9 if self.options["deal"] == "fill" else 13
        while True:
            deck = self.rng.sample(DECK_54, 54)
            hands = [deck[seat * size : (seat + 1) * size] for seat in range(4)]
            if not dealing.misdealt_seats(hands):
                break
        rules = rules_of(
            self.setting.points,
            dirty=self.dirty,
            reverse=self.reverse,
            partners=self.partners,
            follow=self.follow,
            **self.options,
        )
        rest = " ".join(deck[4 * size :])
        dealer = self.rng.randrange(4)
        return table([" ".join(own) for own in hands], rules, dealer=dealer, stock=rest).state

    @property
    def hand(self) -> Hand:
        return current_hand(self.state)

    def send(self, command: Command) -> tuple[Fact, ...]:
        facts = decide(self.state, command)
        self.state = folded(self.state, facts)
        self.facts += facts
        return facts

    def runs(self) -> None:
        self.auction()
        trump = self.names()
        self.calls()
        self.discards(trump)
        self.takes_effect()
        spent = steps(1000)
        while not self.hand.over:
            next(spent)
            self.plays(trump)
        assert self.next_up([], trump) is None

    def auction(self) -> None:
        for turn in range(4):
            seat = (self.hand.eldest + turn) % 4
            assert self.state.turn == (seat,)
            wanted = dealing.legal_bids(self.said, self.setting)
            moves = legal_moves(self.state, seat)
            assert [move.bid if isinstance(move, MakeBid) else 0 for move in moves] == wanted
            at = self.rng.choice([0, 0, self.rng.randrange(len(moves))])
            self.send(moves[at])
            self.said.append(wanted[at])
        assert self.hand.pitcher == dealing.bidder(self.said, self.hand.eldest)
        assert self.hand.bid == (max(self.said) or self.setting.least)

    def names(self) -> str:
        seat = self.hand.pitcher
        assert seat is not None
        assert legal_moves(self.state, seat) == tuple(NameTrump(seat, suit) for suit in SUITS)
        trump = self.rng.choice(SUITS)
        self.send(NameTrump(seat, trump))
        return trump

    def calls(self) -> None:
        seat = self.hand.pitcher
        assert seat is not None
        assert (self.state.phase is Phase.CALLING) == can_call_partner(self.state, seat) == (self.partners == "call")
        if self.partners == "call":
            self.send(CallPartner(seat, self.rng.choice(DECK_54)))

    def discards(self, trump: str) -> None:
        """Try a few discards, legal and illegal (R-C3, R-C48)."""
        order = [(self.hand.eldest + turn) % 4 for turn in range(4)]
        filling = self.options["deal"] == "fill"
        for seat in [*(each for each in order if each != self.hand.pitcher), self.hand.pitcher] if filling else []:
            assert self.state.turn == (seat,)
            assert seat is not None
            may, held = legal_discards(self.state, seat), hands_of(self.state)[seat]
            assert may is not None
            bidding = seat == self.hand.pitcher
            others = [card for card in may.optional if card not in may.required]
            number = self.rng.randint(may.minimum, may.maximum) - len(may.required)
            good = (*may.required, *self.rng.sample(others, number))
            tries = [good, good[1:], (*good, self.rng.choice(held))]
            tries += [(*good[1:], self.rng.choice(held)), tuple(self.rng.sample(held, self.rng.randint(0, len(held))))]
            for cards in tries:
                allowed = dealing.may_discard(held, cards, trump, self.setting, bidding, self.hand.called)
                assert may.allows(tuple(Card(card) for card in cards)) == allowed, (held, cards)
            shown = dealing.shown_discards(good, trump, self.setting) if bidding else []
            assert sorted(only_fact(CardsDiscarded, self.send(Discard(seat, good))).shown) == sorted(shown)

    def takes_effect(self) -> None:
        """R-C27, R-C29, R-C30."""
        seat = self.hand.pitcher
        assert seat is not None
        if self.partners == "call":
            assert self.hand.called is not None
            self.partner = dealing.holder(hands_of(self.state), seat, self.hand.called)
        else:
            self.partner = dealing.partner(seat, self.partners)
        told = [fact.seat for fact in facts_of_kind(PartnerRevealed, self.facts)]
        assert told == ([self.partner] if self.partners == "call" and not self.hand.over else [])

    def next_up(self, trick: Sequence[Play], trump: str) -> int | None:
        """Return the seat that can play next by the second reading, or None at the end of a trick or of the hand."""
        start = self.hand.pitcher if self.taker is None else self.taker
        assert start is not None
        return rulebook.next_up(hands_of(self.state), trick, start, trump, self.setting, self.taker is None)

    def plays(self, trump: str) -> None:
        trick = [(play.seat, str(play.card)) for play in self.hand.trick.plays] if self.hand.trick else []
        seat = self.next_up(trick, trump)
        assert seat is not None
        assert self.state.turn == (seat,)
        must = self.hand.called if seat == self.partner else None
        cards = rulebook.playable_cards(
            hands_of(self.state)[seat], trick, trump, self.setting, self.taker is None, must
        )
        assert legal_moves(self.state, seat) == tuple(PlayCard(seat, Card(card)) for card in cards)
        card = self.rng.choice(cards)
        facts = self.send(PlayCard(seat, Card(card)))
        trick.append((seat, card))
        taken = list(facts_of_kind(TrickTaken, facts))
        assert bool(taken) == (self.next_up(trick, trump) is None)
        for fact in taken:
            self.taker = rulebook.taker(trick, trump, self.setting)
            assert (fact.seat, plain(fact.plays)) == (self.taker, trick)
            assert plain(fact.kept) == rulebook.kept_plays(trick, trump, self.setting)


def plain(plays: Any) -> list[Play]:
    """Return plays as the second reading writes them."""
    return [(play.seat, str(play.card)) for play in plays]


@pytest.mark.lengthy
@pytest.mark.parametrize(
    "points", [pytest.param(points, id=f"R-C5 R-C9 R-C53 R-C54 version {points}") for points in EVERY]
)
def test_random_hands_follow_the_rule_sheet(points: str) -> None:
    for setting in SETTINGS:
        Differential(points, setting, 0).runs()


def test_R_C7_the_versions_equal_those_of_the_second_reading() -> None:
    assert {name: rules_of(name).total for name in EVERY} == {name: Setting(name).total for name in VERSIONS}
