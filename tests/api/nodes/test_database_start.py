"""What the program says about a database that it can't use, or that may lose moves; and how it keeps moves safe."""

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from api.accounts.accounts import open_accounts
from api.config import Config
from api.services.container import open_games, open_services
from tests.api.conftest import config_for
from tests.api.server_process import run_program
from tests.conftest import Database
from tests.postgres import Cluster, called

SERVE = ("serve", "--port", "0")


def check_sentence(ended: "subprocess.CompletedProcess[str]", *words: str) -> None:
    """Check for exit code 2 and one line with these words."""
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert [word for word in words if word not in ended.stderr] == [], ended.stderr


@pytest.mark.parametrize("command", [SERVE, ("user", "list")])
def test_a_missing_database_is_one_sentence(postgres_url: str, tmp_path: Path, command: tuple[str, ...]) -> None:
    url = postgres_url.replace("/postgres?", "/nowhere?")
    check_sentence(run_program(*command, url=url, DATA=str(tmp_path)), 'database "nowhere" does not exist')


def test_a_wrong_password_is_one_sentence_without_it(postgres_cluster: Cluster, tmp_path: Path) -> None:
    with psycopg.connect(postgres_cluster.server.dsn, autocommit=True) as connection:
        connection.execute("CREATE ROLE guest LOGIN PASSWORD 'right'")
    (postgres_cluster.data / "pg_hba.conf").write_text("local all all scram-sha-256\n")
    reload(postgres_cluster)
    url = postgres_cluster.server.dsn.replace("trickbook@", "guest:s3cret@")
    ended = run_program(*SERVE, url=url, DATA=str(tmp_path))
    check_sentence(ended, "password authentication failed")
    assert "s3cret" not in ended.stdout + ended.stderr


def reload(cluster: Cluster) -> None:
    """Let PostgreSQL read its configuration again."""
    first = int((cluster.data / "postmaster.pid").read_text(encoding="ascii").split()[0])
    os.kill(first, signal.SIGHUP)


def test_a_postgres_that_may_lose_commits_is_refused(postgres_cluster: Cluster, tmp_path: Path) -> None:
    with psycopg.connect(postgres_cluster.server.dsn, autocommit=True) as connection:
        for name in ("fsync", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {name} = off".encode())
    reload(postgres_cluster)
    url, data = postgres_cluster.server.dsn, str(tmp_path)
    refused = run_program(*SERVE, url=url, DATA=data)
    check_sentence(refused, "fsync and full_page_writes off", "TRICKBOOK_ALLOW_UNSAFE_DATABASE=yes")
    taken = run_program("store", "migrate", url=url, DATA=data, ALLOW_UNSAFE_DATABASE="yes")
    assert taken.returncode == 0, taken.stderr
    assert "fsync and full_page_writes off" in taken.stderr


@pytest.mark.parametrize("weak", ["off", "local"])
@pytest.mark.parametrize("place", ["DATABASE", "ROLE"])
def test_weak_commits_are_made_durable(fresh_postgres: str, weak: str, place: str) -> None:
    assert commit_settings(fresh_postgres, place, weak) == {"log": "on", "office": "on", "views": "off"}


def test_stricter_commits_stay_strict(fresh_postgres: str) -> None:
    strict = {"log": "remote_apply", "office": "remote_apply", "views": "off"}
    assert commit_settings(fresh_postgres, "DATABASE", "remote_apply") == strict


def commit_settings(url: str, place: str, value: str) -> dict[str, str]:
    """Return `synchronous_commit` on a connection of each store, with this value for the database or for a new role."""
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        role = f"weak_{name}"
        connection.execute(f"CREATE ROLE {role} LOGIN SUPERUSER".encode())
        try:
            target = name if place == "DATABASE" else role
            connection.execute(f"ALTER {place} {target} SET synchronous_commit = {value}".encode())
            return setting_of_each_store(called(url, role).replace("trickbook@", f"{role}@"), "synchronous_commit")
        finally:
            connection.execute(f"ALTER DATABASE {name} RESET synchronous_commit".encode())


def setting_of_each_store(url: str, name: str) -> dict[str, str]:
    """Return a setting of PostgreSQL on a connection of each store."""
    with closing(open_services(Config(database_url=url))) as services:
        log: Any = services.games.log.shard_of(uuid4()).recorder
        with log.datastore.get_connection() as connection:
            found = {"log": connection.execute(f"SHOW {name}").fetchone()[name]}
        for store, database in (("office", services.accounts.database), ("views", services.rows._database._database)):
            found[store] = database.run(f"SHOW {name}")[0][0]
        return found


def test_time_limits_of_the_url_win(fresh_postgres: str) -> None:
    url = f"{fresh_postgres}&options=-c%20lock_timeout%3D50s"
    assert setting_of_each_store(url, "lock_timeout") == dict.fromkeys(("log", "office", "views"), "50s")
    usual = setting_of_each_store(fresh_postgres, "statement_timeout")
    assert usual == dict.fromkeys(("log", "office", "views"), "1min")


def test_the_settings_reach_every_store(tmp_path: Path) -> None:
    config = Config(data=tmp_path, lock_timeout_s=7)
    with closing(open_accounts(config)) as accounts, closing(open_games(config)) as games:
        assert accounts.database.run("PRAGMA busy_timeout") == [(7000,)]
        assert games.log.shard_of(uuid4()).recorder.file._lock_timeout == 7  # type: ignore[attr-defined]


@pytest.mark.parametrize("open_stores", [open_accounts, open_services])
def test_a_start_waits_for_nobody_who_writes(
    fresh_postgres: str, tmp_path: Path, open_stores: Callable[[Config], Any]
) -> None:
    config = Config(data=tmp_path, database_url=fresh_postgres, lock_timeout_s=2)
    open_stores(config).close()
    with psycopg.connect(fresh_postgres) as writer:
        tables = writer.execute("SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('office', 'views')")
        for schema, table in tables.fetchall():
            writer.execute(f'LOCK TABLE {schema}."{table}" IN ROW EXCLUSIVE MODE'.encode())
        open_stores(config).close()


@pytest.mark.parametrize("name", ["log.db", "office.db"])
def test_a_file_cut_to_a_byte_is_named_and_not_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    check_sentence(
        run_program(*SERVE, "--data", str(tmp_path)), f"{tmp_path / name} is damaged", "`trickbook store restore`"
    )
    assert (tmp_path / name).read_bytes() == b"x"


@pytest.mark.parametrize("name", ["log.db", "office.db"])
@pytest.mark.parametrize("command", [SERVE, ("work",)])
def test_a_damaged_file_is_named_with_the_way_out(tmp_path: Path, name: str, command: tuple[str, ...]) -> None:
    open_services(config_for(Database(None, tmp_path))).close()
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * (path.stat().st_size - 100))
    check_sentence(run_program(*command, "--data", str(tmp_path)), f"{path} is damaged", "`trickbook store restore`")
