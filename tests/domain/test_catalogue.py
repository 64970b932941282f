"""The catalogue and its options."""

from typing import Any

import pytest

from domain.rejections import NotOffered
from domain.rules.choices import Partners
from domain.rules.variants import PITCH, compose_rules, variant
from tests.given import game_opened

USUAL = {"around": "left", "fifth": "earned", "settle": "bid_first"}


@pytest.mark.parametrize("goal", [7, 11, 21])
def test_S4_the_goals_on_offer(goal: int) -> None:
    rules, options = compose_rules("pitch", {"win": goal})
    assert (rules.goal, options) == (goal, USUAL | {"win": goal})


def test_S5_without_win_the_goal_is_11() -> None:
    rules, options = compose_rules("pitch", {})
    assert (rules, options) == (PITCH, USUAL | {"win": 11})


@pytest.mark.parametrize("goal", [9, 0, -7, 11.0, "11", None, True, [7]])
def test_S4_another_goal_is_refused(goal: Any) -> None:
    with pytest.raises(NotOffered, match="Choose from 7, 11, 21"):
        compose_rules("pitch", {"win": goal})


def test_R_S21_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(NotOffered, match="Its options are win, around, fifth, settle"):
        compose_rules("pitch", {"hook": True})


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(NotOffered, match="Choose from pitch"):
        variant("bridge")


def test_S20_every_hand_has_six_cards() -> None:
    assert [PITCH.hand_size(hand) for hand in (1, 2, 99)] == [6, 6, 6]


def test_R_S19_each_player_plays_alone_at_any_number_of_players() -> None:
    assert game_opened(4).sides == ((0,), (1,), (2,), (3,))


def test_partners_across_sit_opposite_and_need_an_even_number_of_players() -> None:
    rules, _ = compose_rules("pitch", {})
    across = type(rules)(**(rules.__dict__ | {"partners": Partners.PAIRS, "jokers": True}))
    assert across.sides(4) == ((0, 2), (1, 3))
    assert across.sides(3) == ((0,), (1,), (2,))
    assert len(across.deck) == 54
