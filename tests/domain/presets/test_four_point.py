"""Four-point Pitch in pairs: with a kitty, and Setback to 21 (docs/rules/four-point-kitty.md)."""

from typing import Any

import pytest

from domain.cards import SUITS, Card
from domain.commands import Discard, MakeBid, NameTrump, PassBid, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import (
    AuctionWon,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    GameEnded,
    StockTaken,
    TrumpPitched,
)
from domain.rejections import (
    BidTooHigh,
    BidTooLow,
    CannotDiscard,
    MustBid,
    MustFollow,
    NotABid,
    NotATrump,
)
from domain.rules.choices import Fill
from domain.rules.variants import VARIANTS
from domain.state import current_hand
from tests.games.hands import facts_of_kind, go_on, only_fact, pegs_text, plays
from tests.games.preset_hands import at_play, bids_of, dealt, discarded, ended, make_bids, named, playable, scored
from tests.given import Given, cards

BOTH = KITTY, SETBACK = "four-point-kitty", "setback-21"
HANDS = (
    "AH JH 2C 3C 4C 5C",
    "QH 9H AS KS 6C 7C",
    "7H 4D 5D 6D 7D 8D",
    "10H 2D 3D 9D KD 8C",
)
ALL = "0: AH 3H JH 10S", "0: KH 2H 4S AS"


def at_naming(*throws: str, **options: Any) -> Given:
    """Return the situation in which seat 0 has bid two and taken 2H 3H 4H; with `throws` it has named hearts, too."""
    at = make_bids(dealt(KITTY, *HANDS, stock="2H 3H 4H", **options), 2, 0, 0, 0)
    return discarded(named(at), *throws) if throws else at


@pytest.mark.parametrize(
    ("variant", "options", "bids", "can_bid"),
    [
        pytest.param(KITTY, {}, (), [0, 2, 3, 4], id="Y6 with a kitty"),
        pytest.param(SETBACK, {}, (), [0, 2, 3, 4], id="Y6 R-Y2 nobody bids five"),
        pytest.param(SETBACK, {"five": True}, (), [0, 2, 3, 4, 5], id="R-Y2 with five"),
        pytest.param(KITTY, {}, (2, 0, 3), [0, 4], id="Y7 with a kitty the dealer bids higher"),
        pytest.param(SETBACK, {}, (2, 0, 3), [0, 3], id="Y8 the dealer ties"),
        pytest.param(SETBACK, {"five": True}, (5, 0, 0), [0, 5], id="Y8 R-Y2 also a bid of five"),
        pytest.param(KITTY, {}, (0, 0, 0), [2], id="Y9 R-Y6 with a kitty"),
        pytest.param(SETBACK, {}, (0, 0, 0), [2], id="Y9 R-Y6 a stuck dealer bids two"),
    ],
)
def test_the_bids(variant: str, options: dict[str, Any], bids: tuple[int, ...], can_bid: list[int]) -> None:
    assert bids_of(make_bids(dealt(variant, *HANDS, **options), *bids)) == can_bid


@pytest.mark.parametrize("variant", BOTH)
def test_Y5_to_Y9_refused_bids(variant: str) -> None:
    at = make_bids(dealt(variant, *HANDS), 3)
    at.when(MakeBid(1, 3)).rejected(BidTooLow)
    at.when(MakeBid(1, 5)).rejected(NotABid)
    stuck = make_bids(dealt(variant, *HANDS), 0, 0, 0)
    stuck.when(PassBid(3)).rejected(MustBid)
    stuck.when(MakeBid(3, 3)).rejected(BidTooHigh)


def test_Y5_Y8_refused_bids_of_the_dealer() -> None:
    make_bids(dealt(SETBACK, *HANDS), 2, 0, 0).when(MakeBid(3, 3)).rejected(BidTooHigh)
    assert only_fact(AuctionWon, make_bids(dealt(SETBACK, *HANDS), 2, 0, 0, 2).facts).seat == 3
    make_bids(dealt(KITTY, *HANDS), 2, 0, 0).when(MakeBid(3, 2)).rejected(BidTooLow)


