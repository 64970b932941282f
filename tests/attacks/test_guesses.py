"""Attacks on log-ins: guesses at passwords and tokens, and questions whether a user exists."""

import secrets
import time
from collections.abc import Iterator
from dataclasses import replace
from statistics import median

import pytest

from tests.api.conftest import PASSWORD
from tests.api.remote_server import RemoteCaller, RemoteResponse, RemoteServer
from tests.api.server_process import start_server
from tests.conftest import Database

ANN = {"name": "ann", "password": PASSWORD}
WRONG = {"name": "ann", "password": "wrong-horse"}


@pytest.fixture
def server(database: Database) -> Iterator[RemoteServer]:
    """A server with the limits that every server has."""
    with start_server(database) as started:
        yield RemoteServer(started.url)


def log_in(caller: RemoteCaller, body: dict[str, str]) -> RemoteResponse:
    return caller.post("/tokens", body)


def log_in_patiently(caller: RemoteCaller, within_s: float) -> RemoteResponse:
    """Log in as ann, and wait as long as each 429 asks for."""
    began = time.monotonic()
    answer = log_in(caller, ANN)
    while answer.status_code == 429 and time.monotonic() - began < within_s:
        time.sleep(float(answer.headers["Retry-After"]))
        answer = log_in(caller, ANN)
    return answer


def test_attack_16_unknown_tokens_are_limited_and_the_owner_is_not_locked_out(server: RemoteServer) -> None:
    ann = server["ann"]
    thief = [replace(ann, token="tb_" + secrets.token_urlsafe(32)) for _ in range(150)]
    began = time.monotonic()
    answers = [each.get("/games") for each in thief]
    elapsed_s = time.monotonic() - began
    statuses = [answer.status_code for answer in answers]
    assert set(statuses) == {401, 429}
    assert 60 <= statuses.count(401) <= 61 + elapsed_s  # the window slides: 60 a minute is one a second
    assert all(int(each.headers["Retry-After"]) <= 60 for each in answers if each.status_code == 429)
    assert (ann.get("/games").status_code, server.nobody.get("/games").status_code) == (200, 200)


def test_attack_73_an_unknown_name_and_a_wrong_password_get_the_same_answer_in_the_same_time(
    server: RemoteServer,
) -> None:
    owner = server["ann"]

    def ask(turn: int, name: str) -> tuple[float, RemoteResponse]:
        caller = replace(owner, token=None, source=f"127.0.1.{turn + 1}")
        began = time.perf_counter()
        answer = log_in(caller, {"name": name, "password": "wrong-horse"})
        return time.perf_counter() - began, answer

    turns = [(ask(turn, "ann"), ask(turn, "bob")) for turn in range(15)]
    for (_, known), (_, unknown) in turns:
        assert (known.status_code, known.data) == (unknown.status_code, unknown.data) == (401, known.data)
        assert set(known.headers.keys()) == set(unknown.headers.keys())
    known_s, unknown_s = (median(turn[side][0] for turn in turns) for side in (0, 1))
    assert 1 / 4 < known_s / unknown_s < 4  # without a hash for an unknown name it would be more than ten


def test_attack_117_after_wrong_guesses_the_right_password_works_there_soon_and_elsewhere_at_once(
    database: Database,
) -> None:
    with start_server(database) as first, start_server(database, "--no-worker") as second:
        playing = RemoteServer(first.url)["ann"]
        thief = [replace(playing, url=url, token=None) for url in (first.url, second.url)]
        answers = [log_in(thief[turn % 2], WRONG) for turn in range(40)]
        assert [answer.status_code for answer in answers[:10]] == [401] * 10
        assert [answer.status_code for answer in answers[10:]].count(429) >= 15  # the others came after a wait
        assert all(1 <= int(each.headers["Retry-After"]) <= 30 for each in answers[10:] if each.status_code == 429)
        assert log_in(thief[0], {"name": "bob", "password": "wrong-horse"}).status_code == 401
        assert playing.get("/games").status_code == 200
        assert log_in(replace(thief[1], source="127.0.0.2"), ANN).status_code == 201
        assert log_in_patiently(thief[1], within_s=30).status_code == 201
        assert log_in(thief[0], ANN).status_code == 201
