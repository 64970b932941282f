"""Bots play legally from their own view alone, and `simple` plays well."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from projections.bots import NothingToDo
from projections.views.seat import view_at
from tests.projections.bots.bot_views import View, auction, choose, play
from tests.replay.playing import table


def auction_view(*bids: int) -> View:
    return auction(["pass", *bids], "2C 4D 7H 8H 9S 4S")


def test_random_passes_three_times_in_four_and_otherwise_bids_the_least() -> None:
    rng = random.Random(1)
    said = Counter(json.dumps(choose("random", auction_view(3, 4, 5), rng.randrange)) for _ in range(4000))
    assert set(said) == {'{"type": "pass"}', '{"type": "bid", "bid": 3}'}
    assert 2850 < said['{"type": "pass"}'] < 3150


def test_random_passes_or_bids_if_that_is_the_only_choice() -> None:
    assert choose("random", auction_view(), lambda _: 0) == {"type": "pass"}
    must = auction([2, 3], "2C")
    assert choose("random", must, lambda _: 1) == {"type": "bid", "bid": 2}


def test_random_plays_any_legal_card() -> None:
    legal = [{"type": "play", "card": card} for card in ("2C", "3C", "4C")]
    view = {"you": {"legal": legal}}
    places = iter(range(3))
    assert [choose("random", view, lambda _: next(places)) for _ in range(3)] == legal


def test_simple_passes_with_nothing_and_bids_with_a_strong_suit() -> None:
    weak = auction_view(2, 3, 4, 5)
    assert choose("simple", weak, lambda _: 0) == {"type": "pass"}
    strong = weak | {"you": weak["you"] | {"cards": ["AH", "KH", "JH", "10H", "2S", "3D"]}}
    assert choose("simple", strong, lambda _: 0) == {"type": "bid", "bid": 2}


def test_simple_bids_and_passes_without_seeing_its_own_cards() -> None:
    blind = auction_view(2)
    blind["you"]["cards"] = None
    assert choose("simple", blind, lambda _: 0) == {"type": "pass"}


def test_a_bot_does_nothing_out_of_turn() -> None:
    entries = table(1, 2).entries
    with pytest.raises(NothingToDo):
        choose("random", view_at(entries, 1, len(entries)), lambda _: 0)


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(KeyError):
        choose("cunning", auction_view(2), lambda _: 0)


PARTNERS = {"variant": "setback", "sides": [[1, 3], [0, 2]], "pitcher": 1}


@pytest.mark.parametrize(
    ("lies", "cards", "card"),
    [
        pytest.param("1: 3H 2:QH 3:2H", "10H KH", "10H", id="last, the partner takes it: the ten"),
        pytest.param("1: 5C 2:9C 3:10C", "KC 3C", "KC", id="last, the partner does not: what takes the ten"),
        pytest.param("2: JC 3:4C", "10C 3C AH", "3C", id="the partner may lose it: the least"),
        pytest.param("2: AH 3:5H", "10H JH 3H", "JH", id="the partner's ace of trump: the jack comes home"),
    ],
)
def test_T39_simple_plays_with_its_partner(lies: str, cards: str, card: str) -> None:
    assert choose("simple", play(lies, cards, "H", **PARTNERS), lambda _: 0) == {"type": "play", "card": card}


def test_T8_simple_bids_more_with_a_partner_than_alone() -> None:
    said = [
        choose("simple", auction(["pass", 2, 3, 4], "AH 8H 5C 9S 4D 7C", variant="setback", sides=sides), lambda _: 0)
        for sides in ([[0, 2], [1, 3]], [[0], [1], [2]])
    ]
    assert said == [{"type": "bid", "bid": 2}, {"type": "pass"}]


@pytest.mark.parametrize(
    ("rules", "card"), [pytest.param({}, "4H", id="T27 won"), pytest.param({"dirty": False}, "2H", id="T28 dealt")]
)
def test_simple_holds_back_the_lowest_trump_only_if_it_can_be_lost(rules: dict[str, Any], card: str) -> None:
    view = play("2: KH 3:5H", "2H 4H", "H", **PARTNERS | {"sides": [[0], [1], [2]], "rules": rules})
    assert choose("simple", view, lambda _: 0) == {"type": "play", "card": card}
