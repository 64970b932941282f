"""Pedro and Cinch (docs/rules/pedro.md)."""

from typing import Any

import pytest

from domain.cards import DECK_52, SUITS
from domain.commands import Discard, MakeBid, NameTrump, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.engine.tricks import trumps
from domain.events import (
    AuctionWon,
    CardsDiscarded,
    CardsDrawn,
    GameEnded,
    HandScored,
    StockTaken,
    TrickTaken,
)
from domain.rejections import (
    BidTooHigh,
    BidTooLow,
    CannotDiscard,
    MustFollow,
    NotABid,
    NotATrump,
)
from domain.rules.choices import Fill
from domain.rules.variants import VARIANTS, compose_rules
from domain.state import current_hand
from tests.games.hands import facts_of_kind, go_on, only_fact, pegs_text, plays
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

BOTH = ("pedro", "cinch")
HANDS = (
    "AH 2C 3C 4C 5C 6C 7C 8C 9C",
    "10C JC QC KC AC 2S 3S 4S 5S",
    "6S 7S 8S 9S 10S JS QS KS AS",
    "KH QH 9H 2D 3D 4D 6D 7D 8D",
)
TWO_TRICKS = "0: AH 5D 2H 10H", "0: JH 5H 4H KH"
PEDRO = "ace 0 AH, two 2 2H, jack 3 JH, ten 0 10H, five 3 5H, off_five 0 5D"
CINCH = "ace 0 AH, two 0 2H, jack 3 JH, ten 0 10H, five 3 5H, off_five 0 5D"
WITHOUT_DISCARDS = {"fill": Fill.NOTHING}


def at_discards(*hands: str, variant: str = "pedro") -> Given:
    """Return the situation after seat 3, the dealer, has bid ten and named hearts: seat 0 discards first."""
    return named(make_bids(dealt(variant, *(hands or HANDS)), 0, 0, 0, 10))


@pytest.mark.parametrize(
    ("variant", "options", "bids", "can_bid"),
    [
        pytest.param("pedro", {}, (), [0, *range(6, 15)], id="D6 six to fourteen"),
        pytest.param("pedro", {"least": 7}, (), [0, *range(7, 15)], id="R-D1 from seven"),
        pytest.param("pedro", {}, (9, 0, 12), [0, 13, 14], id="D5 the dealer bids higher, too"),
        pytest.param("cinch", {}, (), [0, *range(1, 15)], id="D8 one to fourteen"),
        pytest.param("cinch", {}, (9, 0, 12), [0, 13, 14], id="D5 D8 higher than the highest"),
    ],
)
def test_the_bids(variant: str, options: dict[str, Any], bids: tuple[int, ...], can_bid: list[int]) -> None:
    assert bids_of(make_bids(dealt(variant, *HANDS, **options), *bids)) == can_bid


def test_D5_D6_D8_refused_bids() -> None:
    at = make_bids(dealt("pedro", *HANDS), 9)
    at.when(MakeBid(1, 9)).rejected(BidTooLow)
    at.when(MakeBid(1, 5)).rejected(BidTooLow)
    at.when(MakeBid(1, 15)).rejected(BidTooHigh)
    dealt("cinch", *HANDS).when(MakeBid(0, 15)).rejected(NotABid)


@pytest.mark.parametrize(
    ("variant", "options", "bid"),
    [
        pytest.param("pedro", {}, 6, id="D7 the dealer has it for six"),
        pytest.param("pedro", {"least": 7}, 7, id="D7 R-D1 for seven"),
        pytest.param("cinch", {}, 0, id="D9 without a bid"),
    ],
)
def test_nobody_bids(variant: str, options: dict[str, Any], bid: int) -> None:
    at = make_bids(dealt(variant, *HANDS, **options), 0, 0, 0, 0)
    won = only_fact(AuctionWon, at.facts)
    assert (won.seat, won.bid, won.forced, won.max) == (3, bid, True, False)
    assert legal_moves(at.state, 3) == tuple(NameTrump(3, suit) for suit in SUITS)  # D10


def test_R_D9_a_bid_of_nothing_is_always_made() -> None:
    score = scored("cinch", (0, 0, 0, 0), "3: 3H AH 2H 5H")
    assert (score.made, score.changes) == (True, (7, 0, 7, 0))


def test_D10_D11_D12_the_others_throw_and_fill_to_six_and_the_dealer_takes_the_rest() -> None:
    at = discarded(named(make_bids(dealt("pedro", *HANDS), 6, 0, 0, 0)), "2C 3C 4C", "10C JC QC KC", "6S 7S 8S")
    assert [(each.seat, each.count) for each in facts_of_kind(CardsDrawn, at.facts)] == [(1, 1)]
    assert (only_fact(StockTaken, at.facts).seat, only_fact(StockTaken, at.facts).count) == (3, 15)
    at.when(Discard(3, cards("2D 3D 4D"))).rejected(CannotDiscard)


