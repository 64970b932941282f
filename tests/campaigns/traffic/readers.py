"""Readers of a game's events or of a player's inbox: they go on after the last item at any server."""

import json
from typing import Any

import httpx

from tests.api.stream_client import EVENT_STREAM
from tests.campaigns.traffic.actors import Actor
from tests.campaigns.traffic.caller import PASSING, PAUSE_S, Caller

ITEMS_AT_A_SERVER = 60
"""After how many items a reader goes on at any of the servers, even if nobody was killed."""
TIMEOUT = httpx.Timeout(30.0, read=2.0)

Item = dict[str, Any]


class Reader(Actor):
    """Reads all items of a stream from the first one on; `items` are as they came, with the id of each."""

    pause_s = PAUSE_S

    def __init__(self, caller: Caller, path: str) -> None:
        super().__init__(caller)
        self.path, self.name = path, f"the stream {path}"
        self.items: list[Item] = []
        self.began = 0
        """How often a server has begun to send the stream."""

    @property
    def last(self) -> str | None:
        """The id of the last item: the version of an event, or the id of an entry."""
        return str(self.items[-1].get("id", self.items[-1].get("version"))) if self.items else None

    def has(self, many: int) -> bool:
        """Return whether that many items have come."""
        return len(self.items) >= many

    def turn(self) -> None:
        headers = {"Accept": EVENT_STREAM} | ({} if self.last is None else {"Last-Event-ID": self.last})
        headers |= {} if self.caller.token is None else {"Authorization": f"Bearer {self.caller.token}"}
        url = f"{self.caller.chance.choice(self.caller.urls)}/api/v1{self.path}"
        with httpx.stream("GET", url, headers=headers, timeout=TIMEOUT, trust_env=False) as response:
            assert response.status_code in (200, *PASSING), response.read()
            if response.status_code == 200:
                self.began += 1
                self._read(response)

    def _read(self, response: httpx.Response) -> None:
        """Read frames; one that is cut off by a kill doesn't count."""
        data, enough = "", len(self.items) + ITEMS_AT_A_SERVER
        for line in response.iter_lines():
            if line.startswith("data: "):
                data = line.removeprefix("data: ")
            elif not line and data:
                self.items.append(json.loads(data))
                data = ""
            if self._stop.is_set() or len(self.items) >= enough:
                return


class Poller(Reader):
    """Waits for the next entries of an inbox with one request after the other."""

    def turn(self) -> None:
        after = "" if self.last is None else f"&after={self.last}"
        self.items += self.caller.get(f"{self.path}?wait=2{after}")["items"]
