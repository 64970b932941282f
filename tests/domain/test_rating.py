"""The opening of a game says why it isn't rated, if the opening decides that."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from api.services.tables.rating import rating_of
from domain.commands import OpenGame
from domain.decide import decide
from domain.events import GameOpened, Player, Rating, Watch
from domain.rejections import NotOffered
from domain.state import EMPTY_STATE
from tests.given import GAME

PEOPLE = (Player("p_1", "human"), Player("p_2", "human"))
WITH_BOT = (*PEOPLE, Player("bot:simple:2", "bot", "simple"))


ONE_PERSON = (PEOPLE[0], Player("bot:simple:1", "bot", "simple"))
PRIVATE = Watch(public=False)


def opened(players: Sequence[Player], rated: Rating | None, watch: Watch = PRIVATE) -> GameOpened:
    undo = "practice" if rated is not None and rated.reason == "practice" else "consent"
    command = replace(OpenGame(GAME, 1, "pitch", {}, tuple(players)), rated=rated, watch=watch, undo=undo)
    (fact,) = decide(EMPTY_STATE, command)
    assert isinstance(fact, GameOpened)
    return fact


def test_the_opening_records_why_a_game_does_not_count() -> None:
    for reason in ("bots", "guest", "private", "practice"):
        rated = Rating(counts=False, reason=reason)
        assert opened(ONE_PERSON, rated).rated == rated
    assert opened(PEOPLE, None).rated is None


def test_another_rating_is_refused() -> None:
    for counts, reason in ((True, "guest"), (False, "friendly"), (False, "bots")):
        with pytest.raises(NotOffered):
            opened(PEOPLE, Rating(counts=counts, reason=reason))
    with pytest.raises(NotOffered):  # everybody may watch
        opened(PEOPLE, Rating(counts=False, reason="private"), Watch())
    practice = Rating(counts=False, reason="practice")
    with pytest.raises(NotOffered):  # with consent
        decide(EMPTY_STATE, replace(OpenGame(GAME, 1, "pitch", {}, ONE_PERSON), rated=practice))


def test_bots_guests_and_a_private_table_are_reasons() -> None:
    assert rating_of(PEOPLE) is None
    assert rating_of(PEOPLE, {"p_2"}) == Rating(counts=False, reason="guest")
    assert rating_of(WITH_BOT, {"p_2"}) == Rating(counts=False, reason="bots")
    assert rating_of(PEOPLE, is_private=True) == Rating(counts=False, reason="private")
    assert rating_of(WITH_BOT, {"p_2"}, undo="practice") == Rating(counts=False, reason="practice")
