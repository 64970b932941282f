"""The audit says exactly what is wrong: of single values changed in sound games, and of facts out of place.

The texts of sound games are as listed, too. `python -m tests.replay.changed_values` and `tests.replay.texts` write the
lists in `tests/replay/lists` again.
"""

from itertools import product

import pytest

from tests.lists import listed
from tests.replay.changed_values import LISTS, awaited_facts, changed_values, facts_out_of_place, places_in
from tests.replay.sound_games import GAMES
from tests.replay.texts import LISTED, WHOLE

CHANGED, MISPLACED, AWAITED = (
    listed(LISTS / f"{name}.txt") for name in ("changed_values", "facts_out_of_place", "awaited_facts")
)


@pytest.mark.lengthy
@pytest.mark.parametrize("name", CHANGED)
def test_the_audit_says_what_is_wrong_with_a_changed_value(name: str) -> None:
    expected = CHANGED[name]
    assert list(changed_values(GAMES[name](), places_in(expected))) == expected


@pytest.mark.parametrize("name", MISPLACED)
def test_the_audit_says_what_is_wrong_with_a_fact_out_of_place(name: str) -> None:
    expected = MISPLACED[name]
    assert list(facts_out_of_place(GAMES[name](), places_in(expected))) == expected


@pytest.mark.lengthy
@pytest.mark.parametrize("name", GAMES)
def test_the_audit_awaits_these_facts_and_no_others(name: str) -> None:
    assert list(awaited_facts(GAMES[name]())) == AWAITED[name]


@pytest.mark.lengthy
@pytest.mark.parametrize(("name", "game"), [*product(LISTED, WHOLE)])
def test_the_texts_of_a_game_are_as_listed(name: str, game: str) -> None:
    assert list(LISTED[name](GAMES[game]())) == listed(LISTS / f"{name}.txt")[game]
