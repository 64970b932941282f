"""A client of event streams that checks each frame: versions without gaps, and the chain of hashes."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.api.log_reference import leaf as leaf_of
from tests.api.remote_server import RemoteCaller

TIMEOUT_S = 60.0
EVENT_STREAM = "text/event-stream"


@dataclass
class StreamReader:
    """An open stream. `lines` are the export lines so far, and `comments` the comments and other fields."""

    response: httpx.Response
    version: int = 0
    lines: list[bytes] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    _texts: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self._texts = self.response.iter_lines()

    def read(self, upto: int | None = None) -> list[bytes]:
        """Read until version `upto`, or to the end of the stream, and return all lines so far."""
        frame: dict[str, str] = {}
        while upto is None or self.version < upto:
            text = next(self._texts, None)
            if text is None:
                assert upto is None, f"the stream ended after version {self.version}"
                break
            if text.startswith((":", "retry:")):
                self.comments.append(text)
            elif text:
                name, _, value = text.partition(": ")
                frame[name] = value
            elif frame:
                self._add(frame)
                frame = {}
        return self.lines

    def read_comment(self) -> str:
        """Read up to the next comment or retry line, and return it."""
        text = next(self._texts)
        while not text.startswith((":", "retry:")):
            text = next(self._texts)
        return text

    def _add(self, frame: dict[str, str]) -> None:
        assert set(frame) == {"id", "data"}
        line = frame["data"].encode()
        item: dict[str, Any] = json.loads(line)
        assert int(frame["id"]) == item["version"]
        assert self.version in {0, item["version"] - 1}, "an event is missing or doubled"
        if "event" in item:
            raw = line[len(b'{"event":') : line.rindex(b',"leaf":')]
            assert leaf_of(raw).hex() == item["leaf"]
        self.version = item["version"]
        self.lines.append(line)


@contextmanager
def open_stream(
    caller: RemoteCaller, game: str, query: str = "", last_id: str | None = None, status: int = 200
) -> Iterator[StreamReader]:
    """Open the stream of a game, and check the status."""
    headers = {"Accept": EVENT_STREAM} | ({} if last_id is None else {"Last-Event-ID": last_id})
    headers |= {"Authorization": f"Bearer {caller.token}"} if caller.token else {}
    url = f"{caller.url}/api/v1/games/{game}/events{query}"
    transport = httpx.HTTPTransport(local_address=caller.source)
    with (
        httpx.Client(transport=transport, timeout=TIMEOUT_S) as client,
        client.stream("GET", url, headers=headers) as response,
    ):
        assert response.status_code == status, response.read()
        yield StreamReader(response)


def ndjson(caller: RemoteCaller, game: str, query: str = "") -> list[bytes]:
    """Return the lines of /events."""
    answer = caller.get(f"/games/{game}/events{query}", Accept="application/x-ndjson")
    assert answer.status_code == 200, answer.text
    return answer.data.splitlines()
