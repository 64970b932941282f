"""A server whose log isn't the one that it wrote takes no moves and says so, until a host accepts what is lost."""

import shutil
import sqlite3
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest

from api.config import Config
from api.container import open_services
from api.inbox.services.outbox_follower import OutboxFollower
from api.monitoring import log_watch
from api.monitoring.log_positions import too_many
from domain.store import LogDamaged, StoreUnavailable
from domain.store.sql.sqlite import TableFileDamaged
from domain.store.sqlite import SqliteLogRecorder
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.live_server import GameServer, ServedGame, first_move, open_server
from tests.commands import run
from tests.conftest import Database
from tests.domain.store.storing import Rows
from tests.logs.tables import log_tables

ALONE = {"variant": "pitch", "seats": ["ann", "bot:simple"]}
SAYS = "so the server takes no moves until its host has looked"


@pytest.fixture
def here(database: Database) -> Database:
    """The place of a store, on each of the two."""
    return replace(database, data=database.data / "data")


@pytest.fixture
def server(here: Database) -> Iterator[GameServer]:
    with open_server(here.data, here.url) as opened:
        yield opened


def play(game: ServedGame, moves: int = 6) -> None:
    """Play some moves, and remember where the log ends."""
    for _ in range(moves):
        [seat] = game.public["turn"]["seats"]
        assert game.move(seat, first_move(game.view(seat))).status_code == 201
    look(game.server)


def look(server: GameServer) -> None:
    """Look at the log, whenever that was done last."""
    watch = services_of(server.app).log_watch
    watch._numbers = None  # as if something had been stored since
    watch.look()


def lose_last(here: Database, game: ServedGame, events: int) -> None:
    """Delete the last events of a game, as in an older log."""
    last = game.public["version"]
    for version in range(last, last - events, -1):
        Rows(here).drop(game.id, version)


def any_move(game: ServedGame) -> Any:
    return game.seats[0].post(f"{game.path}/moves", {"type": "pass"})


def ready(server: GameServer) -> Any:
    services_of(server.app).log_watch._looked_at = -log_watch.LOOK_S  # as a second later
    return server.nobody.get("/health/ready")


def refuses_to_start(config: Config, words: str) -> None:
    with pytest.raises(LogDamaged, match=words):
        open_services(config)
    assert words in run("doctor", at=config).output
    assert words in run("store", "backup", str(config.data.parent / "copy"), at=config).output
    assert not (config.data.parent / "copy").exists()


def test_a_log_that_lost_its_end_takes_no_moves_until_a_host_accepts_it(server: GameServer, here: Database) -> None:
    game = server.open(["ann", "bob"])
    play(game)
    assert ready(server).status_code == 200
    assert server.command("store", "log").output.startswith("the log has what the accounts have seen")
    # when the log is an older one
    lose_last(here, game, 3)
    # then the server says so, and stores nothing more
    assert SAYS in str(check_problem(ready(server), 503, "not-ready")["detail"])
    assert SAYS in str(check_problem(any_move(game), 503, "not-ready")["detail"])
    assert SAYS in str(check_problem(server["ann"].post("/games", ALONE), 503, "not-ready")["detail"])
    refuses_to_start(server.config, "lacks event")
    assert "office: the accounts have seen" in server.command("store", "check").output
    # when a host asks what is lost, and accepts that
    said = server.command("store", "log")
    assert (said.exit_code, "lost: 3 events" in said.output, "--accept 3" in said.output) == (1, True, True)
    assert "The log lacks 3 events, not 2" in server.command("store", "log", "--accept", "2").output
    assert server.command("store", "log", "--accept", "3").exit_code == 0
    assert server.command("store", "log").output == "the accounts have seen no event of this log\n"
    # then games are played, and each audit mentions it
    with open_server(here.data, here.url) as again:
        other = again.open(["cat", "dan"])
        play(other, 2)
        assert ready(again).status_code == 200
        [entry] = again.nobody.get(f"{other.path}/audit").get_json()["journal"]
        assert (entry["what"], entry["events"]) == ("served-after-loss", 3)
        assert "the host serves a log that lacks events, 3 or more" in again.command("game", "audit", other.id).output
        assert "the admin log says: served-after-loss" in again.command("store", "check").output


