"""The second implementations of Setback and Blackout compared with results found by hand from the rule sheet."""

import pytest

from tests.rulebooks import blackout, setback
from tests.rulebooks.perft import hands, perft, trick


@pytest.mark.parametrize(
    ("said", "seats", "bids"),
    [
        pytest.param([], 4, [0, 2, 3, 4], id="T5 T6 T7 the eldest"),
        pytest.param([0, 3], 4, [0, 4], id="T8 a third above 3"),
        pytest.param([4], 3, [0], id="T7 after 4"),
        pytest.param([0, 2], 3, [0, 2], id="T9 R-T2 the dealer facing 2"),
        pytest.param([2, 4, 0], 4, [0, 4], id="T9 the dealer facing 4"),
        pytest.param([0, 0, 0], 4, [2], id="T10 R-T3 all others passed"),
    ],
)
def test_setback_bids(said: list[int], seats: int, bids: list[int]) -> None:
    assert setback.legal_bids(said, seats) == bids


@pytest.mark.parametrize(
    ("dealer", "stick", "three", "four"),
    [
        pytest.param("ties", "least", 1 + 9 * 2, 1 + 19 * 2, id="R-T2 R-T3 as ruled"),
        pytest.param("ties", "any", 3 + 9 * 2, 3 + 19 * 2, id="R-T3 any bid"),
        pytest.param(
            "ties_or_raises", "least", 1 + 2 * 4 + 3 * 3 + 4 * 2, 1 + 3 * 4 + 6 * 3 + 10 * 2, id="R-T2 raises"
        ),
    ],
)
def test_the_number_of_setback_auctions(dealer: str, stick: str, three: int, four: int) -> None:
    """The n others pass or raise to one of three bids in C(n + 3, 3) ways; then the dealer bids."""
    for seats, auctions in ((3, three), (4, four)):
        position = setback.Position(hands("2C", "3C", "4C", "5C")[:seats], dealer=dealer, stick=stick)
        assert perft(position, seats) == perft(position, 2 * seats) == auctions
        assert perft(position, 2 * seats + 1) == 0


@pytest.mark.parametrize(
    ("said", "eldest", "seat", "forced"),
    [
        pytest.param([2, 0, 2], 1, 0, False, id="T11 the dealer ties"),
        pytest.param([2, 3, 0, 0], 3, 0, False, id="T11 the highest"),
        pytest.param([0, 0, 2], 2, 1, True, id="T10 the dealer must"),
    ],
)
def test_setback_pitcher(said: list[int], eldest: int, seat: int, forced: bool) -> None:
    assert (setback.pitcher(said, eldest), setback.is_forced(said)) == (seat, forced)


def test_T17_T20_T21_T22_setback_is_played_like_pitch() -> None:
    assert setback.playable(["AH", "2C", "3D"], "9H", "H") == ["AH"]
    assert setback.playable(["AH", "2C", "3D"], "9C", "H") == ["AH", "2C"]
    assert setback.playable(["AH", "2C", "3D"], "9S", "H") == ["AH", "2C", "3D"]
    assert setback.taker(trick(1, "9C AC 2H KC"), "H") == 3


PARTNERS = [trick(0, "AH 2H 3H 4C"), trick(0, "KH 10C 5H 6C"), trick(0, "9D JD 10D 2C")]  # seats 0, 0, 1
ALONE = [trick(0, "QH 2H 10H", 3), trick(0, "9C AC KC", 3), trick(1, "AS JH KS", 3)]  # seats 0, 1, 2


@pytest.mark.parametrize(
    ("low", "bid", "made", "changes"),
    [
        pytest.param(1, 2, True, [3, 0, 3, 0], id="T26 T27 T37 T39 made with low"),
        pytest.param(2, 2, True, [2, 1, 2, 1], id="T28 R-T5 low to the other side"),
        pytest.param(2, 3, False, [-3, 1, -3, 1], id="T36 T38 set, the others keep low"),
        pytest.param(1, 4, False, [-4, 0, -4, 0], id="T38 set on four"),
    ],
)
def test_setback_partners(low: int, bid: int, made: bool, changes: list[int]) -> None:
    """High and game (17 against 11) with or without low; the jack of hearts was not dealt (T34)."""
    judged = setback.judge_hand(PARTNERS, bid, [1, 2, 1, 2], low)
    assert (judged.made, judged.changes) == (made, changes)
    assert [peg[:4] for peg in judged.pegs] == [
        ("high", 1, 0, "AH"),
        ("low", 1, 0 if low == 1 else 1, "2H"),
        ("game", 1, 0, None),
    ]
    assert judged.counts == [4 + 3 + 10, 11, 0, 0]


@pytest.mark.parametrize(
    ("bid", "changes"), [pytest.param(2, [3, 0, 1], id="T30 made"), pytest.param(4, [-4, 0, 1], id="T38")]
)
def test_R_T7_three_play_alone(bid: int, changes: list[int]) -> None:
    """Counts 2 + 10, 4 + 3, 4 + 3 + 1: high, low and game to seat 0, the jack to seat 2."""
    judged = setback.judge_hand(ALONE, bid, [0, 0, 0])
    assert (judged.counts, judged.changes) == ([12, 7, 8], changes)


