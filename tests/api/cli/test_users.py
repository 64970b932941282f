"""`trickbook user` beside a running server: each act takes effect within a second, and is in the admin log."""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from api.people.services.housekeeping import Housekeeper
from tests.api.conftest import PASSWORD, check_problem, services_of
from tests.api.live_server import GameServer, open_server
from tests.commands import run
from tests.conftest import Database

OTHER = "violet otter lantern"


@pytest.fixture
def server(database: Database) -> Iterator[GameServer]:
    """Return a server on which a second passes between any two requests, for those that look at tokens."""
    with open_server(database.data, database.url) as opened:
        services_of(opened.app).accounts.tokens.timer = count(step=1.0).__next__
        yield opened


def user(server: GameServer, *arguments: str, group: str = "user", given: bytes | None = None) -> str:
    """Run `trickbook user`, or a command of another group, and return what it prints."""
    answer = run(group, *arguments, at=server.config, given=given)
    assert answer.exit_code == 0, answer.output
    return str(answer.stdout)


def access(server: GameServer, *arguments: str, given: bytes | None = None) -> str:
    """Run `trickbook access` and return what it prints."""
    return user(server, *arguments, group="access", given=given)


def refusal(server: GameServer, *arguments: str, group: str = "user", given: bytes | None = None) -> str:
    answer = run(group, *arguments, at=server.config, given=given)
    assert (answer.exit_code, answer.stdout) == (2, "")
    return str(answer.stderr)


def log_in(server: GameServer, password: str = PASSWORD) -> Any:
    return server.nobody.post("/tokens", {"name": "ann", "password": password})


def acts(server: GameServer) -> list[str]:
    return [json.loads(line)["what"] for line in user(server, "log").splitlines()]


@pytest.mark.both_stores
def test_a_disabled_user_is_refused_until_enabled(server: GameServer) -> None:
    ann = server["ann"]
    user(server, "disable", "ann")
    body = check_problem(ann.get("/games"), 403, "user-disabled")
    assert body["detail"] == "the host of this server has disabled this user"
    check_problem(log_in(server), 403, "user-disabled")
    check_problem(log_in(server, "wrong-horse"), 401, "bad-login")
    assert user(server, "list", "--disabled").startswith("ann\t\tdisabled 2")
    user(server, "enable", "ann")
    assert (ann.get("/games").status_code, log_in(server).status_code) == (200, 201)
    assert acts(server) == ["user-disabled", "user-enabled"]


