"""`GET /games/{game}/events?wait=` on a real server: answers that come when there is an event."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.api.remote_server import RemoteCaller, RemoteServer
from tests.api.server_process import start_server
from tests.api.stream_client import open_stream
from tests.conftest import Database
from tests.inbox.conftest import Duel
from tests.waiting import wait_until

WAITERS = 40
"""More than any lane has threads."""


def test_requests_that_wait_hold_no_thread_and_are_answered_with_the_next_event(duel: Duel) -> None:
    path, nobody = duel.events, RemoteCaller(duel.url)
    with ThreadPoolExecutor(WAITERS) as threads:
        waiting = [threads.submit(nobody.get, f"{path}&wait=25") for _ in range(WAITERS)]
        duel.wait_for_listeners(WAITERS)
        assert nobody.get("/games").status_code == 200
        assert not any(each.done() for each in waiting)
        duel.move()
        answers = [each.result().get_json()["items"] for each in waiting]
    after = nobody.get(path).get_json()["items"]
    for items in answers:
        assert (items[0]["version"], items) == (int(path.partition("=")[2]) + 1, after[: len(items)])


def test_a_request_with_events_to_get_does_not_wait(duel: Duel) -> None:
    begun = time.monotonic()
    for query in ("?wait=25", "?after=3&wait=25&until=5", "?after=0&wait=25&limit=2"):
        assert duel.ann.get(f"{duel.served.path}/events{query}").get_json()["items"]
    assert time.monotonic() - begun < 25


def test_a_wait_ends_without_events_after_the_time_asked_for(duel: Duel) -> None:
    begun = time.monotonic()
    answer = duel.ann.get(f"{duel.events}&wait=1")
    assert (answer.status_code, answer.get_json()) == (200, {"items": [], "next": None})
    assert time.monotonic() - begun >= 1


def test_a_wait_beyond_the_limits_is_refused(duel: Duel) -> None:
    for query in ("?wait=26", "?wait=-1", "?wait=", "?wait=1&limit=101"):
        assert duel.ann.get(f"{duel.served.path}/events{query}").status_code == 400
    stream = duel.ann.get(f"{duel.served.path}/events?wait=1&until=3", Accept="text/event-stream")
    assert stream.status_code == 400


def test_a_revoked_token_ends_the_wait(duel: Duel) -> None:
    other = duel.token()
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(other.get, f"{duel.events}&wait=25")
        duel.wait_for_listeners(1)
        assert other.ask("DELETE", "/tokens/current").status_code == 204
        assert waiting.result().status_code == 401


@pytest.mark.slow
def test_a_request_that_waits_takes_the_place_of_a_stream(tmp_path: Path) -> None:
    with start_server(Database(None, tmp_path), STREAMS="1") as started:
        server = RemoteServer(started.url)
        game = server["ann"].post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}).get_json()["view"]
        query = f"?after={game['version']}"
        path = f"/games/{game['id']}/events{query}&wait=1"
        with open_stream(server.nobody, game["id"], query) as stream:
            assert stream.read_comment()
            assert server.nobody.get(path).status_code == 503
        wait_until(lambda: server.nobody.get(path).status_code == 200)
        assert server.nobody.get(path).status_code == 200
