"""Bots: legal, from their own view alone, and one of them worth playing against."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from projections.bots import STRATEGIES, NothingToDo, choose
from projections.seat_view import view_at
from tests.projections.playing import opened, played


@pytest.mark.parametrize("strategy", list(STRATEGIES))
@pytest.mark.parametrize("players", [2, 3, 7])
def test_a_bot_plays_whole_games_by_what_is_legal(strategy: str, players: int) -> None:
    ended = played(random.Random(6), players, strategies=[strategy] * players).state.result
    assert ended is not None
    assert ended.reason == "goal"


def auction_view(*bids: int) -> dict[str, Any]:
    legal = [{"type": "pass"}, *({"type": "bid", "bid": bid} for bid in bids)]
    you = {"seat": 0, "legal": legal, "cards": ["2C", "4D", "7H", "8H", "9S", "4S"]}
    return {"variant": "pitch", "rules": {"goal": 11}, "sides": [[0], [1], [2], [3]], "you": you}


def test_random_passes_three_times_in_four_and_else_bids_the_least() -> None:
    rng = random.Random(1)
    said = Counter(json.dumps(choose("random", auction_view(3, 4, 5), rng.randrange)) for _ in range(4000))
    assert set(said) == {'{"type": "pass"}', '{"type": "bid", "bid": 3}'}
    assert 2850 < said['{"type": "pass"}'] < 3150


def test_random_passes_where_it_may_do_nothing_else_and_bids_where_it_must() -> None:
    assert choose("random", auction_view(), lambda _: 0) == {"type": "pass"}
    must = auction_view()
    must["you"]["legal"] = [{"type": "bid", "bid": 2}, {"type": "bid", "bid": 3}]
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


def test_simple_bids_and_passes_where_it_sees_no_cards_of_its_own() -> None:
    blind = auction_view(2)
    blind["you"]["cards"] = None
    assert choose("simple", blind, lambda _: 0) == {"type": "pass"}


def test_a_bot_asked_out_of_turn_has_nothing_to_do() -> None:
    table = opened(random.Random(1), 2)
    with pytest.raises(NothingToDo):
        choose("random", view_at(table.entries, 1, len(table.entries)), lambda _: 0)


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(KeyError):
        choose("cunning", auction_view(2), lambda _: 0)


@pytest.mark.parametrize("players", [2, 4])
def test_simple_beats_random_in_most_games(players: int) -> None:
    _beats(players, games=24)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_simple_beats_random_over_500_games(players: int) -> None:
    _beats(players, games=500)


def _beats(players: int, games: int) -> None:
    """One simple bot among random ones, in every seat in turn, wins well more than half of all games."""
    rng, won = random.Random(11), 0
    for number in range(games):
        seat = number % players
        strategies = ["simple" if each == seat else "random" for each in range(players)]
        ended = played(rng, players, 11, strategies).state.result
        assert ended is not None
        won += seat in ended.winners
    assert won > 0.6 * games, f"{won} of {games}"
