"""The second implementation of Corellian Pitch, up to the gathering of tricks, compared with results found by hand."""

from itertools import pairwise

import pytest

from tests.rulebooks import corellian
from tests.rulebooks import corellian_deal as deal
from tests.rulebooks.corellian import VERSIONS, Setting
from tests.rulebooks.corellian_position import Position
from tests.rulebooks.perft import Hands, Play, hands, perft, trick
from tests.rulebooks.rulebook import ORDER


@pytest.mark.parametrize("points", [pytest.param(points, id=f"R-C7 {points}") for points in VERSIONS])
@pytest.mark.parametrize("ten", ["card", "game"])
def test_a_version_has_the_number_of_points_in_its_name(points: str, ten: str) -> None:
    assert Setting(points, ten=ten).total == int(points.rstrip("b"))


def test_R_C6_least_bids() -> None:
    least = {int(points.rstrip("b")): Setting(points).least for points in VERSIONS}
    assert least == {4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 4, 11: 4, 13: 4, 14: 4, 16: 4}


@pytest.mark.parametrize(
    ("said", "points", "bids"),
    [
        pytest.param([], "7", [0, 3, 4, 5, 6, 7], id="R-C6 R-C7 the eldest"),
        pytest.param([0, 9], "10", [0, 10], id="R-C5 strictly higher"),
        pytest.param([10], "10", [0], id="C31 C32 nothing above all there is"),
        pytest.param([0, 0, 0], "5", [0, 2, 3, 4, 5], id="R-C49 the dealer, all passed"),
        pytest.param([2, 0], "10", [0, 4, 5, 6, 7, 8, 9, 10], id="R-C51 a scaled bid below the least"),
    ],
)
def test_corellian_bids(said: list[int], points: str, bids: list[int]) -> None:
    assert deal.legal_bids(said, Setting(points)) == bids


@pytest.mark.parametrize(
    ("points", "auctions"),
    [pytest.param("4", 35, id="R-C5 three bids"), pytest.param("10", 330, id="R-C5 seven bids")],
)
def test_the_number_of_corellian_auctions(points: str, auctions: int) -> None:
    """There is one auction for each way to assign k rising bids to seats: C(4 + k, 4)."""
    assert perft(Position(hands("2C", "3C", "4C", "5C"), Setting(points)), 4) == auctions


@pytest.mark.parametrize(
    ("said", "seat"),
    [
        pytest.param((0, 4, 0, 0), 2, id="R-C5 the only one"),
        pytest.param((2, 2, 0, 0), 2, id="R-C23 the later of two scaled alike"),
        pytest.param((0, 0, 0, 0), 0, id="R-C49 the dealer"),
    ],
)
def test_corellian_bidder(said: tuple[int, ...], seat: int) -> None:
    assert deal.bidder(said, eldest=1) == seat


SCALED = {
    (10, 4): {4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 4},
    (10, 5): {4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 5, 10: 5},
    (10, 7): {4: 3, 5: 4, 6: 5, 7: 5, 8: 6, 9: 7, 10: 7},
    (10, 8): {4: 4, 5: 4, 6: 5, 7: 6, 8: 7, 9: 8, 10: 8},
    (13, 10): {4: 4, 5: 4, 6: 5, 7: 6, 8: 7, 9: 7, 10: 8, 11: 9, 12: 10, 13: 10},
    (4, 10): {2: 2, 4: 4},
    (11, 11): {9: 9},
}


@pytest.mark.parametrize(
    "totals", [pytest.param(each, id=f"C16 C17 R-C24 R-C25 {each[0]} to {each[1]}") for each in SCALED]
)
def test_scaled_bids(totals: tuple[int, int]) -> None:
    assert {bid: deal.scaled_bid(bid, *totals) for bid in SCALED[totals]} == SCALED[totals]


