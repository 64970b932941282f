"""Setback, the score of a hand (T24-T39, R-T5 to R-T7, R-T11)."""

import pytest

from tests.games.hands import SHARED, fact_names, pegs_text
from tests.games.setback_hands import play_hand, playing, score_hand

Bids = tuple[int, ...]
Tricks = tuple[str, ...]

# Seat 0 pitches; seat 1 is dealt the two of hearts and loses it to the ace: low is won by 0, dealt to 1.
LOW_LOST = ("0: AH 2H 3H", "0: KC 4C 5C", "0: AC 6C 7C")
# Four in partnerships: high to seat 0, low to seat 2, jack to seat 3; 0 and 2 count 7, 1 and 3 count 1.
TEAMS = ("0: AH 3H 4H 5H", "0: 5C 3C 2H 4C", "2: 6C JH 7C 8C", "3: 9D KD 8D 7D")


def bids_of(bid: int, tricks: Tricks) -> Bids:
    """Return the bids if the eldest bids and the others pass."""
    return (bid, *[0] * (len(tricks[0].split()) - 2))


@pytest.mark.parametrize(
    ("bid", "tricks", "pegs", "changes"),
    [
        pytest.param(2, LOW_LOST, "high 0 AH, low 0 2H, game 0", (3, 0, 0), id="T34 R-T4 no jack; low 1"),
        pytest.param(2, ("0: AH 2D 2S", "0: KC 3D 3S"), "high 0 AH, low 0 AH, game 0", (3, 0, 0), id="T26 T27 ace"),
        pytest.param(
            2,
            ("0: JH 2D 2S", "0: AC 3D 3S"),
            "high 0 JH, low 0 JH, jack 0 JH, game 0",
            (4, 0, 0),
            id="T30 the jack alone",
        ),
    ],
)
def test_the_points_of_a_hand(bid: int, tricks: Tricks, pegs: str, changes: Bids) -> None:
    result = score_hand(bids_of(bid, tricks), *tricks)
    assert (pegs_text(result.pegs), result.changes) == (pegs, changes)


def test_T24_no_points_are_scored_before_the_sixth_trick() -> None:
    table = playing((2, 0, 0), SHARED)
    assert (table.state.scores, "HandScored" in fact_names(table.facts)) == ((0, 0, 0), False)
    assert fact_names(table.facts).count("TrickTaken") == 5
    assert fact_names(play_hand((2, 0, 0), *SHARED))[:3] == ["CardPlayed", "TrickTaken", "HandScored"]


@pytest.mark.parametrize(
    ("low", "bid", "pegs", "made", "changes"),
    [
        pytest.param(1, 3, "high 0 AH, low 0 2H, game 0", True, (3, 0, 0), id="T27 option 1: the seat that won it"),
        pytest.param(2, 2, "high 0 AH, low 1 2H, game 0", True, (2, 1, 0), id="T28 R-T5 option 2: dealt it"),
        pytest.param(2, 3, "(high 0 AH), low 1 2H, (game 0)", False, (-3, 1, 0), id="T28 T38 and the bid falls short"),
    ],
)
def test_the_winner_of_low(low: int, bid: int, pegs: str, made: bool, changes: Bids) -> None:
    result = score_hand((bid, 0, 0), *LOW_LOST, low=low)
    assert (pegs_text(result.pegs), result.made, result.changes) == (pegs, made, changes)


def test_R_T5_low_is_the_lowest_trump_among_the_cards_dealt_not_the_two() -> None:
    """The two to the five of hearts stayed in the stock."""
    tricks = ("0: AH 7H 8H", "0: KC 4C 6H", "2: 2S 3S 4S")
    assert pegs_text(score_hand((2, 0, 0), *tricks, low=2).pegs) == "high 0 AH, low 2 6H, game 0"
    taken = ("0: 9H KH 6H", "1: KC 4C 5C", "1: 2S 3S 4S")
    assert pegs_text(score_hand((2, 0, 0), *taken, low=2).pegs) == "high 1 KH, low 2 6H, game 1"


def test_R_T5_the_card_counts_for_game_for_its_winner() -> None:
    """Option 2 moves the point for low and not the card: a lone ten of trump, dealt to seat 1, was won by seat 0."""
    result = score_hand((2, 0, 0), "0: AH 10H QH", "0: 2C 3C 4C", low=2)
    assert (pegs_text(result.pegs), result.counts) == ("high 0 AH, low 1 10H, game 0", (16, 0, 0))


