"""Random hands of Corellian Pitch, compared step by step with the second reading in tests/rulebooks/corellian*.py.

Every version, dirty or not, reversed or not, with every orientation and either way to follow: what may be said, thrown
and played, whose turn it is, who takes which trick and keeps which card, and what the hand comes to.
"""

from itertools import product
from random import Random
from typing import Any

import pytest

from domain.cards import DECK_54, SUITS, Card
from domain.commands import CallPartner, Command, Discard, MakeBid, NameTrump, PlayCard
from domain.decide import decide
from domain.engine.legal_moves import can_call_partner, legal_discards, legal_moves
from domain.events import CardsDiscarded, Fact, HandScored, PartnerRevealed, TrickTaken
from domain.rules.choices import Phase
from domain.state import Hand, State, current_hand
from tests.games.corellian_hands import EVERY, ORIENTATIONS, rules_of, table
from tests.games.hands import facts_of_kind, only_fact
from tests.games.tables import folded
from tests.rulebooks import corellian as rulebook
from tests.rulebooks import corellian_deal as dealing
from tests.rulebooks import corellian_end as ending
from tests.rulebooks.corellian import VERSIONS, Setting
from tests.step_limit import steps

OPTIONS: dict[str, tuple[str, ...]] = {
    "ten": ("card", "game"),
    "jokers": ("first_high", "first_low"),
    "worth": ("at_end", "when_taken"),
    "credit": ("full", "own", "half"),
    "defenders": ("full", "own", "none"),
    "double": ("when_made", "at_end"),
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
        self.tricks: list[ending.Gathered] = []
        self.facts: list[Fact] = []
        self.partner: int | None = None

    def _dealt(self) -> State:
        """Return a deal without a misdeal, by any seat, after any scores."""
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
        scores = [self.rng.randint(-20, 20) for _ in range(4)]
        rest = " ".join(deck[4 * size :])
        dealer = self.rng.randrange(4)
        return table([" ".join(own) for own in hands], rules, dealer=dealer, stock=rest, scores=scores).state

    @property
    def hand(self) -> Hand:
        return current_hand(self.state)

    def send(self, command: Command) -> tuple[Fact, ...]:
        facts = decide(self.state, command)
        self.state = folded(self.state, facts)
        self.facts += facts
        return facts

    def runs(self) -> None:
        before = self.state.scores
        self.auction()
        trump = self.names()
        self.calls()
        self.discards(trump)
        self.takes_effect()
        spent = steps(1000)
        while not self.hand.over:
            next(spent)
            self.plays(trump)
        self.judged(trump, before)

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
                allowed = dealing.may_discard(held, cards, trump, self.setting, bidding)
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
        own, other = ending.sides(seat, self.partner)
        told = [fact.seat for fact in facts_of_kind(PartnerRevealed, self.facts)]
        playing = not self.hand.over
        assert told == ([self.partner] if self.partners == "call" and playing else [])
        if playing:
            assert self.hand.sides == (tuple(sorted(own)), tuple(sorted(other)))

    def plays(self, trump: str) -> None:
        trick = [(play.seat, str(play.card)) for play in self.hand.trick.plays] if self.hand.trick else []
        start = self.tricks[-1].seat if self.tricks else self.hand.pitcher
        assert start is not None
        first = not self.tricks
        seat = rulebook.next_up(hands_of(self.state), trick, start, trump, self.setting, first)
        assert seat is not None
        assert self.state.turn == (seat,)
        must = self.hand.called if seat == self.partner else None
        cards = rulebook.playable_cards(hands_of(self.state)[seat], trick, trump, self.setting, first, must)
        assert legal_moves(self.state, seat) == tuple(PlayCard(seat, Card(card)) for card in cards)
        card = self.rng.choice(cards)
        facts = self.send(PlayCard(seat, Card(card)))
        trick.append((seat, card))
        done = rulebook.next_up(hands_of(self.state), trick, start, trump, self.setting, first) is None
        taken = list(facts_of_kind(TrickTaken, facts))
        assert bool(taken) == done
        for fact in taken:
            by_the_book = ending.gather_trick(trick, trump, self.setting)
            assert (fact.seat, plain(fact.plays), plain(fact.kept)) == (
                by_the_book.seat,
                by_the_book.plays,
                by_the_book.kept,
            )
            self.tricks.append(by_the_book)

    def judged(self, trump: str, before: tuple[int, ...]) -> None:
        """Compare the score of the hand, and check that it ended when no seat could play."""
        start = self.tricks[-1].seat if self.tricks else self.hand.pitcher
        assert start is not None
        assert rulebook.next_up(hands_of(self.state), (), start, trump, self.setting, not self.tricks) is None
        score = only_fact(HandScored, self.facts)
        seat, bid = self.hand.pitcher, self.hand.bid
        assert seat is not None
        assert bid is not None
        partner = self.partner if self.tricks or self.partners != "call" else None
        by: dict[str, Any] = {name: self.options[name] for name in ("worth", "credit", "defenders", "double")}
        everything = max(self.said) == self.setting.total
        wanted = ending.judge_hand(
            self.tricks, trump, self.setting, (seat, partner), (bid, everything), before, ending.Options(**by)
        )
        assert [(peg.point, peg.worth, peg.seat, peg.card, peg.credited) for peg in score.pegs] == wanted.pegs
        assert (list(score.counts), score.made) == (wanted.counts, wanted.made)
        assert (list(score.changes), list(score.scores)) == (wanted.changes, wanted.scores)


def plain(plays: Any) -> tuple[tuple[int, str], ...]:
    """Return plays as the second reading writes them."""
    return tuple((play.seat, str(play.card)) for play in plays)


@pytest.mark.lengthy
@pytest.mark.parametrize(
    "points", [pytest.param(points, id=f"R-C5 R-C9 R-C53 R-C54 version {points}") for points in EVERY]
)
def test_random_hands_follow_the_rule_sheet(points: str) -> None:
    for setting in SETTINGS:
        Differential(points, setting, 0).runs()


def test_R_C7_the_versions_equal_those_of_the_second_reading() -> None:
    assert {name: rules_of(name).total for name in EVERY} == {name: Setting(name).total for name in VERSIONS}
