"""A small HTTP client of this API for programs: one server, one player or a spectator, JSON in and out."""

import http.client
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

API = "/api/v1"
TIMEOUT_S = 30.0


class RequestFailed(Exception):
    """A response that is a problem; has `status` and the problem's JSON object."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status} {problem.get('type', '')}: {problem.get('detail', '')}")
        self.status, self.problem = status, problem


@dataclass
class Client:
    """A client with one connection, open until its `with` block ends; not thread-safe. `token` identifies a player.

    `position` is the log position after the last write; a path from `after_write` returns a list that includes it.
    """

    url: str
    token: str | None = None
    position: str | None = None
    _connection: http.client.HTTPConnection = field(init=False, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_S)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def join(self, name: str, password: str) -> None:
        """Register a user and act as that player from now on."""
        self.post("/users", {"name": name, "password": password})
        self.token = self.post("/tokens", {"name": name, "password": password})["token"]

    def get(self, path: str) -> Any:
        """Return the JSON at a path below /api/v1; raise RequestFailed for a problem."""
        return json.loads(self._ask("GET", path, None, {}))

    def after_write(self, path: str) -> str:
        """Return the path of a list with `wait=` and the position of the last write, if there was one."""
        return path if self.position is None else f"{path}{'&' if '?' in path else '?'}wait={self.position}"

    def text(self, path: str) -> str:
        """Return the plain text at a path; raise RequestFailed for a problem."""
        return self._ask("GET", path, None, {"Accept": "text/plain"}).decode()

    def post(self, path: str, body: object, **headers: str) -> Any:
        """Return the JSON response; `If_Match="..."` is the header If-Match; raise RequestFailed for a problem."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return json.loads(self._ask("POST", path, json.dumps(body).encode(), named))

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        if body is not None:
            headers = headers | {"Content-Type": "application/json"}
        if self.token is not None:
            headers = headers | {"Authorization": f"Bearer {self.token}"}
        self._connection.request(method, API + path, body, headers)
        answer = self._connection.getresponse()
        read = answer.read()
        if method != "GET":
            self.position = answer.headers.get("Trickbook-Position", self.position)
        if answer.status >= 400:
            raise RequestFailed(answer.status, json.loads(read))
        return read
