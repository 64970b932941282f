"""Deleted people: a day to come back, then no name and no text of theirs in any file, and logs that verify."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from api.accounts.accounts import Accounts, open_accounts
from api.config import Config
from api.container import open_services
from api.people.services.housekeeping import Housekeeper
from api.people.stored.tokens import DAY_US
from domain.store.held_clock import machine_time
from tests import postgres
from tests.api.arbiters import STATEMENT, created, give_ruling, open_dispute, open_disputed_game
from tests.api.conftest import PASSWORD, Caller, check_problem, services_of
from tests.api.disputed_table import GROUNDS
from tests.api.live_server import GameServer, ServedGame, write_export
from tests.commands import run
from tests.people.conftest import json_of, with_token

NAME = "zebulon"
LOGIN = {"name": NAME, "password": PASSWORD}


def leave(server: GameServer, monkeypatch: pytest.MonkeyPatch, name: str = NAME) -> None:
    """Delete somebody, and let the worker erase them a day later."""
    assert server[name].ask("DELETE", "/me", {"password": PASSWORD}).status_code == 202
    server.follow()
    housekeeper = Housekeeper(services_of(server.app))
    assert housekeeper.erase_leavers() == 0, "a day isn't over"
    with monkeypatch.context() as patch:
        later = machine_time() + 2 * DAY_US
        patch.setattr(services_of(server.app).accounts.database, "clock", lambda: later)
        assert housekeeper.erase_leavers() == 1


def everything_stored(config: Config) -> str:
    """Return all rows of PostgreSQL's tables, or all bytes of the files that a server holds."""
    if config.database_url is None:
        return "".join(path.read_bytes().decode("latin-1") for path in config.data.rglob("*") if path.is_file())
    select = "SELECT table_schema, table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE'"
    with psycopg.connect(config.database_url) as connection:
        tables = connection.execute(select + " AND table_schema NOT IN ('pg_catalog', 'information_schema')").fetchall()
        return "".join(str(connection.execute(f'SELECT * FROM {s}."{t}"'.encode()).fetchall()) for s, t in tables)


def test_deleting_needs_the_password_and_takes_effect_at_once(server: GameServer) -> None:
    person = server[NAME]
    check_problem(person.ask("DELETE", "/me", {}), 400, "malformed")
    wrong = check_problem(person.ask("DELETE", "/me", {"password": "wrong-horse"}), 401, "bad-login")
    assert wrong["detail"] == "The current password is wrong."
    assert person.get("/me").status_code == 200
    assert json_of(person.ask("DELETE", "/me", {"password": PASSWORD}), 202)["deleted_at"]
    check_problem(person.get("/me"), 401, "unauthorized")
    refused = check_problem(person_without(person).post("/tokens", LOGIN), 403, "user-leaving")
    assert "POST /me/restore" in str(refused["detail"])


def person_without(person: Caller) -> Caller:
    return replace(person, token=None)


def test_who_comes_back_within_the_day_stays(server: GameServer, monkeypatch: pytest.MonkeyPatch) -> None:
    person = server[NAME]
    assert person.ask("DELETE", "/me", {"password": PASSWORD}).status_code == 202
    nobody = person_without(person)
    check_problem(nobody.post("/me/restore", LOGIN | {"password": "wrong-horse"}), 401, "bad-login")
    back = with_token(nobody, json_of(nobody.post("/me/restore", LOGIN), 201))
    assert back.get("/me").status_code == 200
    accounts = services_of(server.app).accounts
    assert accounts.leaving.due(2**62) == []


def disputed_game(server: GameServer) -> ServedGame:
    """Open a game of ann, the person and cat, in which the person wrote a text, as did an arbiter."""
    game = open_disputed_game(server, names=["ann", NAME, "cat"])
    created(open_dispute(game, 1))
    server.role("judge", "arbiter")
    created(give_ruling(game, "judge", "none"))
    return game


