"""Corellian Pitch, the play (C18, C23 to C26, R-C9, R-C10, R-C13, R-C18, R-C53 to R-C56, R-C60).

Hearts are trumps, and the hands have no discards.
"""

from typing import Any

import pytest

from domain.cards import Card
from domain.commands import NameTrump, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import CardPlayed, HandScored, Play, TrickTaken, TrumpNamed
from domain.rejections import NotATrump
from tests.games.corellian_hands import (
    make_bids,
    name_trump,
    play_tricks,
    rules_of,
    table,
    without_discards,
)
from tests.games.hands import fact_names, only_fact
from tests.given import Given, cards

HELD = ("AD JD 9D 5H X1 2C", "KH 9H 2H KD 3C", "QH 4C KS QS", "6H 7H 8D 9S")


def at_play(*tricks: str, hands: tuple[str, ...] = HELD, **setting: Any) -> Given:
    """Return the situation after seat 0 has bid four, named hearts, and these tricks, complete or open, are played."""
    rules = without_discards(rules_of(**setting))
    return play_tricks(name_trump(make_bids(table(hands, rules, stock=""), 4, 0, 0, 0), "H"), *tricks)


def may_play(at: Given) -> str:
    (seat,) = at.state.turn
    return " ".join(move.card for move in legal_moves(at.state, seat) if isinstance(move, PlayCard))


@pytest.mark.parametrize(
    ("points", "cards_"),
    [
        pytest.param("10", "JD 5H X1", id="R-C9 R-C52 trumps, jokers, off-jack"),
        pytest.param("4", "5H X1", id="R-C12 R-C52 in 4 no off-jack"),
        pytest.param("11", "JD AD 5H X1", id="R-C9 R-C52 in 11 the off-ace too"),
    ],
)
def test_only_trumps_are_legal(points: str, cards_: str) -> None:
    at = at_play(points=points)
    assert sorted(may_play(at).split()) == sorted(cards_.split())
    for card in HELD[0].split():
        asked = at.when(PlayCard(0, Card(card)))
        if card in cards_.split():
            assert asked.facts == (CardPlayed(0, Card(card), next=(1,)),)
        else:
            asked.rejected(NotATrump)


def test_C18_the_taker_keeps_the_trick_and_leads_the_next() -> None:
    at = at_play("0: JD KH QH 6H")
    assert at.facts[-2:] == (
        CardPlayed(3, Card("6H"), next=()),
        TrickTaken(1, 1, 1, tuple(Play(*each) for each in zip(range(4), cards("JD KH QH 6H"), strict=True)), (), (1,)),
    )
    assert at.state.hand is not None
    assert (at.state.hand.taken[1], at.state.hand.tricks) == (cards("JD KH QH 6H"), (0, 1, 0, 0))
    at = play_tricks(at, "1: 9H", "3: 7H", "0: 5H")
    assert at.state.hand is not None
    assert (at.state.hand.taken[1][4:], at.state.hand.tricks) == (cards("9H 7H 5H"), (0, 2, 0, 0))


def test_R_C10_the_hand_ends_when_no_seat_can_play_even_with_cards_left() -> None:
    at = at_play("0: AH - KH", hands=("AH 2C", "4C 5C", "KH 9C", "QH 8C"))
    facts = at.when(PlayCard(3, Card("QH"))).facts
    assert fact_names(facts) == ["CardPlayed", "TrickTaken", "HandScored"]
    assert [getattr(fact, "next", None) for fact in facts] == [(), (), None]
    after = at.when(PlayCard(3, Card("QH"))).happens().state
    assert after.hand is not None
    assert (after.hand.over, after.turn, after.hand.counts) == (True, (), (1, 2, 1, 1))


def test_R_C10_R_C54_R_C60_a_hand_in_which_no_seat_can_play_ends_at_once() -> None:
    rules = without_discards(rules_of("4"))
    at = make_bids(table(("2C", "3C", "4C", "JD"), rules, stock="", scores=(5, 6, 7, 8)), 4, 0, 0, 0)
    facts = at.when(NameTrump(0, "H")).facts
    assert facts[0] == TrumpNamed(0, "H", next=())
    score = only_fact(HandScored, facts)
    assert (len(facts), score.pegs, score.made, score.changes) == (2, (), False, (-8, 0, -8, 0))


def test_R_C9_R_C10_other_answer_only_a_trump_can_be_led_first() -> None:
    at = at_play(hands=("2C KH", "4C 5H", "6D", "7S"), follow="suit_or_trump")
    at.when(PlayCard(0, Card("2C"))).rejected(NotATrump)
    assert at.when(PlayCard(0, Card("KH"))).facts == (CardPlayed(0, Card("KH"), next=(1,)),)
    lacking = at_play(hands=("2C 3C", "4C 5C", "6H 6D", "7S 8S"), follow="suit_or_trump")
    assert (lacking.state.turn, may_play(lacking)) == ((0,), "2C 3C")