def test_a_game_and_a_receipt_that_the_log_lacks_are_named(server: GameServer, here: Database) -> None:
    first, second = (server.open(["ann", "bob"]) for _ in range(2))
    size = first.public["version"]
    assert first.seats[0].post(f"{first.path}/receipts", {}).status_code in (200, 201)
    play(second, 1)
    lose_last(here, second, second.public["version"])
    lose_last(here, first, 2)
    table = server["ann"].post("/games", {"variant": "pitch", "seats": ["ann", "open"]})
    assert table.status_code == 503 or table.get_json()["status"] == "forming"
    said = server.command("store", "log").output
    assert f"lost: board 1 (game {first.id}): events {size - 1} to {size}, if not more" in said
    assert f"lost: board 2 (game {second.id}): all events, if it was dealt" in said
    assert "board 3" not in said


@pytest.mark.lengthy
def test_another_history_is_noticed_although_it_is_as_long(server: GameServer, here: Database) -> None:
    game = server.open(["ann", "bob"])
    play(game)
    last = game.public["version"]
    [(_, topic, state)] = [row for row in Rows(here).of(game.id) if row[0] == last]
    Rows(here).put(game.id, last, topic, state.replace(b'"at":"2', b'"at":"1'))
    look(server)
    check_problem(ready(server), 503, "not-ready")
    refuses_to_start(server.config, "lacks event")


def test_a_store_that_went_back_as_a_whole_is_noticed_by_a_server_that_goes_on(
    server: GameServer, here: Database
) -> None:
    game = server.open(["ann", "bob"])
    play(game)
    # when log and accounts go back together, as on a replica that lags
    lose_last(here, game, 2)
    services_of(server.app).accounts.log_positions.forget()
    # then what this process has stored is missing, and the next start knows
    look(server)
    check_problem(ready(server), 503, "not-ready")
    refuses_to_start(server.config, "lacks event")


def test_what_was_missed_once_is_looked_for_until_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_watch, "COMPARED", 2)
    here = Database(None, tmp_path / "data")
    with open_server(here.data) as server:
        game = server.open(["ann", "bob"])
        play(game, 8)
        services_of(server.app).accounts.log_positions.forget()
        rows = Rows(here)
        commit = services_of(server.app).games.recent[-4]
        [row] = [row for row in rows.of(game.id) if row[0] == commit.number]  # of the only game
        rows.put(game.id, row[0], row[1], row[2].replace(b'"at":"2', b'"at":"1'))
        statuses = list[int]()
        for _ in range(12):
            look(server)
            statuses.append(ready(server).status_code)
        assert statuses == sorted(statuses)
        assert statuses[-1] == 503
        rows.put(game.id, *row)
        look(server)
        assert ready(server).status_code == 200


def test_a_last_event_that_cannot_be_read_stops_its_game_alone(server: GameServer, here: Database) -> None:
    game = server.open(["ann", "bob"])
    play(game)
    last = game.public["version"]
    Rows(here).put(game.id, last, "CardPlayed/1", bytes(50))
    look(server)
    assert ready(server).status_code == 200
    with open_server(here.data, here.url) as again:
        check_problem(again.nobody.get(game.path), 500, "corrupt-log")
        play(again.open(["cat", "dan"]), 1)


def test_a_log_that_is_gone_is_not_replaced_by_an_empty_one(here: Database) -> None:
    with open_server(here.data, here.url) as server:
        game = server.open(["ann", "bob"])
        play(game)
        config = server.config
    if here.url is None:
        (here.data / "log.db").unlink()
    else:
        with psycopg.connect(here.url) as connection:
            connection.execute("DROP SCHEMA log CASCADE")
    words = "log.db is missing" if here.url is None else "the log in PostgreSQL is gone"
    with pytest.raises(LogDamaged, match=words):
        open_services(config)
    assert words in run("doctor", at=config).output
    if here.url is None:
        assert "Don't stop a server that still runs" in run("doctor", at=config).output
        assert words in run("store", "init", at=config).output
        assert not (here.data / "log.db").exists()
    assert words in run("store", "check", at=config).output
    said = run("store", "log", at=config).output
    assert f"board 1 (game {game.id}): all events" in said
    lost = said.partition("--accept ")[2].strip()
    assert run("store", "log", "--accept", lost, at=config).exit_code == 0
    for command in ("doctor", "store check"):
        assert words not in run(*command.split(), at=config).output, "an empty log is there now"
    with open_server(here.data, here.url) as server:
        assert ready(server).status_code == 200


