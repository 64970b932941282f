"""`GET /me/events` of a real server: streams of entries, and requests that wait for one."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import islice
from typing import Any

import httpx

from api.app import create_app
from tests.api.conftest import Caller, config_for, services_of
from tests.api.remote_server import RemoteCaller
from tests.commands import run
from tests.conftest import Database
from tests.inbox.conftest import Duel
from tests.waiting import wait_for


@contextmanager
def inbox_lines(
    caller: RemoteCaller, query: str = "", last_id: str | None = None, status: int = 200
) -> Iterator[Iterator[str]]:
    """Open the stream of an inbox, and yield its lines."""
    headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {caller.token}"}
    headers |= {} if last_id is None else {"Last-Event-ID": last_id}
    url = f"{caller.url}/api/v1/me/events{query}"
    with httpx.stream("GET", url, headers=headers, timeout=60, trust_env=False) as response:
        assert response.status_code == status, response.read()
        yield response.iter_lines()


@contextmanager
def inbox_stream(
    caller: RemoteCaller, query: str = "", last_id: str | None = None
) -> Iterator[Iterator[dict[str, Any]]]:
    """Open the stream of an inbox, and yield the items of its frames."""
    with inbox_lines(caller, query, last_id) as lines:
        yield items_of(lines)


def items_of(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    frame: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if not line and "data" in frame:
            item = json.loads(frame["data"])
            assert (frame["id"], frame["event"]) == (item["id"], item["kind"])
            yield item
        frame = frame | {name: value} if line else {}


def last_id(caller: RemoteCaller) -> str:
    return str(caller.get("/me/events").get_json()["last"])


def test_players_are_woken_by_a_stream_whichever_server_stored_the_move(duel: Duel) -> None:
    other = create_app(config_for(Database(None, duel.data)))
    with closing(services_of(other)), inbox_stream(duel.ann) as ann, inbox_stream(duel.bob) as bob:
        duel.served.seats = {0: Caller(other.test_client(), duel.ann.token), 1: duel.served.seats[1]}
        before = 0
        for _ in range(5):
            (seat,) = duel.served.public["turn"]["seats"]
            own = (ann, bob)[seat]
            item = next(each for each in own if each["kind"] == "turn" and each["version"] > before)
            assert (item["game"], item["seat"]) == (duel.served.id, seat)
            before = duel.served.public["version"]
            duel.move()


def test_a_stream_resumes_after_an_id_and_ends_with_another(duel: Duel) -> None:
    ann = duel.ann
    for _ in range(8):
        duel.move()
    duel.served.finish()
    items = wait_for(
        lambda: ann.get("/me/events").get_json()["items"], lambda found: found[-1:] and found[-1]["kind"] == "game-over"
    )
    until = items[-1]["id"]
    for query, last, left in (
        (f"?until={until}", None, items),
        (f"?after={items[2]['id']}&until={until}", None, items[3:]),
        (f"?until={until}", items[2]["id"], items[3:]),
        (f"?after=17.99&until={until}", None, items),
    ):
        with inbox_stream(ann, query, last) as stream:
            assert list(stream) == left
    for query, status in (
        (f"?after={until}&until={until}", 204),
        *((f"?{name}=3", 400) for name in ("limit", "wait", "until", "after")),
    ):
        with inbox_lines(ann, query, status=status):
            pass


def test_a_request_that_waits_is_answered_with_the_next_entry(duel: Duel) -> None:
    (seat,) = duel.served.public["turn"]["seats"]
    waiter = duel.ann if seat else duel.bob
    after = last_id(waiter)
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(waiter.get, f"/me/events?after={after}&wait=25")
        duel.wait_for_listeners(1)
        duel.served.finish()
        assert waiting.result().get_json()["items"]
    begun, after = time.monotonic(), last_id(waiter)
    answer = waiter.get(f"/me/events?after={after}&wait=1").get_json()
    assert answer["last"]
    assert answer["items"] or time.monotonic() - begun >= 1


def test_a_message_reaches_a_stream_that_began_at_the_end_and_names_its_start(duel: Duel) -> None:
    with inbox_lines(duel.bob, "?after=end") as lines:
        start = next(line for line in lines if line.startswith("id: "))
        written = duel.ann.post(f"{duel.served.path}/chat", {"text": "hello"})
        assert written.status_code == 201, written.text
        item = next(each for each in items_of(lines) if each["kind"] == "chat")
    assert (item["game"], item["message"]) == (duel.served.id, written.get_json()["id"])
    (generation, number), found = start.removeprefix("id: ").split("."), item["id"].split(".")
    assert (found[0], int(found[1]) > int(number)) == (generation, True)


def test_a_revoked_token_ends_its_stream(duel: Duel) -> None:
    other = duel.token()
    with inbox_stream(other, f"?after={last_id(other)}") as stream:
        assert other.ask("DELETE", "/tokens/current").status_code == 204
        assert list(stream) == []


def test_a_stream_and_a_wait_go_on_in_another_generation_after_a_rebuild(duel: Duel) -> None:
    for _ in range(4):
        duel.move()
    ann = duel.ann
    after = last_id(ann)
    with inbox_stream(ann, f"?after={after}") as stream, ThreadPoolExecutor() as threads:
        waiting = threads.submit(ann.get, f"/me/events?after={after}&wait=25")
        rebuilt = run("store", "rebuild", "--data", str(duel.data))
        assert rebuilt.exit_code == 0, rebuilt.output
        old = after.partition(".")[0]
        item = next(each for each in stream if each["id"].partition(".")[0] != old)
        items = wait_for(lambda: ann.get(f"/me/events?after={after}").get_json()["items"], bool)
        assert int(item["id"].partition(".")[0]) > int(old)
        assert waiting.result().get_json()["items"]
        assert [item, *islice(stream, len(items) - 1)] == items
