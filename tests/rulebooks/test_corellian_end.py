"""The second implementation of Corellian Pitch, the score of a hand, compared with results found by hand."""

from collections.abc import Iterator
from itertools import product

import pytest

from tests.rulebooks import corellian
from tests.rulebooks import corellian_end as end
from tests.rulebooks.corellian import VERSIONS, Setting
from tests.rulebooks.corellian_end import Gathered, Options, gather_trick
from tests.rulebooks.corellian_position import Position
from tests.rulebooks.perft import Play, hands, perft, trick


def taken(setting: Setting, *tricks: tuple[Play, ...]) -> list[Gathered]:
    """Return tricks of hearts, all gathered under one setting."""
    return [gather_trick(each, "H", setting) for each in tricks]


@pytest.mark.parametrize(
    ("then", "now", "low"),
    [
        pytest.param(Setting("4"), Setting("4"), ("low", 2, "3H"), id="R-C18 R-C56 clean"),
        pytest.param(Setting("4", dirty=True), Setting("4"), ("low", 0, "3H"), id="R-C56 gathered dirty"),
        pytest.param(Setting("4"), Setting("4", dirty=True), ("low", 2, "3H"), id="R-C20 gathered clean"),
        pytest.param(Setting("4"), Setting("4", reverse=True), ("low", 0, "AH"), id="R-C17 in reverse at the end"),
    ],
)
def test_the_winner_of_low(then: Setting, now: Setting, low: tuple[str, int, str]) -> None:
    points = end.points_won(taken(then, trick(0, "AH 9H 3H KH")), "H", now, [0, 2])
    assert [(point, seat, card) for point, _, seat, card in points if point == "low"] == [low]


def test_R_C57_R_C13_low_can_be_the_second_joker_of_the_hand() -> None:
    tricks = taken(Setting("4", dirty=True), trick(0, "AH X2 KH QH"), trick(0, "JH X1 - -"))
    points = end.points_won(tricks, "H", Setting("4"), [0, 2])
    assert [point[3] for point in points if point[0] in ("high", "low")] == ["AH", "X1"]


def test_R_C59_in_version_6_the_first_joker_scores_for_its_taker() -> None:
    tricks = taken(Setting("6"), trick(0, "AH X2 KH QH"), trick(0, "9H X1 - -"))
    points = end.points_won(tricks, "H", Setting("6"), [0, 2])
    assert [point for point in points if point[0] == "joker"] == [("joker", 1, 0, "X2")]


@pytest.mark.parametrize(
    ("own", "pegs"),
    [
        pytest.param([0, 2], [("game", 1, 0, None)], id="R-C58 the bidder's"),
        pytest.param([2, 0], [("game", 1, 2, None)], id="R-C58 the bidder, although the partner took it"),
        pytest.param([3], [("game", 1, 0, None)], id="R-C32 R-C58 the lowest of three"),
        pytest.param([1, 3], [("game", 1, 0, None)], id="R-C58 the lower of two"),
    ],
)
def test_the_winner_of_game(own: list[int], pegs: list[tuple[str, int, int, str | None]]) -> None:
    tricks = taken(Setting("4"), trick(0, "AH KH 10C 9H"), trick(0, "2C 3C 4C JC"))
    points = end.points_won(tricks, "H", Setting("4"), own)
    assert [point for point in points if point[0] == "game"] == pegs
    assert end.game_counts(tricks) == [17, 0, 0, 1]


def test_R_C58_no_side_wins_a_tie_for_game() -> None:
    tricks = taken(Setting("4"), trick(0, "KH 9H 3C 4C"), trick(1, "KD 3D 4D 5D"))
    assert [point[0] for point in end.points_won(tricks, "H", Setting("4"), [0, 2])] == ["high", "low"]


# Seat 0 takes A 3 10 of hearts and a joker, 1 keeps the two, 3 takes both jacks: 6 with 2's nothing, against 1 + 2.
HAND = [trick(0, "AH 2H 3H 9H"), trick(0, "KH X1 10H 8H"), trick(3, "JH 7H JD -"), trick(3, "6H 5H 4H -")]
PEGS = [
    ("jack", 1, 3, "JH"),
    ("off_jack", 1, 3, "JD"),
    ("joker", 1, 0, "X1"),
    ("ten", 1, 0, "10H"),
    ("three", 3, 0, "3H"),
    ("two", 1, 1, "2H"),
    ("ace", 1, 0, "AH"),
]


