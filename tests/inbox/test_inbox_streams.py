"""`GET /me/events` of real servers: streams of entries, and requests that wait for one."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.conftest import PASSWORD
from tests.api.live_server import ServedGame, first_move
from tests.api.remote_server import RemoteCaller, RemoteServer
from tests.api.server.test_event_streams import open_game
from tests.api.server_process import run_program, start_server
from tests.conftest import Database


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of `one_server`."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def one_server(folder: Path) -> Iterator[RemoteServer]:
    """One server for several tests."""
    with start_server(Database(None, folder), LIMITS="off", SEATING="at-once") as started:
        yield RemoteServer(started.url)


@contextmanager
def inbox_stream(
    caller: RemoteCaller, query: str = "", last_id: str | None = None, status: int = 200
) -> Iterator[Iterator[dict[str, Any]]]:
    """Open the stream of an inbox, and yield the items of its frames."""
    headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {caller.token}"}
    headers |= {} if last_id is None else {"Last-Event-ID": last_id}
    with (
        httpx.Client(timeout=60) as client,
        client.stream("GET", f"{caller.url}/api/v1/me/events{query}", headers=headers) as response,
    ):
        assert response.status_code == status, response.read()
        yield _items(response.iter_lines())


def _items(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    frame: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if not line and "data" in frame:
            item = json.loads(frame["data"])
            assert (frame["id"], frame["event"]) == (item["id"], item["kind"])
            yield item
        frame = frame | {name: value} if line else {}


def next_move(game: ServedGame) -> int:
    """Make the first legal move for the seat in turn, and return the seat."""
    (seat,) = game.public["turn"]["seats"]
    assert game.move(seat, first_move(game.view(seat))).status_code == 201
    return int(seat)


def last_id(caller: RemoteCaller) -> str:
    return str(caller.get("/me/events").get_json()["last"])


def test_players_are_woken_by_a_stream_whichever_server_stored_the_move(database: Database) -> None:
    with (
        start_server(database, LIMITS="off", SEATING="at-once") as one,
        start_server(database, LIMITS="off", SEATING="at-once") as other,
    ):
        here = RemoteServer(one.url)
        game = open_game(here)
        there = {seat: RemoteCaller(other.url, caller.token) for seat, caller in game.seats.items()}
        with inbox_stream(there[0]) as ann, inbox_stream(there[1]) as bob:
            before = 0
            for _ in range(5):
                (seat,) = game.public["turn"]["seats"]
                own = {0: ann, 1: bob}[seat]
                item = next(own)
                while item["kind"] != "turn" or item["version"] <= before:
                    item = next(own)
                assert (item["game"], item["seat"]) == (game.id, seat)
                before = game.public["version"]
                next_move(game)


def test_a_stream_resumes_after_an_id_and_ends_with_another(one_server: RemoteServer) -> None:
    game = open_game(one_server)
    ann = one_server["ann"]
    for _ in range(8):
        next_move(game)
    game.finish()
    over = ("game-over", game.id)
    while not (items := ann.get("/me/events").get_json()["items"]) or (items[-1]["kind"], items[-1]["game"]) != over:
        pass
    until = items[-1]["id"]
    with inbox_stream(ann, f"?until={until}") as stream:
        assert list(stream) == items
    for start in ({"query": f"?after={items[2]['id']}&until={until}"}, {"last_id": items[2]["id"]}):
        with inbox_stream(ann, start.get("query", f"?until={until}"), start.get("last_id")) as stream:
            assert list(stream) == items[3:]
    with inbox_stream(ann, f"?after={until}&until={until}", status=204):
        pass
    with inbox_stream(ann, f"?after=17.99&until={until}") as stream:
        assert list(stream) == items


@pytest.mark.parametrize("query", ["?limit=3", "?wait=3", "?until=3", "?after=3"])
def test_a_stream_takes_ids_and_no_limit(one_server: RemoteServer, query: str) -> None:
    with inbox_stream(one_server["ann"], query, status=400):
        pass


def test_a_request_that_waits_is_answered_with_the_next_entry(one_server: RemoteServer) -> None:
    game = open_game(one_server)
    (seat,) = game.public["turn"]["seats"]
    waiter = one_server["ann" if seat else "bob"]
    begun, after = time.monotonic(), last_id(waiter)
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(waiter.get, f"/me/events?after={after}&wait=25")
        game.finish()
        assert waiting.result().get_json()["items"]
    assert time.monotonic() - begun < 20
    begun, after = time.monotonic(), last_id(waiter)
    answer = waiter.get(f"/me/events?after={after}&wait=1").get_json()
    assert answer["last"]
    assert answer["items"] or time.monotonic() - begun >= 1


def test_a_message_reaches_the_stream_of_the_others(one_server: RemoteServer) -> None:
    game = open_game(one_server)
    ann, bob = one_server["ann"], one_server["bob"]
    with inbox_stream(bob, f"?after={last_id(bob)}") as stream:
        written = ann.post(f"/games/{game.id}/chat", {"text": "hello"})
        assert written.status_code == 201, written.text
        item = next(stream)
        while item["kind"] != "chat":
            item = next(stream)
        assert (item["game"], item["message"]) == (game.id, written.get_json()["id"])


def test_a_stream_from_the_end_names_its_start_and_sends_what_is_new(one_server: RemoteServer) -> None:
    game, ann = open_game(one_server), one_server["ann"]
    headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {one_server['bob'].token}"}
    with (
        httpx.Client(base_url=one_server.url, timeout=60, headers=headers) as client,
        client.stream("GET", "/api/v1/me/events?after=end") as response,
    ):
        lines = response.iter_lines()
        start = next(line for line in lines if line.startswith("id: "))
        assert ann.post(f"/games/{game.id}/chat", {"text": "hello"}).status_code == 201
        item = next(_items(lines))
    generation, number = start.removeprefix("id: ").split(".")
    assert item["id"].startswith(f"{generation}.")
    assert int(item["id"].rpartition(".")[2]) > int(number)


def test_a_revoked_token_ends_its_stream(one_server: RemoteServer) -> None:
    ann = one_server["ann"]
    token = ann.post("/tokens", {"name": "ann", "password": PASSWORD}).get_json()["token"]
    other = RemoteCaller(ann.url, token)
    with inbox_stream(other, f"?after={last_id(ann)}") as stream:
        assert other.ask("DELETE", "/tokens/current").status_code == 204
        assert list(stream) == []


def test_a_stream_and_a_wait_go_on_in_another_generation_after_a_rebuild(
    one_server: RemoteServer, folder: Path
) -> None:
    game = open_game(one_server)
    ann = one_server["ann"]
    for _ in range(4):
        next_move(game)
    after = last_id(ann)
    with inbox_stream(ann, f"?after={after}") as stream, ThreadPoolExecutor() as threads:
        waiting = threads.submit(ann.get, f"/me/events?after={after}&wait=25")
        rebuilt = run_program("rebuild", "--data", str(folder))
        assert rebuilt.returncode == 0, rebuilt.stderr
        item, answer = next(stream), waiting.result().get_json()
        while item["id"].split(".")[0] == after.split(".")[0]:
            item = next(stream)
        while not (items := ann.get(f"/me/events?after={after}").get_json()["items"]):
            pass
        assert int(item["id"].split(".")[0]) > int(after.split(".")[0])
        assert answer["items"]
        assert [item, *islice(stream, len(items) - 1)] == items
