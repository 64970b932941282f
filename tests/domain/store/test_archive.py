"""The archive: events of finished games leave the log's table, and every read still finds them."""

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain.commands import OpenDispute, Resign
from domain.rejections import GameOver
from domain.store import Games
from domain.store.archive.move import ArchiveDiffers, archive_games
from domain.store.archive.table import ArchiveTable, GameVersions
from domain.store.positions import numbers_of, shard_of
from domain.store.results import LogPage
from tests.conftest import Database
from tests.domain.store.storing import SEALED, Rows, at, command_id, id_in, new_id, open_game, opening, play
from tests.games.disputes import NOTE
from tests.logs.reading import all_games, all_notices

LATER = "9999-12-31T00:00:00.000000Z"


@pytest.fixture
def games(database: Database) -> Iterator[Games]:
    with closing(at(database)) as opened:
        yield opened


def finish(games: Games, game: str) -> None:
    """End a game: all players but the last resign."""
    for seat in range(3):
        if games.state(game).result is None:
            games.act(game, Resign(seat), by=f"p{seat}", command_id=command_id(90 + seat))


def archive_for(games: Games, game: str) -> ArchiveTable:
    return games.log.rows[shard_of(UUID(game), games.log.shards)].archive


def id_beside(games: Games, game: str) -> str:
    """Return a new id in the shard of a game."""
    return str(id_in(shard_of(UUID(game), games.log.shards), games.log.shards))


def three_games(games: Games) -> tuple[str, str, str]:
    """Play three games of one shard whose events alternate. The first two are over, and the third goes on."""
    first = open_game(games)
    second, third = (open_game(games, id_beside(games, first)) for _ in range(2))
    for move in range(6):
        for game in (first, second, third):
            play(games, game, 1, Random(move))
    finish(games, first)
    finish(games, second)
    return first, second, third


def everything(games: Games, game: str) -> tuple[object, ...]:
    """Return what each kind of read says about a game and the whole log."""
    heads, shard = numbers_of(games.log.heads()), shard_of(UUID(game), games.log.shards)
    numbers = range(1, heads[shard] + 1)
    positions = [games.log.position_at(shard, number) for number in numbers]
    as_of = [(*heads[:shard], number, *heads[shard + 1 :]) for number in numbers[-30:]]
    return (
        games.snapshot(game),
        games.entries(game),
        games.entries(game, 3, 9),
        games.first_entry(game),
        list(games.history(game, heads)),
        [games.read_at_position(game, upto)[0] for upto in as_of],
        all_notices(games),
        [page.rows for page in pages(games, 7)],
        games.log.changes((0,) * games.log.shards, len(all_notices(games))),
        all_games(games),
        heads,
        positions,
        [games.log.has_position(position) for position in positions if position is not None],
    )


def pages(games: Games, limit: int) -> Iterator[LogPage]:
    page = games.log.read((), limit)
    while page.rows:
        yield page
        page = games.log.read(page.end, limit)


def versions(database: Database, game: str) -> list[int]:
    """Return the versions of a game that are in the log's table."""
    return [version for version, _, _ in Rows(database).of(game)]


@pytest.mark.lengthy
def test_every_read_says_the_same_after_a_move_to_the_archive(games: Games, database: Database) -> None:
    first, second, third = three_games(games)
    size, before = games.state(first).version, [everything(games, game) for game in (first, second, third)]
    moved = archive_games(games, LATER)
    assert (moved.games, moved.staying, moved.unreadable) == (2, 1, [])
    assert moved.events == size + games.state(second).version - 2
    assert (versions(database, first), versions(database, third)[0]) == ([size], 1)
    with closing(at(database)) as fresh:
        for reader in (games, fresh):
            assert [everything(reader, game) for game in (first, second, third)] == before


def test_the_progress_of_a_move_is_the_place_in_the_log(games: Games) -> None:
    first, second, third = three_games(games)
    told = list[int]()
    assert archive_games(games, games.state(first).at).games == 0, "there are events since then"
    assert archive_games(games, LATER, told.append).games == 2
    assert told == sorted(told)
    assert len(told) == len((first, second, third)) + games.log.shards
    assert told[-1] == sum(games.log.last_numbers())


