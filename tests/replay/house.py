"""Tables that play by rules of a club: values of the choices, and games of any legal moves by them."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from domain.cards import RANKS, Card
from domain.commands import CallPartner, Command, Discard, OpenGame, PassBid
from domain.decide import opening
from domain.engine.legal_moves import legal_discards, legal_moves
from domain.events import Player
from domain.rules.choices import (
    AllPass,
    Award,
    Bids,
    Call,
    Credit,
    DealerBids,
    Double,
    Ending,
    Fill,
    FirstDealer,
    Follow,
    Jokers,
    Miss,
    Moon,
    OpeningLead,
    Partners,
    Seating,
    Sight,
    Tally,
    Throw,
    Trump,
)
from domain.rules.model import Auction, Changes, Point, Rules
from domain.rules.variants.blackout import BLACKOUT
from domain.rules.variants.corellian import CORELLIAN
from domain.rules.variants.corellian_versions import VERSIONS
from domain.rules.variants.setback import SETBACK
from tests.replay.playing import GAME, Table

JOKER_LOW = ("X", *RANKS)
TEN = replace(
    CORELLIAN,
    partners=Partners.PAIRS,
    changes=Changes(),
    delay=None,
    double=Double.NEVER,
    auction=Auction(of=Bids.POINTS, least=5, all_pass=AllPass.DEALER_HAS_IT, moon=Moon.GAME),
    throw=Throw.TRUMPS_STAY,
    misdeal=("10", "J", "Q", "K", "A", "2", "3", "X"),
    goal=52,
    ending=Ending.BIDDER_ONLY,
)
FIVE = replace(
    TEN,
    seats=(5,),
    hand_sizes=(10,),
    partners=Partners.CALL,
    call=Call.SECRET,
    fill=Fill.KITTY,
    kitty=4,
    defenders=Credit.OWN,
    auction=replace(TEN.auction, moon=Moon.NONE),
)
SIX = replace(TEN, seats=(6,), hand_sizes=(8,), fill=Fill.KITTY, kitty=6, partners=Partners.TEAMS)
PEDRO = replace(
    TEN,
    jokers=False,
    ranks=RANKS,
    off=("5",),
    points=(
        Point("ace", Award.CARD, rank="A"),
        Point("two", Award.CARD, rank="2"),
        Point("jack", Award.CARD, rank="J"),
        Point("ten", Award.CARD, rank="10"),
        Point("five", Award.CARD, 5, rank="5"),
        Point("off_five", Award.CARD, 5, rank="5", off=True),
    ),
    auction=Auction(of=Bids.POINTS, least=6, all_pass=AllPass.DEALER_HAS_IT, moon=Moon.DOUBLE),
    misdeal=(),
    fill=Fill.DEALER,
    goal=62,
    ending=Ending.BIDDER_FIRST,
)
CINCH = replace(
    PEDRO,
    dirty=True,
    follow=Follow.SUIT_OR_TRUMP,
    auction=Auction(bids=tuple(range(1, 15)), least=0, all_pass=AllPass.DEALER_HAS_IT),
    opening_lead=OpeningLead.ANY,
    tally=Tally.DIFFERENCE,
    goal=51,
)
SMEAR = replace(
    TEN,
    seats=(4, 6),
    hand_sizes=(6,),
    partners=Partners.TEAMS,
    ranks=JOKER_LOW,
    removed=(Card("X2"),),
    joker_order=Jokers.MARKED,
    joker_count=1,
    points=(
        Point("ace", Award.CARD, rank="A"),
        Point("two", Award.LOWEST),
        Point("jack", Award.CARD, rank="J"),
        Point("off_jack", Award.CARD, rank="J", off=True),
        Point("joker", Award.FIRST_JOKER),
        Point("game", Award.COUNT),
    ),
    auction=Auction(bids=(3, 4, 5, 6), all_pass=AllPass.SAME_DEALER),
    misdeal=(),
    fill=Fill.DEALER,
    most_thrown=3,
    follow=Follow.SUIT_OR_TRUMP,
    goal=21,
    ending=Ending.HIGHEST,
)
FOUR = replace(
    SETBACK,
    seats=(4,),
    trump=Trump.NAMED,
    fill=Fill.KITTY,
    kitty=3,
    kept_cards=6,
    auction=replace(SETBACK.auction, dealer=DealerBids.AS_OTHERS, moon=Moon.GAME),
    goal=15,
)
FOUR_DRAWN = replace(
    FOUR,
    fill=Fill.KITTY_AND_DRAW,
    points=(*SETBACK.points, Point("last", Award.LAST_TRICK), Point("all", Award.ALL_TRICKS)),
    auction=Auction(
        of=Bids.POINTS, least=2, dealer=DealerBids.TIES, all_pass=AllPass.DEALER_BIDS_LEAST, moon=Moon.GAME
    ),
)
HELL = replace(
    BLACKOUT,
    seats=(3, 4, 5, 6, 7),
    sights=(Sight.OWN,),
    seating=Seating.AS_GIVEN,
    hand_sizes=(1, 2, 3, 2, 1),
    miss=Miss.BID_AND_TEN,
)
SPADES = replace(HELL, trump=Trump.FIXED, fixed_trump="S", miss=Miss.TEN_EACH, ending=Ending.HANDS_SHARED)
HOUSES = {
    "ten-point": (TEN, 4),
    "ten-point-five": (FIVE, 5),
    "ten-point-teams": (SIX, 6),
    "ten-point-pairs": (replace(SIX, partners=Partners.PAIRS, auction=replace(TEN.auction, moon=Moon.NONE)), 6),
    "thirteen-point": (
        replace(
            TEN,
            version="13",
            points=VERSIONS["13"].points,
            off=VERSIONS["13"].off,
            joker_order=Jokers.SECOND_HIGH,
            auction=Auction(of=Bids.POINTS, least=4, all_pass=AllPass.DEALER_BIDS),
        ),
        4,
    ),
    "smear": (SMEAR, 4),
    "smear-six": (replace(SMEAR, first_dealer=FirstDealer.LAST_SEAT), 6),
    "pedro": (PEDRO, 4),
    "cinch": (CINCH, 4),
    "four-point-kitty": (FOUR, 4),
    "four-point-kitty-draw": (FOUR_DRAWN, 4),
    "oh-hell": (HELL, 3),
    "oh-hell-tricks": (replace(HELL, miss=Miss.TRICKS), 5),
    "oh-hell-bid": (replace(HELL, miss=Miss.BID), 7),
    "oh-hell-spades": (SPADES, 4),
}
"""Rules, and the players of their games."""


@dataclass
class House(Table):
    """A table at which seats bid, name, call, throw and play anything that they may."""

    def choice(self, seat: int) -> Command:
        """Choose any move."""
        state = self.state
        if (options := legal_discards(state, seat)) is not None:
            many = self.random.randint(options.minimum, options.maximum) - len(options.required)
            return Discard(seat, (*options.required, *self.random.sample(options.optional, many)))
        moves = legal_moves(state, seat)
        if moves and isinstance(moves[0], PassBid) and self.random.random() < 0.6:
            return moves[0]
        return self.random.choice(moves) if moves else CallPartner(seat, self.random.choice(state.rules.deck))


def house(seed: int, rules: Rules, players: int, **settings: Any) -> House:
    """Open a game by any rules that can be played."""
    made = House(Random(seed))
    people = tuple(Player(f"p{seat}", "human") for seat in range(players))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "compose_rules", lambda *_: (rules, {}))
        if rules.quirks:
            patch.setattr(opening, "rules_fault", lambda _: None)
        made.do(OpenGame(GAME, 7, rules.variant, {}, people, **settings), "p0")
    return made
