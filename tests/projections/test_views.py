"""The cache of views, on both stores."""

from pathlib import Path

import pytest

from domain.commands import OpenGame, PlayCard
from domain.events import Player
from domain.store import Games
from domain.store.aggregate import Entry
from domain.struct import replace
from projections.moves.json_moves import parse_move
from projections.views.cache import ViewCache
from projections.views.seat import view_at
from tests.games.tables import entropy
from tests.given import GAME
from tests.projections.test_seat_view import as_bytes, mid_trick


def start(games: Games, game: str = GAME) -> None:
    players = tuple(Player(f"p{seat}", "human") for seat in range(3))
    games.open(OpenGame(game, 1, "pitch", {"win": 21}, players), by="p0", command_id=f"{game}-open")


def step(games: Games, views: ViewCache, seat: int, number: int, game: str = GAME) -> None:
    move = views.view(game, seat)["you"]["legal"][-1]
    games.act(game, parse_move(move, seat), by=f"p{seat}", command_id=f"{number}-move")


@pytest.mark.lengthy
def test_cached_views_equal_views_folded_from_the_first_event(games: Games) -> None:
    views = ViewCache(games)
    start(games)
    for number in range(30):
        seat = views.view(GAME, None)["turn"]["seats"][0]
        step(games, views, seat, number)
        log = games.entries(GAME)
        for viewer in (None, 0, 1, 2):
            assert as_bytes(views.view(GAME, viewer)) == as_bytes(view_at(log, viewer, len(log)))
    whole = games.entries(GAME)
    assert as_bytes(views.view(GAME, 1, at=20)) == as_bytes(view_at(whole, 1, 20))
    assert views.view(GAME, 1, at=len(whole)) == views.view(GAME, 1)
    with pytest.raises(ValueError, match="there are events"):
        views.view(GAME, 1, at=len(whole) + 1)


def test_the_cache_reads_only_the_events_that_it_was_not_given(games: Games) -> None:
    start(games)
    views, log = ViewCache(games), ViewCache(games)
    views.view(GAME, 0)
    for number in range(4):
        before = len(games.entries(GAME))
        step(games, log, games.state(GAME).turn[0], number)
        new = games.entries(GAME, before)
        if number != 1:
            views.feed(GAME, new)
        if number != 2:
            views.feed(GAME, games.entries(GAME))
        assert views.view(GAME, 0) == log.view(GAME, 0)
    views.feed("another game", ())


class Broken:
    """A log that returns the given entries."""

    def __init__(self, entries: list[Entry]) -> None:
        self.log = entries

    def entries(self, _game: str, /, after: int = 0, upto: int | None = None) -> list[Entry]:
        return self.log[after:upto]


def test_a_view_whose_fold_failed_is_folded_again() -> None:
    table = mid_trick()
    log = Broken(table.entries[:12])
    views = ViewCache(log)
    views.view(GAME, 0)
    amiss = table.entries[12]
    wrong = Entry(replace(amiss.event, data=PlayCard), amiss.raw, amiss.prev, amiss.leaf)
    log.log = [*table.entries[:12], wrong]
    with pytest.raises(KeyError):
        views.view(GAME, 0)
    log.log = table.entries
    assert views.view(GAME, 0) == view_at(table.entries, 0, len(table.entries))


def test_the_cache_keeps_a_limited_number_of_games(tmp_path: Path) -> None:
    names = [f"0f8fad5b-d9cb-469f-a165-7086772895{number:02}" for number in range(5)]
    with Games(tmp_path, entropy=entropy(1)) as games:
        views = ViewCache(games, size=2)
        for name in names:
            start(games, name)
            views.view(name, 1)
        assert views.cached_games() == names[-2:]
        assert [views.view(name, 1)["id"] for name in names] == names
