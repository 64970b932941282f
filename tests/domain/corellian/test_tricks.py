"""Corellian Pitch, the play (C18, C23 to C26, R-C9, R-C10, R-C13, R-C18, R-C53 to R-C56, R-C60).

Hearts are trumps, and the hands have no discards.
"""

from itertools import product
from typing import Any

import pytest

from domain.cards import Card
from domain.commands import NameTrump, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import CardPlayed, HandScored, Play, TrickTaken, TrumpNamed
from domain.rejections import MustFollow, NotATrump, OutOfTurn
from tests.games.corellian_hands import (
    EVERY,
    make_bids,
    name_trump,
    play_tricks,
    playing,
    rules_of,
    table,
    without_discards,
)
from tests.games.hands import fact_names, facts_of_kind, only_fact
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


def test_R_C53_a_seat_without_trumps_is_skipped_without_a_fact() -> None:
    at = at_play("0: JD KH QH 6H")
    at = at.when(PlayCard(1, Card("9H"))).then(CardPlayed(1, Card("9H"), next=(3,)))
    at.when(PlayCard(2, Card("KS"))).rejected(OutOfTurn)
    after = at.when(PlayCard(3, Card("7H"))).then(CardPlayed(3, Card("7H"), next=(0,)))
    assert after.state.turn == (0,)


def test_R_C54_a_trick_ends_when_no_later_seat_can_play() -> None:
    at = at_play("0: JD KH QH 6H", "1: 9H - 7H X1", "0: 5H")
    facts = at.when(PlayCard(1, Card("2H"))).facts
    assert fact_names(facts)[:2] == ["CardPlayed", "TrickTaken"]
    taken = only_fact(TrickTaken, facts)
    assert (taken.trick, taken.seat, [play.seat for play in taken.plays]) == (3, 0, [0, 1])
    assert [play.seat for play in taken.kept] == [1]


def test_R_C10_if_the_taker_has_no_trumps_the_next_seat_to_the_left_leads() -> None:
    hands = ("AH 2C", "4C 5C", "KH 9H", "QH 8H")
    at = at_play("0: AH - KH QH", hands=hands)
    assert only_fact(TrickTaken, at.facts).next == (2,)
    assert at.state.hand is not None
    assert (at.state.hand.lead, may_play(at)) == (0, "9H")
    at.when(PlayCard(0, Card("2C"))).rejected(OutOfTurn)
    facts = at.when(PlayCard(2, Card("9H"))).happens().when(PlayCard(3, Card("8H"))).facts
    assert [(trick.seat, trick.next) for trick in facts_of_kind(TrickTaken, facts)] == [(2, ())]


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


@pytest.mark.parametrize(
    ("led", "cards_"),
    [
        pytest.param("0: KS", "2C 5H 9D JD AD X1", id="R-C9 the other answer: a void suit, any card"),
        pytest.param("0: KD", "5H 9D JD AD X1", id="R-C9 a plain suit, it or a trump"),
        pytest.param("0: 9H", "5H JD X1", id="R-C9 a trump, trumps"),
        pytest.param("0: JD", "5H X1", id="R-C9 R-C52 the off-jack is a trump led"),
    ],
)
def test_the_other_answer_follow_or_trump(led: str, cards_: str) -> None:
    (card,) = cards(led[3:])
    held = HELD[0].replace(card, "").strip()
    hands = (f"AH {card}", f"4H {held}", "4C 6C", "5C 7C")
    at = at_play("0: AH 4H 4C 5C", f"0: {card}", hands=hands, follow="suit_or_trump")
    assert sorted(may_play(at).split()) == sorted(cards_.split())
    for other in held.split():
        asked = at.when(PlayCard(1, Card(other)))
        if other in cards_.split():
            assert isinstance(asked.facts[0], CardPlayed)
        else:
            asked.rejected(MustFollow)


