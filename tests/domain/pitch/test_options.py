"""gamerz Pitch, the other answers to contested rulings as options of a table (R-S1, R-S12, R-S13).

tests/domain/rulings/test_contested_rulings.py sets these answers as values of the rules.
"""

from dataclasses import replace
from typing import Any

import pytest

from domain.commands import OpenGame
from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    GameEnded,
    GameOpened,
    HandDealt,
    HandScored,
    Player,
    TrickTaken,
)
from domain.rejections import NotOffered
from domain.rules.choices import Award, BiddingDirection, Settle
from domain.rules.model import Rules
from domain.rules.variants import PITCH, VARIANTS, compose_rules
from tests.games.hands import game_ended, only_fact, pegs_text, play_hand
from tests.games.tables import Table
from tests.given import GAME, Given, given

USUAL = {"win": 11, "around": "left", "fifth": "earned", "settle": "bid_first"}
OTHERS = {"around": "right", "fifth": "bid", "settle": "points_first"}
RULINGS = {"around": "R-S1", "fifth": "R-S12", "settle": "R-S13"}

# Every trick and every point to seat 0.
SWEPT = ("0: AH 2H", "0: KH JH", "0: QH 3C", "0: 10H 4C", "0: 9H 5C", "0: 8H 6C")
# High and game to seat 0, low to seat 1, jack to seat 2.
SHARED = ("0: AH 3H 5H", "0: 4C 2H 6C", "1: 7D JH 8D", "2: 9S 10S 3S", "0: AC 5C 7C", "0: KC 2D 2S")


def opening(**options: Any) -> OpenGame:
    people = tuple(Player(f"p{seat}", "human") for seat in range(4))
    return OpenGame(GAME, 7, "pitch", options, people)


def nothing() -> Given:
    return given()


def with_fifth(rules: Rules, award: Award) -> Rules:
    *others, smudge = rules.points
    return replace(rules, points=(*others, replace(smudge, award=award)))


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        pytest.param({}, PITCH, id="R-S1 R-S12 R-S13 the rulings are the default"),
        pytest.param({"around": "left"}, PITCH, id="R-S1 the ruling, asked for"),
        pytest.param({"fifth": "earned"}, PITCH, id="R-S12 the ruling, asked for"),
        pytest.param({"settle": "bid_first"}, PITCH, id="R-S13 the ruling, asked for"),
        pytest.param(
            {"around": "right"},
            replace(PITCH, auction=replace(PITCH.auction, around=BiddingDirection.RIGHT)),
            id="R-S1 the other answer",
        ),
        pytest.param({"fifth": "bid"}, with_fifth(PITCH, Award.SWEEP_BID), id="R-S12 the other answer"),
        pytest.param({"settle": "points_first"}, replace(PITCH, settle=Settle.POINTS_FIRST), id="R-S13 the other one"),
    ],
)
def test_an_option_sets_one_value_in_the_rules(options: dict[str, Any], rules: Rules) -> None:
    made = only_fact(GameOpened, nothing().when(opening(**options)).facts)
    assert (made.rules, made.options) == (rules, USUAL | options)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"around": "counterclockwise"}, id="R-S1 another word"),
        pytest.param({"around": "LEFT"}, id="R-S1 in capitals"),
        pytest.param({"around": None}, id="R-S1 nothing"),
        pytest.param({"fifth": "sweep"}, id="R-S12 another word"),
        pytest.param({"fifth": 5}, id="R-S12 a number"),
        pytest.param({"settle": "whole_hand"}, id="R-S13 another game's value"),
        pytest.param({"settle": True}, id="R-S13 true"),
        pytest.param({"low": 1}, id="R-S21 another game's option"),
    ],
)
def test_an_invalid_option_is_refused(options: dict[str, Any]) -> None:
    assert nothing().when(opening(**options)).rejected(NotOffered).code == "not-offered"


