"""A server with eight shards on each store: lists, exports, check, backup and restore work over all of them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from api.app import create_app
from api.config import Config
from api.container import Services, open_services
from api.play.services.positions import POSITION, read_position
from domain.store.log import shard_of
from domain.store.shards.layout import postgres_tables
from tests import postgres
from tests.api.conftest import Caller, check_problem, config_for, services_of
from tests.commands import run
from tests.conftest import Database
from tests.games.four import OVER, RUNNING, Four, id_of
from tests.logs.reading import all_games

pytestmark = pytest.mark.no_tables
SHARDS = 8
BOARDS = [*RUNNING, *OVER]


@pytest.fixture
def config(database: Database) -> Config:
    """A server with eight shards on each store in turn."""
    return replace(config_for(Database(database.url, database.data / "data")), shards=SHARDS)


@pytest.fixture
def empty_postgres(postgres_server: postgres.Server) -> Iterator[str]:
    """The URL of an empty database, another one than the server's."""
    with postgres_server.fresh() as url:
        yield url


def answers(nobody: Caller) -> tuple[list[bytes], bytes]:
    """Return the export of every game, and the one of all games."""
    return [nobody.get(f"/games/{board}/export").data for board in BOARDS], nobody.get("/exports/games").data


@contextmanager
def opened(config: Config) -> Iterator[tuple[Services, Caller]]:
    """Open a server on this store, and yield its services and a stranger."""
    app = create_app(config)
    with closing(services_of(app)) as here:
        yield here, Caller(app.test_client())


def test_a_list_has_a_position_of_every_shard(four: Four) -> None:
    with opened(four.config) as (here, nobody):
        empty = nobody.get("/games").headers[POSITION]
        assert [at.number for at in read_position(here.secret, empty)] == [0] * SHARDS
        here.followers.catch_up()
        text = nobody.get("/games").headers[POSITION]
        assert read_position(here.secret, text) == here.games.log.heads()
        assert len(text) == len(empty)
        listed = nobody.get(f"/games?wait={text}&limit=100").get_json()["items"]
        assert {each["id"] for each in listed} == {id_of(board) for board in BOARDS}
        assert [each["created"] for each in listed] == sorted((each["created"] for each in listed), reverse=True)


def test_a_store_keeps_the_number_of_shards_that_it_was_made_with(four: Four, tmp_path: Path) -> None:
    said = run("store", "init", "--shards", "4", at=four.config)
    assert (said.exit_code, "this store has 8 shards, not 4" in said.output) == (2, True)
    assert "run `trickbook shards count 4`" in said.output
    assert run("store", "init", "--shards", "8", at=four.config).exit_code == 0
    assert run("store", "init", "--shards", "4", "--data", str(tmp_path / "new")).exit_code == 0
    with closing(open_services(Config(data=tmp_path / "new"))) as here:
        assert here.games.log.shards == 4


@pytest.mark.parametrize("found", [0, 65, 70_000_000])
def test_a_number_of_shards_that_no_log_has_is_damage_and_every_command_names_it(four: Four, found: int) -> None:
    execute(four.config, f"UPDATE {{schema}}shards SET count = {found}")
    only_postgres = [] if four.config.database_url is None else [("shards", "show")]
    for command, code in {("store", "check"): 1, ("store", "init"): 2, **dict.fromkeys(only_postgres, 2)}.items():
        said = run(*command, at=four.config)
        assert (command, said.exit_code) == (command, code)
        assert f"its table `shards` holds {found}, and a log has 1 to 64 shards" in said.output


def test_a_number_of_shards_that_is_no_number_is_damage(tmp_path: Path) -> None:
    config = Config(data=tmp_path)
    assert run("store", "init", at=config).exit_code == 0
    execute(config, "UPDATE shards SET count = ''")
    said = run("store", "check", at=config)
    assert (said.exit_code, "its table `shards` holds ''" in said.output) == (1, True)


def execute(config: Config, statement: str) -> None:
    """Execute a statement in the log. `{schema}` stands for its schema, if it has one."""
    if config.database_url is None:
        with closing(sqlite3.connect(config.data / "log.db")) as file:
            file.executescript(statement.format(schema=""))
    else:
        with psycopg.connect(config.database_url) as server:
            server.execute(statement.format(schema="log.").encode())


def move_a_row(config: Config, game: str) -> None:
    """Move the last row of a game into the table of another shard."""
    tables = postgres_tables(SHARDS)
    here, there = tables[shard_of(UUID(game), SHARDS)], tables[shard_of(UUID(game), SHARDS) - 1]
    value = f"'{game}'"
    if config.database_url is None:
        value = f"'{UUID(game).hex}'"
    else:
        here, there = f"log.{here}", f"log.{there}"
    columns = "originator_id, originator_version, topic, state"
    last = f"SELECT MAX(originator_version) FROM {here} WHERE originator_id = {value}"
    where = f"originator_id = {value} AND originator_version = ({last})"
    insert = f"INSERT INTO {there} ({columns}) SELECT {columns} FROM {here} WHERE {where}"
    delete = f"DELETE FROM {here} WHERE {where}"
    execute(config, f"{insert};{delete};")


def test_check_reads_every_shard_and_finds_a_row_in_another_one(four: Four) -> None:
    told = run("store", "check", at=four.config)
    assert (told.exit_code, told.stdout.splitlines()[-1]) == (0, "verdict: all is in order")
    move_a_row(four.config, id_of(RUNNING[0]))
    told = run("store", "check", at=four.config)
    assert told.exit_code == 1
    assert "where no server looks for this game" in told.stdout


@pytest.mark.lengthy
def test_a_backup_keeps_the_number_of_shards_on_each_store(four: Four, empty_postgres: str, tmp_path: Path) -> None:
    with opened(four.config) as (_, nobody):
        before = answers(nobody)
    assert run("store", "backup", str(tmp_path / "copy"), at=four.config).exit_code == 0
    for place in (Config(data=tmp_path / "new"), Config(data=tmp_path, database_url=empty_postgres)):
        assert run("store", "restore", str(tmp_path / "copy"), at=place).exit_code == 0
        with opened(replace(place, hashing="cheapest")) as (here, nobody):
            assert here.games.log.last_numbers() == four.games.log.last_numbers()
            assert answers(nobody) == before


@pytest.mark.lengthy
def test_resharding_changes_no_answer_and_every_list_is_built_again(four: Four) -> None:
    config = replace(four.config, shards=None)
    with opened(four.config) as (here, nobody):
        here.followers.catch_up()
        before, old = answers(nobody), nobody.get("/games").headers[POSITION]
    for shards in (1, 3):
        said = run("shards", "count", str(shards), at=config)
        assert (said.exit_code, f"events, shards: {shards}\nStart the servers" in said.stdout) == (0, True), said.output
        again = run("shards", "count", str(shards), at=config)
        assert again.stdout == f"The log has this number of shards already: {shards}.\n"
        with opened(config) as (here, nobody):
            assert answers(nobody) == before
            check_problem(nobody.get(f"/games?wait={old}"), 409, "other-history")
            assert here.followers.catch_up() == here.games.log.last_numbers()
            listed = nobody.get("/games?limit=100")
            assert {each["id"] for each in listed.get_json()["items"]} == set(all_games(here.games))
            old = listed.headers[POSITION]
    assert run("store", "check", at=config).exit_code == 0
    with closing(open_services(config)) as there:
        there.node.beat()
        said = run("shards", "count", "5", at=config)
        assert (said.exit_code, "Stop every server, then run this again" in said.stderr) == (2, True), said.output
        assert there.games.log.shards == 3
        there.node.leave()