def test_encrypted_rows_move_as_they_are(database: Database) -> None:
    with closing(at(database, settings=SEALED)) as games:
        first, *_ = three_games(games)
        before, last = games.entries(first), Rows(database).of(first)[-1]
        assert archive_games(games, LATER).games == 2
        assert Rows(database).of(first) == [last]
    with closing(at(database, settings=SEALED)) as fresh:
        assert fresh.entries(first) == before


def test_an_interrupted_move_changes_no_read_and_is_completed_by_the_next(games: Games, database: Database) -> None:
    first, *_ = three_games(games)
    size, before = games.state(first).version, everything(games, first)
    archive = archive_for(games, first)
    moves: GameVersions = [(UUID(first), size)]
    archive.create()
    archive.copy(moves)
    with closing(at(database)) as fresh:
        assert everything(fresh, first) == before
    assert archive_games(games, LATER).games == 2
    assert archive_games(games, LATER).games == 0
    with closing(at(database)) as fresh:
        assert everything(fresh, first) == before


def test_an_archived_game_takes_further_events(games: Games, database: Database) -> None:
    first, *_ = three_games(games)
    size = games.state(first).version
    archive_games(games, LATER)
    with closing(at(database)) as fresh:
        dispute = OpenDispute(0, 1, size, "score", NOTE)
        commit = fresh.act(first, dispute, by="p0", command_id=command_id(77))
        assert commit.entries[0].event.version == size + 1
        assert [entry.event.version for entry in fresh.entries(first)] == [*range(1, size + 2)]
        assert versions(database, first) == [size, size + 1]
        assert fresh.log.head(first) == commit.position


def test_a_repeated_command_gets_its_first_answer(games: Games, database: Database) -> None:
    game = new_id()
    opened = games.open(opening(game), by="p0", command_id=command_id(5))
    play(games, game, 3)
    finish(games, game)
    archive_games(games, LATER)
    with closing(at(database)) as fresh:
        again = fresh.open(opening(game), by="p0", command_id=command_id(5))
        assert (again.entries, again.root, again.repeated) == (opened.entries, opened.root, True)


def test_a_process_that_knows_an_old_version_stores_nothing_below_the_last(games: Games, database: Database) -> None:
    game = open_game(games)
    with closing(at(database)) as stale:
        play(stale, game, 3)
        seat = stale.state(game).turn[0]
        play(games, game, 2)
        finish(games, game)
        size = games.state(game).version
        archive_games(games, LATER)
        with pytest.raises(GameOver):
            stale.act(game, Resign(seat), by=f"p{seat}", command_id=command_id(9))
        assert stale.state(game).version == size
        assert versions(database, game) == [size]


def test_nothing_is_deleted_if_the_archive_holds_other_bytes(games: Games, database: Database) -> None:
    first, *_ = three_games(games)
    size, rows = games.state(first).version, Rows(database)
    archive = archive_for(games, first)
    archive.create()
    _, topic, state = rows.of(first)[2]
    rows.put(first, 3, topic, state[:-1] + b" ")
    archive.copy([(UUID(first), 4)])
    rows.put(first, 3, topic, state)
    with pytest.raises(ArchiveDiffers, match=first):
        archive_games(games, LATER)
    assert versions(database, first) == [*range(1, size + 1)]


@pytest.mark.lengthy
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_move_in_the_middle_of_a_read_changes_nothing(games: Games, database: Database, when: str) -> None:
    first, *_ = three_games(games)
    before = games.entries(first), all_notices(games)
    with closing(at(database)) as reader:
        shard = shard_of(UUID(first), reader.log.shards)
        log = reader.log.recorder(shard)

        def moving(find: Callable[..., list[Any]], *arguments: Any) -> list[Any]:
            """Read the log's table as games leave it."""
            if when == "before":
                archive_games(games, LATER)
            rows = find(*arguments)
            archive_games(games, LATER)
            return rows

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(log, "raw_events", partial(moving, log.raw_events))
            patch.setattr(reader.log._tables, "log_rows", partial(moving, reader.log._tables.log_rows))
            assert (reader.entries(first), all_notices(reader)) == before
    assert len(versions(database, first)) == 1


def test_a_game_that_cannot_be_read_stays(games: Games, database: Database) -> None:
    first, second, _ = three_games(games)
    _, topic, state = Rows(database).of(first)[4]
    Rows(database).put(first, 5, topic, state[:-1] + b" ")
    with closing(at(database)) as fresh:
        moved = archive_games(fresh, LATER)
    assert (moved.games, moved.unreadable) == (1, [first])
    assert len(versions(database, second)) == 1