@pytest.mark.parametrize(
    ("scaling", "stands"),
    [pytest.param("standing", 2, id="R-C24 as it stands"), pytest.param("original", 5, id="R-C24 as made")],
)
def test_ten_to_four_to_ten(scaling: str, stands: int) -> None:
    assert deal.standing(5, [10, 4, 10], scaling) == stands
    assert deal.standing(5, [10, 4, 8], scaling) == (2 if scaling == "standing" else 4)
    assert deal.standing(5, [10, 13, 10], scaling) == (4 if scaling == "standing" else 5)


@pytest.mark.parametrize(
    ("scaled_to", "of"),
    [pytest.param(new, old, id=f"R-C23 {old} to {new}") for old in (16, 10, 7) for new in (4, 5, 6)],
)
def test_scaling_keeps_a_maximum_bid_at_the_maximum_and_keeps_the_order(scaled_to: int, of: int) -> None:
    bids = [deal.scaled_bid(bid, of, scaled_to) for bid in range(1, of + 1)]
    assert (bids, bids[-1]) == (sorted(bids), scaled_to)


def test_C4_R_C4_a_hand_without_an_honour_is_a_misdeal() -> None:
    assert deal.misdealt_seats(hands("10C 9C", "AC 2C", "X2 3C", "10H 2H")) == [0, 3]


def test_C12_R_C27_partners_and_R_C30_R_C32_holders() -> None:
    assert [deal.partner(3, each) for each in ("across", "left", "right")] == [1, 0, 2]
    held = hands("AH", "KH", "QH", "JH")
    assert [deal.holder(held, 1, card) for card in ("JH", "KH", "X1")] == [3, None, None]


NINE = ["AH", "2H", "9H", "KD", "QD", "9C", "8C", "7C", "6C"]  # two point cards of hearts in version 10
MANY = ["AH", "2H", "3H", "10H", "JH", "JD", "X1", "9H", "9C"]  # seven


@pytest.mark.parametrize(
    ("cards", "thrown", "bidding", "allowed"),
    [
        pytest.param(NINE, "9C 8C 7C", False, True, id="R-C48 three of nine"),
        pytest.param(NINE, "9C 8C", False, False, id="R-C48 two are too few"),
        pytest.param(NINE, "9H KD QD 9C 8C 7C 6C", False, True, id="R-C3 all but the points"),
        pytest.param(NINE, "2H 9C 8C", False, False, id="R-C3 a point card"),
        pytest.param(NINE, "KD QD 9C", True, True, id="R-C48 the bidder comes down to six"),
        pytest.param(NINE, "KD QD 9C 8C", True, False, id="R-C48 the bidder has five left"),
        pytest.param(MANY, "AH 9H 9C", False, True, id="R-C48 one of seven point cards"),
        pytest.param(MANY, "AH 2H 9C", False, False, id="R-C48 two of seven"),
        pytest.param(MANY, "9H 9C", True, False, id="R-C48 seven are left"),
        pytest.param(NINE, "9C 9C 8C 7C", False, False, id="R-C48 a card twice"),
        pytest.param(NINE, "9C 8C KH", False, False, id="R-C48 a card not held"),
    ],
)
def test_the_legal_discards(cards: list[str], thrown: str, bidding: bool, allowed: bool) -> None:
    assert deal.may_discard(cards, thrown.split(), "H", Setting(), bidding) is allowed
    assert (tuple(thrown.split()) in set(deal.discards(cards, "H", Setting(), bidding))) is allowed


def test_R_C48_the_number_of_legal_discards() -> None:
    """Of seven cards that can go: three to seven of them, or exactly three; of seven points one, with both others."""
    assert len(list(deal.discards(NINE, "H", Setting(), bidding=False))) == 2**7 - 1 - 7 - 21
    assert len(list(deal.discards(NINE, "H", Setting(), bidding=True))) == 35
    assert len(list(deal.discards(MANY, "H", Setting(), bidding=False))) == 7
    assert deal.shown_discards(MANY, "H", Setting("4")) == ["AH", "2H", "3H", "10H", "JH", "X1", "9H"]
    assert [card for card in MANY if corellian.is_point_card(card, "H", Setting("6"))] == ["JH", "JD", "X1"]