def test_accounts_that_are_gone_are_not_replaced_by_empty_ones(here: Database, tmp_path: Path) -> None:
    with open_server(here.data, here.url) as server:
        game = server.open(["ann", "bob"])
        play(game)
        config = server.config
    if here.url is None:
        (here.data / "office.db").unlink()
    else:
        with psycopg.connect(here.url) as connection:
            connection.execute("DROP SCHEMA office CASCADE")
    for command in ("doctor", "store backup", "store log", "store init"):
        words = (*command.split(), *([str(tmp_path / "copy")] if command == "store backup" else []))
        assert "accounts" in run(*words, at=config).output, command
    assert run("store", "init", at=config).exit_code == 2
    refuses_to_start(config, "games that the accounts don't know")
    # when a host goes on without them
    said = run("store", "log", at=config)
    assert (said.exit_code, "lost: the accounts, which know no game" in said.output) == (1, True)
    assert f"lost: the accounts of board 1 (game {game.id})" in said.output
    assert run("store", "log", "--accept", "0", at=config).exit_code == 0
    # then games are played, and each audit mentions it
    with open_server(here.data, here.url) as server:
        other = server.open(["ann", "cat"])
        play(other, 1)
        assert ready(server).status_code == 200
        [entry] = server.nobody.get(f"{other.path}/audit").get_json()["journal"]
        assert entry["what"] == "served-without-accounts"
        assert server.command("store", "log").exit_code == 0
        assert (server.nobody.get("/games/1").get_json()["id"], other.public["board"]) == (game.id, 2)


def test_accounts_older_than_the_log_are_not_used_and_no_board_comes_twice(here: Database, tmp_path: Path) -> None:
    with open_server(here.data, here.url) as server:
        play(server.open(["ann", "bob"]), 1)
        config = server.config
    # when the accounts of now are put under a log with more games
    put_back = keep_accounts(here, tmp_path / "older")
    with open_server(here.data, here.url) as server:
        newer = [server.open(["cat", "dan"]) for _ in range(2)]
        play(newer[0], 2)
        assert [game.public["board"] for game in newer] == [2, 3]
    put_back()
    # then no server starts, no backup is made, and the host learns what is lost
    refuses_to_start(config, "games that the accounts don't know")
    said = run("store", "log", at=config)
    assert (said.exit_code, "they are older than the log" in said.output) == (1, True)
    for board, game in enumerate(newer, 2):
        assert f"lost: the accounts of board {board} (game {game.id})" in said.output
    # when the host accepts that
    assert run("store", "log", "--accept", "0", at=config).exit_code == 0
    # then each game has its board, new games have higher ones, and each audit mentions it
    with open_server(here.data, here.url) as server:
        assert ready(server).status_code == 200
        for board, game in enumerate(newer, 2):
            assert server.nobody.get(f"/games/{board}").get_json()["id"] == game.id
        assert server.open(["eve", "fay"]).public["board"] == 4
        assert "accounts that didn't know all of its games" in server.command("game", "audit", newer[0].id).output
        assert "the admin log says: served-without-accounts" in server.command("store", "check").output


def test_attack_195_accounts_older_than_the_inboxes_pass_over_no_note(here: Database, tmp_path: Path) -> None:
    def write(server: GameServer, text: str) -> str:
        return str(server["ann"].post("/messages", {"to": ["bob"], "text": text}).get_json()["id"])

    def told(server: GameServer) -> list[str]:
        services = services_of(server.app)
        OutboxFollower(services.accounts.outbox, services.rows).run_once()
        items = server["bob"].get("/me/events").get_json()["items"]
        return [each["message"] for each in items if each["kind"] == "message"]

    with open_server(here.data, here.url) as server:
        play(server.open(["ann", "bob"]), 1)
        people, first = server.people, write(server, "kept")
        assert told(server) == [first]
    put_back = keep_accounts(here, tmp_path / "older")
    with open_again(here, people) as server:
        lost = [write(server, "lost") for _ in range(3)]
        assert told(server) == [first, *lost]
    put_back()
    with open_again(here, people) as server:
        assert told(server) == [first, *lost], "they say nothing"
        newest = write(server, "new")
        assert told(server)[-1] == newest
        assert told(server) == [first, *lost[1:], newest], "under the number of the first that was lost"


