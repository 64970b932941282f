"""The server the store tests run on is a real one, durable, and clean to start and stop."""

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.conftest import Database
from tests.postgres import Cluster, Server, as_url


def test_a_fresh_database_is_empty_and_its_own(postgres_server: Server) -> None:
    with postgres_server.fresh() as first, postgres_server.fresh() as second:
        with psycopg.connect(first) as connection:
            connection.execute("CREATE TABLE cards (card text)")
        with psycopg.connect(second) as connection:
            assert connection.execute("SELECT to_regclass('cards')").fetchone() == (None,)


def test_a_fresh_database_is_gone_afterwards_even_with_a_connection_open(postgres_server: Server) -> None:
    with postgres_server.fresh() as url:
        left_open = psycopg.connect(url)
    name = conninfo_to_dict(url)["dbname"]
    with psycopg.connect(postgres_server.dsn) as connection:
        assert connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None
    left_open.close()


def test_what_is_acknowledged_is_on_the_disk(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute("SELECT current_setting(%s)", (setting,)).fetchone() == ("on",)


def test_a_committed_row_is_there_after_the_server_was_killed(postgres_cluster: Cluster) -> None:
    with psycopg.connect(postgres_cluster.server.dsn) as connection:
        connection.execute("CREATE TABLE cards AS SELECT 'AD' AS card")
    postgres_cluster.kill()
    postgres_cluster.start()
    with psycopg.connect(postgres_cluster.server.dsn) as connection:
        assert connection.execute("SELECT card FROM cards").fetchone() == ("AD",)


def test_each_store_is_offered_in_turn(database: Database) -> None:
    assert database.data.is_dir()
    if database.url is not None:
        with psycopg.connect(database.url) as connection:
            assert connection.info.server_version >= 140000


@pytest.mark.parametrize(
    "dsn",
    ["postgresql://ann:secret@db.example:5433/first?sslmode=require", "host=/run/pg port=5433 user=ann dbname=first"],
    ids=["a URL", "keywords"],
)
def test_a_server_named_by_hand_keeps_all_but_the_database(dsn: str) -> None:
    renamed = Server(as_url(dsn)).url("t_1")
    assert renamed.startswith("postgresql://")
    assert conninfo_to_dict(renamed) == conninfo_to_dict(dsn) | {"dbname": "t_1"}
