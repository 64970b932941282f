"""A log that isn't the one that was written: its events, its files, and what can be saved of them."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from time import monotonic
from uuid import uuid4

import pytest
from eventsourcing.persistence import DatabaseError

from domain.store import Games, LogDamaged, StoreUnavailable
from domain.store.log import LogPosition
from domain.store.postgres import PostgresLogFactory
from domain.store.shards.opening import shard_settings
from domain.store.shards.postgres_tables import PostgresTables
from domain.store.sql import sqlite
from domain.store.sql.sqlite import READER_PRAGMAS, lacks_wal
from domain.store.sqlite import SqliteLogFile, SqliteLogRecorder
from tests.conftest import Database
from tests.domain.store.recording import events, open_recorder
from tests.domain.store.storing import Rows, at, open_game, play


@pytest.fixture
def games(database: Database) -> Iterator[Games]:
    with closing(at(database)) as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SqliteLogRecorder]:
    """A log in a file with one event."""
    with open_recorder(tmp_path) as recorder:
        assert isinstance(recorder, SqliteLogRecorder)
        recorder.insert_events(events(uuid4()))
        yield recorder


def test_a_log_has_the_positions_of_its_commits(games: Games) -> None:
    first = open_game(games)
    play(games, first, 3)
    positions = [*games.recent]
    assert games.log.missing(positions) == []
    assert games.log.missing(()) == []
    last = games.log.head(first)
    others = [
        LogPosition(last.shard, last.number, "00000000"),
        LogPosition(last.shard, last.number + 1, last.leaf),
        LogPosition(99, 1, last.leaf),
    ]
    assert games.log.missing([*others, last]) == others


def test_a_row_that_is_gone_or_another_one_is_missing_and_one_that_cannot_be_read_is_not(
    games: Games, database: Database
) -> None:
    game = open_game(games)
    play(games, game, 3)
    before = [*games.recent]
    (version, topic, state), (last, *_) = Rows(database).of(game)[-2:]
    Rows(database).put(game, last, "CardPlayed/1", bytes(50))
    assert games.log.missing(before) == []
    Rows(database).drop(game, last)
    assert games.log.missing(before) == before[-1:]
    Rows(database).put(game, version, topic, state.replace(b'"at":"2', b'"at":"1'))
    assert games.log.missing(before) == before[-2:]


def test_a_commit_that_changes_nothing_shows_whether_the_log_can_be_written(games: Games) -> None:
    numbers = games.log.last_numbers()
    games.log.try_to_write()
    assert games.log.last_numbers() == numbers
    assert games.write_error is None


def test_a_full_disk_is_the_error_of_the_last_transaction_until_one_is_stored(tmp_path: Path) -> None:
    with closing(at(Database(None, tmp_path), settings=shard_settings(2))) as games:
        game = open_game(games)
        play(games, game, 20, Random(1))
        recorder = games.log.recorder(0)
        assert isinstance(recorder, SqliteLogRecorder)
        with recorder.file.transaction() as connection:
            (most,) = connection.execute("PRAGMA max_page_count").fetchone()
            connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(StoreUnavailable):
            play(games, game, 60, Random(2))
        assert "full" in str(games.write_error)
        with recorder.file.transaction() as connection:
            connection.execute(f"PRAGMA max_page_count = {most}")
        games.log.try_to_write()
        play(games, game, 1, Random(3))
        assert games.write_error is None


REMOVED = "log.db-wal or log.db-shm was removed"


@pytest.mark.parametrize("gone", [("-wal",), ("-shm",), ("-wal", "-shm")])
def test_nothing_is_stored_without_the_write_ahead_log_and_nothing_of_it_is_lost(
    file: SqliteLogRecorder, tmp_path: Path, gone: tuple[str, ...]
) -> None:
    game = uuid4()
    file.insert_events(events(game))
    for suffix in gone:
        (tmp_path / f"log.db{suffix}").unlink()
    for _ in range(2):
        with pytest.raises(DatabaseError, match=REMOVED):
            file.insert_events(events(game, 2, 2))
    with pytest.raises(DatabaseError, match=REMOVED):
        file.file.examine()
    with pytest.raises(DatabaseError, match=REMOVED):
        file.file.connect()
    # every event is in the file itself, as after a kill of every process, and nothing says that it's incomplete
    shutil.copyfile(tmp_path / "log.db", tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT COUNT(*) FROM stored_events").fetchone() == (2,)
    assert not lacks_wal(tmp_path / "log.db")


def test_events_are_saved_although_somebody_reads_for_long(
    file: SqliteLogRecorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "SAVING_TRIES", 2)
    with closing(file.file.connect(*READER_PRAGMAS)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM stored_events").fetchall()
        file.insert_events(events(uuid4()))
        (tmp_path / "log.db-wal").unlink()
        with pytest.raises(DatabaseError, match=REMOVED):
            file.insert_events(events(uuid4()))
    with pytest.raises(DatabaseError, match=REMOVED):
        file.insert_events(events(uuid4()))
    shutil.copyfile(tmp_path / "log.db", tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT COUNT(*) FROM stored_events").fetchone() == (2,)


def test_a_process_that_only_reads_does_not_wait_for_long_to_save_what_was_removed(
    file: SqliteLogRecorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "SAVING_TRIES", 2)
    with closing(SqliteLogFile(tmp_path / "log.db", lock_timeout=10)) as other:
        other.examine()
        with closing(file.file.connect(*READER_PRAGMAS)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM stored_events").fetchall()
            file.insert_events(events(uuid4()))
            (tmp_path / "log.db-wal").unlink()
            began = monotonic()
            with pytest.raises(DatabaseError, match=REMOVED):
                other.examine()
            assert monotonic() - began < 10, "SQLite's own waits come on top"


def test_a_log_whose_write_ahead_log_was_removed_after_a_kill_is_not_opened(tmp_path: Path) -> None:
    with open_recorder(tmp_path) as recorder:
        recorder.insert_events(events(uuid4()))
        for name in ("log.db", "log.db-shm"):  # as a kill leaves them, if somebody removes the third
            (tmp_path / "killed").mkdir(exist_ok=True)
            shutil.copyfile(tmp_path / name, tmp_path / "killed" / name)
    with (
        pytest.raises(DatabaseError, match=r"log\.db-wal is missing, and it held what was stored last"),
        open_recorder(tmp_path / "killed"),
    ):
        raise AssertionError("it's opened")


@pytest.mark.parametrize(
    "remove",
    [
        lambda path: path.unlink(),
        lambda path: (path.with_name("other.db").write_bytes(b""), path.with_name("other.db").replace(path)),
    ],
    ids=["removed", "replaced"],
)
def test_nothing_is_stored_in_a_file_that_is_removed_until_it_is_put_back(
    file: SqliteLogRecorder, tmp_path: Path, remove: Callable[[Path], object]
) -> None:
    (tmp_path / "hidden").hardlink_to(tmp_path / "log.db")
    remove(tmp_path / "log.db")
    with pytest.raises(DatabaseError, match=r"log\.db was removed or replaced"):
        file.file.examine()
    with pytest.raises(DatabaseError, match=r"log\.db was removed or replaced .* nothing more is stored in it"):
        file.insert_events(events(uuid4()))
    with pytest.raises((DatabaseError, sqlite3.OperationalError), match=r"removed or replaced|unable to open"):
        file.file.connect()
    (tmp_path / "hidden").replace(tmp_path / "log.db")
    file.file.examine()
    assert file.insert_events(events(uuid4())) == [2]


PAGE = 4096


def zeros(path: Path) -> None:
    path.write_bytes(b"\0" * path.stat().st_size)


def cut(path: Path) -> None:
    os.truncate(path, 2 * PAGE)


def empty_index(path: Path) -> None:
    """Let the page of the index be one without an entry, as an older one may be."""
    with closing(sqlite3.connect(path)) as file:
        select = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_stored_events_1'"
        (root,) = file.execute(select).fetchone()
    content = bytearray(path.read_bytes())
    at = (root - 1) * PAGE
    content[at] = 10  # a leaf of an index
    content[at + 3 : at + 5] = bytes(2)
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (zeros, r"log\.db is damaged \(file is not a database\)"),
        (cut, r"log\.db is damaged \(database disk image is malformed\)"),
        (empty_index, r"log\.db is damaged \(its index and its rows differ\)"),
    ],
)
def test_a_file_that_is_overwritten_or_cut_while_it_is_in_use_is_noticed(
    tmp_path: Path, damage: Callable[[Path], None], says: str
) -> None:
    with closing(at(Database(None, tmp_path))) as games:
        play(games, open_game(games), 60)
        positions = [*games.recent]
        assert games.log.missing(positions) == []
        with closing(sqlite3.connect(tmp_path / "log.db")) as file:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = (tmp_path / "log.db").read_bytes()
        damage(tmp_path / "log.db")
        with pytest.raises(LogDamaged, match=says):
            games.log.missing(positions)
        (tmp_path / "log.db").write_bytes(before)
        assert games.log.missing(positions) == []


@pytest.mark.parametrize(
    "change",
    ["originator_id = CAST(x'FF' AS TEXT)", "originator_id = x'00'", "originator_version = 'none'"],
    ids=["not-text", "bytes", "no-version"],
)
def test_a_row_that_names_no_game_or_version_is_no_damage_of_the_file(tmp_path: Path, change: str) -> None:
    with closing(at(Database(None, tmp_path))) as games:
        play(games, open_game(games), 3)
        last = games.recent[-1]
        with closing(sqlite3.connect(tmp_path / "log.db")) as file:
            file.execute(f"UPDATE stored_events SET {change} WHERE notification_id = ?", (last.number,))
            file.commit()
        assert games.log.missing([last]) == []


def test_a_write_ahead_log_that_is_cut_while_it_is_in_use_is_noticed(tmp_path: Path) -> None:
    with closing(at(Database(None, tmp_path))) as games:
        play(games, open_game(games), 60)
        os.truncate(tmp_path / "log.db-wal", 0)
        with pytest.raises(LogDamaged, match=r"log\.db is damaged \(disk I/O error\)"):
            games.log.missing([*games.recent])


def test_each_server_of_a_log_can_be_tried(fresh_postgres: str, tmp_path: Path) -> None:
    with closing(at(Database(fresh_postgres, tmp_path))) as games:
        assert isinstance(games.log.factory, PostgresLogFactory)
        tables = PostgresTables(games.log.factory.datastore, games.log.shards)
        tables.try_to_write()
        tables.examine()
        assert tables.last_ids() == [0] * games.log.shards
