"""gamerz Pitch, how a hand is scored (S9, S10, S22-S31, S38-S43, R-S10 to R-S12, R-S16, R-S17).

A peg in words is "point seat card", in brackets where it gives no point. Mostly hearts are trumps.
"""

import pytest

from tests.games.hands import SHARED, SWEPT, pegs_text, score_hand

# Seat 0 takes the ace, the two and the jack of trump; seat 1 has the count.
PITCHERS = ("0: AH 3H 5H", "0: KH 2H JH", "0: 10C KC 2C", "1: 10D 4D 3S", "1: QD 9D 4S", "1: AS 2S 6S")
# Every trick to seat 0, but the jack of trump was not dealt.
NO_JACK = ("0: AH 2H", "0: KH 7H", "0: QH 3C", "0: 10H 4C", "0: 9H 5C", "0: 8H 6C")
# Seat 1 pitches, and seat 0 takes everything.
SWEPT_FROM_PITCHER = ("1: 2H AH", "0: KH JH", "0: QH 3C", "0: 10H 4C", "0: 9H 5C", "0: 8H 6C")
# High, low, jack and game to seat 0, but the last trick is lost.
FIVE_OF_SIX = ("0: AH 2H", "0: KH JH", "0: QH 3C", "0: 10H 4C", "0: 9H 5C", "0: 2D 6D")

Tricks = tuple[str, ...]
Bids = tuple[int, ...]


@pytest.mark.parametrize(
    ("bids", "tricks", "pegs"),
    [
        pytest.param((2, 0, 0), SHARED, "high 0 AH, low 1 2H, jack 2 JH, game 0", id="S22 S39 high, low, jack, game"),
        pytest.param((0, 2), ("1: AH 7H", "1: KH 3H"), "high 1 AH, low 1 3H, game 1", id="S23 R-S10 highest in play"),
        pytest.param((0, 2), ("1: 9H AH", "0: 3C 2H"), "high 0 AH, (low 1 2H), game 0", id="S23 high over the pitcher"),
        pytest.param((2, 0), ("0: 9H 2H", "0: 3D 4S"), "high 0 9H, low 0 2H", id="S24 low to its winner"),
        pytest.param((2, 0), ("0: QH JH", "0: 3D 4D"), "high 0 QH, low 0 JH, jack 0 JH, game 0", id="S25 jack won"),
        pytest.param((0, 2), ("1: JH QH", "0: 3D 4D"), "high 0 QH, low 0 JH, jack 0 JH, game 0", id="S25 jack lost"),
        pytest.param((2, 0), ("0: QH 2H", "0: 3D JS"), "high 0 QH, low 0 2H, game 0", id="S31 another suit's jack"),
        pytest.param((2, 0), ("0: 9H 2C", "0: 3D 4S"), "high 0 9H, low 0 9H", id="R-S11 one trump is high and low"),
    ],
)
def test_points_go_to_the_winners_of_the_cards(bids: Bids, tricks: Tricks, pegs: str) -> None:
    assert pegs_text(score_hand(bids, *tricks).pegs) == pegs


@pytest.mark.parametrize(
    ("tricks", "counts", "game"),
    [
        pytest.param(("0: 9H 2H", "0: AD 3D"), (4, 0), 0, id="S29 ace 4"),
        pytest.param(("0: 9H 2H", "0: KD 3D"), (3, 0), 0, id="S29 king 3"),
        pytest.param(("0: 9H 2H", "0: QD 3D"), (2, 0), 0, id="S29 queen 2"),
        pytest.param(("0: 9H 2H", "0: JD 3D"), (1, 0), 0, id="S29 jack 1"),
        pytest.param(("0: 9H 2H", "0: 10D 3D"), (10, 0), 0, id="S29 ten 10"),
        pytest.param(("0: 9H 2H", "0: 8D 7D", "0: 6D 5D", "0: 4D 3D"), (0, 0), None, id="S29 R-S17 small cards 0"),
        pytest.param(("0: 9H 2H", "0: 10D JD"), (0, 11), 1, id="S26 what is won counts, not what was held"),
        pytest.param(("0: AH 2H", "0: 3C AC"), (4, 4), None, id="S30 no one wins a tie"),
        pytest.param(("0: AH 2H 3H 4H", "0: 5C KC 6C 7C", "1: 5S KS 7S 8S"), (4, 3, 3, 0), 0, id="S30 a lower tie"),
    ],
)
def test_game_goes_to_the_highest_count(tricks: Tricks, counts: tuple[int, ...], game: int | None) -> None:
    result = score_hand((2, *[0] * (len(counts) - 1)), *tricks)
    assert result.counts == counts
    assert [peg.seat for peg in result.pegs if peg.point == "game"] == ([] if game is None else [game])