def test_Y10_the_first_card_led_makes_trump_in_setback() -> None:
    at = make_bids(dealt(SETBACK, *HANDS), 2, 0, 0, 0)
    assert only_fact(TrumpPitched, at.when(PlayCard(0, Card("3C"))).facts).suit == "C"


def test_Y11_Y12_the_pitcher_takes_three_cards_and_names_any_suit() -> None:
    at = at_naming()
    assert only_fact(StockTaken, at.facts) == StockTaken(0, 3, (0,))
    assert only_fact(CardsTaken, at.facts).cards == cards("2H 3H 4H")
    assert legal_moves(at.state, 0) == tuple(NameTrump(0, suit) for suit in SUITS)


def test_Y13_only_the_pitcher_discards() -> None:
    at = named(at_naming())
    assert at.state.turn == (0,)
    at.when(Discard(0, cards("2C 3C"))).rejected(CannotDiscard)
    at = discarded(at, "2C 3C 4C")
    assert (current_hand(at.state).counts, at.state.turn) == ((6,) * 4, (0,))
    assert (list(facts_of_kind(CardsDrawn, at.facts)), current_hand(at.state).stock_left) == ([], 25)


def test_R_Y1_with_a_draw_the_others_discard_and_fill_up() -> None:
    at = named(at_naming(draw=True))
    assert at.state.turn == (1,)
    at = discarded(at, "6C 7C", "", "2D 3D 9D KD 8C", "2C 3C 4C")
    assert [(each.seat, each.count) for each in facts_of_kind(CardsDrawn, at.facts)] == [(1, 2), (3, 5)]
    assert (current_hand(at.state).counts, at.state.turn, current_hand(at.state).stock_left) == ((6,) * 4, (0,), 18)


def test_R_Y3_the_jack_stays_and_other_trumps_are_shown() -> None:
    at = named(at_naming())
    at.when(Discard(0, cards("JH 2C 3C"))).rejected(CannotDiscard)
    assert only_fact(CardsDiscarded, at.when(Discard(0, cards("2H 2C 3C"))).facts).shown == cards("2H")


@pytest.mark.parametrize(
    ("variant", "hands", "before", "can_play"),
    [
        pytest.param(KITTY, ("AH 2C", "3H 3C", "4H 4C", "5H 5C"), "", "AH", id="Y14 a trump first"),
        pytest.param(KITTY, ("AD 2C", "3H 3C", "4H 4C", "5H 5C"), "", "2C AD", id="R-Y4 any card without trump"),
        pytest.param(SETBACK, ("AH 2C", "3H 3C", "4H 4C", "5H 5C"), "", "2C AH", id="Y14 any card makes trump"),
        pytest.param(SETBACK, ("AH 2C", "3H 3C", "4H 4C", "5H 5C"), "0: AH", "3H", id="Y17 trump is followed"),
        pytest.param(KITTY, ("AH 2C", "3D 3C", "4H 4C", "5H 5C"), "0: AH", "3C 3D", id="Y17 any card without trump"),
        pytest.param(KITTY, ("AD 2C", "3C 3D 3H", "4H 4C", "5H 5C"), "0: AD", "3D 3H", id="Y18 the suit or trump"),
        pytest.param(KITTY, ("AD 2C", "3C 3H 3S", "4H 4C", "5H 5C"), "0: AD", "3C 3H 3S", id="Y18 any card"),
    ],
)
def test_the_play(variant: str, hands: tuple[str, ...], before: str, can_play: str) -> None:
    at = named(make_bids(dealt(variant, *hands, fields={"fill": Fill.NOTHING}), 2, 0, 0, 0))
    at = go_on(at, *plays((before,), 4)) if before else at
    assert playable(at) == can_play
    (seat,) = at.state.turn
    for card in set(cards(hands[seat])) - set(cards(can_play)):
        at.when(PlayCard(seat, card)).rejected(MustFollow if before else NotATrump)


