"""Requests to servers that may be killed, each repeated at any of them until it has an answer."""

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

PATIENCE_S = 90.0
"""How long a request is repeated until a server answers."""
PAUSE_S = 0.05
PASSING = (502, 503, 504)


class Gone(Exception):
    """No server answered for a long time."""


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    content: bytes
    retry_after: str | None = None

    @property
    def body(self) -> Any:
        """The content as JSON."""
        return json.loads(self.content)

    @property
    def problem(self) -> str:
        """The type of a refusal."""
        return str(self.body["type"]).removeprefix("/problems/")


class Caller:
    """A client of all servers, with the token of a player or without. Not for several threads.

    `urls` are those of the servers that run. They change when a server is started again.
    """

    def __init__(self, urls: list[str], seed: str, token: str | None = None, source: str = "127.0.0.1") -> None:
        self.urls, self.token, self.chance = urls, token, Random(seed)
        self.repeated = 0
        self._http = httpx.Client(transport=httpx.HTTPTransport(local_address=source), timeout=30)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def once(self, url: str, method: str, path: str, body: object = None, key: str | None = None) -> Answer:
        """Send a request to one server, once. Raise httpx.TransportError without an answer."""
        headers = {} if key is None else {"Idempotency-Key": key}
        headers |= {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        got = self._http.request(method, f"{url}/api/v1{path}", json=body, headers=headers)
        return Answer(got.status_code, got.content, got.headers.get("Retry-After"))

    def ask(
        self, method: str, path: str, body: object = None, key: str | None = None, *, url: str | None = None
    ) -> Answer:
        """Return the answer of a server, or of any; ask again if it gives none, or says to ask later."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(httpx.TransportError):
                answer = self.once(url or self.chance.choice(self.urls), method, path, body, key)
                if answer.status not in PASSING:
                    return answer
            self.repeated += 1
            time.sleep(PAUSE_S)
        raise Gone(f"no answer for {PATIENCE_S:.0f} s: {method} {path}")

    def get(self, path: str, url: str | None = None) -> Any:
        """Return the JSON of a server, or of any."""
        answer = self.ask("GET", path, url=url)
        assert answer.status == 200, answer
        return answer.body

    def whole_inbox(self, url: str) -> list[dict[str, Any]]:
        """Return all entries of the inbox, as a server shows them."""
        items, query = list[dict[str, Any]](), ""
        while True:
            page = self.get(f"/me/events{query}", url)
            items += page["items"]
            if page["next"] is None:
                return items
            query = f"?after={page['next']}"
