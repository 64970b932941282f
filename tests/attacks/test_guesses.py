"""Attacks on log-ins: guesses at passwords and tokens, and questions whether a user exists."""

import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from werkzeug.test import TestResponse

from api.config.limits import Limits
from tests.api.conftest import PASSWORD, Caller, services_of
from tests.api.live_server import GameServer, open_server

ANN = {"name": "ann", "password": PASSWORD}
WRONG = {"name": "ann", "password": "wrong-horse"}


class Clock:
    """The clock of the limits of some servers, which stands still."""

    def __init__(self, *servers: GameServer) -> None:
        self.now = 0.0
        for server in servers:
            storage = services_of(server.app).limit_storage
            storage.clock = storage._shared._clock = lambda: self.now


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GameServer]:
    """A server with the limits that every server has, and whose clock stands still."""
    with open_server(tmp_path, limits=Limits()) as opened:
        Clock(opened)
        yield opened


def at(address: str, server: GameServer) -> Caller:
    """Return a caller without a token from an address."""
    client = server.app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return Caller(client)


def log_in(caller: Caller, body: dict[str, str]) -> TestResponse:
    return caller.post("/tokens", body)


def test_attack_16_unknown_tokens_are_limited_and_the_owner_is_not_locked_out(server: GameServer) -> None:
    ann = server["ann"]
    answers = [replace(ann, token="tb_" + secrets.token_urlsafe(32)).get("/games") for _ in range(150)]
    assert [answer.status_code for answer in answers] == [401] * 60 + [429] * 90
    assert {answer.headers["Retry-After"] for answer in answers[60:]} == {"60"}
    assert (ann.get("/games").status_code, server.nobody.get("/games").status_code) == (200, 200)


def test_attack_73_an_unknown_name_and_a_wrong_password_get_the_same_answer_after_the_same_work(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashes, verify = list[str](), PasswordHasher.verify

    def note(hasher: PasswordHasher, hashed: str, password: bytes) -> bool:
        hashes.append(hashed.rpartition("$")[0].rpartition("$")[0])
        return verify(hasher, hashed, password)

    assert server["ann"].token
    monkeypatch.setattr(PasswordHasher, "verify", note)
    known, unknown = (log_in(server.nobody, {"name": name, "password": "wrong-horse"}) for name in ("ann", "bob"))
    assert (known.status_code, known.data) == (unknown.status_code, unknown.data) == (401, known.data)
    assert set(known.headers.keys()) == set(unknown.headers.keys())
    assert len(hashes) == 2, "a password is hashed for an unknown name, too"
    assert hashes[0] == hashes[1], "with the same parameters"


def test_attack_117_after_wrong_guesses_the_right_password_works_there_soon_and_elsewhere_at_once(
    tmp_path: Path,
) -> None:
    with open_server(tmp_path, limits=Limits()) as first, open_server(tmp_path, limits=Limits()) as second:
        clock, playing = Clock(first, second), first["ann"]
        thief = [at("127.0.0.1", first), at("127.0.0.1", second)]
        answers = [log_in(thief[turn % 2], WRONG) for turn in range(40)]
        assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 30
        waits = {int(answer.headers["Retry-After"]) for answer in answers[10:]}
        assert len(waits) == 1
        assert log_in(thief[0], {"name": "bob", "password": "wrong-horse"}).status_code == 401
        assert playing.get("/games").status_code == 200
        assert log_in(at("127.0.0.2", second), ANN).status_code == 201
        assert log_in(thief[1], ANN).status_code == 429
        clock.now += waits.pop()
        assert log_in(thief[1], ANN).status_code == 201
        assert log_in(thief[0], ANN).status_code == 201