def test_attack_196_accounts_older_than_a_deal_seat_nobody_else(here: Database, tmp_path: Path) -> None:
    with open_server(here.data, here.url) as server:
        play(server.open(["ann", "bob"]), 1)
        table = server["ann"].post("/games", {"variant": "pitch", "seats": ["ann", "open"]}).get_json()
        people, config = {"cat": server["cat"], **server.people}, server.config
    put_back = keep_accounts(here, tmp_path / "older")
    with open_again(here, people) as server:
        assert server["bob"].post(f"/games/{table['id']}/seats", {}).status_code == 201
        look(server)
    put_back()
    refuses_to_start(config, "games that the accounts don't know")
    said = run("store", "log", at=config)
    assert f"lost: the accounts of board {table['board']} (game {table['id']})" in said.output
    assert run("store", "log", "--accept", "0", at=config).exit_code == 0
    with open_again(here, people) as server:
        assert ready(server).status_code == 200
        check_problem(server["cat"].post(f"/games/{table['id']}/seats", {}), 409, "table-closed")
        assert server.nobody.get(f"/games/{table['board']}").get_json()["id"] == table["id"]


@contextmanager
def open_again(here: Database, people: Mapping[str, Caller]) -> Iterator[GameServer]:
    """Open a server for people who have their tokens."""
    with open_server(here.data, here.url) as server:
        server.people.update({name: replace(each, client=server.nobody.client) for name, each in people.items()})
        yield server


def test_attack_194_two_servers_with_own_accounts_on_one_empty_log_notice_each_other(tmp_path: Path) -> None:
    with open_server(tmp_path / "one") as one:
        (tmp_path / "two").mkdir(mode=0o700)
        (tmp_path / "two" / "log.db").symlink_to(tmp_path / "one" / "log.db")
        with open_server(tmp_path / "two") as two:
            for server in (one, two):
                look(server)
            games = [server.open(["ann", "bob"]) for server in (one, two)]
            assert [game.public["board"] for game in games] == [1, 1]
            for server, game in zip((one, two), games, strict=True):
                look(server)
                assert SAYS in str(check_problem(ready(server), 503, "not-ready")["detail"])
                assert services_of(server.app).games.guard.damage == log_watch.OTHER_ACCOUNTS
                check_problem(any_move(game), 503, "not-ready")
                assert server["cat"].post("/games", ALONE).status_code == 503
        look(one)
        check_problem(any_move(games[0]), 503, "not-ready")


def test_accounts_that_go_back_while_a_server_runs_stop_its_moves(server: GameServer, here: Database) -> None:
    game = server.open(["ann", "bob"])
    play(game)
    positions = services_of(server.app).accounts.log_positions
    known = positions.all()
    positions.forget()
    look(server)
    check_problem(any_move(game), 503, "not-ready")
    positions.remember([each.at for each in known], ())
    assert ready(server).status_code == 200
    play(game, 1)


def keep_accounts(here: Database, copy: Path) -> Callable[[], object]:
    """Copy the accounts of a store without servers, and return an act that puts the copy back."""
    if here.url is None:
        shutil.copytree(here.data, copy, ignore=shutil.ignore_patterns("log.db*", "views.db*", "keys"))
        return partial(shutil.copytree, copy, here.data, dirs_exist_ok=True)
    with psycopg.connect(here.url) as connection:
        tables = [
            str(name) for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'office'")
        ]
        for name in tables:
            connection.execute(f"CREATE TABLE public.{name} AS TABLE office.{name}".encode())

    def put_back() -> None:
        with psycopg.connect(str(here.url)) as connection:
            for name in tables:
                connection.execute(f"DELETE FROM office.{name}".encode())
                connection.execute(f"INSERT INTO office.{name} SELECT * FROM public.{name}".encode())

    return put_back


@pytest.mark.parametrize("name", ["office.db-wal", "office.db-shm", "office.db"])
def test_attack_188_a_server_whose_accounts_store_nothing_more_is_not_ready(tmp_path: Path, name: str) -> None:
    with open_server(tmp_path / "data") as server:
        play(server.open(["ann", "bob"]))
        assert ready(server).status_code == 200
        (tmp_path / "data" / name).unlink()
        assert ready(server).status_code == 503
        assert server.nobody.post("/guests", {}).status_code == 503


