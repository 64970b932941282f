"""The store tests run on a real, durable server that starts and stops cleanly."""

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.conftest import Database
from tests.postgres import Cluster, Server, as_url


def test_a_fresh_database_is_empty_and_separate(postgres_server: Server) -> None:
    with postgres_server.fresh() as first, postgres_server.fresh() as second:
        with psycopg.connect(first) as connection:
            connection.execute("CREATE TABLE cards (card text)")
        with psycopg.connect(second) as connection:
            assert connection.execute("SELECT to_regclass('cards')").fetchone() == (None,)


def test_a_fresh_database_is_dropped_even_with_an_open_connection(postgres_server: Server) -> None:
    with postgres_server.fresh() as url:
        left_open = psycopg.connect(url)
    name = conninfo_to_dict(url)["dbname"]
    with psycopg.connect(postgres_server.dsn) as connection:
        assert connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None
    left_open.close()


def test_acknowledged_data_is_on_the_disk(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute("SELECT current_setting(%s)", (setting,)).fetchone() == ("on",)


def test_a_committed_row_survives_a_kill_of_the_server(postgres_cluster: Cluster) -> None:
    with psycopg.connect(postgres_cluster.server.dsn) as connection:
        connection.execute("CREATE TABLE cards AS SELECT 'AD' AS card")
    postgres_cluster.kill()
    postgres_cluster.start()
    with psycopg.connect(postgres_cluster.server.dsn) as connection:
        assert connection.execute("SELECT card FROM cards").fetchone() == ("AD",)


def test_the_database_fixture_offers_each_store(database: Database) -> None:
    assert database.data.is_dir()
    if database.url is not None:
        with psycopg.connect(database.url) as connection:
            assert connection.info.server_version >= 140000


@pytest.mark.parametrize(
    "dsn",
    ["postgresql://ann:secret@db.example:5433/first?sslmode=require", "host=/run/pg port=5433 user=ann dbname=first"],
    ids=["a URL", "keywords"],
)
def test_a_configured_server_url_keeps_everything_except_the_database(dsn: str) -> None:
    renamed = Server(as_url(dsn)).url("t_1")
    assert renamed.startswith("postgresql://")
    assert conninfo_to_dict(renamed) == conninfo_to_dict(dsn) | {"dbname": "t_1"}
