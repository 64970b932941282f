"""The log in a SQLite file: its locks and errors of the file."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from eventsourcing.persistence import DatabaseError, OperationalError

from domain.store.recorder import recorder_env
from domain.store.sql import sqlite
from domain.store.sql.sqlite import DURABLE_PRAGMAS
from domain.store.sqlite import SqliteLogFactory, SqliteLogFile, SqliteLogRecorder
from tests.domain.store.recording import PATIENT, events, open_recorder, when_back


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SqliteLogRecorder]:
    with open_recorder(tmp_path) as recorder:
        assert isinstance(recorder, SqliteLogRecorder)
        yield recorder


def test_the_file_is_private_and_has_a_write_ahead_log(file: SqliteLogRecorder, tmp_path: Path) -> None:
    assert (tmp_path / "log.db").stat().st_mode & 0o777 == 0o600
    with closing(file.file.connect(*DURABLE_PRAGMAS)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_reading_a_missing_file_does_not_create_it(tmp_path: Path) -> None:
    file = SqliteLogFile(tmp_path / "log.db")
    recorder = SqliteLogRecorder(file)
    for asked in (recorder.max_notification_id, lambda: recorder.insert_events(events(uuid4()))):
        with pytest.raises(OperationalError, match="unable to open"):
            asked()
    assert not (tmp_path / "log.db").exists()


def test_the_file_is_created_only_by_the_migration(tmp_path: Path) -> None:
    with open_recorder(tmp_path, CREATE_TABLE="n") as early, pytest.raises(OperationalError, match="unable to open"):
        early.last_version(uuid4())
    with open_recorder(tmp_path) as migrating:
        migrating.insert_events(events(uuid4()))
        assert isinstance(migrating, SqliteLogRecorder)
        migrating.close()
        assert migrating.max_notification_id() == 1, "it opens again when used"
    with open_recorder(tmp_path, CREATE_TABLE="n") as serving:
        assert serving.max_notification_id() == 1


def test_an_unused_factory_can_be_closed(tmp_path: Path) -> None:
    SqliteLogFactory(recorder_env(tmp_path, None)).close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.lengthy
def test_a_writer_waits_for_the_lock_and_then_fails(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    patience, hurry = open_recorder(tmp_path, **PATIENT), closing(SqliteLogRecorder(SqliteLogFile(path, 0.1)))
    with patience as patient, hurry as hasty, ThreadPoolExecutor(1) as pool:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            waiting = pool.submit(patient.insert_events, events(uuid4()))
            with pytest.raises(OperationalError, match="database is locked"):
                hasty.insert_events(events(uuid4()))
            assert hasty.max_notification_id() is None
            other.execute("COMMIT")
            assert waiting.result() == [1]
        assert when_back(lambda: hasty.insert_events(events(uuid4()))) == [2]


@pytest.mark.parametrize("configured_s", [1, 7])
def test_a_writer_waits_for_the_lock_exactly_as_long_as_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, configured_s: int
) -> None:
    """Time passes only while the writer pauses between two tries."""
    with open_recorder(tmp_path, SQLITE_LOCK_TIMEOUT=str(configured_s)) as recorder:
        recorder.insert_events(events(uuid4()))
        clock = [0.0]
        monkeypatch.setattr(sqlite, "RETRY_S", 0.125)
        monkeypatch.setattr(sqlite, "monotonic", lambda: clock[0])
        monkeypatch.setattr(sqlite, "sleep", lambda pause_s: clock.append(clock.pop() + pause_s))
        with closing(sqlite3.connect(tmp_path / "log.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(OperationalError, match="database is locked"):
                recorder.insert_events(events(uuid4()))
        assert clock == [configured_s + 0.125]


def test_threads_of_one_process_wait_for_each_other_equally_long(tmp_path: Path) -> None:
    hasty = SqliteLogRecorder(SqliteLogFile(tmp_path / "log.db", 0.1))
    with open_recorder(tmp_path), closing(hasty) as recorder, ThreadPoolExecutor(1) as pool:
        with recorder.file.transaction(), pytest.raises(OperationalError, match="database is locked"):
            pool.submit(recorder.insert_events, events(uuid4())).result()
        assert recorder.insert_events(events(uuid4())) == [1]


def test_ids_survive_a_vacuum(file: SqliteLogRecorder, tmp_path: Path) -> None:
    file.insert_events(events(uuid4(), 1, 3))
    with closing(sqlite3.connect(tmp_path / "log.db", isolation_level=None)) as other:
        other.execute("DELETE FROM stored_events WHERE notification_id = 1")
        other.execute("VACUUM")
    assert [n.id for n in file.select_notifications(None, 9)] == [2, 3]


def test_a_damaged_file_is_an_error_of_the_store(file: SqliteLogRecorder, tmp_path: Path) -> None:
    file.close()
    (tmp_path / "log.db").write_bytes(b"no database " * 1000)
    with pytest.raises(DatabaseError, match=r"log\.db is damaged .* restore your last backup"):
        file.max_notification_id()
