"""Callers of servers that run as processes of their own, over sockets."""

import json
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from werkzeug.datastructures import Headers

from tests.api.conftest import PASSWORD
from tests.waiting import wait_for


@dataclass(frozen=True)
class RemoteResponse:
    """The answer to a request."""

    status_code: int
    headers: Headers
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode()

    def get_json(self) -> Any:
        return json.loads(self.data)


@dataclass(frozen=True)
class RemoteCaller:
    """A caller of a server, with or without a token, from the loopback address `source`."""

    url: str
    token: str | None = None
    source: str = "127.0.0.1"

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> RemoteResponse:
        """Send one request on a new connection; paths are below /api/v1."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        named |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        named |= {"Content-Type": "application/json"} if body is not None else {}
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=60, source_address=(self.source, 0))
        try:
            sent = None if body is None else json.dumps(body).encode()
            connection.request(method, "/api/v1" + path, sent, named)
            got = connection.getresponse()
            return RemoteResponse(got.status, Headers(got.getheaders()), got.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> RemoteResponse:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: object, **headers: str) -> RemoteResponse:
        return self.ask("POST", path, body, **headers)


def wait_until_lists_follow(url: str) -> None:
    """Wait until every list of a server has reached the log."""

    def lag() -> dict[str, int]:
        with urlopen(f"{url}/health/ready", timeout=60) as answer:
            found: dict[str, int] = json.load(answer)["lag"]
        return found

    wait_for(lag, lambda behind: not any(behind.values()), "the lists don't follow the log", within_s=600)


@dataclass
class RemoteServer:
    """A server at a URL, and its players by name."""

    url: str
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def nobody(self) -> RemoteCaller:
        """A caller without a token."""
        return RemoteCaller(self.url)

    def __getitem__(self, name: str) -> RemoteCaller:
        """Return the caller of that name. Log in the first time, and register unless another test has."""
        if name not in self.tokens:
            body = {"name": name, "password": PASSWORD}
            assert self.nobody.post("/users", body).status_code in (201, 409)
            self.tokens[name] = self.nobody.post("/tokens", body).get_json()["token"]
        return RemoteCaller(self.url, self.tokens[name])
