"""Rows and position change together, on both databases; old rows are read until new ones are ready."""

import sqlite3
import stat
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.events import Event
from domain.store import Games
from projections.followers import PROJECTIONS
from projections.lists.lobby import LOBBY
from projections.lists.scoreboard import SCOREBOARD
from projections.storage.database import Schema, open_database
from projections.storage.rows import RowStore, RowsUnavailable
from projections.storage.tables import Rows
from tests.conftest import Database
from tests.projections.playing_stored import Play, refolded, rows_of
from tests.tables import entropy


def page(games: Games, after: int = 0, limit: int = 20) -> list[Any]:
    return games.notifications(after, limit)


def test_a_page_is_folded_with_its_position(games: Games, rows: RowStore, play: Play) -> None:
    play.open()
    notices = page(games)
    assert rows.live_generation("lobby").position == 0
    assert rows.fold("lobby", rows.live_generation("lobby"), notices)
    assert rows.live_generation("lobby").position == notices[-1].position
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)


def test_a_page_from_a_stale_position_is_not_folded(games: Games, rows: RowStore, play: Play) -> None:
    play.open()
    start, notices = rows.live_generation("lobby"), page(games)
    assert rows.fold("lobby", start, notices)
    before = rows_of(rows, LOBBY)
    assert not rows.fold("lobby", start, notices)
    assert rows_of(rows, LOBBY) == before


def test_a_failed_fold_changes_neither_rows_nor_position(database: Database, games: Games, play: Play) -> None:
    play.open()

    def broken(rows: Rows, event: Event[Any]) -> None:
        LOBBY.fold(rows, event)
        if event.version == 5:
            raise RuntimeError("broken off")

    rows = RowStore(database.data, database.url, [replace(LOBBY, fold=broken)])
    with pytest.raises(RuntimeError, match="broken off"):
        rows.fold("lobby", rows.live_generation("lobby"), page(games))
    assert rows.live_generation("lobby").position == 0
    assert rows_of(rows, LOBBY) == {"games": [], "seats": []}
    rows.close()


def test_only_one_of_many_followers_folds_a_page(games: Games, rows: RowStore, play: Play) -> None:
    play.open()
    start, notices, folded = rows.live_generation("scoreboard"), page(games), []
    gate = threading.Barrier(6)

    def follow() -> None:
        gate.wait()
        folded.append(rows.fold("scoreboard", start, notices))

    threads = [threading.Thread(target=follow) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(folded) == [False] * 5 + [True]
    assert rows_of(rows, SCOREBOARD) == refolded(games, SCOREBOARD)


def test_many_processes_can_create_the_tables_at_once(database: Database) -> None:
    failed: list[BaseException] = []

    def create() -> None:
        try:
            RowStore(database.data, database.url, PROJECTIONS).close()
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=create) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_old_rows_are_read_until_new_ones_are_swapped_in(games: Games, rows: RowStore, play: Play) -> None:
    play.open()
    notices = page(games)
    rows.fold("lobby", rows.live_generation("lobby"), notices[:5])
    old, made = rows.live_generation("lobby"), rows.begin_rebuild("lobby")
    assert rows.begin_rebuild("lobby") == made == rows.building_generation("lobby")
    with rows.snapshot("lobby") as reading:
        rows.fold("lobby", made, notices)
        rows.make_live("lobby", made)
        assert [game["version"] for game in reading.find("games", "")] == [5]
    assert rows.live_generation("lobby").number == made.number != old.number
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)
    assert rows.building_generation("lobby") is None
    rows.fold("lobby", old, notices[5:])
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)


def test_a_swap_made_by_another_process_is_not_repeated(games: Games, rows: RowStore, play: Play) -> None:
    play.open()
    made = rows.begin_rebuild("lobby")
    rows.make_live("lobby", made)
    rows.fold("lobby", rows.live_generation("lobby"), page(games))
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
    assert (again.number, again.version, again.position) == (begun.number + 1, 2, 0)
    assert not rows.fold("lobby", begun, page(games))
    assert newer.fold("lobby", again, page(games))
    newer.close()


def test_a_missing_projection_differs_from_an_empty_one(database: Database) -> None:
    rows = RowStore(database.data, database.url, PROJECTIONS)
    other = RowStore(database.data, database.url, [replace(LOBBY, name="later")], migrate=False)
    with pytest.raises(LookupError, match="has no rows in this database"):
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


def test_a_file_that_stays_locked_raises_its_own_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.storage.database.LOCK_TIMEOUT_S", 0.05)
    monkeypatch.setattr("projections.storage.database.WAL_ATTEMPTS", 3)
    other = sqlite3.connect(tmp_path / "views.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(RowsUnavailable, match="locked"):
        RowStore(tmp_path, None, PROJECTIONS)
    other.close()


def test_a_file_locked_for_long_is_waited_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.storage.database.LOCK_TIMEOUT_S", 0.2)
    database = open_database(Schema("office", durable=True, lock_id=1), tmp_path, None)
    with closing(sqlite3.connect(tmp_path / "office.db", isolation_level=None)) as other:
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA locking_mode=EXCLUSIVE", "CREATE TABLE t (x TEXT)"):
            other.execute(statement)
        start = time.monotonic()
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            database.run("SELECT * FROM t")
        assert time.monotonic() - start < 10  # 250 attempts of 0.2 s would take 50 s
    assert database.run("SELECT * FROM t") == []
    database.close()


def test_the_file_of_rows_is_private_and_not_flushed_at_each_commit(tmp_path: Path) -> None:
    rows = RowStore(tmp_path, None, PROJECTIONS)
    assert [rows._database.run(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous")] == ["wal", 1]
    assert stat.S_IMODE((tmp_path / "views.db").stat().st_mode) == 0o600
    rows.close()


def test_rows_need_a_folder_or_a_url() -> None:
    with pytest.raises(ValueError, match="a folder or a URL"):
        RowStore(None, None, PROJECTIONS)


def test_the_file_of_rows_can_be_deleted(tmp_path: Path) -> None:
    with Games(tmp_path, entropy=entropy(1)) as games:
        Play(games).open()
        rows = RowStore(tmp_path, None, PROJECTIONS)
        rows.fold("lobby", rows.live_generation("lobby"), page(games))
        rows.close()
        for file in tmp_path.glob("views.db*"):
            file.unlink()
        anew = RowStore(tmp_path, None, PROJECTIONS)
        assert anew.live_generation("lobby").position == 0
        anew.close()
