"""A server with one game in play, raw requests to it and to real servers, and an address for each route."""

import json
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.app import API, API_BLUEPRINTS, ROOT_BLUEPRINTS, bare_app
from api.config import Config
from tests.api.conftest import Caller
from tests.api.live_server import GameServer, open_server
from tests.api.remote_server import RemoteResponse
from tests.conduct.conftest import moderator

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
    """A server with a game of ann, bob and a bot, board 1. Rhea is an arbiter, `moderator` a moderator."""

    server: GameServer
    moderator: Caller

    def send(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> TestResponse:
        """Send exactly these headers and bytes; return the answer."""
        app = self.server.app
        return FlaskClient(app, app.response_class).open(path, method=method, headers=headers, data=body)

    def post(self, path: str, body: bytes, content_type: str = "application/json", **headers: str) -> TestResponse:
        """Post bytes as ann, or as rhea if the route needs a role; `Content_Encoding="gzip"` sets that header."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        caller = self.server["rhea" if path.endswith(FOR_ARBITERS) else "ann"]
        if FOR_MODERATORS in path:
            caller = self.moderator
        sent = {"Authorization": f"Bearer {caller.token}", "Content-Type": content_type}
        return self.send("POST", path, sent | {"Sec-Fetch-Site": "same-origin"} | named, body)

    def export(self) -> bytes:
        """Return the events of the game as everybody may see them."""
        return bytes(self.server.nobody.get("/games/1/events").data)


@contextmanager
def running(data: Path) -> Iterator[Target]:
    """Open a server on a new store, and a game."""
    with open_server(data) as server:
        server.open(["ann", "bob", "bot:simple"])
        server.role("rhea", "arbiter")
        target = Target(server, moderator(server.app, "rhea"))
        server.follow()
        yield target


@cache
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


def problem_type(answer: TestResponse | RemoteResponse) -> str:
    """Return the slug of a problem, or "" for another answer."""
    if answer.headers.get("Content-Type") != "application/problem+json":
        return ""
    return str(json.loads(answer.data)["type"]).removeprefix("/problems/")
