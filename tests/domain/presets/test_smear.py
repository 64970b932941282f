"""Smear (docs/rules/smear.md)."""

from typing import Any

import pytest

from domain.cards import DECK_54, SUITS
from domain.commands import Discard, MakeBid, NameTrump, PassBid, PlayCard
from domain.engine.discards import discard_options
from domain.engine.legal_moves import legal_moves
from domain.engine.tricks import trumps
from domain.events import (
    CardsDiscarded,
    CardsDrawn,
    GameEnded,
    HandDealt,
    HandThrownIn,
    StockTaken,
    TrickTaken,
)
from domain.rejections import BidTooHigh, BidTooLow, CannotDiscard, MustFollow, NotATrump
from domain.rules.choices import Fill
from domain.rules.variants import compose_rules
from domain.state import current_hand
from tests.games.hands import commit, facts_of_kind, go_on, only_fact, pegs_text, plays
from tests.games.preset_hands import (
    at_play,
    bids_of,
    dealt,
    discarded,
    ended,
    make_bids,
    named,
    playable,
    scored,
)
from tests.given import Given, cards

HANDS = (
    "AH KH 2C 3C 4C 5C",
    "QH JH AS KS 6C 7C",
    "JD 7H 4D 5D 6D 7D",
    "X1 10H 2D 3D 9D KD",
)
TWO_TRICKS = "0: AH 2H X1 JD", "0: KD 10D JH 4S"
WON = "ace 0 AH, two 1 2H, jack 2 JH, off_jack 0 JD, joker 0 X1, game 0"
FOUR = (4, 0, 0, 0)


def at_discards(*hands: str) -> Given:
    """Return the situation after seat 0 has bid three and named hearts: seat 0 discards first, seat 3 deals."""
    return named(make_bids(dealt("smear", *(hands or HANDS)), 3, 0, 0, 0))


def test_M6_M7_the_bids_rise_from_three_to_six() -> None:
    at = dealt("smear", *HANDS)
    assert bids_of(at) == [0, 3, 4, 5, 6]
    at = make_bids(at, 4, 0, 0)
    assert bids_of(at) == [0, 5, 6]
    at.when(MakeBid(3, 4)).rejected(BidTooLow)
    at.when(MakeBid(3, 7)).rejected(BidTooHigh)


@pytest.mark.parametrize(
    ("options", "dealer"),
    [
        pytest.param({}, 0, id="M8 the next player deals"),
        pytest.param({"all_pass": "same_dealer"}, 3, id="R-M1 the same dealer deals"),
    ],
)
def test_nobody_bids(options: dict[str, Any], dealer: int) -> None:
    facts = commit(make_bids(dealt("smear", *HANDS, **options), 0, 0, 0), PassBid(3))
    assert only_fact(HandThrownIn, facts).hand == 1
    assert only_fact(HandDealt, facts).dealer == dealer


def test_M9_M10_M11_the_others_throw_up_to_three_and_the_dealer_takes_the_rest() -> None:
    at = make_bids(dealt("smear", *HANDS), 3, 0, 0, 0)
    assert legal_moves(at.state, 0) == tuple(NameTrump(0, suit) for suit in SUITS)
    at = named(at)
    options = discard_options(at.state.rules, current_hand(at.state), 0)
    assert options is not None
    assert (options.minimum, options.maximum) == (0, 3)
    at.when(Discard(0, cards("2C 3C 4C 5C"))).rejected(CannotDiscard)
    at = discarded(at, "2C 3C 4C", "AS", "")
    assert [(each.seat, each.count) for each in facts_of_kind(CardsDrawn, at.facts)] == [(0, 3), (1, 1)]
    assert (only_fact(StockTaken, at.facts).seat, only_fact(StockTaken, at.facts).count) == (3, 29 - 4)
    assert (at.state.turn, current_hand(at.state).counts) == ((3,), (6, 6, 6, 6 + 25))
    options = discard_options(at.state.rules, current_hand(at.state), 3)
    assert options is not None
    assert (options.minimum, options.maximum) == (25, 25)


