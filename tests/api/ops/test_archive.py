"""`trickbook store archive`: no command, route or backup says anything else afterwards."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from api.app import create_app
from api.config import Config
from api.ops.backup import create
from api.ops.backup.manifest import LOG, log_position
from api.services.container import open_services
from domain.store.archive.sqlite import ARCHIVE_FILE
from domain.store.positions import shard_of
from tests.api.conftest import Caller, config_for, services_of
from tests.commands import run
from tests.conftest import Database
from tests.games.four import OVER, RUNNING, Four, id_of

BOARDS = (*RUNNING, *OVER)


@pytest.fixture
def config(database: Database) -> Config:
    """A server on each store in turn."""
    return config_for(Database(database.url, database.data / "data"))


def uuid_of(board: int) -> UUID:
    """Return the id of the game on a board."""
    return UUID(id_of(board))


def shard_of_board(shards: int, board: int) -> int:
    """Return the shard of the game on a board."""
    return shard_of(uuid_of(board), shards)


def archive(config: Config) -> str:
    """Archive every game that is over, and return what the command says."""
    result = run("store", "archive", "--older-than", "0", at=config)
    assert result.exit_code == 0, result.output
    return result.stdout


def answers(config: Config) -> list[bytes]:
    """Return what routes say about each game and all games."""
    app = create_app(config)
    caller = Caller(app.test_client())
    paths = [f"/games/{board}{what}" for board in BOARDS for what in ("", "/events", "/export", "/hands/1")]
    said = [caller.get(path).data for path in (*paths, "/games?limit=50", "/exports/games")]
    services_of(app).close()
    return said


def summary(config: Config) -> list[str]:
    """Return what commands say about the whole store and about a game that is over."""
    rebuilt = run("store", "rebuild", at=config)
    assert rebuilt.exit_code == 0, rebuilt.output
    commands = (
        ("store", "check", "--json"),
        ("game", "audit", str(OVER[0])),
        ("game", "transcript", str(OVER[1])),
        ("game", "export", str(OVER[2])),
    )
    return [run(*words, at=config).stdout for words in commands]


def test_nothing_changes_but_the_size_of_the_log(four: Four, config: Config, tmp_path: Path) -> None:
    run("store", "rebuild", at=config)
    before = answers(config), summary(config)
    assert run("store", "backup", str(tmp_path / "first"), at=config).exit_code == 0
    assert archive(config).endswith("games that stay in the log: 4\n")
    assert archive(config).splitlines() == [
        "games archived: 0 (0 events); games that stay in the log: 4",
        "No readable game in the log is over and has had no event for 0 days.",
    ]
    with closing(open_services(config)) as here:
        for board in OVER:
            game = here.games.log.recorder(shard_of_board(here.games.log.shards, board))
            assert len(game.raw_events(uuid_of(board))) == 1
    assert (answers(config), summary(config)) == before
    assert run("store", "backup", str(tmp_path / "second"), at=config).exit_code == 0
    assert log_position(tmp_path / "first" / LOG) == log_position(tmp_path / "second" / LOG)


def test_a_backup_of_an_archived_store_is_restored_as_one_log(four: Four, config: Config, tmp_path: Path) -> None:
    archive(config)
    before = summary(config)
    assert run("store", "backup", str(tmp_path / "copy"), at=config).exit_code == 0
    place = replace(config, data=tmp_path / "new", database_url=None)
    assert run("store", "restore", str(tmp_path / "copy"), at=place).exit_code == 0
    assert not (place.data / ARCHIVE_FILE).exists()
    after = summary(place)
    assert json.loads(after[0])["games"] == json.loads(before[0])["games"]
    assert after[2:] == before[2:]


CHANGES = {
    "UPDATE stored_events SET state = CAST(state || ' ' AS BLOB) WHERE originator_version = 3": "event 3 or this link",
    "DELETE FROM stored_events WHERE originator_version = 3": "it follows event 2",
    "CREATE TABLE others (id INTEGER)": "archive.db: the table others doesn't belong to the archive of this log",
}


def test_check_finds_a_change_of_the_archive(tmp_path: Path) -> None:
    config = config_for(Database(None, tmp_path / "data"))
    open_services(config).close()
    Four(config).fill(5).close()
    archive(config)
    file = config.data / ARCHIVE_FILE
    kept = file.read_bytes()
    for change, says in CHANGES.items():
        file.write_bytes(kept)
        with closing(sqlite3.connect(file)) as opened, opened:
            opened.execute(change)
        result = run("store", "check", at=config)
        assert (result.exit_code, says in result.stdout) == (1, True)


def test_rows_in_the_log_and_the_archive_are_in_order_if_they_agree(four: Four, config: Config) -> None:
    before = run("store", "check", "--json", at=config).stdout
    game = uuid_of(OVER[0])
    table = four.games.log.rows[shard_of_board(four.games.log.shards, OVER[0])].archive
    table.create()
    table.copy([(game, 5)])
    assert run("store", "check", "--json", at=config).stdout == before


def test_a_backup_has_no_rows_that_were_archived_while_it_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_for(Database(None, tmp_path / "data"))
    open_services(config).close()
    made = Four(config).fill(5)
    copy, events = create._copy_database, sum(made.games.log.last_numbers())

    def copy_and_play_on(source: sqlite3.Connection, path: Path, tell: Callable[[int], None]) -> None:
        copy(source, path, tell)
        if path.name == LOG:
            made.open(9, "pitch")
            made.leave(9)
            archive(config)

    monkeypatch.setattr(create, "_copy_database", copy_and_play_on)
    assert run("store", "backup", str(tmp_path / "copy"), at=config).exit_code == 0
    assert log_position(tmp_path / "copy" / LOG) == (events, 8, events)
    made.close()
