"""Commands and the place of their store: they create one only if asked, and say in a sentence what is wrong with it."""

from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from api.cli.common.config import NO_STORE_IN_DATABASE
from api.config import Config
from api.ops.backup.manifest import files_of
from tests.api.conftest import PASSWORD, config_for
from tests.commands import run
from tests.conftest import Database
from tests.postgres import Cluster

NEED_A_STORE = [
    ("user", "add", "ann", "--password", PASSWORD), ("user", "list"), ("user", "role", "ann", "arbiter"),
    ("keys", "show"), ("game", "show", "1"), ("game", "audit", "1"), ("game", "export", "1"), ("dispute", "list"),
    ("store", "rebuild"), ("work",),
    ("store", "check"), ("store", "backup", "{new}"), ("receipt", "print", "1"),
]  # fmt: skip


def test_a_command_that_finds_no_store_says_so_and_makes_nothing(tmp_path: Path) -> None:
    place = tmp_path / "mistyped"
    for command in NEED_A_STORE:
        said = run(*(part.format(new=tmp_path / "new") for part in command), "--data", str(place))
        assert (said.exit_code, said.stdout, said.stderr.startswith("Error: There ")) == (2, "", True), command
        assert f" in {place}" in said.stderr
        assert list(tmp_path.iterdir()) == []


def test_no_command_uses_a_backup_as_its_store(tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    assert run("store", "init", "--data", str(tmp_path / "data")).exit_code == 0
    assert run("store", "backup", str(backup), "--data", str(tmp_path / "data")).exit_code == 0
    before = files_of(backup)
    for command in (("serve", "--port", "0"), ("store", "init"), ("shards", "count", "2")):
        said = run(*command, "--data", str(backup))
        assert (said.exit_code, f"`trickbook store restore {backup} --data NEW`" in said.stderr) == (2, True)
        assert files_of(backup) == before
    assert run("store", "restore", str(backup), "--data", str(tmp_path / "restored")).exit_code == 0


def test_a_database_without_a_store_is_named(fresh_postgres: str, tmp_path: Path) -> None:
    at = Config(data=tmp_path, database_url=fresh_postgres)
    missing = replace(at, database_url=f"{fresh_postgres.partition('?')[0]}_none?{fresh_postgres.partition('?')[2]}")
    for command in (
        *(("store", "check"), ("store", "rebuild"), ("store", "quarantine", "list")),
        ("shards", "count", "8"),
    ):
        said = run(*command, at=at)
        assert (said.exit_code, said.stderr) == (2, f"Error: {NO_STORE_IN_DATABASE}\n")
        said = run(*command, at=missing)
        assert (said.exit_code, said.stderr.startswith("Error: Can't use the database: ")) == (2, True)
        assert "does not exist" in said.stderr


def test_an_empty_quarantine_says_so(tmp_path: Path) -> None:
    place = ("--data", str(tmp_path / "data"))
    assert run("store", "init", *place).exit_code == 0
    for command in (("store", "quarantine", "list"), ("store", "quarantine", "retry", "--all")):
        assert run(*command, *place).stdout == "No game is in quarantine.\n"


@pytest.mark.both_stores
@pytest.mark.no_tables
def test_init_creates_one_store_and_changes_none_that_is_there(database: Database) -> None:
    at = replace(config_for(database), data=database.data / "store")
    missing = run("user", "list", at=at)
    assert (missing.exit_code, "There is no store in " in missing.stderr) == (2, True)
    assert run("store", "init", at=at).stdout.startswith("created a store in ")
    again = run("store", "init", at=at)
    assert (again.exit_code, again.stdout.startswith("the store in ")) == (0, True)
    added = run("user", "add", "ann", "--password", PASSWORD, at=at)
    assert (added.exit_code, added.stdout[:2]) == (0, "p_")
    assert at.data.exists() is (database.url is None)


def test_a_wrong_password_or_database_is_one_sentence_and_a_password_file_works(
    postgres_cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(postgres_cluster.server.dsn, autocommit=True) as connection:
        connection.execute("ALTER ROLE trickbook PASSWORD 'right'")
        (postgres_cluster.data / "pg_hba.conf").write_text("local all all scram-sha-256\n")
        connection.execute("SELECT pg_reload_conf()")
    at = Config(data=tmp_path / "data", database_url=postgres_cluster.server.dsn)
    file = tmp_path / "pgpass"
    monkeypatch.setenv("PGPASSFILE", str(file))
    monkeypatch.setenv("PGPASSWORD", "")
    monkeypatch.setenv("TRICKBOOK_ORIGIN", "cards.example")  # without it, the name that is made up is said
    for line, command, code, says in [
        ("*:*:*:trickbook:wrong", ("user", "list"), 2, 'password authentication failed for user "trickbook"'),
        ("*:*:*:trickbook:right", ("store", "init"), 0, ""),
        ("*:*:*:trickbook:right", ("user", "add", "ann", "--password", PASSWORD), 0, ""),
    ]:
        file.write_text(line)
        file.chmod(0o600)
        said = run(*command, at=at)
        assert (said.exit_code, says in said.stderr, said.stderr.count("\n")) == (code, True, int(code > 0))
    missing = run("user", "list", at=replace(at, database_url=str(at.database_url).replace("/postgres?", "/nowhere?")))
    assert missing.stderr == 'Error: Can\'t use the database: database "nowhere" does not exist\n'
