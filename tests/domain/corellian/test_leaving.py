"""Corellian Pitch, how the table plays for a seat that left (R-C66; docs/rules/common.md)."""

from typing import Any

import pytest

from domain.cards import Card
from domain.commands import CallDelay, CallPartner, Command, Discard, NameTrump
from domain.decide.stand_in import stand_in_move
from domain.events import (
    CardPlayed,
    DelayCalled,
    DelayJudged,
    DelayVoted,
    GameEnded,
    HandScored,
    SeatResigned,
)
from domain.state import SERVER
from tests.games.corellian_hands import (
    call_card,
    draw_end,
    last_card,
    make_bids,
    name_trump,
    play_tricks,
    playing,
    rules_of,
    table,
    without_discards,
)
from tests.games.hands import commit, only_fact
from tests.given import Given, cards, events, given


def left(at: Given, *seats: int) -> Given:
    return given(*at.facts, *map(SeatResigned, seats))


def stands_in(at: Given) -> Command:
    """Return the table's move for the seat whose turn it is, after checking that it is accepted."""
    (seat,) = at.state.turn
    command = stand_in_move(left(at, seat).state, seat)
    assert left(at, seat).when(command).facts
    return command


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        pytest.param("AH KH QH 2S 3S 4S 5S 2C 3C", "S", id="R-C66 its longest suit, however low"),
        pytest.param("2D 3D 4H 5H 6S 7S X1 X2", "D", id="R-C66 on a tie C D H S; jokers are of no suit"),
        pytest.param("2C 3D 4H AS", "C", id="R-C66 one of each"),
        pytest.param("2S 3S 4H 5H", "H", id="R-C66 hearts before spades"),
    ],
)
def test_the_table_names_the_seats_longest_suit(hand: str, suit: str) -> None:
    at = make_bids(table((hand, "10C", "10D", "10S"), stock=""), 4, 0, 0, 0)
    command = stands_in(at)
    assert isinstance(command, NameTrump)
    assert command.suit == suit


@pytest.mark.parametrize(
    ("hand", "setting", "card"),
    [
        pytest.param("KH QH 2C", {}, "AH", id="R-C66 the ace"),
        pytest.param("AH KH 2C", {}, "QH", id="R-C66 the queen, if the seat has ace and king"),
        pytest.param("AH KH QH 2C", {"points": "11"}, "AD", id="R-C66 the off-ace, if it is a trump"),
        pytest.param("AH KH QH JH", {}, "JD", id="R-C66 the off-jack"),
        pytest.param("AH KH QH JH", {"points": "4"}, "X1", id="R-C66 a joker, if the off-ace isn't a trump"),
        pytest.param("AH KH QH JH JD X1", {}, "X2", id="R-C66 the other joker"),
        pytest.param("AH KH 3C", {"reverse": True}, "2H", id="R-C66 the highest in the order in force"),
    ],
)
def test_the_table_calls_the_highest_trump_that_the_seat_lacks(hand: str, setting: dict[str, Any], card: str) -> None:
    rules = without_discards(rules_of(**{"partners": "call"} | setting))
    at = name_trump(make_bids(table((hand, "10C", "10D", "10S"), rules, stock=""), 4, 0, 0, 0), "H")
    assert stands_in(at) == CallPartner(0, Card(card))


@pytest.mark.parametrize(
    ("hand", "points", "text"),
    [
        pytest.param("AH 2H 3C 3D 9S KD QC JS 10C", "10", "3C 3D 9S", id="R-C66 the lowest that aren't points"),
        pytest.param("5S 5H 5D 5C KD QC JS 10C AS", "10", "5C 5D 5H", id="R-C66 on a tie C D H S, trump or not"),
        pytest.param("X1 X2 10S JS KD QC AS KC QS", "4", "10S X1 X2", id="R-C66 jokers between ten and jack"),
        pytest.param("AH 2H 3H 10H JH JD X1 9H AC", "10", "9H AC 2H", id="R-C66 of seven points the lowest"),
    ],
)
def test_the_table_discards_the_fewest_and_lowest_cards(hand: str, points: str, text: str) -> None:
    hands = ("KH 2C", hand, "KS 2D", "AD 2S")
    at = name_trump(make_bids(table(hands, rules_of(points), stock=""), 4, 0, 0, 0), "H")
    command = stands_in(at)
    assert isinstance(command, Discard)
    assert sorted(command.cards) == sorted(cards(text))


