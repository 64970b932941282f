"""Readers of a player's inbox at both nodes: one follows the stream, one waits for the next entries."""

import json
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any

import httpx

from tests.api.stream_client import EVENT_STREAM
from tests.campaigns.kills.load import PASSING, PAUSE_S, Places
from tests.campaigns.two_nodes.requests import Caller

FRAMES_AT_A_NODE = 60
"""After how many frames a reader goes on at any of the nodes, even if nobody was killed."""
TIMEOUT_S = 30.0

Item = dict[str, Any]


class InboxReader:
    """Reads an inbox in a thread of its own, from its first entry on; `items` are the entries as they came."""

    def __init__(self, name: str, token: str, places: Places, way: str) -> None:
        self.name, self.way = name, way
        self.caller = Caller(places, f"inbox {name} {way}", token)
        self.items: list[Item] = []
        self.resumed = 0
        self.faults: list[str] = []
        self._stop = Event()
        read: Callable[[], None] = self._follow if way == "stream" else self._poll
        self._thread = Thread(target=self._run, args=(read,), name=f"inbox-{name}", daemon=True)
        self._thread.start()

    @property
    def last(self) -> str | None:
        """The id of the last entry."""
        return self.items[-1]["id"] if self.items else None

    def end(self) -> None:
        """Stop."""
        self._stop.set()
        self._thread.join(2 * TIMEOUT_S)
        assert not self._thread.is_alive(), f"the reader of the inbox of {self.name} still waits"
        self.caller.close()

    def _run(self, read: Callable[[], None]) -> None:
        try:
            while not self._stop.is_set():
                with suppress(httpx.HTTPError):
                    read()
                self._stop.wait(PAUSE_S)
        except Exception as error:
            self.faults.append(f"the inbox of {self.name} by {self.way}: {error!r}")
            raise

    def _poll(self) -> None:
        after = "" if self.last is None else f"&after={self.last}"
        page = self.caller.ask("GET", f"/me/events?wait=2{after}")
        assert page.status == 200, page
        self.items += page.body["items"]

    def _follow(self) -> None:
        headers = {"Accept": EVENT_STREAM, "Authorization": f"Bearer {self.caller.token}"}
        headers |= {} if self.last is None else {"Last-Event-ID": self.last}
        url = f"{self.caller.places.pick(self.caller.chance)}/api/v1/me/events"
        self.resumed += 1
        timeout = httpx.Timeout(TIMEOUT_S, read=2.0)
        with httpx.stream("GET", url, headers=headers, timeout=timeout, trust_env=False) as response:
            assert response.status_code in (200, *PASSING), response.read()
            frames, before = response.iter_lines(), len(self.items)
            for line in frames if response.status_code == 200 else ():
                if line.startswith("data: "):
                    self.items.append(json.loads(line.removeprefix("data: ")))
                if self._stop.is_set() or len(self.items) - before >= FRAMES_AT_A_NODE:
                    return