@pytest.mark.parametrize(
    ("side", "bid", "options", "changes"),
    [
        pytest.param((0, 2), (6, False), Options(), [6, 3, 6, 3], id="C21 R-C34 R-C36 made"),
        pytest.param((2, 0), (6, False), Options(credit="own"), [6, 3, 0, 3], id="R-C34 own points"),
        pytest.param((0, 3), (8, False), Options(credit="half"), [4, 1, 1, 4], id="C19 R-C33 R-C34 half each"),
        pytest.param((0, 2), (7, False), Options(), [-7, 3, -7, 3], id="C22 R-C35 set"),
        pytest.param((0, 2), (7, False), Options(defenders="own"), [-7, 1, -7, 2], id="R-C36 own points"),
        pytest.param((0, 2), (7, False), Options(defenders="none"), [-7, 0, -7, 0], id="R-C36 nothing"),
        pytest.param((2, None), (4, False), Options(), [9, 9, -4, 9], id="C14 R-C32 R-C35 alone and set"),
        pytest.param((0, None), (6, True), Options(credit="half"), [6, 3, 3, 3], id="R-C34 alone and made"),
        pytest.param((0, 2), (10, True), Options(), [-20, 3, -20, 3], id="C33 R-C37 twice"),
        pytest.param((0, 2), (7, True), Options(), [-14, 3, -14, 3], id="R-C37 twice as it stands"),
        pytest.param((0, 2), (10, False), Options(), [-10, 3, -10, 3], id="R-C37 not gained by scaling"),
        pytest.param((0, 2), (10, False), Options(double="at_end"), [-20, 3, -20, 3], id="R-C37 at the end"),
        pytest.param((0, 2), (7, True), Options(double="at_end"), [-7, 3, -7, 3], id="R-C37 no longer at the end"),
    ],
)
def test_the_score_of_a_hand(
    side: tuple[int, int | None], bid: tuple[int, bool], options: Options, changes: list[int]
) -> None:
    judged = end.judge_hand(taken(Setting(), *HAND), "H", Setting(), side, bid, [10, 0, -5, 1], options)
    assert (judged.changes, judged.made) == (changes, min(changes) >= 0)
    assert judged.scores == [old + new for old, new in zip([10, 0, -5, 1], changes, strict=True)]
    assert [peg[:4] for peg in judged.pegs] == PEGS
    own = [seat for seat in side if seat is not None]
    assert [peg[4] for peg in judged.pegs] == [
        judged.made if peg[2] in own else options.defenders != "none" for peg in PEGS
    ]


@pytest.mark.parametrize(
    ("worth", "points"),
    [
        pytest.param("at_end", ["jack", "off_jack", "joker", "ten", "two", "ace"], id="R-C20 at the end"),
        pytest.param("when_taken", ["jack", "off_jack", "joker", "ten", "three", "two", "ace"], id="R-C20 when taken"),
    ],
)
def test_the_version_that_decides_what_cards_are_worth(worth: str, points: list[str]) -> None:
    found = end.points_won(taken(Setting("10"), *HAND), "H", Setting("7"), [0, 2], worth)
    assert [point[0] for point in found] == points


def test_C7_R_C43_equal_highest_win_together() -> None:
    assert end.winners([3, 7, 7, -2]) == [1, 2]
    assert end.winners([3, 7, 7, -2], gone=[1]) == [2]


# Whole small hands

SMALL = hands("AH 2H", "2D JD", "3H X1", "AD JH")
THREES = hands("AH 10H KC", "2H JD 9C", "3H X1 3D", "AD JH X2")
SETTINGS = list(product(VERSIONS, (False, True), (False, True)))


def ends(position: Position) -> Iterator[Position]:
    """Yield every end of the hand, once for each way to reach it."""
    further = list(position.following())
    if not further:
        yield position
    for each in further:
        yield from ends(each)


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(Setting(points, dirty, reverse), id=f"R-C57 {points} {dirty} {reverse}")
        for points, dirty, reverse in SETTINGS
    ],
)
def test_each_point_of_the_cards_played_is_won_once(setting: Setting) -> None:
    """The points are those named by the cards played, high and low, and game unless tied; each card is counted once."""
    for position in ends(Position(SMALL, setting, said=(0, 0, setting.total, 0))):
        trump = position.trump
        assert trump is not None
        played = [card for each in position.tricks for _, card in each.plays]
        dead = [card for own in position.hands for card in own]
        assert sorted([*played, *dead]) == sorted(card for own in SMALL for card in own)
        assert not any(corellian.is_trump(card, trump, setting) for card in dead)
        judged = end.judge_hand(position.tricks, trump, setting, (2, 0), (setting.total, True), [0] * 4)
        names = [corellian.point_name(card, trump) or "" for card in played]
        assert sum(peg[1] for peg in judged.pegs if peg[0] not in ("high", "low", "game")) == sum(
            setting.scoring.get(name, 0) for name in names
        )
        assert [peg[0] for peg in judged.pegs].count("high") == ("high" in setting.scoring)


@pytest.mark.parametrize("points", [pytest.param(points, id=f"R-C9 R-C60 {points}") for points in VERSIONS])
def test_naming_and_first_leads(points: str) -> None:
    """There are four suits to name; then one lead for each trump of the first seat that can lead, the bidder first."""
    position = Position(THREES, Setting(points), said=(0, 0, 0, 0))  # the dealer, seat 3, is forced
    assert perft(position, 1) == 4
    leads = 0
    for trump in "CDHS":
        count = [sum(corellian.is_trump(card, trump, position.setting) for card in own) for own in THREES]
        leads += next(count[seat] for seat in (3, 0, 1, 2) if count[seat])
    assert perft(position, 2) == leads


def test_R_C28_a_call_is_one_move_of_54() -> None:
    position = Position(SMALL, Setting(), partners="call", said=(4, 0, 0, 0))
    assert perft(position, 2) == 4 * 54
    (called,) = [
        each
        for named in position.following()
        if named.trump == "H"
        for each in named.following()
        if each.called == "X1"
    ]
    assert called.partner == 2
    assert {each.table[-1][1] for lead in called.following() for each in _until(lead, 2)} == {"X1"}


def _until(position: Position, seat: int) -> Iterator[Position]:
    """Yield every position in which the seat has played to the first trick."""
    for each in position.following():
        if each.table and each.table[-1][0] == seat:
            yield each
        elif not each.tricks:
            yield from _until(each, seat)
