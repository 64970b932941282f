"""Requests to two nodes, each repeated at any of them until it has an answer."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import httpx

from tests.campaigns.kills.load import PASSING, PAUSE_S, Gone, Places

PATIENCE_S = 90.0


@dataclass(frozen=True)
class Answer:
    """The answer to a request, and the URL of the node that gave it."""

    status: int
    body: Any
    node: str

    @property
    def problem(self) -> str:
        """The type of a refusal."""
        return str(self.body["type"]).removeprefix("/problems/")


class Caller:
    """A client of both nodes, with the token of a player or without. Not for several threads."""

    def __init__(self, places: Places, seed: str, token: str | None = None, source: str = "127.0.0.1") -> None:
        self.places, self.token, self.chance = places, token, Random(seed)
        self.repeated = 0
        self._http = httpx.Client(transport=httpx.HTTPTransport(local_address=source), timeout=30)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def once(self, url: str, method: str, path: str, body: object = None, key: str | None = None) -> Answer:
        """Send a request to one node, once. Raise httpx.TransportError without an answer."""
        headers = {} if key is None else {"Idempotency-Key": key}
        headers |= {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        got = self._http.request(method, f"{url}/api/v1{path}", json=body, headers=headers)
        return Answer(got.status_code, got.json() if got.content else None, url)

    def text(self, url: str, path: str) -> bytes:
        """Return the bytes that a node answers."""
        return self._patiently(lambda: self._http.get(f"{url}/api/v1{path}")).content

    def entries(self, url: str) -> list[dict[str, Any]]:
        """Return the whole inbox as a node shows it."""
        items, after, headers = list[dict[str, Any]](), "", {"Authorization": f"Bearer {self.token}"}
        while True:
            address = f"{url}/api/v1/me/events{after}"
            page = self._patiently(partial(self._http.get, address, headers=headers)).json()
            items += page["items"]
            if page["next"] is None:
                return items
            after = f"?after={page['next']}"

    def _patiently(self, get: Callable[[], httpx.Response]) -> httpx.Response:
        """Return the answer of a node with status 200; ask again if it gives none, or says to ask later."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(httpx.TransportError):
                answer = get()
                if answer.status_code not in PASSING:
                    return answer.raise_for_status()
            time.sleep(PAUSE_S)
        raise Gone(f"no answer for {PATIENCE_S:.0f} s")

    def ask(self, method: str, path: str, body: object = None, key: str | None = None) -> Answer:
        """Return the answer of one of the nodes; ask again if it gives none, or says to ask later."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(httpx.TransportError, ValueError):
                answer = self.once(self.places.pick(self.chance), method, path, body, key)
                if answer.status not in PASSING:
                    return answer
            self.repeated += 1
            time.sleep(PAUSE_S)
        raise Gone(f"no answer for {PATIENCE_S:.0f} s: {method} {path}")
