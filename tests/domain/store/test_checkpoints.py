"""Older entries of a cached game, which are read from the checkpoint before them, not from event 1."""

import pytest

from domain.store import Games
from domain.store.aggregate import RECENT_ENTRIES, Corrupt
from tests.conftest import Database
from tests.domain.store.storing import Rows, at, open_game, play

EVERY = 8


@pytest.fixture(autouse=True)
def checkpoints_at_every_few_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.store.aggregate.CHECKPOINT_ENTRIES", EVERY)


def check_entries(games: Games, game: str) -> None:
    """Check that the entries of every range are those of the whole log."""
    whole = games.entries(game)
    assert len(whole) > RECENT_ENTRIES + 3 * EVERY
    for after in range(-1, len(whole) + 1):
        for upto in (None, after + 1, after + 5, len(whole) + 9):
            assert games.entries(game, after, upto) == whole[max(after, 0) : upto]


@pytest.mark.lengthy
def test_entries_of_every_range_are_those_of_the_whole_log(database: Database) -> None:
    with at(database) as games, at(database) as others:
        game = open_game(games)
        play(games, game, 84)
        check_entries(games, game)
        check_entries(others, game)


def test_a_changed_row_is_found_from_the_checkpoint_before_it(database: Database) -> None:
    with at(database) as games:
        game = open_game(games)
        play(games, game, 84)
        games.entries(game)
        rows = Rows(database).of(game)
        (number, topic, state), other = rows[4 * EVERY], rows[4 * EVERY + 1][2]
        Rows(database).put(game, number, topic, state[:-1] + b" ")
        with pytest.raises(Corrupt, match=f"event {number} of"):
            games.entries(game, number - 1, number + 1)
        Rows(database).put(game, number, topic, other[:32] + state[32:])
        with pytest.raises(Corrupt, match=f"event {number} of .* its link"):
            games.entries(game, number - 1, number + 1)
        Rows(database).drop(game, number)
        with pytest.raises(Corrupt, match=f"event {number} is missing"):
            games.entries(game, number - 1, number + 1)
        with pytest.raises(Corrupt, match=f"event {number} of .* is missing"):
            games.entries(game, number - 1, number)