@pytest.mark.parametrize(
    ("tricks", "counts"),
    [
        pytest.param(("0: AC KC QC",), (9, 0, 0), id="T32 ace four, king three, queen two"),
        pytest.param(("0: JC 10C 9C",), (11, 0, 0), id="T32 jack one, ten ten, nine nothing"),
        pytest.param(("0: JC 10C 9C", "0: AD KD QS"), (20, 0, 0), id="T32 whatever the suit"),
    ],
)
def test_the_count_of_each_card(tricks: Tricks, counts: Bids) -> None:
    assert score_hand((2, 0, 0), *tricks).counts == counts


@pytest.mark.parametrize(
    ("bid", "tricks", "counts", "game"),
    [
        pytest.param(2, ("0: AH 2H 3H", "0: 5C AC 6C"), (4, 4, 0), None, id="T35 R-T7 two of three tie"),
        pytest.param(2, ("0: AH 2H 3H", "0: 5C KC 6C", "1: 5D KD 6D"), (4, 3, 3), 0, id="R-T7 a tie further down"),
        pytest.param(2, ("0: AH 2H 3H 4H", "0: 3D 4D KD 5D"), (4, 0, 3, 0), 0, id="T39 R-T6 what partners won"),
        pytest.param(
            2, ("0: AH 2H 3H 4H", "0: 5C KC 6C 7C", "1: 5D 6D QD 7D"), (4, 3, 0, 2), 1, id="T31 T39 R-T6 more together"
        ),
        pytest.param(
            2,
            ("0: AH 2H 3H 4H", "0: 5C QC 6C 7C", "1: 5D 6D QD 7D"),
            (4, 2, 0, 2),
            None,
            id="T35 T39 R-T6 the pools tie",
        ),
    ],
)
def test_the_winner_of_game(bid: int, tricks: Tricks, counts: Bids, game: int | None) -> None:
    result = score_hand(bids_of(bid, tricks), *tricks)
    assert result.counts == counts
    assert [(peg.seat, peg.card) for peg in result.pegs if peg.point == "game"] == (
        [] if game is None else [(game, None)]
    )


def test_T33_high_and_low_are_awarded_in_every_hand() -> None:
    assert pegs_text(score_hand((2, 0, 0), "0: 9H 3C 2H", "0: 3D 4C 5D").pegs) == "high 0 9H, low 0 2H"


@pytest.mark.parametrize(
    ("bid", "tricks", "made", "pegs", "changes"),
    [
        pytest.param(2, SHARED, True, "high 0 AH, low 1 2H, jack 2 JH, game 0", (2, 1, 1), id="T25 T37 exactly"),
        pytest.param(3, SHARED, False, "(high 0 AH), low 1 2H, jack 2 JH, (game 0)", (-3, 1, 1), id="T36 T38 short"),
        pytest.param(2, TEAMS, True, "high 0 AH, low 2 2H, jack 3 JH, game 0", (3, 1, 3, 1), id="T37 T39 R-T6 over"),
        pytest.param(
            4, TEAMS, False, "(high 0 AH), (low 2 2H), jack 3 JH, (game 0)", (-4, 1, -4, 1), id="T36 T38 partners"
        ),
    ],
)
def test_a_bid_is_made_or_set(bid: int, tricks: Tricks, made: bool, pegs: str, changes: Bids) -> None:
    result = score_hand(bids_of(bid, tricks), *tricks)
    assert (result.made, pegs_text(result.pegs), result.changes) == (made, pegs, changes)


def test_T38_a_dealer_who_tied_loses_the_bid_and_the_first_bidder_does_not() -> None:
    tricks = ("2: 9H 2H 3H", "2: 4C 5C 6C", "1: AD JD 5D")
    result = score_hand((3, 0, 3), *tricks)
    assert (result.made, result.bids, result.changes) == (False, (3, None, 3), (0, 1, -3))


@pytest.mark.parametrize(
    ("bid", "tricks", "scores", "after"),
    [
        pytest.param(4, SHARED, (-9, -1, 0), (-13, 0, 1), id="R-T11 alone"),
        pytest.param(4, TEAMS, (1, -6, 1, -6), (-3, -5, -3, -5), id="R-T11 T39 a side"),
    ],
)
def test_scores_can_be_negative(bid: int, tricks: Tricks, scores: Bids, after: Bids) -> None:
    assert score_hand(bids_of(bid, tricks), *tricks, scores=scores).scores == after