def test_T35_R_T6_no_side_wins_a_tie_for_game() -> None:
    judged = setback.judge_hand([trick(0, "10H 2H 3C 4C"), trick(0, "2C 10C 5C 6C")], 2, [0, 0, 0, 0])
    assert [peg[0] for peg in judged.pegs] == ["high", "low"]


@pytest.mark.parametrize(
    ("scores", "made", "gone", "seats"),
    [
        pytest.param([11, 13, 11, 13], True, [], [0, 2], id="T41 R-T8 the side that made it"),
        pytest.param([11, 13, 11, 13], False, [], [1, 3], id="T42 R-T9 the higher"),
        pytest.param([12, 12, 12, 12], False, [], [], id="T43 a tie"),
        pytest.param([10, 9, 10, 9], True, [], [], id="T41 no side reaches the goal"),
        pytest.param([9, 11, 12], True, [], [2], id="T42 the bidder is not there"),
        pytest.param([10, 12, 12], False, [], [], id="T43 two of three tie"),
        pytest.param([10, 12, 12], False, [2], [1], id="R-T8 a seat that left can't win"),
        pytest.param([12, 9, 12, 9], True, [2], [0], id="R-T14 a partner who left"),
    ],
)
def test_setback_winners(scores: list[int], made: bool, gone: list[int], seats: list[int]) -> None:
    assert setback.winners(scores, setback.side_of(0, len(scores)), made, gone) == seats


# Blackout


@pytest.mark.parametrize(
    ("said", "cards", "hook", "bids"),
    [
        pytest.param([], 3, True, [0, 1, 2, 3], id="B6 B7 the first"),
        pytest.param([1, 0, 1], 3, True, [0, 2, 3], id="B14 R-B5 one is forbidden"),
        pytest.param([3, 3, 3], 3, True, [0, 1, 2, 3], id="R-B5 none is forbidden"),
        pytest.param([1, 0, 1], 3, False, [0, 1, 2, 3], id="B4 no hook"),
    ],
)
def test_blackout_bids(said: list[int], cards: int, hook: bool, bids: list[int]) -> None:
    assert blackout.legal_bids(said, cards, hook) == bids


def test_B19_R_B9_hand_one_is_over_with_the_last_bid() -> None:
    """Of the sums 0, 1, 2, 3 of three bids there are 1, 3, 3, 1; the first two leave the last bidder one bid."""
    one = hands("2C", "3C", "4C", "5C")
    assert [perft(blackout.Position(one, "H", hook=hook), 4) for hook in (True, False)] == [1 + 3 + 2 * 3 + 2, 16]
    assert perft(blackout.Position(one, "H"), 5) == 0


def test_B20_B21_B23_R_B11_two_cards_each_are_played_one_by_one() -> None:
    """Hearts are led or, by seat 1, clubs; only seat 1 ever has a choice, and it leads first (R-B2: hand 2)."""
    two = blackout.Position(hands("2H 3H", "4H 4C", "5H 5D", "6H 6D"), "S", eldest=1, said=(0, 0, 0, 0))
    assert perft(two, 1) == 2
    assert perft(two, 8) == perft(two, 7)
    assert {each.turn() for each in two.following()} == {2}
    assert perft(two, 9) == 0


@pytest.mark.parametrize(
    ("trump", "seat"), [pytest.param("D", 3, id="B22 a trump"), pytest.param(None, 0, id="B11 R-B7 no trump")]
)
def test_blackout_taker(trump: str | None, seat: int) -> None:
    assert blackout.taker(trick(2, "9H 2D AH KH"), trump) == seat


def test_B12_B13_R_B13_only_exact_bids_score() -> None:
    judged = blackout.judge_hand([trick(0, "AH 2H 3H 4H"), trick(0, "9C 10C 2C 3C")], [1, 2, 0, 1], "S", [5, 6, 7, 8])
    assert (judged.taken, judged.exact) == ([1, 1, 0, 0], [True, False, True, False])
    assert (judged.changes, judged.scores) == ([11, 0, 10, 0], [16, 6, 17, 8])


@pytest.mark.parametrize(
    ("gone", "seats"),
    [
        pytest.param([], [1, 3], id="B25 B26 R-B12"),
        pytest.param([1, 3], [2], id="R-B14"),
        pytest.param([3], [1], id="B24"),
    ],
)
def test_the_seats_ahead_in_blackout(gone: list[int], seats: list[int]) -> None:
    assert blackout.ahead([90, 100, 100, 100], [9, 8, 7, 8], gone) == seats


def test_R_B2_R_B3_seat_0_opens_hands_1_5_9_and_13() -> None:
    assert [hand for hand in range(1, 14) if blackout.eldest(hand) == 0] == [1, 5, 9, 13]
