"""Backups and restores from each store into each: the copy is complete and shows one moment."""

import itertools
import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from api.app import create_app
from api.config import Config
from api.container import open_services
from api.ops.backup import manifest
from api.ops.backup.create import create_backup
from api.ops.backup.manifest import check_logs, read_manifest
from api.ops.backup.restore import restore_backup
from api.ops.progress import SetProgress
from domain.commands import OpenGame
from domain.events import Player
from domain.store import Games
from tests import postgres
from tests.api.conftest import Caller, config_for, services_of
from tests.commands import run
from tests.conftest import Database
from tests.games.four import OVER, RUNNING, Four, id_of
from tests.logs.reading import all_games
from tests.waiting import wait_until

BOARDS = (*RUNNING, *OVER)


def quiet(_what: str, _total: int | None) -> SetProgress:
    """Return a progress bar that shows nothing."""
    return lambda _: None


@pytest.fixture
def config(database: Database) -> Config:
    """The server to back up, on each store in turn."""
    return config_for(Database(database.url, database.data / "data"))


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, config: Config, tmp_path: Path) -> Iterator[Config]:
    """An empty target to restore into, on each store."""
    empty = replace(config, data=tmp_path / "new", database_url=None)
    if request.param == "sqlite":
        yield empty
        return
    server: postgres.Server = request.getfixturevalue("postgres_server")
    with server.fresh() as url:
        yield replace(empty, database_url=url)


TO_FILES = pytest.mark.parametrize("place", ["sqlite"], indirect=True)


def summarize_stores(config: Config) -> tuple[object, ...]:
    """Return the values that must be the same before and after: logs, receipts, names, secret, keys and positions."""
    with closing(open_services(config)) as here:
        logs = [[entry.stored for entry in here.games.entries(id_of(board))] for board in BOARDS]
        kept = [here.receipts.stored_receipts(id_of(board)) for board in BOARDS]
        boards = [here.accounts.boards.game_of(board) for board in range(10)]
        names = [here.accounts.users.by_name(name) for name in ("ann", "bob", "cat", "dan", "eve")]
        return logs, kept, boards, names, here.secret, here.receipts.keys.public_keys(), here.games.log.last_numbers()


def test_a_restored_server_has_all_data_and_play_goes_on(four: Four, place: Config, tmp_path: Path) -> None:
    with closing(open_services(four.config)) as here:
        before = [here.receipts.issue(id_of(board)) for board in BOARDS]
    restore_backup(tmp_path / "copy", create_backup(four.config, tmp_path / "copy", quiet), place, print)
    assert summarize_stores(place) == summarize_stores(four.config)
    with closing(Four(place, seed=8)) as again:
        again.play(RUNNING[0], 3)
        again.open(9, "pitch")
    with closing(open_services(place)) as here:
        after = [here.receipts.issue(id_of(board)) for board in BOARDS]
        assert after[1:] == before[1:]
        assert here.receipts.stored_receipts(id_of(RUNNING[0])) == [before[0], after[0]]
        assert after[0].size > before[0].size


def test_check_finds_no_fault_where_postgres_used_no_position(
    fresh_postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest, "NUMBERS_PER_PAGE", 3)
    config = config_for(Database(fresh_postgres, tmp_path / "data"))
    place = replace(config, data=tmp_path / "new", database_url=None)
    open_services(config).close()
    with closing(Four(config)) as four:
        four.open(1, "pitch")
        with psycopg.connect(fresh_postgres) as server:
            server.execute("SELECT nextval(pg_get_serial_sequence('log.games01of08_events', 'notification_id'))")
        four.play(1, 3)
        restore_backup(tmp_path / "copy", create_backup(config, tmp_path / "copy", quiet), place, print)
        assert [run("store", "check", at=each).exit_code for each in (config, place)] == [0, 0]
        with closing(open_services(place)) as here:
            assert here.games.entries(id_of(1)) == four.games.entries(id_of(1))


