"""Changing a password, and recovery codes."""

from pathlib import Path

from werkzeug.test import TestResponse

from api.config import Config
from api.config.limits import Backoff, Limits
from tests.api.conftest import PASSWORD, Caller, check_problem, services_of
from tests.api.live_server import GameServer
from tests.people.conftest import OTHER, json_of, open_caller, with_token

ANN = {"name": "ann", "password": PASSWORD}


def register(caller: Caller) -> list[str]:
    codes: list[str] = json_of(caller.post("/users", ANN), 201)["recovery_codes"]
    return codes


def recover(caller: Caller, code: str, name: str = "ann", password: str = OTHER) -> TestResponse:
    return caller.post("/tokens/recovery", {"name": name, "code": code, "new_password": password}, X_Request_Id="same")


def test_a_changed_password_renews_this_session_and_ends_the_others(server: GameServer, ann: Caller) -> None:
    other = with_token(ann, json_of(ann.post("/tokens", ANN | {"label": "phone"}), 201))
    renewed = with_token(ann, json_of(ann.post("/me/password", {"password": PASSWORD, "new_password": OTHER})))
    for caller in (ann, other):
        check_problem(caller.get("/me"), 401, "unauthorized")
    assert json_of(renewed.get("/me"))["name"] == "ann"
    check_problem(server.nobody.post("/tokens", ANN), 401, "bad-login")
    assert server.nobody.post("/tokens", ANN | {"password": OTHER}).status_code == 201


def test_a_wrong_or_weak_password_changes_nothing(ann: Caller) -> None:
    wrong = check_problem(ann.post("/me/password", {"password": OTHER, "new_password": PASSWORD}), 401, "bad-login")
    assert wrong["detail"] == "The current password is wrong."
    same = check_problem(ann.post("/me/password", {"password": PASSWORD, "new_password": PASSWORD}), 400, "malformed")
    assert "another password than the current one" in str(same["errors"])
    weak = check_problem(
        ann.post("/me/password", {"password": PASSWORD, "new_password": "password1"}), 400, "malformed"
    )
    assert "easy to guess" in str(weak["errors"])
    assert ann.post("/tokens", ANN).status_code == 201


def test_each_recovery_code_sets_a_password_once(server: GameServer) -> None:
    codes = register(server.nobody)
    assert len(set(codes)) == 8
    ann = with_token(server.nobody, json_of(server.nobody.post("/tokens", ANN), 201))
    recovered = with_token(ann, json_of(recover(ann, codes[3].upper().replace("-", " ")), 201))
    check_problem(ann.get("/me"), 401, "unauthorized")
    assert json_of(recovered.get("/me"))["recovery_codes"] == 7
    check_problem(recover(server.nobody, codes[3]), 401, "bad-login")
    assert recover(server.nobody, codes[4], password=PASSWORD).status_code == 201
    assert server.nobody.post("/tokens", ANN).status_code == 201


def test_recovery_codes_are_shown_once_and_stored_as_hashes(server: GameServer) -> None:
    codes = register(server.nobody)
    ann = with_token(server.nobody, json_of(server.nobody.post("/tokens", ANN), 201))
    shown = "".join(ann.get(path).text for path in ("/me", "/me/export", "/me/tokens", "/me/standing"))
    assert not any(code in shown or code.replace("-", "") in shown for code in codes)
    stored = str(services_of(server.app).accounts.database.run("SELECT * FROM recovery_codes"))
    assert not any(code in stored or code.replace("-", "") in stored for code in codes)


def test_new_codes_replace_the_old_ones(server: GameServer, ann: Caller) -> None:
    check_problem(ann.post("/me/recovery-codes", {"password": OTHER}), 401, "bad-login")
    first = json_of(ann.post("/me/recovery-codes", {"password": PASSWORD}), 201)["recovery_codes"]
    second = json_of(ann.post("/me/recovery-codes", {"password": PASSWORD}), 201)["recovery_codes"]
    assert not set(first) & set(second)
    check_problem(recover(server.nobody, first[0]), 401, "bad-login")
    assert recover(server.nobody, second[0]).status_code == 201


def test_a_disabled_user_does_not_recover(server: GameServer) -> None:
    codes = register(server.nobody)
    assert server.command("user", "disable", "ann").exit_code == 0
    check_problem(recover(server.nobody, codes[0]), 403, "user-disabled")
    assert server.command("user", "enable", "ann").exit_code == 0
    assert recover(server.nobody, codes[0]).status_code == 201


def test_somebody_who_is_leaving_does_not_recover_but_can_come_back(server: GameServer) -> None:
    codes = register(server.nobody)
    ann = with_token(server.nobody, json_of(server.nobody.post("/tokens", ANN), 201))
    assert ann.ask("DELETE", "/me", {"password": PASSWORD}).status_code == 202
    check_problem(recover(server.nobody, codes[0]), 403, "user-leaving")
    assert server.nobody.post("/me/restore", ANN).status_code == 201
    assert recover(server.nobody, codes[0]).status_code == 201


def test_wrong_codes_and_own_passwords_count_as_guesses(tmp_path: Path) -> None:
    limits = Limits(guesses=Backoff(free=3, longest_wait_s=30, forget_s=3600))
    with open_caller(Config(data=tmp_path, hashing="cheapest", limits=limits)) as caller:
        ann = caller.join("ann")
        check_problem(recover(ann, "wrong"), 401, "bad-login")
        for path in ("/me/password", "/me/recovery-codes"):
            body = {"password": "wrong-horse"} | ({"new_password": OTHER} if path == "/me/password" else {})
            check_problem(ann.post(path, body), 401, "bad-login")
        check_problem(ann.ask("DELETE", "/me", {"password": PASSWORD}), 429, "too-many-requests")
        check_problem(ann.post("/me/restore", ANN), 429, "too-many-requests")
        assert ann.get("/me").status_code == 200