def test_M12_trumps_cannot_be_thrown() -> None:
    at = at_discards()
    at.when(Discard(0, cards("KH 2C"))).rejected(CannotDiscard)
    at_discards("JD KH 2C 3C 4C 5C", "AH QH AS KS 6C 7C", *HANDS[2:]).when(Discard(0, cards("JD"))).rejected(
        CannotDiscard
    )


def test_M12_R_M9_a_dealer_with_more_than_six_trumps_shows_those_that_they_throw() -> None:
    at = discarded(at_discards(*HANDS[:3], "X1 10H 9H 8H 6H 5H"), "", "", "")
    held = current_hand(at.state).cards[3]
    assert held is not None
    options = discard_options(at.state.rules, current_hand(at.state), 3)
    assert options is not None
    plain = [card for card in held if card not in trumps(at.state.rules, "H")]
    assert set(plain) <= set(options.required)
    rest = [card for card in options.optional if card not in options.required][
        : options.minimum - len(options.required)
    ]
    facts = at.when(Discard(3, (*options.required, *rest))).facts
    assert only_fact(CardsDiscarded, facts).shown
    assert {"2H", "X1"}.isdisjoint(only_fact(CardsDiscarded, facts).shown)


def test_R_M8_a_dealer_who_pitches_discards_last() -> None:
    at = named(make_bids(dealt("smear", *HANDS), 0, 0, 0, 3))
    assert at.state.turn == (0,)
    at = discarded(at, "2C 3C", "AS KS", "4D 5D")
    assert at.state.turn == (3,)
    assert only_fact(StockTaken, at.facts).seat == 3


def test_R_M8_with_six_players_the_stock_can_run_out() -> None:
    hands = tuple(" ".join(DECK_54[at : at + 6]) for at in range(0, 36, 6))
    at = named(make_bids(dealt("smear", *hands), 3, 0, 0, 0, 0, 0), "S")
    for _ in range(5):
        (seat,) = at.state.turn
        options = discard_options(at.state.rules, current_hand(at.state), seat)
        assert options is not None
        at = discarded(at, " ".join(options.optional[: options.maximum]))
    assert only_fact(StockTaken, at.facts).count == 17 - 15
    assert current_hand(at.state).counts == (6, 6, 6, 6, 6, 8)


@pytest.mark.parametrize(
    ("hands", "before", "can_play"),
    [
        pytest.param(("AH 2C", "3H 3C", "4H 4C", "5H 5C"), "", "AH", id="M13 the pitcher leads a trump"),
        pytest.param(("AD 2C", "3H 3C", "4H 4C", "5H 5C"), "", "2C AD", id="R-M5 without trump any card"),
        pytest.param(("AH 2C", "3H 3C", "4H 4C", "5H 5C"), "0: AH", "3H", id="M14 trump is followed"),
        pytest.param(("AH 2C", "3D 3C", "4H 4C", "5H 5C"), "0: AH", "3C 3D", id="M14 without trump any card"),
        pytest.param(("AH 2C", "JD 3C", "4H 4C", "5H 5C"), "0: AH", "JD", id="R-M6 the off jack is a trump"),
        pytest.param(("X1 2C", "3H 3C", "4H 4C", "5H 5C"), "0: X1", "3H", id="R-M6 a led joker asks for trump"),
        pytest.param(("JD 2C", "3H 3D", "4H 4C", "5H 5C"), "0: JD", "3H", id="R-M6 a led off jack asks for trump"),
        pytest.param(
            ("AD 2C", "3D 3C 3H", "4H 4C", "5H 5C"), "0: AD", "3D 3H", id="M15 a suit is followed, or trumped"
        ),
        pytest.param(("AD 2C", "3C 3H 3S", "4H 4C", "5H 5C"), "0: AD", "3C 3H 3S", id="M15 else any card"),
    ],
)
def test_the_play(hands: tuple[str, ...], before: str, can_play: str) -> None:
    at = named(make_bids(dealt("smear", *hands, fields={"fill": Fill.NOTHING}), 3, 0, 0, 0))
    at = go_on(at, *plays((before,), 4)) if before else at
    assert playable(at) == can_play
    (seat,) = at.state.turn
    for card in set(cards(hands[seat])) - set(cards(can_play)):
        at.when(PlayCard(seat, card)).rejected(MustFollow if before else NotATrump)


