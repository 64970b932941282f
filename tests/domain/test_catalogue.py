"""The catalogue and its options."""

import pytest

from domain.rejections import NotOffered
from domain.rules.choices import Partners
from domain.rules.variants import PITCH, compose_rules, variant

USUAL = {"around": "left", "fifth": "earned", "settle": "bid_first"}


def test_S4_S5_the_goals_on_offer() -> None:
    for goal in (7, 11, 21):
        rules, options = compose_rules("pitch", {"win": goal})
        assert (rules.goal, options) == (goal, USUAL | {"win": goal})
    assert compose_rules("pitch", {}) == (PITCH, USUAL | {"win": 11})


def test_S4_another_goal_is_refused() -> None:
    for goal in (9, 0, -7, 11.0, "11", None, True, [7]):
        with pytest.raises(NotOffered, match="Choose from 7, 11, 21"):
            compose_rules("pitch", {"win": goal})


def test_R_S21_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(NotOffered, match="Its options are win, around, fifth, settle"):
        compose_rules("pitch", {"hook": True})


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(NotOffered, match="Choose from pitch"):
        variant("bridge")


def test_partners_across_sit_opposite_and_need_an_even_number_of_players() -> None:
    rules, _ = compose_rules("pitch", {})
    across = type(rules)(**(rules.__dict__ | {"partners": Partners.PAIRS, "jokers": True}))
    assert across.sides(4) == ((0, 2), (1, 3))
    assert across.sides(3) == ((0,), (1,), (2,))
    assert len(across.deck) == 54
