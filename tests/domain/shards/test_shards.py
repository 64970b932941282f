"""The log in shards: their number is fixed at the first start, and everything over several shards is complete."""

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import OperationalError

from domain.store import Games, postgres
from domain.store.group_commit import GroupCommit, PendingCommit
from domain.store.log import Positions, numbers_of, shard_of
from domain.store.postgres import PROBE_PATIENCE, PostgresLogRecorder
from domain.store.shards.layout import OtherShards
from domain.store.shards.opening import shard_settings
from domain.store.shards.postgres_tables import HURRY_MS
from tests.conftest import Database
from tests.domain.store.recording import events, when_back
from tests.domain.store.storing import at, id_in, open_game, play
from tests.logs.reading import all_games, all_notices
from tests.logs.tables import log_tables

pytestmark = pytest.mark.no_tables


def with_shards(database: Database, shards: int | None) -> Games:
    return at(database, settings=shard_settings(shards))


def test_a_new_log_has_one_shard_in_a_file_and_eight_in_a_database(database: Database) -> None:
    with at(database) as games:
        assert games.log.shards == (8 if database.url else 1)


def test_the_number_of_shards_is_fixed_at_the_first_start(database: Database) -> None:
    with with_shards(database, 5) as games:
        game = open_game(games)
    for wanted in (None, 5):
        with with_shards(database, wanted) as games:
            assert (games.log.shards, games.state(game).version) == (5, 9)
    for wanted in (1, 8):
        with pytest.raises(OtherShards) as refused:
            with_shards(database, wanted)
        assert refused.value.found == 5


def test_a_log_has_1_to_64_shards() -> None:
    for shards in (0, -1, 65):
        with pytest.raises(ValueError, match="1 to 64"):
            shard_settings(shards)


def test_of_servers_that_start_at_once_one_decides(database: Database) -> None:
    gate = Barrier(4)

    def start(wanted: int) -> int:
        gate.wait()
        try:
            with with_shards(database, wanted) as games:
                return games.log.shards
        except OtherShards as error:
            return -error.found

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(start, (2, 3, 4, 6)))
    (won,) = {abs(each) for each in found}
    assert sorted(found) == [-won, -won, -won, won]


def test_a_log_of_an_earlier_version_has_one_shard(database: Database) -> None:
    with with_shards(database, 1) as games:
        game = open_game(games)
    if database.url is None:
        with closing(sqlite3.connect(database.data / "log.db")) as file, file:
            file.execute("DROP TABLE shards")
    else:
        with psycopg.connect(database.url) as server:
            server.execute("DROP TABLE log.shards")
    with pytest.raises(OtherShards):
        with_shards(database, 8)
    for migrate in (False, True):
        with at(database, migrate=migrate) as games:
            assert (games.log.shards, games.state(game).version) == (1, 9)


@pytest.mark.both_stores
@pytest.mark.lengthy
def test_each_game_is_in_the_shard_that_its_id_names(database: Database) -> None:
    with with_shards(database, 64) as games:
        opened = [str(id_in(shard, 64)) for shard in (0, 1, 63)]
        for game in opened:
            commit = play(games, open_game(games, game), 3)[-1]
            assert commit.position.shard == shard_of(UUID(game), 64)
            assert games.log.head(game) == commit.position
        assert all_games(games) == opened
        assert [number for number in games.log.last_numbers() if number] == [12, 12, 12]


def test_a_transaction_over_several_shards_leaves_out_what_conflicts(database: Database) -> None:
    with with_shards(database, 4) as games:
        game = [id_in(shard, 4) for shard in (2, 0, 2, 3, 1)]
        assert games.log.insert_batches([events(game[0], 1, 3), events(game[1], 1, 1)]) == [[1, 2, 3], [1]]
        batches = [events(game[3], 1, 2), events(game[0], 3, 4), events(game[1], 2, 2), events(game[2], 1, 1)]
        assert games.log.insert_batches([*batches, events(game[4], 2, 2)]) == [[1, 2], None, [2], [4], None]
        assert [games.log.last_version(each) for each in game] == [3, 2, 1, 2, None]
        assert games.log.insert_batches([]) == []


