"""Games as they stood at a position of the log: what bulk exports read, on both stores."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from domain.commands import OpenGame, Resign
from domain.events import Player
from domain.store import Games, NoSuchGame
from tests.conftest import Database
from tests.domain.store.recording import events, open_recorder
from tests.logs.reading import all_games

PEOPLE = (Player("p0", "human"), Player("p1", "human"))
FIRST, SECOND = (f"00000000-0000-4000-8000-00000000000{number}" for number in (1, 2))


@pytest.fixture
def games(database: Database) -> Iterator[Games]:
    with Games(database.data, database.url) as opened_games:
        yield opened_games


def test_the_log_lists_openings_and_versions_up_to_a_position(database: Database) -> None:
    one, other, third = uuid4(), uuid4(), uuid4()
    with open_recorder(database.data, database.url) as log:
        log.insert_events(events(one, 1, 2))
        log.insert_events(events(other, 1, 1))
        log.insert_events([*events(one, 3, 3), *events(third, 1, 1)])
        assert log.openings(0, 99, 99) == [(1, one), (3, other), (5, third)]
        assert (log.openings(1, 4, 99), log.openings(0, 99, 1)) == ([(3, other)], [(1, one)])
        assert [log.version_at(one, at) for at in range(6)] == [None, 1, 2, 2, 3, 3]


def test_a_running_game_is_read_as_it_stood_at_a_position(games: Games) -> None:
    for number, game in enumerate((FIRST, SECOND), 1):
        games.open(OpenGame(game, number, "pitch", {}, PEOPLE), by="p0", command_id=f"{number}-1")
    then, before = games.log.last_numbers(), games.snapshot(FIRST)
    games.act(FIRST, Resign(0), by="p0", command_id="3-1")
    state, entries = games.read_at_position(FIRST, then)
    assert (state, len(entries)) == (before[0], before[0].version)
    assert games.read_at_position(FIRST, games.log.last_numbers())[0].result is not None
    assert sorted(all_games(games)) == [FIRST, SECOND]
    assert games.first_entry(SECOND).event.fact == "GameOpened"


def test_before_its_opening_a_game_does_not_exist(games: Games) -> None:
    games.open(OpenGame(FIRST, 1, "pitch", {}, PEOPLE), by="p0", command_id="1-1")
    last = games.log.last_numbers()
    for game, upto in ((FIRST, (0,) * len(last)), (SECOND, last), ("nothing", last)):
        with pytest.raises(NoSuchGame):
            games.read_at_position(game, upto)