@TO_FILES
def test_every_audit_after_a_restore_mentions_it(four: Four, place: Config, tmp_path: Path) -> None:
    made = create_backup(four.config, tmp_path / "copy", quiet)
    restore_backup(tmp_path / "copy", made, place, print)
    for board, code in ((OVER[0], 0), (RUNNING[0], 2)):
        said = run("game", "audit", str(board), "--json", at=place)
        (note,) = json.loads(said.stdout)["journal"]
        assert said.exit_code == code
        assert (note["what"], note["backup"]) == ("restored", made.at)
        assert (note["games"], "position" in note) == (8, False)
        says = f"restored from the backup of {made.at}: "
        assert says in run("game", "audit", str(board), at=place).stdout
    for config, many in ((place, 1), (four.config, 0)):
        app = create_app(config)
        report = Caller(app.test_client()).get(f"/games/{OVER[0]}/audit")
        assert len(report.get_json()["journal"]) == many
        services_of(app).close()


@pytest.mark.lengthy
def test_a_backup_shows_one_moment_while_games_go_on(four: Four, tmp_path: Path) -> None:
    stop, failed = threading.Event(), list[BaseException]()

    def load(number: int) -> None:
        """Register, open, play, take a receipt: each in the order in which a server does it."""
        count = itertools.count()
        with closing(open_services(four.config)) as here:
            while not stop.is_set():
                player = here.accounts.users.register(f"l{number}-{next(count)}", "correct-horse")
                game = str(uuid4())
                board = here.accounts.boards.reserve(game, player.id)
                people = (Player(player.id, "human"), Player("bot:random:1", "bot", "random"))
                opening = OpenGame(game, board, "pitch", {}, people)
                here.games.open(opening, by=player.id, command_id=f"{game}-1")
                here.receipts.issue(game)

    def watched(number: int) -> None:
        try:
            load(number)
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=watched, args=(number,)) for number in range(2)]
    for each in threads:
        each.start()
    try:
        copies, positions = [tmp_path / f"copy{number}" for number in range(4)], [sum(four.games.log.last_numbers())]
        for copy in copies:
            wait_until(lambda: failed or sum(four.games.log.last_numbers()) > positions[-1])
            positions.append(create_backup(four.config, copy, quiet).position)
    finally:
        stop.set()
        for each in threads:
            each.join()
    assert failed == []
    assert positions == sorted(set(positions))
    for copy in copies:
        check_restored_copy(copy, four.games)


def check_restored_copy(copy: Path, live: Games) -> None:
    """Check that the logs are prefixes of the live ones, with their players, boards and receipts."""
    kept = Config(data=copy)
    assert check_logs(copy, None, print) == []
    with closing(sqlite3.connect(copy / "office.db")) as office, Games(kept.data, migrate=False) as games:
        users = {player for (player,) in office.execute("SELECT player FROM users")}
        boards = {game for (game,) in office.execute("SELECT game FROM boards")}
        sizes = dict(office.execute("SELECT game, MAX(size) FROM receipts GROUP BY game"))
        opened = set(all_games(games))
        assert sizes.keys() <= opened <= boards
        for game in opened:
            state, entries = games.read_at_position(game, games.log.last_numbers())
            assert {seat.player for seat in state.seats if seat.kind == "human"} <= users
            assert [entry.raw for entry in entries] == [entry.raw for entry in live.entries(game, upto=state.version)]
            assert sizes.get(game, 0) <= state.version


@TO_FILES
def test_the_commands_report_the_numbers_of_copied_and_restored_records(
    four: Four, place: Config, tmp_path: Path
) -> None:
    copy = str(tmp_path / "copy")
    said = run("store", "backup", copy, at=four.config)
    manifest = read_manifest(tmp_path / "copy")
    size = f"8 games, {manifest.events} events"
    assert (said.exit_code, said.stdout) == (0, f"{copy}: {size}, as of position {manifest.position}\n")
    assert said.stderr == ""
    said = run("store", "restore", copy, at=place)
    assert (said.exit_code, said.stdout) == (0, f"{size}, as they stood at {manifest.at}\n")
    assert summarize_stores(place) == summarize_stores(four.config)
    said = run("store", "restore", copy, at=place)
    assert (said.exit_code, "restore the backup into" in said.stderr) == (2, True)


def test_only_the_owner_can_read_a_backup(four: Four, tmp_path: Path) -> None:
    create_backup(four.config, tmp_path / "copy", quiet)
    held = [tmp_path / "copy", *(tmp_path / "copy").rglob("*")]
    assert {path.name for path in held} >= {"copy", "log.db", "office.db", "keys", "server.secret", "manifest.json"}
    assert [path for path in held if path.stat().st_mode & 0o077] == []
