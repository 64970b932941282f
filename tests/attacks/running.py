"""A real server in a process of its own with one game in play, and raw requests to it."""

import json
import re
import socket
from collections.abc import Iterator, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

from werkzeug.datastructures import Headers

from api.app import API, API_BLUEPRINTS, ROOT_BLUEPRINTS, bare_app
from api.config import Config
from bench.server.processes import family, own_cpu_seconds
from tests.api.conftest import PASSWORD
from tests.api.remote_server import RemoteCaller, RemoteResponse, RemoteServer
from tests.api.server_process import run_program, start_server
from tests.conftest import Database

VALUES = {
    "slug": "malformed", "file": "verify.js", "seat": "0", "sheet": "pitch", "folder": "base", "asset": "dom.js",
}  # fmt: skip
QUERIES = {
    "/games/1/legal": "?seat=0",
    "/games/1/compare": "?root=" + "0" * 64,
    "/games/1/proofs/inclusion": "?version=1",
    "/games/1/proofs/consistency": "?first=1",
}
"""Query strings of routes that need one, by their path below the API."""
FOR_ARBITERS = ("/ruling", "/decision")
FOR_MODERATORS = "/moderation/"
TIMEOUT_S = 60


@dataclass
class Target:
    """A server with a game of ann, bob and a bot, board 1, and rhea, an arbiter.

    `processes` are the ids of its processes. `moderator` is rhea with a token for moderation.
    """

    url: str
    processes: Set[int]
    ann: RemoteCaller
    rhea: RemoteCaller
    moderator: RemoteCaller
    nobody: RemoteCaller

    def cpu_seconds(self) -> float:
        """Return the processor time that all processes of the server have used so far."""
        return own_cpu_seconds(self.processes)

    def send(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> RemoteResponse:
        """Send exactly these headers, with Host and Content-Length if absent; return the answer."""
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=TIMEOUT_S)
        try:
            names = {name.lower() for name in headers}
            connection.putrequest(method, path, skip_host="host" in names, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value)
            if body and "content-length" not in names:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body or None)
            return _read(connection.getresponse())
        finally:
            connection.close()

    def post(self, path: str, body: bytes, content_type: str = "application/json", **headers: str) -> RemoteResponse:
        """Post bytes as ann, or as rhea if the route needs a role; `Content_Encoding="gzip"` sets that header."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        caller = self.rhea if path.endswith(FOR_ARBITERS) else self.ann
        if FOR_MODERATORS in path:
            caller = self.moderator
        sent = {"Authorization": f"Bearer {caller.token}", "Content-Type": content_type}
        return self.send("POST", path, sent | {"Sec-Fetch-Site": "same-origin"} | named, body)

    def export(self) -> bytes:
        """Return the events of the game as everybody may see them."""
        return self.nobody.get("/games/1/events").data


def _read(response: HTTPResponse) -> RemoteResponse:
    return RemoteResponse(response.status, Headers(response.getheaders()), response.read())


@contextmanager
def running(data: Path) -> Iterator[Target]:
    """Start a server on a new store and open a game."""
    with start_server(Database(None, data), LIMITS="off") as started:
        server = RemoteServer(started.url)
        assert server["bob"].token
        table = {"variant": "pitch", "seats": ["ann", "bob", "bot:simple"]}
        assert server["ann"].post("/games", table).status_code == 201
        assert server["rhea"].token
        for role in ("arbiter", "moderator"):
            assert run_program("user", "role", "rhea", role, "--data", str(data)).returncode == 0
        body = {"name": "rhea", "password": PASSWORD, "scope": "moderate"}
        token = server.nobody.post("/tokens", body).get_json()["token"]
        moderator = RemoteCaller(started.url, token)
        processes = family(started.process.pid)
        yield Target(started.url, processes, server["ann"], server["rhea"], moderator, server.nobody)


def routes(method: str) -> list[str]:
    """Return an address for each route of the app that answers `method`."""
    app = bare_app(Config())
    for blueprint in ROOT_BLUEPRINTS:
        app.register_blueprint(blueprint)
    for blueprint in API_BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix=API)
    rules = [rule.rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]
    found = (re.sub("<(?:[a-z_]+:)?([a-z]+)>", lambda part: VALUES.get(part[1], "1"), rule) for rule in rules)
    return sorted(path.replace("/docs/verify.js", "/docs/docs.js") for path in found)


def readable(path: str) -> str:
    """Return the address with the query that its route needs."""
    return path + QUERIES.get(path.removeprefix(API), "")


def send_raw(url: str, request: bytes, *, half: bool = False) -> bytes:
    """Send bytes and return all that the server answers until it closes; b"" if it closes without an answer.

    With `half`, the client closes its half of the connection after the bytes.
    """
    address = urlsplit(url)
    answer = b""
    with socket.create_connection((address.hostname, address.port), timeout=TIMEOUT_S) as connection:
        with suppress(ConnectionError):  # the server may close after an early answer
            connection.sendall(request)
            if half:
                connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while more := connection.recv(65536):
                answer += more
    return answer


def problem_type(answer: RemoteResponse) -> str:
    """Return the slug of a problem, or "" for another answer."""
    if answer.headers.get("Content-Type") != "application/problem+json":
        return ""
    return str(json.loads(answer.data)["type"]).removeprefix("/problems/")
