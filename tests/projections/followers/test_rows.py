"""Rows and position change together, on both databases; old rows are read until new ones are ready."""

import shutil
import sqlite3
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.events import Event
from domain.store import Games
from domain.store.held_clock import machine_time
from domain.store.log import LogPage, Positions
from domain.store.sql.breaker import Timeouts
from domain.store.sql.database import Schema, open_database
from domain.store.sql.sqlite import TableFileDamaged
from projections.followers import PROJECTIONS
from projections.lists.lobby import LOBBY
from projections.storage.repair import RowDatabase
from projections.storage.rows import RowStore, RowsUnavailable
from projections.storage.tables import Generation, Rows
from tests.conftest import Database
from tests.projections.playing_stored import Play, refolded, rows_of

ACCOUNTS = Schema("office", durable=True, lock_id=1)


def page(games: Games, after: Positions = (), limit: int = 20) -> LogPage:
    return games.log.read(after, limit)


def test_a_page_from_a_stale_position_is_not_folded(games: Games, rows: RowStore, play: Play) -> None:
    play.open()
    start, notices = rows.live_generation("lobby"), page(games)
    assert rows.fold("lobby", start, notices, games.history) == []
    before = rows_of(rows, LOBBY)
    assert rows.fold("lobby", start, notices, games.history) is None
    assert rows_of(rows, LOBBY) == before


def test_a_failed_fold_changes_neither_rows_nor_position(database: Database, games: Games, play: Play) -> None:
    play.open()

    def broken(rows: Rows, event: Event[Any]) -> None:
        LOBBY.fold(rows, event)
        if event.version == 5:
            raise OSError("broken off")

    rows = RowStore(database.data, database.url, [replace(LOBBY, fold=broken)])
    with pytest.raises(OSError, match="broken off"):
        rows.fold("lobby", rows.live_generation("lobby"), page(games), games.history)
    assert rows.live_generation("lobby").at == ()
    assert rows_of(rows, LOBBY) == {"games": [], "seats": []}
    rows.close()


def test_many_processes_can_create_the_tables_at_once(database: Database) -> None:
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda _: RowStore(database.data, database.url, PROJECTIONS).close(), range(5)))


def test_old_rows_are_read_until_new_ones_are_swapped_in(games: Games, rows: RowStore, play: Play) -> None:
    play.open()
    first, whole = page(games, limit=5), page(games)
    rows.fold("lobby", rows.live_generation("lobby"), first, games.history)
    old, made = rows.live_generation("lobby"), rows.begin_rebuild("lobby")
    assert rows.begin_rebuild("lobby") == made == rows.building_generation("lobby")
    with rows.snapshot("lobby") as reading:
        rows.fold("lobby", made, whole, games.history)
        rows.make_live("lobby", made)
        assert [game["version"] for game in reading.find("games", "")] == [5]
    assert rows.live_generation("lobby").number == made.number != old.number
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)
    assert rows.building_generation("lobby") is None
    rows.fold("lobby", old, page(games, first.end), games.history)
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)


def test_a_swap_made_by_another_process_is_not_repeated(games: Games, rows: RowStore, play: Play) -> None:
    play.open()
    made = rows.begin_rebuild("lobby")
    rows.make_live("lobby", made)
    rows.fold("lobby", rows.live_generation("lobby"), page(games), games.history)
    rows.make_live("lobby", made)
    assert rows.live_generation("lobby").number == made.number
    assert rows.begin_rebuild("lobby").number == made.number + 1


def test_a_rebuild_by_another_version_starts_again(
    database: Database, games: Games, rows: RowStore, play: Play
) -> None:
    play.open()
    begun = rows.begin_rebuild("lobby")
    newer = RowStore(database.data, database.url, [replace(LOBBY, version=2)])
    again = newer.begin_rebuild("lobby")
    assert (again.number, again.version, again.at) == (begun.number + 1, 2, ())
    assert rows.fold("lobby", begun, page(games), games.history) is None
    assert newer.fold("lobby", again, page(games), games.history) == []
    newer.close()


def test_a_missing_projection_differs_from_an_empty_one(database: Database) -> None:
    rows = RowStore(database.data, database.url, PROJECTIONS)
    other = RowStore(database.data, database.url, [replace(LOBBY, name="later")], migrate=False)
    with pytest.raises(RowsUnavailable, match="has no rows in this database"):
        other.live_generation("later")
    rows.close()
    other.close()


def test_a_failing_database_raises_its_own_error(database: Database) -> None:
    rows = RowStore(database.data, database.url, PROJECTIONS)
    with pytest.raises(RowsUnavailable), rows.snapshot("lobby") as reading:
        reading.find("games", "WHERE no_such_column = ?", 1)
    rows.close()
    with pytest.raises(RowsUnavailable):
        rows.live_generation("lobby")