def test_accounts_whose_write_ahead_log_was_removed_after_a_kill_are_not_used(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    with open_server(tmp_path / "data") as server:
        play(server.open(["ann", "bob"]))
        shutil.copytree(tmp_path / "data", killed, ignore=shutil.ignore_patterns("office.db-wal"))
        config = replace(server.config, data=killed)
    for command in ("doctor", "store check", "store log", "user list"):
        said = run(*command.split(), at=config)
        assert (said.exit_code, "office.db-wal is missing" in said.output) == (2, True), command
    with pytest.raises(TableFileDamaged, match=r"To go on without it, .* remove .*office.db-shm"):
        open_services(config)
    (killed / "office.db-shm").unlink()
    with pytest.raises(LogDamaged, match="games that the accounts don't know"):
        open_services(config)


@pytest.mark.parametrize("knows", [True, False], ids=["with-positions", "without"])
def test_a_log_whose_write_ahead_log_was_removed_after_a_kill_is_served_when_a_host_accepts_it(
    tmp_path: Path, *, knows: bool
) -> None:
    killed = tmp_path / "killed"
    with open_server(tmp_path / "data") as server:
        game = server.open(["ann", "bob"])
        play(game)
        with closing(sqlite3.connect(tmp_path / "data" / "log.db")) as log:
            log.execute("PRAGMA wal_checkpoint(FULL)")
        play(game, 2)
        if not knows:
            services_of(server.app).accounts.log_positions.forget()
        shutil.copytree(tmp_path / "data", killed, ignore=shutil.ignore_patterns("log.db-wal"))
        services_of(server.app).node.leave()
        config = replace(server.config, data=killed)
    assert "log.db-wal is missing" in run("store", "check", at=config).output
    refuses_to_start(config, "log.db-wal is missing")
    said = run("store", "log", at=config)
    assert (said.exit_code, "which is missing: up to a second more than that" in said.output) == (1, True)
    lost = said.output.partition("--accept ")[2].strip()
    assert (int(lost) > 0) is knows
    assert run("store", "log", "--accept", lost, at=config).exit_code == 0
    with open_server(killed) as server:
        assert ready(server).status_code == 200


@pytest.mark.lengthy
def test_a_server_that_uses_the_log_keeps_a_loss_from_being_accepted(server: GameServer, here: Database) -> None:
    game = server.open(["ann", "bob"])
    play(game)
    lose_last(here, game, 1)
    services_of(server.app).node.beat()
    assert "Stop every server" in server.command("store", "log", "--accept", "1").output
    services_of(server.app).node.leave()
    assert "There is no store" in run("store", "log", "--data", "nowhere").output


@pytest.mark.lengthy
def test_a_log_that_misses_nothing_has_nothing_to_accept(server: GameServer) -> None:
    play(server.open(["ann", "bob"]))
    said = server.command("store", "log", "--accept", "0")
    assert (said.exit_code, "nothing to accept" in said.output) == (2, True)


@pytest.mark.lengthy
def test_remembered_positions_are_few_and_never_beyond_the_log(server: GameServer) -> None:
    game, services = server.open(["ann", "bob"]), services_of(server.app)
    for _ in range(20):
        play(game, 1)
        assert services.games.log.missing([each.at for each in services.accounts.log_positions.all()]) == []
    known = services.accounts.log_positions.all()
    by_shard = [each for each in known if each.at.shard == known[0].at.shard]
    assert 4 <= len(by_shard) <= 16
    look(server)
    assert services.accounts.log_positions.all() == known, "nothing new, nothing written"


def test_of_many_positions_two_are_kept_for_each_power_of_two() -> None:
    kept = list[int]()
    for end in range(1, 3000):
        gone = too_many(end, kept)
        kept = [number for number in kept if number not in gone] + [end]
    distances = [3000 - number for number in reversed(kept)]
    assert len(kept) < 2 * 13
    assert all(after <= 3 * before for before, after in pairwise(distances))
    assert max(distances) > 2900


@pytest.mark.lengthy
def test_a_restored_store_and_one_with_other_shards_are_whole(here: Database, tmp_path: Path) -> None:
    with open_server(here.data, here.url) as server:
        play(server.open(["ann", "bob"]))
        config = server.config
    assert run("store", "backup", str(tmp_path / "backup"), at=config).exit_code == 0
    restored = replace(config, data=tmp_path / "restored", database_url=None)
    assert run("store", "restore", str(tmp_path / "backup"), at=restored).exit_code == 0
    assert run("shards", "count", "3", at=restored).exit_code == 0
    with open_server(restored.data) as server:
        assert ready(server).status_code == 200
        assert services_of(server.app).accounts.log_positions.all() == [], "reading writes nothing"
        look(server)
        assert services_of(server.app).accounts.log_positions.all() != []
    with closing(sqlite3.connect(restored.data / "log.db")) as log:
        log.execute("DELETE FROM games00of03_events")
        log.execute("DELETE FROM games01of03_events")
        log.execute("DELETE FROM games02of03_events")
        log.commit()
    said = run("shards", "count", "2", at=restored)
    assert (said.exit_code, "The log isn't whole" in said.output) == (2, True)


def test_a_store_that_an_older_release_wrote_is_whole_and_so_is_a_copy_of_its_folder(here: Database) -> None:
    with open_server(here.data, here.url) as server:
        game = server.open(["ann", "bob"])
        play(game)
        services_of(server.app).accounts.database.run("DROP TABLE log_positions")
    copied = here.data.with_name("copied")
    if here.url is None:
        shutil.copytree(here.data, copied)
    with open_server(copied, here.url) as server:
        assert ready(server).status_code == 200
        play(server.open(["cat", "dan"]))
        assert services_of(server.app).accounts.log_positions.all() != []


@pytest.mark.lengthy
def test_a_log_that_does_not_respond_shows_in_readiness_to_every_caller(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise StoreUnavailable("the store failed: OperationalError")

    services = services_of(server.app)
    assert ready(server).status_code == 200
    monkeypatch.setattr(services.games.log, "missing", fail)
    services.log_watch._looked_at = -log_watch.LOOK_S
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            services.log_watch.look()
        assert server.nobody.get("/health/ready").status_code == 503
    monkeypatch.undo()
    assert server.nobody.get("/health/ready").status_code == 200


def test_a_disk_that_is_full_shows_in_readiness(server: GameServer, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(1 << 40, 0, 1000))
    files = server.config.database_url is None
    assert ready(server).status_code == (503 if files else 200)
    if files:
        assert "disk is full" in str(check_problem(ready(server), 503, "not-ready")["detail"])
    monkeypatch.undo()
    assert ready(server).status_code == 200


@contextmanager
def no_room(server: GameServer, here: Database) -> Iterator[None]:
    """Let the database of the log say that its disk is full."""
    recorder = services_of(server.app).games.log.recorder(0)
    if isinstance(recorder, SqliteLogRecorder):
        with recorder.file.transaction() as connection:
            (most,) = connection.execute("PRAGMA max_page_count").fetchone()
            connection.execute("PRAGMA max_page_count = 1")  # no page more than there are
        yield
        with recorder.file.transaction() as connection:
            connection.execute(f"PRAGMA max_page_count = {most}")
        return
    assert here.url is not None
    with psycopg.connect(here.url) as connection:
        function = "CREATE FUNCTION log.no_room() RETURNS trigger LANGUAGE plpgsql AS "
        connection.execute(f"{function} $$ BEGIN RAISE 'no room' USING ERRCODE = '53100'; END $$".encode())
        for table in (*log_tables(here.url), "log.shards"):
            trigger = f"CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON {table} EXECUTE FUNCTION log.no_room()"
            connection.execute(trigger.encode())
    yield
    with psycopg.connect(here.url) as connection:
        connection.execute("DROP FUNCTION log.no_room() CASCADE")


def test_commits_that_find_no_room_show_in_readiness_until_there_is_some(server: GameServer, here: Database) -> None:
    game = server.open(["ann", "bob"])
    with no_room(server, here):
        assert any_until_full(game) == 503
        for _ in range(2):
            assert "disk is full" in str(check_problem(ready(server), 503, "not-ready")["detail"])
    assert ready(server).status_code == 200
    play(game, 1)
    assert ready(server).status_code == 200


def any_until_full(game: ServedGame) -> int:
    """Play until a move isn't stored, and return its status."""
    for _ in range(300):
        [seat] = game.public["turn"]["seats"]
        answer = game.move(seat, first_move(game.view(seat)))
        if answer.status_code != 201:
            return int(answer.status_code)
    raise AssertionError("every move is stored")