# The order of trumps, play, tricks

MIDDLE = "9H 8H 7H 6H 5H 4H"
TRUMPS = {
    "4": f"AH KH QH JH X1 X2 10H {MIDDLE} 3H 2H",
    "5": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "6": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "7": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "8": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "9": f"AH KH QH JH X1 X2 10H {MIDDLE} 3H 2H",
    "10": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "11": f"AH AD KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H",
    "11b": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 2H 2D",
    "13": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 3D 2H",
    "14": f"AH KH QH JH JD X1 X2 10H {MIDDLE} 3H 3D 2H 2D",
    "16": f"AH AD KH QH JH JD X1 X2 10H 10D {MIDDLE} 3H 3D 2H 2D",
}
DECK = [rank + suit for suit in "CDHS" for rank in ORDER] + ["X1", "X2"]


def ranked(setting: Setting) -> str:
    """Return all trumps of hearts, the highest first, X1 played before X2, after checking that each beats the next."""
    trumps = [card for card in DECK if corellian.is_trump(card, "H", setting)]
    order = sorted(trumps, key=lambda card: corellian.rung(card, "H", setting, ["X1", "X2"]))
    for high, low in pairwise(order):
        if not (corellian.is_joker(high) and corellian.is_joker(low)):
            assert corellian.taker(trick(0, f"{high} {low}"), "H", setting) == 0
            assert corellian.taker(trick(0, f"{low} {high}"), "H", setting) == 1
    return " ".join(order)


@pytest.mark.parametrize("points", [pytest.param(points, id=f"C35 C36 R-C11 R-C12 {points}") for points in TRUMPS])
def test_the_order_of_trumps(points: str) -> None:
    assert ranked(Setting(points)) == ranked(Setting(points, dirty=True)) == TRUMPS[points]


@pytest.mark.parametrize("points", [pytest.param(points, id=f"C25 C27 R-C15 {points}") for points in TRUMPS])
def test_the_order_of_trumps_in_reverse(points: str) -> None:
    """The order is reversed, then each off card is put below its on card, and the first joker above the second."""
    backwards = " ".join(reversed(TRUMPS[points].split())).replace("X2 X1", "X1 X2")
    for rank in ("A", "J", "10", "3", "2"):
        backwards = backwards.replace(f"{rank}D {rank}H", f"{rank}H {rank}D")
    assert ranked(Setting(points, reverse=True)) == backwards


@pytest.mark.parametrize(
    ("setting", "seat"),
    [
        pytest.param(Setting(), 0, id="C35 R-C13 the first"),
        pytest.param(Setting(jokers="first_low"), 0, id="R-C15 not in reverse"),
        pytest.param(Setting(reverse=True), 0, id="R-C15 still the first"),
        pytest.param(Setting(reverse=True, jokers="first_low"), 1, id="R-C15 turned over too"),
    ],
)
def test_the_higher_joker(setting: Setting, seat: int) -> None:
    assert corellian.taker(trick(0, "X2 X1"), "H", setting) == seat


@pytest.mark.parametrize(
    ("cards", "setting", "seat"),
    [
        pytest.param("9D AC KD 2D", Setting(), 2, id="R-C55 no trump on the table"),
        pytest.param("9D AC KD 2D", Setting(reverse=True), 3, id="R-C16 R-C55 plain suits turn over"),
        pytest.param("JD QD KD 2C", Setting("4"), 2, id="R-C12 R-C55 the off-jack is a plain card"),
        pytest.param("AD KD QD 2H", Setting("10"), 3, id="R-C55 an off-ace that was a trump"),
    ],
)
def test_tricks_with_cards_that_are_not_trumps(cards: str, setting: Setting, seat: int) -> None:
    assert corellian.taker(trick(0, cards), "H", setting) == seat


HELD = ["AD", "JD", "9D", "5H", "X1", "2C"]


