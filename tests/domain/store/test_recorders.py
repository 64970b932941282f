"""The recorders of the log on both stores: behavior beyond the library's own suites, and how they are configured."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from eventsourcing.application import Application
from eventsourcing.cipher import AESCipher
from eventsourcing.persistence import DataError
from eventsourcing.postgres import PostgresFactory
from eventsourcing.sqlite import SQLiteFactory

from domain.store.postgres import PostgresLogRecorder
from domain.store.recorder import LogRecorder, recorder_env
from domain.store.sqlite import SqliteLogRecorder
from tests.conftest import Database
from tests.domain.store.recording import PATIENT, Games, events, open_recorder


@pytest.fixture
def log(database: Database) -> Iterator[LogRecorder]:
    with open_recorder(database.data, database.url) as recorder:
        yield recorder


def test_several_processes_can_create_the_tables_at_once(database: Database) -> None:
    def start(_: int) -> int | None:
        with open_recorder(database.data, database.url, **PATIENT) as recorder:
            return recorder.max_notification_id()

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(start, range(6))) == [None] * 6


def test_last_version_is_the_version_of_the_last_event_or_none(log: LogRecorder) -> None:
    game, other = uuid4(), uuid4()
    assert log.last_version(game) is None
    log.insert_events([*events(game, 1, 3), *events(other)])
    assert (log.last_version(game), log.last_version(other)) == (3, 1)


def test_raw_events_are_the_stored_rows_between_two_versions(log: LogRecorder) -> None:
    game = uuid4()
    log.insert_events([*events(game, 1, 5), *events(uuid4(), 1, 5)])
    rows = [(e.originator_version, e.topic, e.state) for e in log.select_events(game)]
    assert log.raw_events(game) == rows
    assert log.raw_events(game, 2) == rows[2:]
    assert log.raw_events(game, 2, 4) == rows[2:4]
    assert log.raw_events(game, 5) == log.raw_events(uuid4()) == []


def test_a_number_beyond_64_bits_is_a_data_error(log: LogRecorder) -> None:
    with pytest.raises(DataError):
        log.insert_events(events(uuid4(), 1 << 63, 1 << 63))
    assert log.max_notification_id() is None


STRAY = {
    "PERSISTENCE_MODULE": "eventsourcing.popo",
    "INFRASTRUCTURE_FACTORY": "eventsourcing.popo",
    "APPLICATION_RECORDER_TOPIC": "eventsourcing.popo:POPOApplicationRecorder",
    "TRANSCODER_TOPIC": "nowhere:Transcoder",
    "MAPPER_TOPIC": "nowhere:Mapper",
    "CIPHER_TOPIC": "eventsourcing.cipher:AESCipher",
    "CIPHER_KEY": AESCipher.create_key(16),
    "COMPRESSOR_TOPIC": "zlib",
    "IS_SNAPSHOTTING_ENABLED": "y",
    "AGGREGATE_CACHE_MAXSIZE": "100",
    "CREATE_TABLE": "n",
    "SQLITE_DBNAME": "/nowhere/else.db",
    "SQLITE_LOCK_TIMEOUT": "soon",
    "POSTGRES_DBNAME": "elsewhere",
    "POSTGRES_HOST": "nowhere.invalid",
    "POSTGRES_SCHEMA": "elsewhere",
    "POSTGRES_PRE_PING": "perhaps",
    "POSTGRES_ENABLE_DB_FUNCTIONS": "y",
    "ORIGINATOR_ID_TYPE": "text",
}


@pytest.mark.parametrize("prefix", ["", "GAMES_"])
def test_stray_environment_variables_have_no_effect(
    database: Database, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in STRAY.items():
        monkeypatch.setenv(prefix + key, value)
    with closing(Games(env=recorder_env(database.data, database.url))) as games:
        assert isinstance(games.recorder, PostgresLogRecorder if database.url else SqliteLogRecorder)
        assert (games.mapper.cipher, games.mapper.compressor, games.snapshots) == (None, None, None)
        assert games.recorder.insert_events(events(uuid4())) == [1]
        assert (database.data / "log.db").exists() == (database.url is None)


def test_every_setting_of_the_library_is_given_in_both_spellings(tmp_path: Path) -> None:
    classes = {*SQLiteFactory.__mro__, *PostgresFactory.__mro__, Application}
    constants = [constant for each in classes for constant in vars(each).items() if constant[0].isupper()]
    read = {value for _, value in constants if isinstance(value, str)}
    env = recorder_env(tmp_path, None, name="Games")
    assert len(read) > 30
    assert {*read, "CIPHER_KEY"} <= env.keys()
    assert {f"GAMES_{key}" for key in read} <= env.keys()
