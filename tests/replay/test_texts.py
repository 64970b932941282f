"""The texts of sound games are as listed in `tests/replay/lists`; `python -m tests.replay.texts` writes them."""

from itertools import product

import pytest

from tests.lists import listed
from tests.replay.sound_games import GAMES
from tests.replay.texts import LISTED, LISTS, WHOLE


@pytest.mark.parametrize(("name", "game"), [*product(LISTED, WHOLE)])
def test_the_texts_of_a_game_are_as_listed(name: str, game: str) -> None:
    assert list(LISTED[name](GAMES[game]())) == listed(LISTS / f"{name}.txt")[game]
