"""Commands are decided on the game in memory; whatever isn't stored then is judged on the newest state of the store."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest

from domain.commands import PassBid
from domain.store import CommandReused, Games
from domain.store.aggregate import RECENT_ENTRIES, Corrupt
from tests.conftest import Database
from tests.domain.store.storing import Rows, at, command_id, open_game, play

Both = tuple[Games, Games, str]


@pytest.fixture
def both(database: Database) -> Iterator[Both]:
    """Yield two stores that have seen the same game, and the game; seat 0 is to move at version 9."""
    with ExitStack() as stack:
        one, other = (stack.enter_context(at(database)) for _ in range(2))
        game = open_game(one)
        assert other.state(game).version == 9
        yield one, other, game


def pass_bid(games: Games, game: str, seat: int, if_match: int | None = None) -> int:
    """Let a seat pass, with a command id of its own, and return the version after it."""
    done = games.act(game, PassBid(seat), by=f"p{seat}", command_id=command_id(seat + 1), if_match=if_match)
    return done.state.version


def test_a_move_reads_nothing_before_it_is_stored(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    games, _, game = both
    for name in ("last_version", "raw_events"):
        monkeypatch.setattr(games.log, name, lambda *_: pytest.fail("the store was read"))
    assert [pass_bid(games, game, seat, if_match=9 + seat) for seat in range(3)] == [10, 11, 12]


def test_a_move_that_only_the_newest_state_allows_is_made(both: Both) -> None:
    games, other, game = both
    pass_bid(other, game, 0)
    assert pass_bid(games, game, 1, if_match=10) == 11


def test_a_key_that_another_process_used_for_another_request_is_refused(both: Both) -> None:
    games, other, game = both
    other.act(game, PassBid(0), by="p0", command_id=command_id(5, body=1))
    with pytest.raises(CommandReused):
        games.act(game, PassBid(1), by="p1", command_id=command_id(5, body=2))


def test_a_repeat_returns_what_another_process_did_under_the_same_id(both: Both) -> None:
    games, other, game = both
    first = games.act(game, PassBid(0), by="p0", command_id=command_id(1))
    then = other.act(game, PassBid(1), by="p1", command_id=command_id(1), follow_up=True)
    assert games.act(game, PassBid(0), by="p0", command_id=command_id(1)).entries == first.entries + then.entries


def test_a_move_after_events_that_were_cut_off_is_not_stored(both: Both, database: Database) -> None:
    games, _, game = both
    pass_bid(games, game, 0)
    Rows(database).drop(game, 10)
    with pytest.raises(Corrupt, match="event 10 of"):
        pass_bid(games, game, 1)
    assert [version for version, _, _ in Rows(database).of(game)] == list(range(1, 10))


def test_a_game_has_one_lock_while_it_is_held_and_names_of_no_game_fill_no_memory(tmp_path: Path) -> None:
    with Games(tmp_path, cache=3) as games:
        cache, used = games.log.cache, uuid4()
        with cache.lock_of(used):
            held = id(cache.lock_of(used))
            for _ in range(50):
                cache.lock_of(uuid4())
            assert id(cache.lock_of(used)) == held
        assert len(cache._locks) == 3


# Older entries, which are read from the checkpoint before them

EVERY = 8


@pytest.fixture
def checkpoints_at_every_few_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.store.aggregate.CHECKPOINT_ENTRIES", EVERY)


def check_entries(games: Games, game: str) -> None:
    """Check that the entries of ranges that begin at every distance from a checkpoint are those of the whole log."""
    whole = games.entries(game)
    assert len(whole) > RECENT_ENTRIES + 3 * EVERY
    for after in (*range(-1, len(whole), 3), len(whole)):  # 3 and the distance of checkpoints share no factor
        for upto in (None, after + 1, after + 5, len(whole) + 9):
            assert games.entries(game, after, upto) == whole[max(after, 0) : upto]


@pytest.mark.both_stores
@pytest.mark.lengthy
@pytest.mark.usefixtures("checkpoints_at_every_few_entries")
def test_entries_of_ranges_are_those_of_the_whole_log(database: Database) -> None:
    with at(database) as games, at(database) as others:
        game = open_game(games)
        play(games, game, 84)
        check_entries(games, game)
        check_entries(others, game)


@pytest.mark.usefixtures("checkpoints_at_every_few_entries")
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
