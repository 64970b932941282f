"""Hands of Corellian Pitch in which the rules change: cards in hand, a change, and its effects.

ready("AH", "KH", "QH", "JH") is at the lead of seat 0, who bid 4 and named hearts;
change_facts(at, "points:7") are the facts of that change, and change_rule(at, ..) of tests.games.corellian_hands
continues from it.
"""

from collections.abc import Sequence
from typing import Any

from domain.cards import Suit, parse_exact_card
from domain.commands import Command
from domain.engine.legal_moves import legal_moves
from domain.events import BidScaled, Fact, HandScored, PartnerRevealed, PartnersChanged, RulesChanged, TrickTaken
from domain.events.play import Play
from domain.rules.model import Rules
from domain.state import Hand, current_hand
from tests.games.corellian_hands import (
    call_card,
    make_bids,
    name_trump,
    plays,
    rule_draw,
    rules_of,
    table,
    without_discards,
)
from tests.games.hands import commit, facts_of_kind, go_on, only_fact
from tests.given import Given, given
from tests.step_limit import steps

THROWN = (
    "AS KS 6C 7C 8C 9C",
    "4D 5D 6D 7D 8D",
    "2D 3D 9D 10D KD",
    "2C 3C 4C 5C 2S 3S 4S 5S 6S 7S 8S 9S 10S JS",
)
"""The discards from tests.games.corellian_hands.DEAL when seat 0 plays hearts: of seats 1, 2, 3, and then 0."""
TURNS = {"across": ((0, 2), (1, 3)), "left": ((0, 1), (2, 3)), "right": ((0, 3), (1, 2))}
"""The sides when seat 0 bid, by orientation."""


def ready(
    *hands: str,
    bids: Sequence[int] = (4, 0, 0, 0),
    suit: Suit = "H",
    call: str | None = None,
    rules: Rules | None = None,
    scores: Sequence[int] = (),
    **setting: Any,
) -> Given:
    """Return the situation with these cards and no discards, after the bidder has named `suit` and made any call."""
    at = make_bids(table(hands, without_discards(rules or rules_of(**setting)), stock="", scores=scores), *bids)
    at = name_trump(at, suit)
    return at if call is None else call_card(at, call)


def change_facts(at: Given, word: str) -> tuple[Fact, ...]:
    """Return the facts of this change, drawn before the current turn."""
    return at.when(rule_draw(at, word)).facts


def after_command(at: Given, command: Command) -> Given:
    """Return the situation after this command and the table's duties after it."""
    return given(*at.facts, *commit(at, command))


def play_rest(at: Given, *tricks: str) -> tuple[Fact, ...]:
    """Return the facts of the commit of the last of these cards."""
    *before, last = plays(tricks)
    return commit(go_on(at, *before), last)


def score_rest(at: Given, *tricks: str) -> HandScored:
    """Return the score of the hand after these cards."""
    return only_fact(HandScored, play_rest(at, *tricks))


def score_played_out(at: Given) -> HandScored:
    """Return the score of the hand if each seat plays its first legal card."""
    spent = steps(1000)
    while not hand(at).over:
        next(spent)
        at = at.when(legal_moves(at.state, turn(at))[0]).happens()
    return list(facts_of_kind(HandScored, at.facts))[-1]


def hand(at: Given) -> Hand:
    """Return the hand in play."""
    return current_hand(at.state)


def turn(at: Given) -> int:
    """Return the seat that must move."""
    (seat,) = at.state.turn
    return seat


def last_trick(at: Given) -> TrickTaken:
    """Return the trick gathered last."""
    taken = hand(at).last_trick
    assert taken is not None
    return taken


def played_card(seat: int, card: str) -> Play:
    """Return a card on the table."""
    return Play(seat, parse_exact_card(card))


def change_of(facts: Sequence[Fact]) -> RulesChanged:
    """Return the change of the rules among these facts."""
    return only_fact(RulesChanged, facts)


def scalings(facts: Sequence[Fact]) -> list[tuple[int, int, int]]:
    """Return each scaled bid: seat, before, after."""
    return [(fact.seat, fact.before, fact.after) for fact in facts_of_kind(BidScaled, facts)]


def partnership(facts: Sequence[Fact]) -> PartnersChanged | None:
    """Return the change of partners, or None."""
    return next(facts_of_kind(PartnersChanged, facts), None)


def partner_revealed(facts: Sequence[Fact]) -> PartnerRevealed | None:
    """Return the fact that reveals the called partner, or None."""
    return next(facts_of_kind(PartnerRevealed, facts), None)
