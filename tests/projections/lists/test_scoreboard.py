"""The scoreboard: one line for each hand and seat, and totals that equal the scores."""

from typing import Any

import pytest

from domain.events import CeremonyOpened, DelayJudged, Event, Fact, HandScored, Peg, SeatsDrawn
from projections.followers import LogFollower
from projections.lists.scoreboard import SCOREBOARD, fold
from projections.lists.scoreboard_pages import score_line, scoreboard
from projections.storage.rows import RowStore
from projections.storage.tables import MemoryRows
from tests.given import GAME, auction, cards, deal, events, game_opened
from tests.projections.playing_stored import Play
from tests.replay.playing import table

WORDS = ("high", "low", "jack", "game")


def promised(total: int, bid: int, tricks: int) -> dict[str, Any]:
    return line(total, count=0) | {"bid": bid, "tricks": tricks, "exact": int(bid == tricks)}


def line(total: int, *won: str, count: int | None = 0, uncredited: str = "") -> dict[str, Any]:
    pegs = [{"point": point, "worth": 1, "credited": point != uncredited} for point in won]
    return {"total": total, "pegs": pegs, "count": count}


@pytest.mark.parametrize(
    ("row", "text"),
    [
        pytest.param(line(4, *WORDS, count=31), "ann    4  high low jack game   31", id="S40 all four"),
        pytest.param(line(7, "low", "game", count=9), "ann    7       low      game    9", id="S40 blanks for words"),
        pytest.param(line(0), "ann    0                        0", id="R-S20 no word"),
        pytest.param(line(-5, count=4), "ann   -5                        4", id="S41 the count is always shown"),
        pytest.param(line(5, *WORDS, "smudge", count=2), "ann    5  high low jack game    2  smudge", id="R-S20 mark"),
        pytest.param(line(-3, "high", uncredited="high"), "ann   -3                        0", id="S42 a set pitcher"),
        pytest.param(promised(22, 3, 3), "ann   22   3 of  3  exact", id="B12 an exact bid"),
        pytest.param(promised(12, 0, 1), "ann   12   1 of  0", id="B13 a missed one"),
        pytest.param(line(1, "off_jack", "low"), "ann    1       low              0  off jack", id="a mark in words"),
        pytest.param(line(1, "high", count=None), "ann    1  high", id="a variant without game counts"),
    ],
)
def test_the_score_line(row: dict[str, Any], text: str) -> None:
    assert score_line("ann", row, WORDS, ("smudge", "off_jack")) == text


@pytest.mark.parametrize(
    ("words", "won", "text"),
    [
        ("jack off_jack ten", "off_jack ten", "ann    2       off jack ten    0"),
        ("jack off_jack ten", "ten", "ann    1                ten    0"),
        pytest.param("jack joker joker ten", "joker ten", "ann    2       joker       ten    0", id="C36 one joker"),
        pytest.param("jack joker joker ten", "joker joker", "ann    2       joker joker        0", id="C36 both"),
    ],
)
def test_the_columns_of_points_of_two_words_and_points_won_twice(words: str, won: str, text: str) -> None:
    assert score_line("ann", line(len(won.split()), *won.split()), words.split()) == text


def test_R_S20_lines_of_one_hand_are_aligned_in_columns() -> None:
    short, long = (score_line(name, line(3, "jack"), WORDS, width=9) for name in ("ann", "josephine"))
    assert short == "ann          3           jack         0"
    assert short.index("jack") == long.index("jack")


PEGS = (
    Peg("high", 1, 0, cards("AD")[0], credited=True),
    Peg("low", 1, 1, cards("2D")[0], credited=True),
    Peg("game", 1, 0, None, credited=True),
)


def folded(*more: Any) -> MemoryRows:
    rows = MemoryRows(SCOREBOARD)
    facts = [game_opened(2), *deal(["AD KD QD JD 10D 9D", "2D 3C 4C 5C 6C 7C"]), *auction(2, 0), *more]
    for event in events(facts):
        fold(rows, event)
    return rows


def test_S38_every_seat_gets_a_line_when_a_hand_is_scored() -> None:
    scored = HandScored(1, PEGS, (20, 0), True, (2, 1), (2, 1), (5, 1), (2, None))
    first, second = folded(scored).all("lines")
    assert first == {
        "game": first["game"],
        "hand": 1,
        "seat": 0,
        "points": 2,
        "count": 20,
        "tricks": 5,
        "bid": 2,
        "made": 1,
        "exact": None,
        "change": 2,
        "total": 2,
        "pegs": [{"point": point, "worth": 1, "credited": True} for point in ("high", "game")],
    }
    assert (second["points"], second["made"], second["bid"], second["total"]) == (1, None, None, 1)