@pytest.mark.parametrize(
    ("hand", "setting", "card"),
    [
        pytest.param("AH 2H JH", {}, "2H", id="R-C66 its lowest card"),
        pytest.param("AH 2H JH", {"reverse": True}, "2H", id="R-C66 whatever the order in force"),
        pytest.param("JH JD X1", {}, "X1", id="R-C66 a joker before a jack"),
        pytest.param("JH X2 X1 10H", {}, "10H", id="R-C66 a ten before a joker"),
        pytest.param("X2 X1 KH", {}, "X1", id="R-C66 X1 before X2"),
        pytest.param("JH JD KH", {}, "JD", id="R-C66 on a tie C D H S"),
        pytest.param("2C 3D 9H KH", {}, "9H", id="R-C66 the lowest that is legal"),
    ],
)
def test_the_table_plays_the_seats_lowest_legal_card(hand: str, setting: dict[str, Any], card: str) -> None:
    hands = (hand, "4H", "5H", "6H")
    at = name_trump(make_bids(table(hands, without_discards(rules_of(**setting)), stock=""), 4, 0, 0, 0), "H")
    (seat,) = at.state.turn
    assert left(at, seat).when(stands_in(at)).facts[0] == CardPlayed(0, Card(card), next=(1,))


def test_R_C66_R_C29_the_table_plays_the_called_card() -> None:
    rules = without_discards(rules_of(partners="call"))
    at = call_card(name_trump(make_bids(table(("2H 9H", "3H KH", "4H", "5H"), rules, stock=""), 4, 0, 0, 0), "H"), "KH")
    at = play_tricks(at, "0: 9H")
    assert left(at, 1).when(stands_in(at)).facts[0] == CardPlayed(1, Card("KH"), next=(2,))


def test_R_C66_the_table_votes_not_guilty_at_once() -> None:
    at = left(playing((4, 0, 0, 0), ("0: AH 2H 3H 4H",), rest=("KH", "9H", "8H", "7H")), 2)
    late = CallDelay(0, 3, "2026-11-21T08:00:15.001000Z")
    facts = commit(at, late)
    judged = DelayJudged(3, guilty=False, scores=(0, 0, 0, 0))
    assert facts == (DelayCalled(0, 3, 15001), DelayVoted(2, guilty=False), judged)
    voted = next(event for event in events((*at.facts, *facts)) if event.fact == "DelayVoted")
    assert voted.by == SERVER


TEN = ("0: AH X1 3H 2H", "0: 8H 10H KH 9H", "2: QH 7H JH 4H", "2: 5H X2 6H JD")


def test_R_C66_a_seat_that_left_still_takes_tricks_and_scores_points() -> None:
    at = left(playing((4, 0, 0, 0), TEN), 2, 3)
    assert only_fact(HandScored, commit(at, last_card(TEN))).changes == (7, 3, 7, 3)


@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        pytest.param((5, 6, 9, 1), (1,), id="C7 R-C43 not the highest seat, which has left"),
        pytest.param((5, 6, 6, 1), (1,), id="C7 R-C43 not a seat that left with the same score"),
        pytest.param((6, 6, 7, 6), (0, 1, 3), id="C7 R-C43 seats with equal scores together"),
    ],
)
def test_only_seats_still_in_can_win(scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    at = left(playing((4, 0, 0, 0), TEN, scores=scores), 2)
    over = only_fact(GameEnded, at.when(draw_end(at)).facts)
    assert (over.winners, over.scores) == (winners, scores)