def test_R_C9_R_C10_other_answer_only_a_trump_can_be_led_first() -> None:
    at = at_play(hands=("2C KH", "4C 5H", "6D", "7S"), follow="suit_or_trump")
    at.when(PlayCard(0, Card("2C"))).rejected(NotATrump)
    assert at.when(PlayCard(0, Card("KH"))).facts == (CardPlayed(0, Card("KH"), next=(1,)),)
    lacking = at_play(hands=("2C 3C", "4C 5C", "6H 6D", "7S 8S"), follow="suit_or_trump")
    assert (lacking.state.turn, may_play(lacking)) == ((2,), "6H")


@pytest.mark.parametrize(
    ("trick", "reverse", "seat"),
    [
        pytest.param("9S AC KS 2S", False, 2, id="R-C55 no trump on the table: the highest of the suit led"),
        pytest.param("9S AC KS 2S", True, 3, id="R-C16 R-C55 turned over under reverse"),
        pytest.param("AS KS QS 2H", False, 3, id="R-C55 a trump takes it"),
        pytest.param("2S KS QS AH", True, 3, id="R-C16 R-C55 any trump"),
    ],
)
def test_the_taker_of_a_trick_led_with_a_plain_card(trick: str, reverse: bool, seat: int) -> None:
    first = "3H 8H 7H 6H" if reverse else "10H 8H 7H 6H"
    hands = tuple(map(" ".join, zip(first.split(), trick.split(), strict=True)))
    at = at_play(f"0: {first}", f"0: {trick}", hands=hands, follow="suit_or_trump", reverse=reverse)
    assert [taken.seat for taken in facts_of_kind(TrickTaken, at.facts)] == [0, seat]


# The cards that stay with their players. Seat 1 plays the two, seat 2 the off-two, seat 3 the ace ...
LOWS = ("0: KH 2H 2D AH",)
ACES = ("0: 5H AH AD 2H",)


@pytest.mark.parametrize(
    ("tricks", "points", "dirty", "reverse", "kept"),
    [
        pytest.param(LOWS, "11b", False, False, "1 2H, 2 2D", id="C23 C24 R-C18 R-C56 the two and the off-two"),
        pytest.param(LOWS, "11b", True, False, "", id="C23 C24 R-C18 dirty: both are carried"),
        pytest.param(LOWS, "11b", False, True, "3 AH", id="C26 R-C17 reverse: the ace"),
        pytest.param(LOWS, "11b", True, True, "", id="C26 dirty reverse: the ace is carried"),
        pytest.param(ACES, "11", False, True, "1 AH, 2 AD", id="C26 R-C18 R-C56 reverse: ace and off-ace"),
    ],
)
def test_the_cards_that_stay_with_their_players(
    tricks: tuple[str, ...], points: str, dirty: bool, reverse: bool, kept: str
) -> None:
    rules = rules_of(points, dirty=dirty, reverse=reverse)
    at = play_tricks(playing((4, 0, 0, 0), tricks, rules=rules, rest=("9H", "8H", "7H", "6H")), f"3: {tricks[0][-2:]}")
    trick, hand = only_fact(TrickTaken, at.facts), at.state.hand
    assert hand is not None
    assert ", ".join(f"{play.seat} {play.card}" for play in trick.kept) == kept
    for play in trick.plays:
        assert play.card in hand.taken[play.seat if play in trick.kept else trick.seat]
    assert sum(map(len, hand.taken)) == 4


def test_R_C56_the_lowest_on_card_is_kept_in_every_version() -> None:
    rest = ("9H", "", "", "KH")
    for points, (reverse, low) in product(EVERY, ((False, "2H"), (True, "AH"))):
        at = playing((0, 0, 0, 0), (f"3: 5H {low} 7H 8H",), points=points, reverse=reverse, rest=rest)
        assert only_fact(TrickTaken, at.when(PlayCard(2, Card("8H"))).facts).kept == (Play(0, Card(low)),)
