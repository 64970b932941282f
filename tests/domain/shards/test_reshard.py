"""Copying a log into another number of shards: nothing is lost, whenever it's interrupted, and old servers stop."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import psycopg
import pytest

from domain.store import Games, StoreUnavailable
from domain.store.shards import reshard as resharding
from domain.store.shards.layout import OtherShards, postgres_tables
from domain.store.shards.log_compression import compress_log
from domain.store.shards.opening import open_copy, shard_settings
from domain.store.shards.reshard import CannotReshard, Contents, CopyPlace, reshard
from domain.store.sql.breaker import DEFAULT_TIMEOUTS
from tests.conftest import Database
from tests.domain.store.plain_store import fill_plainly, plain_versions, states
from tests.domain.store.storing import at, logs, open_game, play
from tests.logs.reading import all_notices

pytestmark = pytest.mark.no_tables
ROOT = Path(__file__).parents[3]
NEW = 3
"""A number of shards that neither store has at first."""


class Interrupted(Exception):
    """The program is stopped."""


@pytest.fixture(autouse=True)
def _short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resharding, "PAGE", 20)
    monkeypatch.setattr(resharding, "READ_AT_ONCE", 7)


@contextmanager
def place_of(games: Games, database: Database, shards: int) -> Iterator[CopyPlace]:
    with open_copy(games.log, database.data, database.url, shards, DEFAULT_TIMEOUTS) as place:
        yield place


def change(games: Games, database: Database, shards: int = NEW, copying: Callable[[int], object] = id) -> Contents:
    with place_of(games, database, shards) as place:
        return reshard(games.log, place, copying, id)  # type: ignore[arg-type]


def some_games(games: Games) -> list[str]:
    opened = [open_game(games) for _ in range(6)]
    for seed, game in enumerate(opened * 2):
        play(games, game, 4, Random(seed))
    return opened


@pytest.mark.lengthy
def test_progress_counts_the_events_that_are_copied_and_twice_those_that_are_compared(database: Database) -> None:
    copied, compared = list[int](), list[int]()
    with at(database) as games:
        some_games(games)
        with place_of(games, database, NEW) as place:
            events = reshard(games.log, place, copied.append, compared.append).events
    assert copied == [*range(resharding.PAGE, events, resharding.PAGE), events]
    assert compared == list(range(resharding.PAGE, 2 * events + 1, resharding.PAGE))


@pytest.mark.both_stores
@pytest.mark.lengthy
@pytest.mark.parametrize("shards", [1, NEW])
def test_the_copy_holds_every_game_and_play_goes_on(database: Database, shards: int) -> None:
    with at(database, settings=shard_settings(2)) as games:
        opened, before = some_games(games), logs(games)
        told: list[int] = []
        contents = change(games, database, shards, told.append)
        assert (contents.games, contents.events) == (len(opened), sum(map(len, before.values())))
        assert told[-1] == contents.events
        with pytest.raises(StoreUnavailable):
            play(games, opened[0], 1)
    with at(database) as games:
        assert games.log.shards == shards
        assert logs(games) == before
        for shard, last in enumerate(games.log.last_numbers()):
            positions = [notice.position for notice in all_notices(games) if notice.shard == shard]
            assert positions == list(range(1, last + 1))
        play(games, opened[0], 3, Random(99))
    with pytest.raises(OtherShards):
        at(database, settings=shard_settings(2))


@pytest.mark.lengthy
def test_one_shard_holds_the_games_of_many_in_the_order_of_time(database: Database) -> None:
    with at(database, settings=shard_settings(8)) as games:
        some_games(games)
        change(games, database, 1)
    with at(database) as games:
        times = [notice.event.at for notice in all_notices(games)]
        assert times == sorted(times)


@pytest.mark.lengthy
def test_plain_and_compressed_states_are_copied_as_they_are(database: Database) -> None:
    opened = fill_plainly(database)
    with at(database) as games:
        compress_log(games.log)
        play(games, opened[0], 1)
        before = logs(games), [states(database, game) for game in opened]
        assert plain_versions(database, opened[0]) == [len(states(database, opened[0]))]
        change(games, database)
    with at(database) as games:
        assert (logs(games), [states(database, game) for game in opened]) == before


def interrupt(copied: int) -> None:
    """Stop a copy after its second page."""
    if copied >= 2 * resharding.PAGE:
        raise Interrupted


def test_an_interrupted_copy_changes_nothing_and_goes_on_later(database: Database) -> None:
    with at(database) as games:
        opened, shards = some_games(games), games.log.shards
        with pytest.raises(Interrupted):
            change(games, database, copying=interrupt)
    with at(database) as games:
        assert games.log.shards == shards
        play(games, opened[1], 5, Random(5))
        before, told = logs(games), list[int]()
        change(games, database, copying=told.append)
        assert told[0] > 2 * resharding.PAGE
    with at(database) as games:
        assert (games.log.shards, logs(games)) == (NEW, before)


DIE = """
import os, signal, sys
from pathlib import Path
from domain.store import Games
from domain.store.sql.breaker import DEFAULT_TIMEOUTS
from domain.store.shards import reshard as resharding
from domain.store.shards.opening import open_copy
data, url = Path(sys.argv[1]), sys.argv[2] or None
resharding.PAGE = 20

