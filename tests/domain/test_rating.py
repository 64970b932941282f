"""The opening of a game says why it isn't rated, if the opening decides that."""

from typing import Any

import pytest

from domain.commands import OpenGame
from domain.decide import decide
from domain.events import GameOpened, Player, Rating, Watch
from domain.state import EMPTY_STATE
from tests.given import GAME

PEOPLE = (Player("p_1", "human"), Player("p_2", "human"))
ONE_PERSON = (PEOPLE[0], Player("bot:simple:1", "bot", "simple"))
PRIVATE = Watch(public=False)


def opened(players: tuple[Player, ...], **settings: Any) -> GameOpened:
    (fact,) = decide(EMPTY_STATE, OpenGame(GAME, 1, "pitch", {}, players, **settings))
    assert isinstance(fact, GameOpened)
    return fact


@pytest.mark.parametrize(
    ("players", "settings", "reason"),
    [
        pytest.param(ONE_PERSON, {"undo": "practice", "guests": True, "watch": PRIVATE}, "practice", id="practice"),
        pytest.param(ONE_PERSON, {"guests": True, "watch": PRIVATE}, "bots", id="bots"),
        pytest.param(PEOPLE, {"guests": True, "watch": PRIVATE}, "guest", id="a guest"),
        pytest.param(PEOPLE, {"watch": PRIVATE}, "private", id="a private table"),
    ],
)
def test_the_opening_says_the_first_reason_why_a_game_does_not_count(
    players: tuple[Player, ...], settings: dict[str, Any], reason: str
) -> None:
    assert opened(players, **settings).rated == Rating(counts=False, reason=reason)


def test_the_opening_says_nothing_if_it_decides_nothing() -> None:
    assert opened(PEOPLE).rated is None
