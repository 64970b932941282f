"""Bots in Blackout, where each seat bids the number of tricks it will take."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.projections.bots.bot_views import View, auction, choose, play


def promised(*bids: int, cards: str | None, **asked: Any) -> View:
    return auction(list(bids), cards, variant="blackout", rules={"hook": True, "hands": 13}, **asked)


def bid(view: View, strategy: str = "simple") -> int:
    said: int = choose(strategy, view, Random(1).randrange)["bid"]
    return said


@pytest.mark.parametrize(
    ("cards", "trump", "tricks"),
    [
        pytest.param("2C 3D 4H 5S", "S", 0, id="nothing"),
        pytest.param("AS KS QS 2D", "S", 3, id="three trumps from the top"),
        pytest.param("AC KC AD 3H 2H", "S", 2, id="aces that can be trumped"),
        pytest.param("AC KC QC AD KD QD AH KH QH AS KS QS JS", None, 13, id="everything, without a trump"),
    ],
)
def test_B6_simple_bids_the_tricks_its_cards_should_take(cards: str, trump: str | None, tricks: int) -> None:
    upcard = None if trump is None else "9S"
    assert bid(promised(*range(14), cards=cards, trump=trump, upcard=upcard)) == tricks


def test_B14_simple_bids_one_more_or_less_if_the_hook_forbids_its_bid() -> None:
    assert bid(promised(0, 1, 2, 4, cards="AS KS QS 2D", trump="S", upcard="9S")) == 4


@pytest.mark.parametrize(
    ("others", "eldest", "tricks"),
    [
        pytest.param("2C 3C 4C", 0, 1, id="leads to low plain cards"),
        pytest.param("2C AC 4C", 0, 1, id="an ace only counts if its suit is led"),
        pytest.param("2C AC 4C", 1, 0, id="and it is: only a trump would take"),
        pytest.param("2C 3C QS", 0, 0, id="a high trump"),
    ],
)
def test_B18_simple_bids_hand_1_by_the_cards_of_the_others(others: str, eldest: int, tricks: int) -> None:
    sees = {str(seat): [card] for seat, card in enumerate(others.split(), 1)}
    assert bid(promised(0, 1, cards=None, trump="S", upcard="9S", sees=sees, eldest=eldest)) == tricks


def test_random_bids_a_fair_share_of_the_tricks() -> None:
    rng, view = Random(2), promised(*range(9), cards="2C 3C 4C 5C 6C 7C 8C 9C", trump="S", upcard="9S")
    said = Counter(choose("random", view, rng.randrange)["bid"] for _ in range(1000))
    assert 1800 < sum(bid * times for bid, times in said.items()) < 2200
    assert set(said) > {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    ("lies", "cards", "took", "card"),
    [
        pytest.param("", "AS 7H 2C", 0, "AS", id="leads its best while it needs tricks"),
        pytest.param("", "AS 7H 2C", 1, "2C", id="leads its least when it has them"),
        pytest.param("1: 5C 2:3C 3:4C", "AC 7C 2C", 0, "7C", id="last, takes with the least"),
        pytest.param("2: 5C 3:3C", "KC 7C 2C", 0, "KC", id="takes with the highest when somebody plays after it"),
        pytest.param("1: 9C 2:3C 3:4C", "2C 8C", 0, "2C", id="throws the least if it can't take the trick"),
        pytest.param("1: 9C 2:3C 3:4C", "AC 8C 2C", 1, "8C", id="the highest that loses when it has its tricks"),
        pytest.param("1: 5C 2:3C 3:4C", "9C KC", 1, "KC", id="last and bound to take: the highest"),
        pytest.param("2: 5C 3:3C", "9C KC", 1, "9C", id="bound to take as it lies: the lowest, which may still lose"),
        pytest.param("1: 9C 2:3C 3:4C", "KD 2D", 1, "KD", id="rids itself of a high card of another suit"),
        pytest.param("1: 5S 2:3S 3:4S", "AS KS QS", 0, "AS", id="last, of too many spends the best"),
        pytest.param("1: AC 2:3C 3:4C", "AS 2S", 0, "2S", id="trumps with the least if it needs the trick"),
        pytest.param("1: 5S 2:3S 3:AS", "KS QS AD AH", 0, "KS", id="cannot take, and has more than it needs"),
    ],
)
def test_simple_plays_for_exactly_the_tricks_it_bid(lies: str, cards: str, took: int, card: str) -> None:
    view = play(lies, cards, "S", variant="blackout", rules={"hook": True, "hands": 13}, bids=[1, 0, 0, 0])
    view["seats"][0]["tricks"] = took
    assert choose("simple", view, lambda _: 0) == {"type": "play", "card": card}