def die(_):
    os.kill(os.getpid(), signal.SIGKILL)

with Games(data, url) as games, open_copy(games.log, data, url, 3, DEFAULT_TIMEOUTS) as place:
    resharding.reshard(games.log, place, id, die)
"""


@pytest.mark.process
def test_a_copy_whose_process_is_killed_changes_nothing_and_goes_on_later(database: Database) -> None:
    with at(database) as games:
        some_games(games)
        shards, before = games.log.shards, logs(games)
    command = [sys.executable, "-c", DIE, str(database.data), database.url or ""]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    with at(database) as games:
        assert (games.log.shards, logs(games)) == (shards, before)
        change(games, database)
    with at(database) as games:
        assert (games.log.shards, logs(games)) == (NEW, before)


@pytest.mark.lengthy
def test_an_interrupted_copy_can_be_given_up(database: Database) -> None:
    with at(database) as games:
        some_games(games)
        before = logs(games)
        with pytest.raises(Interrupted):
            change(games, database, copying=interrupt)
        with place_of(games, database, games.log.shards) as place:
            for _ in range(2):
                place.abandon()
        assert logs(games) == before
        with place_of(games, database, NEW) as place:
            assert place.begin() == [0] * games.log.shards


def execute(database: Database, table: str, statement: str) -> None:
    if database.url is None:
        with closing(sqlite3.connect(database.data / "log.db")) as file, file:
            file.execute(statement.format(table=table))
    else:
        with psycopg.connect(database.url) as server:
            server.execute(statement.format(table=f"log.{table}").encode())


CHANGES = {
    "a row is missing": "DELETE FROM {table} WHERE notification_id = (SELECT MIN(notification_id) FROM {table})",
    "a version differs": "UPDATE {table} SET originator_version = 99 WHERE originator_version = 1",
    "a table is empty": "DELETE FROM {table}",
}


@pytest.mark.lengthy
@pytest.mark.parametrize("statement", CHANGES.values(), ids=CHANGES)
def test_a_copy_that_differs_never_takes_the_place(database: Database, statement: str) -> None:
    with at(database) as games:
        some_games(games)
        shards, before = games.log.shards, logs(games)
        with pytest.raises(Interrupted):
            change(games, database, copying=interrupt)
        for table in postgres_tables(NEW):
            execute(database, table, statement)
        with pytest.raises(CannotReshard, match="differs"):
            change(games, database)
        assert logs(games) == before
    with at(database) as games:
        assert (games.log.shards, logs(games)) == (shards, before)
        change(games, database)
    with at(database) as games:
        assert (games.log.shards, logs(games)) == (NEW, before)


def test_a_row_of_no_game_is_named_and_stops_the_copy(tmp_path: Path) -> None:
    """PostgreSQL accepts only ids of games there."""
    database = Database(None, tmp_path)
    with at(database) as games:
        some_games(games)
        execute(database, "stored_events", "UPDATE {table} SET originator_id = 'cards' WHERE notification_id = 30")
        with pytest.raises(CannotReshard, match="position 30 of shard 0 names no game"):
            change(games, database)
    with at(database) as games:
        assert games.log.shards == 1
