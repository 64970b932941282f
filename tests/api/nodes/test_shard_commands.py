"""`trickbook shards`: the log of a server in two PostgreSQL databases; it says what is wrong, and no password."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from api.config import Config, ConfigError
from api.container import open_services
from domain.store.log import shard_of
from tests import postgres
from tests.commands import run
from tests.domain.store.storing import command_id, new_id, opening, play

SECRET = "a-secret-password"
COUNT = 2


def id_in(shard: int) -> str:
    """Return an id of a game that belongs to this shard."""
    return next(each for each in iter(new_id, "") if shard_of(UUID(each), COUNT) == shard)


@pytest.fixture
def config(
    postgres_server: postgres.Server, fresh_postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Config]:
    """The settings of a store at home with a game in each shard, and of a database east, which trusts any password."""
    with postgres_server.fresh() as url:
        settings = {
            "TRICKBOOK_DATA": str(tmp_path),
            "TRICKBOOK_DATABASE_URL": fresh_postgres,
            "TRICKBOOK_SERVERS": f"east={url.replace('trickbook@', f'trickbook:{SECRET}@')}",
        }
        for name, text in settings.items():
            monkeypatch.setenv(name, text)
        made = replace(Config.from_environment(settings), shards=COUNT)
        with closing(open_services(made)) as services:
            for shard in range(COUNT):
                command = opening(id_in(shard), board=shard + 1)
                services.games.open(command, by="p0", command_id=command_id(shard))
                play(services.games, command.game, 4)
        yield made


def shards(config: Config, *words: str) -> tuple[int, str]:
    """Run a command of the group, and return its exit code and all that it printed."""
    done = run("shards", *words, at=config)
    assert SECRET not in done.output
    return done.exit_code, done.output


def execute(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


def test_a_shard_is_shown_moved_checked_and_its_old_copy_dropped(config: Config) -> None:
    code, before = shards(config, "check")
    assert (code, before.count("as it should be")) == (0, COUNT)
    code, said = shards(config, "move", "1", "--to", "east")
    assert code == 0, said
    assert "shard 1 is on east now" in said
    code, said = shards(config, "show")
    assert [line.split()[:2] for line in said.splitlines()[1:3]] == [["0", "home"], ["1", "east"]]
    assert "old copy on home" in said
    code, after = shards(config, "check")
    digests = [[line.split()[9] for line in text.splitlines() if line.startswith("shard ")] for text in (before, after)]
    assert (code, digests[0]) == (0, digests[1])
    assert "shards drop 1 --from home" in after
    assert shards(config, "drop", "1", "--from", "home")[0] == 2
    assert shards(config, "drop", "1", "--from", "home", "--yes")[0] == 0
    assert shards(config, "drop", "1", "--from", "home", "--yes")[0] == 1
    assert "note" not in shards(config, "check")[1]
    assert shards(config, "move", "1", "--to", "east") == (0, "shard 1 is on east already.\n")


def test_what_is_wrong_is_said(config: Config) -> None:
    east = dict(config.servers)["east"]
    shards(config, "move", "1", "--to", "east")
    changed = "set_byte(state, 0, get_byte(state, 0) # 1)"
    execute(east, f"UPDATE log.games01of02_events SET state = {changed} WHERE originator_version = 3")
    execute(east, "CREATE TABLE log.games00of02_events (id int)")
    code, said = shards(config, "check")
    assert code == 1
    assert "the root before version 3 differs" in said
    assert "log.games00of02_events too" in said
    assert shards(config, "drop", "1", "--from", "home", "--yes")[0] == 1
    execute(east, "DROP TABLE log.games01of02_events")
    assert "has no table log.games01of02_events" in shards(config, "check")[1]


def test_commands_that_read_one_server_say_so_and_a_server_needs_the_address_of_each_one_that_holds_shards(
    config: Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shards(config, "move", "1", "--to", "east")
    for words in (["store", "check"], ["store", "backup", str(tmp_path / "copy")], ["shards", "count", "4"]):
        done = run(*words, at=config)
        assert done.exit_code == 2
        assert "shards of this store are on other servers (east)" in done.output
    monkeypatch.delenv("TRICKBOOK_SERVERS")
    with pytest.raises(ConfigError, match="add east=postgresql://"):
        open_services(Config(data=config.data, database_url=config.database_url))
    assert "TRICKBOOK_SERVERS doesn't name its server" in shards(config, "show")[1]
    assert shards(config, "check")[0] == 2


def test_a_shard_or_server_that_is_not_there_is_named_and_settings_show_no_password(config: Config) -> None:
    assert "name one of these, not 5" in shards(config, "move", "5", "--to", "east")[1]
    code, said = shards(config, "move", "1", "--to", "west")
    assert (code, "TRICKBOOK_SERVERS doesn't name west" in said) == (1, True)
    (line,) = [line for line in config.to_lines() if line.startswith("TRICKBOOK_SERVERS=")]
    assert "east: " in line
    assert SECRET not in line + repr(config)


def test_a_file_has_no_servers(tmp_path: Path) -> None:
    assert run("store", "init", "--data", str(tmp_path)).exit_code == 0
    done = run("shards", "show", "--data", str(tmp_path))
    assert (done.exit_code, "an SQLite file can't be spread over servers" in done.output) == (2, True)