def test_a_log_in_during_the_reset_of_the_password_gets_no_token(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server["ann"].token
    passwords = services_of(server.app).accounts.users._passwords
    matches = passwords.matches

    def matches_before_the_reset(stored: str | None, password: str) -> bool:
        was_right = matches(stored, password)
        access(server, "password", "ann", given=OTHER.encode() + b"\n")
        return was_right

    with monkeypatch.context() as patch:
        patch.setattr(passwords, "matches", matches_before_the_reset)
        check_problem(log_in(server), 401, "bad-login")
    assert log_in(server, OTHER).status_code == 201


def test_a_reset_password_signs_out_and_replaces_the_old_one(server: GameServer) -> None:
    ann = server["ann"]
    assert "easy to guess" in refusal(server, "password", "ann", group="access", given=b"password1\n")
    assert "Choose one of 8 to 256 characters" in refusal(server, "password", "ann", group="access", given=b"x\n")
    assert ann.get("/games").status_code == 200
    access(server, "password", "ann", given=OTHER.encode() + b"\n")
    check_problem(ann.get("/games"), 401, "unauthorized")
    assert (log_in(server).status_code, log_in(server, OTHER).status_code) == (401, 201)
    assert acts(server) == ["password-reset"]


def test_tokens_are_listed_by_id_and_ended_singly_or_all(server: GameServer) -> None:
    ann = server["ann"]
    second = log_in(server).get_json()["token"]
    ids = [token["id"] for token in json.loads(access(server, "tokens", "ann", "--json"))]
    assert len(set(ids)) == 2
    assert not {ann.token, second} & set(ids)
    access(server, "end", ids[1])
    check_problem(ann.get("/games"), 401, "unauthorized")
    assert "There is no valid token" in refusal(server, "end", ids[1], group="access")
    assert "\trevoked 2" in access(server, "tokens", "ann").splitlines()[1]
    assert "\tplay\t2" in access(server, "tokens", "ann")
    assert "\texpires 2" in access(server, "tokens", "ann")
    assert access(server, "end", "--all", "ann") == "ended 1 token of ann\n"
    assert server.nobody.ask("GET", "/games", Authorization=f"Bearer {second}").status_code == 401
    assert acts(server) == ["token-revoked", "user-signed-out"]


@pytest.mark.both_stores
def test_users_are_listed_by_filters(server: GameServer) -> None:
    for name in ("ann", "Anton", "bob"):
        assert server[name].token
    server.role("bob", "arbiter")
    assert user(server, "list") == "ann\nAnton\nbob\tarbiter\n"
    assert user(server, "list", "--name", "AN") == "ann\nAnton\n"
    assert user(server, "list", "--limit", "1") == "ann\n"
    [bob] = json.loads(user(server, "list", "--role", "arbiter", "--json"))
    assert (bob["name"], bob["roles"], bob["disabled"], bob["created"][:1]) == ("bob", ["arbiter"], None, "2")
    assert acts(server) == ["role-granted"]


@pytest.mark.both_stores
def test_a_host_renews_recovery_codes_and_lists_guests(server: GameServer) -> None:
    assert server["ann"].token
    codes = access(server, "codes", "ann").split()
    assert len(set(codes)) == 8
    body = {"name": "ann", "code": codes[0], "new_password": OTHER}
    assert server.nobody.post("/tokens/recovery", body).status_code == 201
    guest = server.nobody.post("/guests", {}).get_json()
    assert user(server, "list", "--guests") == f"{guest['name']}\t\tguest\n"
    server["bob"].ask("DELETE", "/me", {"password": PASSWORD})
    assert user(server, "list", "--name", "bob").startswith("bob\t\tdeleted at 2")
    assert acts(server) == ["recovery-codes-renewed"]


def test_a_user_who_plays_is_deleted_at_once_with_force_alone(server: GameServer) -> None:
    game = server.open(["ann", "bob", "cat", "dan"])
    ann, at_once = game.public["seats"][0]["player"], ("delete", "ann", "--now", "--yes")
    assert f"plays at boards {game.public['board']}. With --force" in refusal(server, *at_once)
    assert "--force needs --now" in refusal(server, "delete", "ann", "--force")
    assert server["ann"].get("/games").status_code == 200
    assert user(server, *at_once, "--force") == f"deleted ann ({ann})\n"
    check_problem(server.people["ann"].get("/games"), 401, "unauthorized")
    assert "ann" not in user(server, "list")
    assert acts(server) == ["user-disabled", "user-deleted"]
    assert [json.loads(line)["name"] for line in user(server, "log").splitlines()] == ["deleted", "deleted"]
    assert server.nobody.post("/users", {"name": "ann", "password": PASSWORD}).status_code == 201


@pytest.mark.both_stores
def test_a_user_is_deleted_after_a_question_and_a_day_and_kept_until_then(server: GameServer) -> None:
    ann = server["ann"]
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}).get_json()["id"]
    for answer in (b"", b"n\n", b"\n"):
        assert "Nothing has changed. Answer y, or add --yes." in refusal(server, "delete", "ann", given=answer)
    assert ann.get("/games").status_code == 200
    said = user(server, "delete", "ann", given=b"y\n")
    assert user(server, "delete", "ann", "--yes") == said, "the day doesn't begin again"
    entry = json.loads(user(server, "log").splitlines()[-1])
    assert entry["name"] == "ann"
    assert said == f"ann ({entry['player']}) will be deleted at {user(server, 'list').split()[-1]}\n"
    check_problem(ann.get("/games"), 401, "unauthorized")
    check_problem(log_in(server), 403, "user-leaving")
    assert user(server, "restore", "ann") == "ann is kept\n"
    assert "ann isn't about to be deleted" in refusal(server, "restore", "ann")
    assert log_in(server).status_code == 201
    user(server, "delete", "ann", "--yes")
    services = services_of(server.app)
    services.accounts.database.run("UPDATE users SET leaving = leaving - ?", 25 * 3600 * 1_000_000)
    server.follow()
    assert Housekeeper(services).erase_leavers() == 1
    assert server.nobody.get(f"/games/{game}").get_json()["status"] == "finished"
    assert acts(server) == ["user-leaving"] * 2 + ["user-restored", "user-leaving", "user-deleted"]


@pytest.mark.parametrize(
    "command",
    [
        *("user disable", "user enable", "user delete", "user restore"),
        *("access password", "access end --all", "access tokens", "access codes"),
    ],
)
def test_an_unknown_user_is_named(server: GameServer, command: str) -> None:
    group, *words = command.split()
    assert (
        refusal(server, *words, "nobody", group=group, given=b"x\n")
        == "Error: There is no user nobody. `trickbook user list` lists them.\n"
    )