@pytest.mark.parametrize(
    ("bids", "tricks", "pegs", "changes"),
    [
        pytest.param((5, 0), SWEPT, "high 0 AH, low 0 2H, jack 0 JH, game 0, smudge 0", (5, 0), id="S27 S28 made"),
        pytest.param((2, 0), SWEPT, "high 0 AH, low 0 2H, jack 0 JH, game 0, smudge 0", (5, 0), id="R-S12 any bid"),
        pytest.param(
            (0, 3),
            SWEPT_FROM_PITCHER,
            "high 0 AH, low 0 2H, jack 0 JH, game 0, smudge 0",
            (5, -3),
            id="R-S12 whichever seat bid",
        ),
        pytest.param((5, 0), NO_JACK, "(high 0 AH), (low 0 2H), (game 0)", (-5, 0), id="S28 without jack"),
        pytest.param((3, 0), NO_JACK, "high 0 AH, low 0 2H, game 0", (3, 0), id="S27 no fifth point without the jack"),
        pytest.param((4, 0), FIVE_OF_SIX, "high 0 AH, low 0 2H, jack 0 JH, game 0", (4, 0), id="S27 five tricks"),
    ],
)
def test_the_fifth_point_needs_every_trick_with_high_low_and_jack(
    bids: Bids, tricks: Tricks, pegs: str, changes: tuple[int, ...]
) -> None:
    result = score_hand(bids, *tricks)
    assert (pegs_text(result.pegs), result.changes) == (pegs, changes)


@pytest.mark.parametrize(
    ("bid", "made", "changes"),
    [
        pytest.param(2, True, (3, 1, 0), id="S10 S43 more than the bid is kept, at no cost"),
        pytest.param(3, True, (3, 1, 0), id="S9 exactly the bid"),
        pytest.param(4, False, (-4, 1, 0), id="S42 set, and loses the bid and no more"),
    ],
)
def test_a_pitcher_makes_the_bid_or_is_set(bid: int, made: bool, changes: tuple[int, ...]) -> None:
    result = score_hand((bid, 0, 0), *PITCHERS)
    assert (result.made, result.changes) == (made, changes)


def test_S38_every_player_gets_a_score() -> None:
    result = score_hand((2, 0, 0), *SHARED)
    assert (result.changes, result.tricks, result.counts) == ((2, 1, 1), (4, 1, 1), (21, 0, 1))


def test_S40_the_fact_holds_everything_a_score_line_needs() -> None:
    result = score_hand((2, 3, 0), *(f"{(int(trick[0]) + 1) % 3}{trick[1:]}" for trick in SHARED), scores=(5, -1, 2))
    assert pegs_text(result.pegs) == "(high 1 AH), low 2 2H, jack 0 JH, (game 1)"
    assert (result.hand, result.bids, result.counts) == (4, (2, 3, None), (1, 21, 0))
    assert (result.changes, result.scores) == ((1, -3, 1), (6, -4, 3))


def test_S41_card_points_do_not_count_as_points() -> None:
    result = score_hand((3, 0, 0), *PITCHERS)
    assert (result.counts, result.changes, sum(peg.worth for peg in result.pegs)) == ((8, 29, 0), (3, 1, 0), 4)


def test_R_S16_scores_can_be_negative_without_limit() -> None:
    assert score_hand((5, 0, 0), *PITCHERS, scores=(-9, -1, 0)).scores == (-14, 0, 0)


def test_R_S19_one_player_wins_the_game_point_without_a_partner() -> None:
    tricks = ("0: AH 2H 3H 4H", "0: 5C 10C 6C 7C", "1: 5S AS KS 7S", "2: 6D 7D 8D 9D")
    assert pegs_text(score_hand((2, 0, 0, 0), *tricks).pegs) == "high 0 AH, low 0 2H, game 1"
