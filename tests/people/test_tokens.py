"""Tokens: names, scopes, expiry, and how their owner lists and ends them."""

from typing import Any

import pytest

from api.people.stored import tokens as grants
from tests.api.conftest import PASSWORD, Caller, check_problem, services_of
from tests.api.live_server import GameServer
from tests.people.conftest import json_of, with_token

TABLE: dict[str, object] = {"variant": "pitch", "seats": ["ann", "bot:simple"]}
BODIES: dict[str, dict[str, object]] = {
    "/games": TABLE, "/me": {"password": PASSWORD}, "/me/email": {"email": "ann@example.com"},
    "/me/password": {"password": PASSWORD, "new_password": "another-horse-2"},
    "/me/recovery-codes": {"password": PASSWORD}, "/me/seating": {"at_once": True, "friends": []},
    "/reports": {"about": "bob", "kind": "abuse", "text": "x"}, "/me/webhooks": {"url": "https://1.1.1.1/x"},
}  # fmt: skip
"""Bodies that some routes want before they look at the token's scope."""


def log_in(caller: Caller, **more: object) -> Caller:
    return with_token(caller, json_of(caller.post("/tokens", {"name": "ann", "password": PASSWORD, **more}), 201))


def test_a_token_has_a_name_a_scope_and_an_expiry(ann: Caller) -> None:
    log_in(ann, label="laptop", scope="read", days=3)
    newest, first = json_of(ann.get("/me/tokens"))["items"]
    assert (newest["label"], newest["scope"], newest["current"]) == ("laptop", "read", False)
    assert (first["label"], first["scope"], first["current"], first["used"]) == (None, "play", True, None)
    assert newest["expires"] < first["expires"]


def test_other_fields_of_a_token_are_malformed(ann: Caller) -> None:
    wrong = ("days", 0), ("days", 367), ("days", "9"), ("scope", "all"), ("scope", "play:1"), ("label", "")
    for field, value in wrong:
        sent = {"name": "ann", "password": PASSWORD, field: value}
        errors: Any = check_problem(ann.post("/tokens", sent), 400, "malformed")["errors"]
        assert list(errors) == [field]