def test_D12_R_D6_E8_the_stock_runs_out() -> None:
    at = discarded(at_discards(), "2C 3C 4C 5C 6C 7C 8C 9C", HANDS[1], HANDS[2])
    assert [(each.seat, each.count) for each in facts_of_kind(CardsDrawn, at.facts)] == [(0, 5), (1, 6), (2, 5)]
    assert (current_hand(at.state).counts, list(facts_of_kind(StockTaken, at.facts))) == ((6, 6, 5, 9), [])
    at = discarded(at, "2D 3D 4D")
    assert (current_hand(at.state).counts, at.state.turn) == ((6, 6, 5, 6), (3,))


@pytest.mark.parametrize(
    ("held", "thrown", "shown"),
    [
        pytest.param("AH 5D 2C 3C 4C 5C 6C 7C 8C", "5D 2C 3C", None, id="D13 the off five is a trump"),
        pytest.param("AH 5D 2C 3C 4C 5C 6C 7C 8C", "2C 3C 4C", "", id="D13 three plain cards"),
        pytest.param("AH KH QH 9H 8H 7H 6H 2C 3C", "2C 3C 6H", "6H", id="D13 a trump that doesn't score"),
        pytest.param("AH KH QH 9H 8H 7H 6H 2C 3C", "2C 3C AH", None, id="D13 not one that scores"),
        pytest.param("AH JH 10H 5H 5D 2H 9H 8H 2C", "2C 8H 9H", "8H 9H", id="D13 those that score stay"),
    ],
)
def test_what_may_be_thrown(held: str, thrown: str, shown: str | None) -> None:
    rest = [card for card in DECK_52 if card not in cards(held)]
    throw = at_discards(held, *(" ".join(rest[at : at + 9]) for at in (0, 9, 18))).when(Discard(0, cards(thrown)))
    if shown is None:
        throw.rejected(CannotDiscard)
    else:
        assert " ".join(only_fact(CardsDiscarded, throw.facts).shown) == shown


def test_D14_a_card_that_is_not_played_scores_for_nobody() -> None:
    assert pegs_text(scored("pedro", (0, 6, 0, 0), "1: AH 9H 8H 7H").pegs) == "(ace 1 AH)"


@pytest.mark.parametrize(
    ("variant", "hands", "before", "can_play"),
    [
        pytest.param("pedro", ("AH 2C", "3H 3C", "4H 4C", "6H 5C"), "", "AH", id="D15 D16 Pedro begins with a trump"),
        pytest.param("cinch", ("AH 2C", "3H 3C", "4H 4C", "6H 5C"), "", "2C AH", id="D15 Cinch with any card"),
        pytest.param("pedro", ("AH 2C", "3H 3C", "4H 4C", "6H 5C"), "0: AH", "3H", id="D16 only trumps"),
        pytest.param("pedro", ("5D 2C", "3H 3D", "4H 4C", "6H 5C"), "0: 5D", "3H", id="D16 R-D8 a led off five"),
        pytest.param("cinch", ("AH 2C", "3H 3C", "4H 4C", "6H 5C"), "0: AH", "3H", id="D17 trump is followed"),
        pytest.param("cinch", ("5D 2C", "3H 3D", "4H 4C", "6H 5C"), "0: 5D", "3H", id="D17 R-D8 a led off five"),
        pytest.param("cinch", ("AD 2C", "5D 3C", "4H 4C", "6H 5C"), "0: AD", "3C 5D", id="D17 no diamond: any card"),
        pytest.param("cinch", ("AD 2C", "3C 3D 3H", "4H 4C", "6H 5C"), "0: AD", "3D 3H", id="D17 the suit or trump"),
    ],
)
def test_the_play(variant: str, hands: tuple[str, ...], before: str, can_play: str) -> None:
    at = named(make_bids(dealt(variant, *hands, fields=WITHOUT_DISCARDS), 6, 0, 0, 0))
    at = go_on(at, *plays((before,), 4)) if before else at
    assert playable(at) == can_play
    (seat,) = at.state.turn
    for card in set(cards(hands[seat])) - set(cards(can_play)):
        at.when(PlayCard(seat, card)).rejected(NotATrump if variant == "pedro" else MustFollow)


def test_D15_D16_a_seat_without_trump_is_passed_over() -> None:
    at = named(make_bids(dealt("pedro", "AH 2C", "3C 4C", "KH 9H", "QH 8H", fields=WITHOUT_DISCARDS), 6, 0, 0, 0))
    at = go_on(at, *plays(("0: AH - KH QH",), 4))
    assert (only_fact(TrickTaken, at.facts).seat, at.state.turn) == (0, (2,))


@pytest.mark.parametrize(
    ("hands", "turn", "changes"),
    [
        pytest.param(("2C", "3C", "4H", "6H"), (2,), None, id="R-D7 the next seat with a trump leads"),
        pytest.param(("2C", "3C", "4C", "6C"), None, (-6, 0, -6, 0), id="R-D7 without trumps the bid is lost"),
    ],
)
def test_a_pitcher_without_trump(
    hands: tuple[str, ...], turn: tuple[int, ...] | None, changes: tuple[int, ...] | None
) -> None:
    at = named(make_bids(dealt("pedro", *hands, fields=WITHOUT_DISCARDS), 6, 0, 0, 0))
    assert [each.changes for each in facts_of_kind(HandScored, at.facts)] == ([changes] if changes else [])
    assert turn is None or at.state.turn == turn