@pytest.mark.parametrize("name", [pytest.param(name, id=f"{ruling} {name}") for name, ruling in RULINGS.items()])
def test_every_contested_ruling_is_one_option_and_its_first_value_is_the_ruling(name: str) -> None:
    (option,) = (each for each in VARIANTS["pitch"].options if each.name == name)
    assert (option.values, option.default, option.ruling) == ((USUAL[name], OTHERS[name]), USUAL[name], RULINGS[name])


def test_R_S1_R_S12_R_S13_the_options_are_independent_of_each_other_and_of_the_goal() -> None:
    rules, chosen = compose_rules("pitch", {**OTHERS, "win": 7})
    other = replace(
        PITCH, auction=replace(PITCH.auction, around=BiddingDirection.RIGHT), settle=Settle.POINTS_FIRST, goal=7
    )
    assert (rules, chosen) == (with_fifth(other, Award.SWEEP_BID), {**OTHERS, "win": 7})


@pytest.mark.parametrize(
    ("around", "step"),
    [pytest.param("left", 1, id="R-S1 the ruling"), pytest.param("right", -1, id="R-S1 the other answer")],
)
def test_the_direction_of_bidding_in_whole_games(around: str, step: int) -> None:
    facts = [event.data for event in Table(5, seed=3, around=around).plays_out().events]
    said: list[int] = []
    for fact in facts:
        if isinstance(fact, HandDealt):
            said = [fact.eldest]
        if isinstance(fact, BidMade | BidPassed):
            assert fact.seat == said[-1]
            said.append((fact.seat + step) % 5)
        if isinstance(fact, AuctionWon):
            assert len(said) == 6
        if isinstance(fact, TrickTaken):
            first = fact.plays[0].seat
            assert [play.seat for play in fact.plays] == [(first + turn) % 5 for turn in range(5)]
    dealers = [fact.dealer for fact in facts if isinstance(fact, HandDealt)]
    assert dealers == [(dealers[0] + hand) % 5 for hand in range(len(dealers))]


@pytest.mark.parametrize(
    ("fifth", "bid", "last_peg", "changes"),
    [
        pytest.param("earned", 2, "smudge 0", (5, 0), id="R-S12 the ruling: whatever was bid"),
        pytest.param("bid", 2, "game 0", (4, 0), id="R-S12 the other answer: not for two"),
        pytest.param("bid", 4, "game 0", (4, 0), id="R-S12 the other answer: not for four"),
        pytest.param("bid", 5, "smudge 0", (5, 0), id="R-S12 the other answer: for a smudge bid"),
    ],
)
def test_the_pitcher_gets_the_fifth_point(fifth: str, bid: int, last_peg: str, changes: tuple[int, ...]) -> None:
    result = only_fact(HandScored, play_hand((bid, 0), *SWEPT, fifth=fifth))
    assert (pegs_text(result.pegs).split(", ")[-1], result.changes) == (last_peg, changes)


@pytest.mark.parametrize(
    ("settle", "win", "before", "after", "winners"),
    [
        pytest.param("bid_first", 11, (9, 0, 0), (6, 1, 1), None, id="R-S13 the ruling: set, and not there"),
        pytest.param("points_first", 11, (9, 0, 0), (11, 1, 1), (0,), id="R-S13 the other answer: there on the way"),
        pytest.param("points_first", 21, (9, 0, 0), (6, 1, 1), None, id="R-S13 the other answer: not there, so set"),
        pytest.param("points_first", 7, (5, 0, 0), (7, 1, 1), (0,), id="R-S13 S4 the other answer, to seven"),
    ],
)
def test_when_a_pitcher_is_set(
    settle: str, win: int, before: tuple[int, ...], after: tuple[int, ...], winners: tuple[int, ...] | None
) -> None:
    """Seat 0 bids three, and wins high and game."""
    facts = play_hand((3, 0, 0), *SHARED, scores=before, settle=settle, win=win)
    assert only_fact(HandScored, facts).scores == after
    assert game_ended(facts) == (None if winners is None else GameEnded("goal", winners, after))