def test_a_deleted_person_leaves_neither_name_nor_text(
    server: GameServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("api.play.services.game_reader.NAMES_MAX_AGE_S", 0.0)
    game = disputed_game(server)
    check_problem(person_without(server[NAME]).post("/tokens", LOGIN | {"password": "wrong-horse"}), 401, "bad-login")
    assert NAME in everything_stored(server.config)
    leave(server, monkeypatch)
    stored = everything_stored(server.config)
    assert (NAME in stored, STATEMENT[:20] in stored, GROUNDS in stored) == (False, False, True)
    player = game.public["seats"][1]["player"]
    assert (game.public["seats"][1]["state"], game.public["names"][player]) == ("resigned", "deleted")
    lobby = json_of(server.nobody.get("/games"))
    assert lobby["names"][player] == "deleted"
    assert run("game", "verify", write_export(game, tmp_path)).exit_code in (0, 2)  # 2: the game isn't over
    assert run("game", "audit", game.id, at=server.config).exit_code == 2
    game.seats.pop(1)
    game.finish()
    for command in (("game", "verify", write_export(game, tmp_path)), ("game", "audit", game.id), ("store", "check")):
        done = run(*command, at=server.config)
        assert done.exit_code == 0, done.output
    [item] = json_of(server["ann"].get(f"{game.path}/disputes"))["items"]
    assert (item["opened"]["erased"], item["ruling"]["erased"]) == (True, False)
    assert server.nobody.post("/users", LOGIN).status_code == 201


def test_texts_whose_authors_were_not_stored_are_erased_too(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = disputed_game(server)
    database = services_of(server.app).accounts.database
    database.run("UPDATE texts SET author = NULL")
    leave(server, monkeypatch, "judge")
    [item] = json_of(server["ann"].get(f"{game.path}/disputes"))["items"]
    assert (item["opened"]["erased"], item["ruling"]["erased"]) == (False, True)


def test_the_erased_are_listed_by_id(server: GameServer, monkeypatch: pytest.MonkeyPatch) -> None:
    person = json_of(server[NAME].get("/me"))["id"]
    leave(server, monkeypatch)
    listed = json.loads(server.command("user", "list", "--erased").output)
    assert [each["player"] for each in listed["erasures"]] == [person]
    acts = [json.loads(line) for line in server.command("user", "log").output.splitlines()]
    assert [(act["what"], act["player"]) for act in acts] == [("user-deleted", person)]


@pytest.fixture
def place(server: GameServer, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Config]:
    """An empty target to restore into, on the other kind of store than the server's."""
    empty = Config(data=tmp_path / "restored", hashing="cheapest")
    if server.config.database_url is not None:
        yield empty
        return
    running: postgres.Server = request.getfixturevalue("postgres_server")
    with running.fresh() as url:
        yield replace(empty, database_url=url)


@pytest.mark.both_stores
def test_a_restore_of_an_older_backup_erases_again(
    server: GameServer, place: Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = disputed_game(server)
    person = game.public["seats"][1]["player"]
    services_of(server.app).accounts.database.run("UPDATE texts SET author = NULL")  # as version 0.1 left them
    older, newer = tmp_path / "copies" / "older", tmp_path / "copies" / "newer"
    assert server.command("store", "backup", str(older)).exit_code == 0
    leave(server, monkeypatch)
    assert server.command("store", "backup", str(newer)).exit_code == 0
    manifest = newer / "manifest.json"
    assert [each["player"] for each in json.loads(manifest.read_text())["erasures"]] == [person]
    done = run("store", "restore", str(older), "--erasures", str(manifest), at=place)
    assert done.exit_code == 0, done.output
    with closing(open_accounts(place)) as accounts:
        assert is_erased(accounts, person)
    stored = everything_stored(place)
    assert (NAME in stored, STATEMENT[:20] in stored, GROUNDS in stored) == (False, False, True)
    with closing(open_services(place)) as services:
        services.followers.catch_up()
        housekeeper = Housekeeper(services)
        assert (housekeeper.resign_for_erased(), housekeeper.resign_for_erased()) == (1, 0)
        assert [seat.state for seat in services.games.state(game.id).seats if seat.player == person] == ["resigned"]


def is_erased(accounts: Accounts, player: str) -> bool:
    erased = [each.player for each in accounts.erasures.all()]
    return accounts.users.names_of([player]) == {player: "deleted"} and erased == [player]


def test_a_file_without_erasures_is_refused(server: GameServer, tmp_path: Path) -> None:
    copy, wrong = tmp_path / "copy", tmp_path / "wrong.json"
    server.open(["ann", "bot:simple"])
    assert server.command("store", "backup", str(copy)).exit_code == 0
    wrong.write_text("[]")
    refused = run("store", "restore", str(copy), "--erasures", str(wrong), at=Config(data=tmp_path / "restored"))
    assert (refused.exit_code, "names no deleted users" in refused.stderr) == (1, True)
    assert not (tmp_path / "restored").exists()