@pytest.mark.parametrize(
    ("setting", "table", "cards"),
    [
        pytest.param(Setting(), "", "JD 5H X1", id="R-C9 trumps only"),
        pytest.param(Setting("4"), "9H", "5H X1", id="R-C12 R-C52 no off-jack"),
        pytest.param(Setting("16"), "9H", "AD JD 5H X1", id="R-C11 the off-ace too"),
        pytest.param(Setting(follow="suit_or_trump"), "", "AD JD 9D 5H X1 2C", id="R-C9 any lead"),
        pytest.param(Setting(follow="suit_or_trump"), "9H", "JD 5H X1", id="R-C9 trump to a trump"),
        pytest.param(Setting(follow="suit_or_trump"), "KD", "AD JD 9D 5H X1", id="R-C9 the suit or a trump"),
        pytest.param(Setting(follow="suit_or_trump"), "KS", "AD JD 9D 5H X1 2C", id="R-C9 any card"),
    ],
)
def test_playable_cards(setting: Setting, table: str, cards: str) -> None:
    assert corellian.playable_cards(HELD, trick(0, table), "H", setting) == cards.split()


def test_R_C10_the_hand_is_opened_with_a_trump() -> None:
    for follow in ("trumps", "suit_or_trump"):
        assert corellian.playable_cards(HELD, (), "H", Setting(follow=follow), first=True) == ["JD", "5H", "X1"]


def test_R_C29_the_called_card_is_played_at_the_first_legal_chance() -> None:
    assert corellian.playable_cards(HELD, (), "H", Setting(), must="X1") == ["X1"]
    assert corellian.playable_cards(HELD, (), "H", Setting(), must="2C") == ["JD", "5H", "X1"]
    assert corellian.playable_cards(HELD, (), "H", Setting(), must="3H") == ["JD", "5H", "X1"]


@pytest.mark.parametrize(
    ("held", "table", "start", "seat"),
    [
        pytest.param(hands("2C", "3C", "4H", "5H"), (), 0, 2, id="R-C10 R-C60 a seat that cannot lead"),
        pytest.param(hands("2C", "3C", "4C", "5C"), (), 0, None, id="R-C10 R-C54 no seat can"),
        pytest.param(hands("2H", "3C", "4H", "5H"), ((0, "9H"),), 0, 2, id="R-C53 one is skipped"),
        pytest.param(
            hands("2H", "3H", "4C", "5H"), ((0, "9H"), (2, "8H")), 0, 3, id="R-C53 a skipped seat gets no turn"
        ),
        pytest.param(
            hands("2H", "3H", "4C", "5C"), ((0, "9H"), (2, "8H")), 0, None, id="R-C53 R-C54 only those before"
        ),
        pytest.param(
            hands("2H", "3H", "4H", "5H"), ((1, "9H"), (2, "8H"), (3, "7H")), 1, 0, id="R-C53 as far as the leader"
        ),
    ],
)
def test_the_seat_whose_turn_it_is(held: Hands, table: tuple[Play, ...], start: int, seat: int | None) -> None:
    assert corellian.next_up(held, table, start, "H", Setting(), first=not table) == seat


LOWEST = trick(0, "2H AH 2D AD")


@pytest.mark.parametrize(
    ("setting", "seats"),
    [
        pytest.param(Setting("10"), [0], id="R-C18 the two"),
        pytest.param(Setting("14"), [0, 2], id="C24 R-C18 the off-two"),
        pytest.param(Setting("14", dirty=True), [], id="C23 C24 carried"),
        pytest.param(Setting("14", reverse=True), [1], id="C26 R-C17 the ace"),
        pytest.param(Setting("16", reverse=True), [1, 3], id="C26 R-C56 the off-ace"),
        pytest.param(Setting("16", dirty=True, reverse=True), [], id="C26 the ace carried"),
        pytest.param(Setting("4"), [0], id="R-C56 in every version"),
    ],
)
def test_the_cards_that_stay_with_their_players(setting: Setting, seats: list[int]) -> None:
    assert [seat for seat, _ in corellian.kept_plays(LOWEST, "H", setting)] == seats
