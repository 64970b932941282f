"""Messages of the program about a database that it can't use, or that may lose moves; and how it keeps moves safe."""

import os
import signal
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from api.accounts.accounts import open_accounts
from api.config import Config
from api.container import open_games, open_services
from domain.store.sql.postgres_pool import OUR_SCHEMAS
from tests.api.conftest import config_for
from tests.commands import run
from tests.conftest import Database
from tests.postgres import Cluster, called
from tests.waiting import wait_until

SERVE = ("serve", "--port", "0")


def check_sentence(words: tuple[str, ...], at: Config, *says: str) -> str:
    """Check that a command ends with exit code 2 and one line with these words; return all that it printed."""
    ended = run(*words, at=at)
    assert (ended.exit_code, ended.stderr.count("\n")) == (2, 1), ended.output
    assert [each for each in says if each not in ended.stderr] == [], ended.stderr
    return ended.output


def test_a_wrong_password_is_one_sentence_without_it_and_a_postgres_that_may_lose_commits_is_refused(
    postgres_cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    dsn = postgres_cluster.server.dsn
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE ROLE guest LOGIN PASSWORD 'right'")
        for name in ("fsync", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {name} = off".encode())
        reload(postgres_cluster)
        wait_until(lambda: connection.execute("SHOW fsync").fetchone() == ("off",))
    config = Config(data=tmp_path, database_url=dsn)
    check_sentence(SERVE, config, "fsync and full_page_writes off", "TRICKBOOK_ALLOW_UNSAFE_DATABASE=yes")
    monkeypatch.setenv("TRICKBOOK_ALLOW_UNSAFE_DATABASE", "yes")
    assert run("store", "init", at=config).exit_code == 0
    assert "fsync and full_page_writes off" in caplog.text
    (postgres_cluster.data / "pg_hba.conf").write_text("local all all scram-sha-256\n")
    reload(postgres_cluster)
    wait_until(lambda: refuses(dsn))
    guest = replace(config, database_url=dsn.replace("trickbook@", "guest:s3cret@"))
    assert "s3cret" not in check_sentence(SERVE, guest, "password authentication failed")


def reload(cluster: Cluster) -> None:
    """Let PostgreSQL read its configuration again."""
    first = int((cluster.data / "postmaster.pid").read_text(encoding="ascii").split()[0])
    os.kill(first, signal.SIGHUP)


def refuses(dsn: str) -> bool:
    try:
        psycopg.connect(dsn).close()
    except psycopg.OperationalError:
        return True
    return False


@pytest.mark.parametrize("place", ["DATABASE", "ROLE"])
def test_weak_commits_are_made_durable_and_stricter_ones_stay_strict(fresh_postgres: str, place: str) -> None:
    for found, used in {"off": "on", "local": "on", "remote_apply": "remote_apply"}.items():
        assert commit_settings(fresh_postgres, place, found) == {"log": used, "office": used, "views": "off"}


def commit_settings(url: str, place: str, value: str) -> dict[str, str]:
    """Return `synchronous_commit` on a connection of each store, with this value for the database or for a new role."""
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        role = f"weak_{name}_{value}"
        connection.execute(f"CREATE ROLE {role} LOGIN SUPERUSER".encode())
        try:
            target = name if place == "DATABASE" else role
            connection.execute(f"ALTER {place} {target} SET synchronous_commit = {value}".encode())
            return setting_of_each_store(called(url, role).replace("trickbook@", f"{role}@"), "synchronous_commit")
        finally:
            connection.execute(f"ALTER DATABASE {name} RESET synchronous_commit".encode())


def setting_of_each_store(url: str, name: str) -> dict[str, str]:
    """Return a setting of PostgreSQL in a transaction of each store that writes."""
    with closing(open_services(Config(database_url=url))) as services:
        log: Any = services.games.log.application_of(uuid4()).recorder
        with log.datastore.get_connection() as connection:
            found = {"log": connection.execute(f"SHOW {name}").fetchone()[name]}
        for store, database in (("office", services.accounts.database), ("views", services.rows._database._database)):
            with database.transaction(writes=True) as transaction:
                found[store] = transaction.run(f"SHOW {name}")[0][0]
        return found


def test_time_limits_of_the_url_win(fresh_postgres: str) -> None:
    url = f"{fresh_postgres}&options=-c%20lock_timeout%3D50s"
    assert setting_of_each_store(url, "lock_timeout") == dict.fromkeys(("log", "office", "views"), "50s")
    usual = setting_of_each_store(fresh_postgres, "statement_timeout")
    assert usual == dict.fromkeys(("log", "office", "views"), "1min")


def test_the_settings_reach_every_store(tmp_path: Path) -> None:
    config = Config(data=tmp_path, lock_timeout_s=7)
    with closing(open_accounts(config)) as accounts, closing(open_games(config)) as games:
        for file in (accounts.database.file, games.log.application_of(uuid4()).recorder.file):  # type: ignore[attr-defined]
            assert file._lock_timeout == 7


def test_tables_named_without_a_schema_are_in_one_schema_only(fresh_postgres: str, tmp_path: Path) -> None:
    with closing(open_services(Config(data=tmp_path, database_url=fresh_postgres))) as services:
        services.limit_storage.ask(lambda counts: counts.incr("used", 60))
    select = "SELECT tablename, schemaname FROM pg_tables WHERE schemaname IN ('office', 'views', 'limits')"
    with psycopg.connect(fresh_postgres) as connection:
        found: list[tuple[str, str]] = connection.execute(select).fetchall()
    assert {schema for _, schema in found} == set(OUR_SCHEMAS.split(","))
    assert len({table for table, _ in found}) == len(found)


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
def test_a_damaged_file_is_named_with_the_way_out_and_not_overwritten(tmp_path: Path, name: str) -> None:
    config, path = config_for(Database(None, tmp_path)), tmp_path / name
    says = f"{path} is damaged", "`trickbook store restore`"
    path.write_bytes(b"x")
    check_sentence(SERVE, config, *says)
    assert path.read_bytes() == b"x"
    path.unlink()
    open_services(config).close()
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * (path.stat().st_size - 100))
    for command in (SERVE, ("work",)):
        check_sentence(command, config, *says)