def test_an_expired_token_is_called_so(server: GameServer, ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(services_of(server.app).accounts.database, "clock", lambda: grants.DAY_US)
        old = log_in(ann)
    answer = old.get("/me")
    assert check_problem(answer, 401, "unauthorized")["detail"] == "The token has expired. Log in again."
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="trickbook", error="invalid_token"'
    tokens = services_of(server.app).accounts.tokens
    assert tokens.valid_among([grants.token_sha256(str(old.token))]) == set()
    assert len(json_of(ann.get("/me/tokens"))["items"]) == 1


def test_a_token_to_read_reads_and_changes_nothing(server: GameServer, ann: Caller) -> None:
    game, reader = server.open(["ann", "bot:simple"]), log_in(ann, scope="read")
    for path in (game.path, f"{game.path}/seats/0", "/games", "/me"):
        assert reader.get(path).status_code == 200
    before = game.log
    for method, path in (
        ("POST", "/games"), ("POST", f"{game.path}/moves"), ("POST", f"{game.path}/disputes"), ("GET", "/me/tokens"),
        ("DELETE", "/me/tokens"), ("POST", f"{game.path}/receipts"), ("GET", "/me/export"), ("PUT", "/me/email"),
        ("DELETE", "/me"), ("POST", "/me/password"), ("POST", "/me/recovery-codes"), ("PUT", "/me/seating"),
        ("PUT", "/me/blocks/bob"), ("POST", "/reports"), ("POST", "/me/webhooks"),
    ):  # fmt: skip
        check_problem(reader.ask(method, path, BODIES.get(path, {}) if method != "GET" else None), 403, "token-scope")
    assert game.log == before
    assert set(json_of(reader.get("/me"))) == {"id", "name", "guest", "token"}
    assert reader.delete("/tokens/current").status_code == 204


def test_a_token_for_one_game_sees_and_moves_there_alone(server: GameServer, ann: Caller) -> None:
    game, other = server.open(["ann", "bot:simple"]), server.open(["ann", "bot:simple"])
    caller = log_in(ann, scope=f"play:{game.id}")
    board = game.public["board"]
    for path in (game.path, f"/games/{board}", f"{game.path}/seats/0", f"{game.path}/events", "/variants", "/me"):
        assert caller.get(path).status_code == 200, path
    for path in (other.path, f"{other.path}/seats/0", f"{other.path}/export", "/games", "/exports/games", "/me/tokens"):
        check_problem(caller.get(path), 403, "token-scope")
    check_problem(caller.post(f"{other.path}/moves", {"type": "resign"}), 403, "token-scope")
    for path in ("/me/export", "/me/blocks", "/disputes"):
        check_problem(caller.get(path), 403, "token-scope")
    nowhere = [caller.get(f"/games/{board}", X_Request_Id="same").data for board in (other.public["board"], 999)]
    assert nowhere[0] == nowhere[1], "a token of one game doesn't tell which others exist"
    for path in (f"{other.path}/disputes", "/games", "/me/password", "/me/recovery-codes", "/reports", "/me/webhooks"):
        check_problem(caller.post(path, BODIES.get(path, {})), 403, "token-scope")
    check_problem(caller.ask("DELETE", "/me", {"password": PASSWORD}), 403, "token-scope")
    assert caller.post(f"/games/{board}/moves", {"type": "resign"}).status_code == 201
    assert caller.delete("/tokens/current").status_code == 204


def test_only_moderators_get_a_token_to_moderate(server: GameServer, ann: Caller) -> None:
    wanted = {"name": "ann", "password": PASSWORD, "scope": "moderate"}
    check_problem(ann.post("/tokens", wanted), 403, "forbidden")
    server.role("ann", "moderator")
    moderator = with_token(ann, json_of(ann.post("/tokens", wanted), 201))
    assert json_of(moderator.get("/me"))["token"]["scope"] == "moderate"
    check_problem(moderator.post("/games", TABLE), 403, "token-scope")


@pytest.mark.both_stores
def test_tokens_end_singly_or_all_but_this_one(ann: Caller) -> None:
    second, third = log_in(ann), log_in(ann)
    ids = {token["current"]: token["id"] for token in json_of(second.get("/me/tokens"))["items"]}
    assert ann.delete(f"/me/tokens/{ids[True]}").status_code == 204
    check_problem(second.get("/me"), 401, "unauthorized")
    check_problem(ann.delete(f"/me/tokens/{ids[True]}"), 404, "not-found")
    assert json_of(ann.delete("/me/tokens")) == {"ended": 1}
    check_problem(third.get("/me"), 401, "unauthorized")
    assert ann.get("/me").status_code == 200


def test_the_day_of_the_last_use_is_written_in_batches(server: GameServer, ann: Caller) -> None:
    tokens = services_of(server.app).accounts.tokens
    assert json_of(ann.get("/me/tokens"))["items"][0]["used"] is None
    assert (tokens.write_days(), tokens.write_days()) == (1, 0)
    [token] = json_of(ann.get("/me/tokens"))["items"]
    assert token["used"] == token["created"][:10]
    assert len(token["used"]) == len("2026-11-25")


def test_old_invalid_tokens_are_deleted(server: GameServer, ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    accounts = services_of(server.app).accounts
    with monkeypatch.context() as patch:
        patch.setattr(services_of(server.app).accounts.database, "clock", lambda: grants.DAY_US)
        log_in(ann)
    log_in(ann).delete("/tokens/current")
    accounts.sessions.delete_old()
    kept = json_of(ann.get("/me/export"))["tokens"]
    assert sorted(token["revoked"] is None for token in kept) == [False, True]
