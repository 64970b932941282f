"""`GET /games/{game}/events?wait=` on real servers: answers that come when there is an event."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.api.live_server import first_move
from tests.api.remote_server import RemoteServer
from tests.api.server.test_event_streams import open_game, version_of
from tests.api.server_process import start_server
from tests.api.stream_client import open_stream
from tests.conftest import Database

WAITERS = 40
"""More than any lane has threads."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of `one_server`."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def one_server(folder: Path) -> Iterator[RemoteServer]:
    """One server for several tests."""
    with start_server(Database(None, folder), LIMITS="off") as started:
        yield RemoteServer(started.url)


def test_a_request_that_waits_is_answered_with_the_next_event(database: Database) -> None:
    with (
        start_server(database, LIMITS="off") as one,
        start_server(database, LIMITS="off") as other,
        ThreadPoolExecutor() as threads,
    ):
        here, there = RemoteServer(one.url), RemoteServer(other.url)
        game = open_game(here)
        version = version_of(game)
        path = f"/games/{game.id}/events?after={version}"
        waiting = [threads.submit(server.nobody.get, f"{path}&wait=25") for server in (here, there)]
        time.sleep(0.3)
        assert not any(each.done() for each in waiting)
        seat = game.public["turn"]["seats"][0]
        assert game.move(seat, first_move(game.view(seat))).status_code == 201
        for each in waiting:
            answer = each.result().get_json()
            assert answer["items"][0]["version"] == version + 1
            assert answer["items"] == here.nobody.get(path).get_json()["items"][: len(answer["items"])]


def test_a_request_with_events_to_get_does_not_wait(one_server: RemoteServer) -> None:
    game = open_game(one_server)
    for query in ("?wait=25", "?after=3&wait=25&until=5", "?after=0&wait=25&limit=2"):
        begun = time.monotonic()
        assert one_server.nobody.get(f"{game.path}/events{query}").get_json()["items"]
        assert time.monotonic() - begun < 20


def test_a_wait_ends_without_events_after_the_time_asked_for(one_server: RemoteServer) -> None:
    game = open_game(one_server)
    begun = time.monotonic()
    answer = one_server.nobody.get(f"{game.path}/events?after={version_of(game)}&wait=1")
    assert (answer.status_code, answer.get_json()) == (200, {"items": [], "next": None})
    assert time.monotonic() - begun >= 1


def test_requests_that_wait_hold_no_thread(one_server: RemoteServer) -> None:
    game = open_game(one_server)
    path = f"{game.path}/events?after={version_of(game)}&wait=25"
    with ThreadPoolExecutor(WAITERS) as threads:
        waiting = [threads.submit(one_server.nobody.get, path) for _ in range(WAITERS)]
        assert one_server.nobody.get("/games").status_code == 200
        seat = game.public["turn"]["seats"][0]
        assert game.move(seat, first_move(game.view(seat))).status_code == 201
        assert all(each.result().get_json()["items"] for each in waiting)


@pytest.mark.parametrize("query", ["?wait=26", "?wait=-1", "?wait=", "?wait=1&limit=101"])
def test_a_wait_beyond_the_limits_is_refused(one_server: RemoteServer, query: str) -> None:
    game = open_game(one_server)
    assert one_server.nobody.get(f"{game.path}/events{query}").status_code == 400
    stream = one_server.nobody.get(f"{game.path}/events?wait=1&until=3", Accept="text/event-stream")
    assert stream.status_code == 400


def test_a_request_that_waits_takes_the_place_of_a_stream(tmp_path: Path) -> None:
    with start_server(Database(None, tmp_path), STREAMS="1") as started:
        server = RemoteServer(started.url)
        game = open_game(server)
        query = f"?after={version_of(game)}"
        path = f"{game.path}/events{query}&wait=1"
        with open_stream(server.nobody, game.id, query) as stream:
            assert stream.read_comment()
            assert server.nobody.get(path).status_code == 503
        while server.nobody.get(path).status_code == 503:
            pass
        for _ in range(2):
            assert server.nobody.get(path).status_code == 200


def test_a_revoked_token_ends_the_wait(one_server: RemoteServer) -> None:
    game = open_game(one_server)
    ann = one_server["ann"]
    token = ann.post("/tokens", {"name": "ann", "password": "correct-horse"}).get_json()["token"]
    other = type(ann)(ann.url, token)
    with ThreadPoolExecutor() as threads:
        begun = time.monotonic()
        waiting = threads.submit(other.get, f"{game.path}/events?after={version_of(game)}&wait=25")
        time.sleep(0.3)
        assert other.ask("DELETE", "/tokens/current").status_code == 204
        assert waiting.result().status_code == 401
        assert time.monotonic() - begun < 20
