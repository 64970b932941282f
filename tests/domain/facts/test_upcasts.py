"""Facts and rules written by older versions keep their meaning."""

import pytest

from domain.events.declaring import Data
from domain.events.upcasts import NoUpcast, upcast
from domain.rules.model import RULES_VERSION


def _named(data: Data) -> Data:
    return {"seat": data["chair"]}


def _with_goal(rules: Data) -> Data:
    return rules | {"goal": 11}


def test_a_fact_of_the_current_version_is_read_unchanged() -> None:
    assert upcast("CardPlayed", 1, {"seat": 2}, 1) == {"seat": 2}


def test_an_older_fact_passes_each_upcast() -> None:
    steps = {("BidMade", 1): _named, ("BidMade", 2): lambda data: data | {"bid": 0}}
    assert upcast("BidMade", 1, {"chair": 3}, 3, facts=steps) == {"seat": 3, "bid": 0}


def test_older_rules_inside_a_fact_get_the_old_behaviour_as_explicit_values() -> None:
    read = upcast("GameOpened", 1, {"rules": {"rules_v": 1}}, 1, rules={1: _with_goal}, rules_to=2)
    assert read == {"rules": {"rules_v": 2, "goal": 11}}


def test_an_unreadable_version_is_refused() -> None:
    for v, rules_v, what in (
        (0, 1, "GameOpened version 0 can't be read"),
        (2, 1, "GameOpened version 2 is newer"),
        (1, 0, "rules version 0 can't be read"),
        (1, RULES_VERSION + 1, f"rules version {RULES_VERSION + 1} is newer"),
    ):
        with pytest.raises(NoUpcast, match=what):
            upcast("GameOpened", v, {"rules": {"rules_v": rules_v}}, 1)