@pytest.mark.parametrize("variant", BOTH)
def test_D18_the_off_five_ranks_below_the_five(variant: str) -> None:
    rules, _ = compose_rules(variant, {})
    assert " ".join(reversed(trumps(rules, "H"))) == "AH KH QH JH 10H 9H 8H 7H 6H 5H 5D 4H 3H 2H"


def test_D19_the_highest_trump_takes_the_trick_else_the_suit_led() -> None:
    tricks = "0: AD KD 5D 3D", "2: 4C 5C KC QC", "0: 3C 7C 8C 9C"
    at = go_on(at_play("cinch", (6, 0, 0, 0), *tricks), *plays(tricks[:2], 4))
    assert [each.seat for each in facts_of_kind(TrickTaken, at.facts)] == [2, 0]


@pytest.mark.parametrize(
    ("variant", "options", "pegs"),
    [
        pytest.param("pedro", {}, PEDRO, id="D20 D21 R-D9 the two stays with its player"),
        pytest.param("pedro", {"two": "taker"}, CINCH, id="R-D4 the two to its taker"),
        pytest.param("cinch", {}, CINCH, id="D20 D22 R-D9 in Cinch it always goes to its taker"),
    ],
)
def test_the_points(variant: str, options: dict[str, Any], pegs: str) -> None:
    assert pegs_text(scored(variant, (8, 0, 0, 0), *TWO_TRICKS, **options).pegs) == pegs
    assert VARIANTS[variant].rules.total == 14


@pytest.mark.parametrize(
    ("variant", "options", "bid", "changes"),
    [
        pytest.param("pedro", {}, 8, (8, 6, 8, 6), id="D23 E8 made"),
        pytest.param("pedro", {}, 9, (-9, 6, -9, 6), id="D23 E8 set"),
        pytest.param("cinch", {}, 8, (2, 0, 2, 0), id="D24 E9 the difference"),
        pytest.param("cinch", {}, 9, (0, 15, 0, 15), id="D24 E9 their points and the bid"),
        pytest.param("cinch", {"made": "own"}, 8, (8, 6, 8, 6), id="R-D5 each side its own points"),
        pytest.param("cinch", {"made": "own"}, 9, (-9, 6, -9, 6), id="R-D5 a set side loses the bid"),
    ],
)
def test_the_score(variant: str, options: dict[str, Any], bid: int, changes: tuple[int, ...]) -> None:
    assert scored(variant, (bid, 0, 0, 0), *TWO_TRICKS, **options).changes == changes


def test_D24_the_defenders_score_the_difference_if_they_have_more() -> None:
    score = scored("cinch", (1, 0, 0, 0), "0: AH 3H 4H 6H", "0: 7H 5H 8H KH")
    assert (score.made, score.changes) == (True, (0, 4, 0, 4))


@pytest.mark.parametrize(
    ("variant", "options", "bid", "scores", "winners"),
    [
        pytest.param("pedro", {}, 8, (54, 70), (0, 2), id="D25 D26 the bidders first"),
        pytest.param("pedro", {}, 8, (53, 55), None, id="D25 61 isn't enough"),
        pytest.param("pedro", {}, 9, (0, 56), (1, 3), id="D26 else the highest"),
        pytest.param("pedro", {"goal": 52}, 8, (44, 0), (0, 2), id="R-D2 to 52"),
        pytest.param("pedro", {"goal": 91}, 8, (54, 0), None, id="R-D2 to 91"),
        pytest.param("pedro", {"ending": "bidder_only"}, 9, (0, 70), None, id="R-D3 only the bidders"),
        pytest.param("pedro", {"ending": "highest"}, 8, (54, 70), (1, 3), id="R-D3 the highest"),
        pytest.param("cinch", {}, 8, (49, 48), (0, 2), id="D25 D27 the first at 51"),
        pytest.param("cinch", {}, 9, (50, 36), (1, 3), id="D27 the others"),
        pytest.param("cinch", {}, 8, (48, 50), None, id="D25 fifty isn't enough"),
        pytest.param("cinch", {"made": "own"}, 8, (49, 50), (0, 2), id="R-D5 points count in the order of pegging"),
    ],
)
def test_who_wins(
    variant: str, options: dict[str, Any], bid: int, scores: tuple[int, int], winners: tuple[int, ...] | None
) -> None:
    after, end = ended(variant, (bid, 0, 0, 0), *TWO_TRICKS, scores=scores * 2, **options)
    assert end == (None if winners is None else GameEnded("goal", winners, after))


def test_R_D10_pitch_of_four_points_is_another_game() -> None:
    assert [point.name for point in VARIANTS["setback"].rules.points] == ["high", "low", "jack", "game"]
    assert VARIANTS["setback"].sheet != VARIANTS["cinch"].sheet
