"""The log in PostgreSQL: its tables, its lock, and connections that die."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from eventsourcing.persistence import OperationalError, ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from domain.store.postgres import PostgresLogRecorder, columns_of
from tests.domain.store.recording import events, open_recorder, when_back


@pytest.fixture
def server(tmp_path: Path, fresh_postgres: str) -> Iterator[PostgresLogRecorder]:
    with open_recorder(tmp_path, fresh_postgres, POSTGRES_LOCK_TIMEOUT="1") as recorder:
        assert isinstance(recorder, PostgresLogRecorder)
        yield recorder


def test_postgres_tables_are_created_only_by_the_migration(tmp_path: Path, fresh_postgres: str) -> None:
    with (
        open_recorder(tmp_path, fresh_postgres, CREATE_TABLE="n") as early,
        pytest.raises(ProgrammingError, match="exist"),
    ):
        early.last_version(uuid4())
    with open_recorder(tmp_path, fresh_postgres, POSTGRES_SCHEMA="elsewhere") as migrating:
        migrating.insert_events(events(uuid4()))
    with open_recorder(tmp_path, fresh_postgres, POSTGRES_SCHEMA="elsewhere", CREATE_TABLE="n") as serving:
        assert serving.max_notification_id() == 1


def test_postgres_a_vacuum_keeps_no_writer_waiting(server: PostgresLogRecorder, fresh_postgres: str) -> None:
    with psycopg.connect(fresh_postgres) as other:
        other.execute(f"LOCK TABLE log.{server.events_table_name} IN SHARE UPDATE EXCLUSIVE MODE")  # that of VACUUM
        assert server.insert_events(events(uuid4())) == [1]
        assert server.insert_batches([events(uuid4())]) == [[2]]


def test_postgres_a_writer_waits_for_the_commit_of_another(server: PostgresLogRecorder, fresh_postgres: str) -> None:
    with psycopg.connect(fresh_postgres) as other:
        other.execute(server._append, columns_of(events(uuid4())))
        with pytest.raises(OperationalError, match="lock timeout"):
            server.insert_events(events(uuid4()))
        with pytest.raises(OperationalError, match="lock timeout"):
            server.insert_batches([events(uuid4())])
    assert when_back(lambda: server.insert_batches([events(uuid4())])) == [[2]]


def test_postgres_a_write_after_dead_connections_is_made_once(
    server: PostgresLogRecorder, postgres_url: str, fresh_postgres: str
) -> None:
    for count in (1, 2):
        game = uuid4()
        when_back(server.max_notification_id)
        with psycopg.connect(postgres_url, autocommit=True) as other:
            named = (conninfo_to_dict(fresh_postgres)["dbname"],)
            other.execute("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s", named)
        assert when_back(partial(server.insert_events, events(game))) == [count]  # the pool may need time to reconnect
        assert when_back(partial(server.last_version, game)) == 1


def test_postgres_every_part_of_the_url_takes_effect(tmp_path: Path, fresh_postgres: str) -> None:
    with open_recorder(tmp_path, f"{fresh_postgres}&application_name=seven") as recorder:
        assert isinstance(recorder, PostgresLogRecorder)
        with recorder.datastore.get_connection() as connection:
            assert connection.info.parameter_status("application_name") == "seven"