def test_a_file_that_stays_locked_raises_its_own_error(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "views.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(RowsUnavailable, match="locked"):
        RowStore(tmp_path, None, PROJECTIONS, timeouts=Timeouts(lock_s=0))
    other.close()


@pytest.mark.lengthy
def test_a_file_locked_for_long_is_waited_for_once(tmp_path: Path) -> None:
    database = open_database(
        Schema("office", durable=True, lock_id=1), tmp_path, None, Timeouts(lock_s=1), machine_time
    )
    with closing(sqlite3.connect(tmp_path / "office.db", isolation_level=None)) as other:
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA locking_mode=EXCLUSIVE", "CREATE TABLE t (x TEXT)"):
            other.execute(statement)
        start = time.monotonic()
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            database.run("SELECT * FROM t")
        assert time.monotonic() - start < 100  # 250 attempts of 1 s would take 250 s
    assert database.run("SELECT * FROM t") == []
    database.close()


def test_nothing_is_stored_in_an_irreplaceable_file_that_was_removed_until_it_is_put_back(tmp_path: Path) -> None:
    path, moved = tmp_path / "office.db", tmp_path / "moved.db"
    with closing(open_database(ACCOUNTS, tmp_path, None, Timeouts(), machine_time)) as database:
        database.run("CREATE TABLE t (x TEXT)")
        path.rename(moved)
        for statement in ("INSERT INTO t VALUES ('lost')", "SELECT * FROM t"):
            with pytest.raises(TableFileDamaged, match=r"office\.db was removed or replaced while it was in use"):
                database.run(statement)
        assert not path.exists()
        moved.rename(path)
        database.run("INSERT INTO t VALUES ('kept')")
        assert database.run("SELECT * FROM t") == [("kept",)]


def test_commits_of_an_irreplaceable_file_are_kept_if_its_write_ahead_log_is_removed(tmp_path: Path) -> None:
    with closing(open_database(ACCOUNTS, tmp_path, None, Timeouts(), machine_time)) as database:
        database.run("CREATE TABLE t (x TEXT)")
        database.run("INSERT INTO t VALUES ('kept')")
        (tmp_path / "office.db-wal").unlink()
        with pytest.raises(TableFileDamaged, match=r"was removed while .* was in use, so nothing more is stored"):
            database.run("INSERT INTO t VALUES ('refused')")
    shutil.copyfile(tmp_path / "office.db", tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT * FROM t").fetchall() == [("kept",)]


def test_a_folder_that_was_moved_away_is_not_made_again(tmp_path: Path) -> None:
    data, moved = tmp_path / "data", tmp_path / "moved"
    with closing(RowStore(data, None, PROJECTIONS)) as rows:
        before = rows.live_generation("lobby")
        data.rename(moved)
        with ThreadPoolExecutor(4) as pool:
            for each in [pool.submit(rows.live_generation, "lobby") for _ in range(8)]:
                assert isinstance(each.exception() or each.result(), RowsUnavailable | Generation)
        assert not data.exists()
        moved.rename(data)
        assert rows.live_generation("lobby") == before


def test_a_commit_of_rows_does_not_wait_for_the_disk(database: Database, rows: RowStore) -> None:
    with rows._transaction(writes=True) as reading:
        if database.url is None:
            assert [reading.run(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous")] == ["wal", 1]
        else:
            assert reading.run("SHOW synchronous_commit") == [("off",)]


def test_the_file_of_rows_is_private(tmp_path: Path) -> None:
    RowStore(tmp_path, None, PROJECTIONS).close()
    assert stat.S_IMODE((tmp_path / "views.db").stat().st_mode) == 0o600


def test_a_game_with_a_row_that_no_database_stores_stops_alone(database: Database, games: Games, play: Play) -> None:
    bad, good = play.open(3), play.open(3)

    def overflowing(rows: Rows, event: Event[Any]) -> None:
        LOBBY.fold(rows, event)
        if (event.game, event.version) == (bad, 5):
            rows.put("games", (rows.get("games", bad) or {}) | {"board": 2**63})

    rows = RowStore(database.data, database.url, [replace(LOBBY, fold=overflowing)])
    rows.fold("lobby", rows.live_generation("lobby"), page(games, limit=100), games.history)
    (entry,) = rows.quarantined()
    assert (entry.fault.game, entry.fault.version) == (bad, 5)
    versions = {row["id"]: row["version"] for row in rows_of(rows, LOBBY)["games"]}
    assert versions == {bad: 4, good: games.state(good).version}
    rows.close()


def test_rows_need_a_folder_or_a_url() -> None:
    with pytest.raises(ValueError, match="a folder or a URL"):
        RowStore(None, None, PROJECTIONS)


def test_a_file_that_loses_its_write_ahead_log_in_its_first_transaction_is_built_again(tmp_path: Path) -> None:
    with closing(RowDatabase(tmp_path, None, Timeouts(), lambda _: None)) as database:
        with database.transaction(writes=True) as transaction:
            transaction.run("CREATE TABLE numbers (number BIGINT)")
            (tmp_path / "views.db-wal").unlink()
        for times in (1, 2):
            with database.transaction(writes=True) as transaction:
                transaction.run("CREATE TABLE IF NOT EXISTS numbers (number BIGINT)")
                transaction.run("INSERT INTO numbers VALUES (?)", times)
        with database.transaction(writes=False) as transaction:
            assert transaction.run("SELECT number FROM numbers ORDER BY 1") == [(1,), (2,)]
