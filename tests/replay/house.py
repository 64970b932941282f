"""Tables that play by rules of a club: values of the choices, and games of any legal moves by them."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from domain.commands import CallPartner, Command, Discard, OpenGame, PassBid
from domain.decide import opening
from domain.engine.legal_moves import legal_discards, legal_moves
from domain.events import Player
from domain.rules.choices import AllPass, Award, Bids, DealerBids, Ending, Fill, Miss, Moon, Trump
from domain.rules.model import Auction, Point, Rules
from domain.rules.rulebook import Rulebook
from domain.rules.variants import HOUSE, VARIANTS, compose_rules
from domain.rules.variants.house import RULEBOOK
from tests.replay.playing import GAME, Table

TEN, SMEAR, CINCH = (VARIANTS[name].rules for name in ("ten-point", "smear", "cinch"))
HELL, KITTY = (VARIANTS[name].rules for name in ("oh-hell", "four-point-kitty"))
FOUR = replace(KITTY, auction=replace(KITTY.auction, moon=Moon.GAME))
HOUSES = {name: (each.rules, each.rules.seats[0]) for name, each in VARIANTS.items() if each.sheet.letter not in "STBC"}
HOUSES |= {
    "smear-six": (SMEAR, 6),
    "four-point-kitty-draw": (
        replace(
            FOUR,
            fill=Fill.KITTY_AND_DRAW,
            points=(*FOUR.points, Point("last", Award.LAST_TRICK), Point("all", Award.ALL_TRICKS)),
            auction=Auction(
                of=Bids.POINTS, least=2, dealer=DealerBids.TIES, all_pass=AllPass.DEALER_BIDS_LEAST, moon=Moon.GAME
            ),
        ),
        4,
    ),
    "oh-hell-bid": (replace(HELL, miss=Miss.BID), 7),
    "oh-hell-spades": (
        replace(HELL, trump=Trump.FIXED, fixed_trump="S", miss=Miss.TEN_EACH, ending=Ending.HANDS_SHARED),
        4,
    ),
}
"""The presets, and rules that no preset has, with the players of their games."""


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
    """Open a game by any rules that can be played, by house rules unless they're those of a preset."""
    made = House(Random(seed))
    people = tuple(Player(f"p{seat}", "human") for seat in range(players))
    named = rules.variant if compose_rules(rules.variant, {}, players)[0] == rules else HOUSE
    options = {RULEBOOK: Rulebook(rules).address} if named == HOUSE else {}
    with pytest.MonkeyPatch.context() as patch:
        if rules.quirks:
            patch.setattr(opening, "rules_fault", lambda _: None)
        command = OpenGame(GAME, 7, named, options, people, rules=replace(rules, variant=named), **settings)
        made.do(command, "p0")
    return made