@pytest.mark.parametrize("variant", BOTH)
def test_Y15_Y16_Y19_the_taker_leads_the_next_trick(variant: str) -> None:
    tricks = "0: KH 3H JH AH", "3: 10S 4S 5S 2H", "2: 3C 7C 8C 9C"
    at = go_on(at_play(variant, (2, 0, 0, 0), *tricks), *plays(tricks[:2], 4))
    assert at.state.turn == (2,)
    assert VARIANTS[variant].rules.won_face_down


@pytest.mark.parametrize("variant", BOTH)
@pytest.mark.parametrize(
    ("tricks", "pegs"),
    [
        pytest.param(ALL, "high 0 AH, low 0 2H, jack 0 JH, game 0", id="Y20 Y21 Y22 Y23 all points to one side"),
        pytest.param(("0: AH 3H 4S 10S",), "high 0 AH, low 0 3H, game 0", id="Y22 R-Y5 no jack, and the three is low"),
        pytest.param(("0: 4H 3H 5S 6S",), "high 0 4H, low 0 3H", id="Y23 nobody wins a tie"),
        pytest.param(("0: QH 3H 2H AH",), "high 3 AH, low 3 2H, game 1", id="Y21 low goes to its taker"),
    ],
)
def test_the_points(variant: str, tricks: tuple[str, ...], pegs: str) -> None:
    assert pegs_text(scored(variant, (2, 0, 0, 0), *tricks).pegs) == pegs


@pytest.mark.parametrize("variant", BOTH)
@pytest.mark.parametrize(
    ("bid", "tricks", "changes"),
    [
        pytest.param(3, ALL, (4, 0, 4, 0), id="Y24 made"),
        pytest.param(3, ("0: AH 3H 4S 10S",), (3, 0, 3, 0), id="Y24 exactly made"),
        pytest.param(4, ("0: AH 3H 4S 10S",), (-4, 0, -4, 0), id="Y24 R-Y7 set below zero"),
        pytest.param(2, ("0: QH 3H JH AH",), (-2, 4, -2, 4), id="Y25 the others score"),
    ],
)
def test_the_score(variant: str, bid: int, tricks: tuple[str, ...], changes: tuple[int, ...]) -> None:
    assert scored(variant, (bid, 0, 0, 0), *tricks).changes == changes


@pytest.mark.parametrize(
    ("bid", "tricks", "changes"),
    [
        pytest.param(5, ALL, (5, 0, 5, 0), id="R-Y2 five and all tricks"),
        pytest.param(4, ALL, (4, 0, 4, 0), id="R-Y2 all tricks without the bid"),
        pytest.param(5, ("0: AH 3H JH 10S", "0: 2S 4S 5S 6S"), (-5, 0, -5, 0), id="R-Y2 not all tricks: set"),
    ],
)
def test_five_for_all_tricks(bid: int, tricks: tuple[str, ...], changes: tuple[int, ...]) -> None:
    assert scored(SETBACK, (bid, 0, 0, 0), *tricks, five=True).changes == changes


@pytest.mark.parametrize(
    ("variant", "bid", "tricks", "scores", "winners"),
    [
        pytest.param(KITTY, 3, ALL, (11, 20), (0, 2), id="Y26 Y27 fifteen with a made bid"),
        pytest.param(KITTY, 3, ALL, (10, 0), None, id="Y26 fourteen isn't enough"),
        pytest.param(SETBACK, 3, ALL, (17, 25), (0, 2), id="Y26 Y27 twenty-one with a made bid"),
        pytest.param(SETBACK, 3, ALL, (16, 0), None, id="Y26 twenty isn't enough"),
        pytest.param(SETBACK, 4, ("0: AH 3H 4S 10S",), (20, 21), (1, 3), id="Y27 else the highest"),
        pytest.param(SETBACK, 4, ("0: AH 3H 4S 10S",), (25, 21), None, id="Y27 equal scores play on"),
    ],
)
def test_who_wins(
    variant: str, bid: int, tricks: tuple[str, ...], scores: tuple[int, int], winners: tuple[int, ...] | None
) -> None:
    after, end = ended(variant, (bid, 0, 0, 0), *tricks, scores=scores * 2)
    assert end == (None if winners is None else GameEnded("goal", winners, after))
