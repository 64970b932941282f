"""Random requests for streams of a real server. Each frame must fit the description, and `until` ends each stream."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import schemathesis
from hypothesis import given
from hypothesis import strategies as st
from schemathesis.core.parameters import ParameterLocation

from api.config import NO_LIMITS, Config
from tests.api.remote_server import RemoteCaller
from tests.api.thread_server import serve_in_thread
from tests.openapi.random_requests import is_invalid_in, steady, valid_or_not, with_our_checks
from tests.step_limit import steps


def sent_description(url: str, path: str) -> Any:
    """Return the description that a server sends."""
    answer = httpx.get(url + path, timeout=120)
    assert answer.status_code == 200, answer.text
    return answer.json()


@dataclass(frozen=True)
class StreamingServer:
    """A server, a game with its last version, and the inbox of its player with its first and last id."""

    url: str
    token: str
    game: str
    version: int
    last: str


@contextmanager
def open_streaming(data: Path) -> Iterator[StreamingServer]:
    """Start a server with a game in which a player has had their turn."""
    with serve_in_thread(Config(data=data, hashing="cheapest", limits=NO_LIMITS, seating="at-once")) as server:
        guest = RemoteCaller(server.url).post("/guests", {}).get_json()
        ann = RemoteCaller(server.url, guest["token"])
        opened = ann.post("/games", {"variant": "pitch", "seats": [guest["name"], "bot:simple"]}).get_json()
        game = str(opened["id"])
        view = ann.get(f"/games/{game}/seats/0").get_json()
        moved = ann.post(f"/games/{game}/moves", view["you"]["legal"][0]).get_json()
        yield StreamingServer(server.url, guest["token"], game, moved["version"], _last_entry(ann))


def _last_entry(ann: RemoteCaller) -> str:
    """Return the id of the newest entry of an inbox, once it has some."""
    for _ in steps(100):
        page = ann.get("/me/events?wait=5").get_json()
        if page["items"]:
            return str(page["last"])
    raise AssertionError("unreachable")


def read_streams(server: StreamingServer, examples: int) -> Counter[str]:
    """Ask for streams of the game and of the inbox; return how often each status came."""
    schema = with_our_checks(schemathesis.openapi.from_dict(sent_description(server.url, "/openapi.json")))
    schema.config.update(base_url=server.url)
    generation, number = server.last.split(".")
    ends = {
        "events_list_events": st.integers(1, server.version).map(str),
        "inbox_list_entries": st.integers(1, int(number)).map(lambda n: f"{generation}.{n}"),
    }
    statuses = Counter[str]()
    for found in schema.get_all_operations():
        operation = found.ok()
        name = operation.definition.raw["operationId"]
        if name in ends:
            statuses += _read_streams_of(operation, server, ends[name], examples)
    return statuses


def _read_streams_of(
    operation: Any, server: StreamingServer, ends: st.SearchStrategy[str], examples: int
) -> Counter[str]:
    statuses = Counter[str]()

    @steady(examples)
    @given(case=valid_or_not(operation), until=ends, with_token=st.booleans())
    def read(case: Any, until: str, with_token: bool) -> None:
        if "game" in (case.path_parameters or {}) and not is_invalid_in(case, ParameterLocation.PATH):
            case.path_parameters["game"] = server.game
        if not is_invalid_in(case, ParameterLocation.QUERY):
            case.query = {name: value for name, value in (case.query or {}).items() if name not in ("limit", "wait")}
            case.query["until"] = until
        headers = {"Accept": "text/event-stream"}
        if with_token:
            headers["Authorization"] = f"Bearer {server.token}"
        response = case.call(headers=headers, timeout=60)
        case.validate_response(response, headers=headers)
        statuses[str(response.status_code)] += 1

    read()
    return statuses