def test_a_page_holds_the_next_rows_of_every_shard(database: Database) -> None:
    with with_shards(database, 4) as games:
        for seed in range(8):
            play(games, open_game(games), 5, Random(seed))
        seen = list[tuple[int, int]]()
        at_once: Positions = ()
        while (page := games.log.read(at_once, 12)).rows:
            assert len(page.rows) <= 12
            seen += [(row.shard, row.position) for row in page.rows]
            at_once = page.end
        everything = [(notice.shard, notice.position) for notice in all_notices(games)]
        assert sorted(seen) == sorted(everything)
        assert len(seen) == len(set(seen)) == sum(games.log.last_numbers())
        assert at_once == games.log.heads()
        assert games.log.has_positions(at_once)
        assert not games.log.has_positions(at_once[:-1])
        upto = tuple(number // 2 for number in numbers_of(at_once))
        assert numbers_of(games.log.read((), 1000, upto).end) == upto


def test_an_unknown_game_is_in_no_shard(database: Database) -> None:
    with with_shards(database, 4) as games:
        assert games.log.last_version(uuid4()) is None
        assert games.log.head("nothing") == games.log.heads()[0]


@pytest.mark.lengthy
def test_a_locked_shard_soon_delays_the_others_less(fresh_postgres: str, tmp_path: Path) -> None:
    locked, free = id_in(0, 2), id_in(1, 2)
    settings = shard_settings(2) | {"POSTGRES_LOCK_TIMEOUT": "1"}
    with closing(Games(tmp_path, fresh_postgres, settings=settings)) as games:
        found = [games.log.recorder(shard) for shard in range(2)]
        recorders = [each for each in found if isinstance(each, PostgresLogRecorder)]
        group, several = GroupCommit(games.log), [events(locked), events(free)]
        with psycopg.connect(fresh_postgres) as other:
            other.execute("LOCK TABLE log.games00of02_events IN EXCLUSIVE MODE")
            commits = [PendingCommit(group, each) for each in several]
            group.store(commits)
            with pytest.raises(OperationalError):
                commits[0].result()
            assert commits[1].result() == [1]
            assert [each.patience() for each in recorders] == [PROBE_PATIENCE, None]
        assert when_back(lambda: group.insert(events(locked))) == [1]
        assert [each.patience() for each in recorders] == [None, None]


@pytest.mark.lengthy
def test_if_all_shards_are_locked_each_one_is_tried_in_a_hurry(fresh_postgres: str, tmp_path: Path) -> None:
    games = [id_in(shard, 4) for shard in range(4)]
    settings = shard_settings(4) | {"POSTGRES_LOCK_TIMEOUT": "1"}
    with closing(Games(tmp_path, fresh_postgres, settings=settings)) as store:
        group, waits = GroupCommit(store.log), list[object]()
        with psycopg.connect(fresh_postgres) as other, pytest.MonkeyPatch.context() as patch:
            other.execute(f"LOCK TABLE {', '.join(log_tables(fresh_postgres))} IN EXCLUSIVE MODE".encode())
            patch.setattr(postgres, "fetch_rows", record_patience(waits, postgres.fetch_rows))
            commits = [PendingCommit(group, events(game)) for game in games]
            group.store(commits)
        assert [type(commit.error) for commit in commits] == [OperationalError] * 4
        assert waits == [f"{HURRY_MS // 4}ms"] * 4
        assert [when_back(partial(group.insert, events(game))) for game in games] == [[1]] * 4


def record_patience(waits: list[object], fetch: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """Return `fetch`, which notes the last parameter of each statement that appends to one shard."""

    def fetch_and_note(datastore: object, statement: bytes, parameters: Sequence[Any]) -> list[Any]:
        waits.append(parameters[-1])
        return fetch(datastore, statement, parameters)

    return fetch_and_note