def test_M13_M16_the_taker_leads_the_next_trick_with_any_card() -> None:
    tricks = "0: AD KD 2H 3D", "2: 4C 5C KC QC", "0: 3C 7C 8C 9C"
    at = go_on(at_play("smear", (3, 0, 0, 0), *tricks), *plays(tricks[:2], 4))
    assert [each.seat for each in facts_of_kind(TrickTaken, at.facts)] == [2, 0]


def test_M17_the_joker_is_the_lowest_trump() -> None:
    rules, _ = compose_rules("smear", {}, 6)
    assert " ".join(reversed(trumps(rules, "H"))) == "AH KH QH JH JD 10H 9H 8H 7H 6H 5H 4H 3H 2H X1"


@pytest.mark.parametrize(
    ("options", "pegs"),
    [
        pytest.param({}, WON, id="M18 M19 M20 M21 R-M7 R-M9 six points: the two stays with its player"),
        pytest.param({"two": "taker"}, WON.replace("two 1", "two 0"), id="R-M3 the two to its taker"),
    ],
)
def test_the_points(options: dict[str, Any], pegs: str) -> None:
    assert pegs_text(scored("smear", FOUR, *TWO_TRICKS, **options).pegs) == pegs


@pytest.mark.parametrize(
    ("options", "game"),
    [
        pytest.param({}, [], id="M21 R-M4 counts that tie give no point: the joker counts nothing"),
        pytest.param({"joker": 1}, [0], id="R-M4 the joker counts one"),
    ],
)
def test_the_joker_and_game(options: dict[str, Any], game: list[int]) -> None:
    tricks = "0: AH 3C X1 4C", "0: 5H 6S 6C 7S", "0: 2C KC 3D JC"
    score = scored("smear", (3, 0, 0, 0), *tricks, **options)
    assert [peg.seat for peg in score.pegs if peg.point == "game"] == game


@pytest.mark.parametrize(
    ("bid", "changes"),
    [pytest.param(5, (5, 1, 5, 1), id="M22 M23 made"), pytest.param(6, (-6, 1, -6, 1), id="M22 M23 set")],
)
def test_the_score(bid: int, changes: tuple[int, ...]) -> None:
    assert scored("smear", (bid, 0, 0, 0), *TWO_TRICKS).changes == changes


@pytest.mark.parametrize(
    ("options", "scores", "winners"),
    [
        pytest.param({}, (16, 20), (0, 2), id="M24 M25 E6 of equal scores the pitcher's"),
        pytest.param({}, (16, 21), (1, 3), id="M25 the highest"),
        pytest.param({}, (15, 19), None, id="M24 twenty isn't enough"),
        pytest.param({"ending": "bidder_only"}, (15, 40), None, id="R-M2 only the bidders"),
        pytest.param({"ending": "bidder_first"}, (16, 40), (0, 2), id="R-M2 the bidders first"),
    ],
)
def test_who_wins(options: dict[str, Any], scores: tuple[int, int], winners: tuple[int, ...] | None) -> None:
    after, end = ended("smear", FOUR, *TWO_TRICKS, scores=scores * 2, **options)
    assert end == (None if winners is None else GameEnded("goal", winners, after))


def test_R_M9_a_thrown_card_scores_for_nobody() -> None:
    assert "two" not in [peg.point for peg in scored("smear", (3, 0, 0, 0), "0: AH 3H X1 JD").pegs]