def test_S42_a_set_pitcher_differs_from_one_who_made_the_bid() -> None:
    pegs = (Peg("high", 1, 0, cards("AD")[0], credited=False), PEGS[1])
    first, _ = folded(HandScored(1, pegs, (0, 0), False, (-2, 1), (-2, 1), (5, 1), (2, None))).all("lines")
    assert (first["made"], first["points"], first["change"], first["total"]) == (0, 0, -2, -2)


def test_a_hand_is_listed_with_its_pitcher_bid_sides_and_columns() -> None:
    (hand,) = folded(HandScored(1, PEGS, (20, 0), True, (2, 1), (2, 1), (5, 1), (2, None))).all("hands")
    assert hand == {
        "game": hand["game"],
        "hand": 1,
        "pitcher": 0,
        "bid": 2,
        "made": 1,
        "sides": [[0], [1]],
        "words": list(WORDS),
        "marks": ["smudge"],
        "setting": None,
        "first_version": 4,
        "last_version": 11,
    }


def test_a_hand_without_a_pitcher_is_neither_made_nor_set() -> None:
    lines = folded(HandScored(1, (), (), None, (2, 1), (2, 1), (5, 1), (2, None))).all("lines")
    assert [(each["made"], each["count"]) for each in lines] == [(None, None), (None, None)]


def test_B2_R_B1_the_scoreboard_names_players_in_their_drawn_seats() -> None:
    rows = MemoryRows(SCOREBOARD)
    for event in events([game_opened(4, variant="blackout"), *ceremony(SeatsDrawn(0, (2, 0, 3, 1)))]):
        fold(rows, event)
    assert rows.all("boards")[0]["players"] == ["p2", "p0", "p3", "p1"]


def ceremony(drawn: SeatsDrawn) -> list[Fact]:
    return [CeremonyOpened(0, "game", "00" * 32, {}), drawn]


def test_C3_C29_points_lost_by_a_verdict_are_listed_outside_the_hand() -> None:
    made = table(1, 4, variant="corellian", randomizer=None).play(most=8)
    rows = MemoryRows(SCOREBOARD)
    for event in [*(entry.event for entry in made.entries), *_judged(made.state.version)]:
        fold(rows, event)
    (board,) = rows.all("boards")
    assert board["totals"] == [0, -10, 0, 0]
    assert board["delays"] == [{"hand": 1, "seat": 1, "guilty": True, "change": -10}]


def _judged(version: int) -> list[Event[Any]]:
    verdict = DelayJudged(1, guilty=True, scores=(0, -10, 0, 0))
    return [Event("", "server", "", verdict, "DelayJudged", GAME, "", None, 1, version + 1)]


@pytest.mark.lengthy
@pytest.mark.parametrize(
    ("variant", "says"),
    [
        pytest.param("pitch", {"marks": ["smudge"], "words": list(WORDS), "goal": 21}, id="S40 words"),
        pytest.param("setback", {"sides": [[0, 2], [1, 3]], "marks": [], "words": list(WORDS)}, id="R-T14 sides"),
        pytest.param("blackout", {"words": [], "marks": [], "setting": None, "goal": None}, id="B12 no points"),
        pytest.param("corellian", {"goal": None, "delays": []}, id="C3 no goal"),
    ],
)
def test_the_scoreboard_of_a_game_is_shown_with_names(
    play: Play, rows: RowStore, followers: LogFollower, variant: str, says: dict[str, Any]
) -> None:
    often = {"randomizer": {"when": [1, 4], "end": None}} if variant == "corellian" else {}
    game = play.open(4, variant=variant, options={"win": 21} if variant == "pitch" else often)
    while (last := play.games.state(game).last_hand) is None:
        play.steps(game, 10)
    followers.catch_up()
    state = play.games.state(game)
    with rows.snapshot("scoreboard") as reading:
        board = scoreboard(reading, game, {"p0": "ann"})
        alone = scoreboard(reading, game, {"p0": "ann"}, last.hand)
        assert scoreboard(reading, "nothing") is None
    assert board is not None
    assert alone == board | {"hands": board["hands"][-1:]}
    assert board.items() >= says.items()
    assert board["totals"] == list(state.scores)
    assert board["players"] == [seat.player for seat in state.seats]
    shown = board["hands"][-1]
    assert (shown["hand"], shown["made"]) == (last.hand, last.made)
    assert [(each["bid"], each["total"]) for each in shown["lines"]] == list(zip(last.bids, last.scores, strict=True))
    for hand in board["hands"]:
        assert (hand["setting"] is None) is (variant != "corellian")
        for each in hand["lines"]:
            assert (each["exact"] is None) is (variant != "blackout")
            player = board["players"][each["seat"]]
            assert each["text"].startswith("ann " if player == "p0" else player)
