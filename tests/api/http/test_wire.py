"""Raw bytes that no HTTP library sends, to a running server: each is answered, and no answer is a 5xx."""

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest

from api.app import HEADERS
from tests.api.conftest import ConfiguredServer
from tests.api.server_process import ServerProcess, start_server
from tests.conftest import Database

IMPATIENT = """
import api.server.front as front, api.server.listener as listener
from api.cli.main import main
listener.HEADER_TIMEOUT_MS, front.BODY_TIMEOUT_S = 1000, 1.0
main()
"""
HOST = b"Host: x\r\n"
JSON = b"Content-Type: application/json\r\n"
POST = b"POST /api/v1/users HTTP/1.1\r\n" + HOST + JSON
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
BODY = b'{"name":"ann","password":"correct-horse"}'


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def problem(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


def send_bytes(serving: ServerProcess | ConfiguredServer, request: bytes) -> Answer:
    """Return the server's answer to these bytes, until it closes the connection or the answer is complete."""
    address = urlsplit(serving.url)
    with socket.create_connection((address.hostname, address.port), timeout=60) as connection:
        with suppress(ConnectionError):  # the server may close after an early answer
            connection.sendall(request)
        got = b""
        with suppress(ConnectionError):
            while not _whole(got):
                more = connection.recv(65536)
                if not more:
                    break
                got = (got + more).removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
    assert _whole(got), f"the connection was dropped after {got!r}"
    head, _, body = got.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    named = (line.split(": ", 1) for line in lines)
    return Answer(int(first.split()[1]), {name.lower(): value for name, value in named}, body)


def _whole(got: bytes) -> bool:
    head, end, body = got.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length: ")]
    return bool(end and lengths) and len(body) >= int(lengths[0].split()[1])


@pytest.fixture(scope="session")
def impatient_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Yield a server that waits a second for headers, and one for a body."""
    program = [sys.executable, "-c", IMPATIENT]
    with start_server(Database(None, tmp_path_factory.mktemp("impatient")), program=program) as started:
        yield started


PROBLEMS = {
    b"GET /api/v1/games?x=%ff HTTP/1.1\r\n" + HOST + b"\r\n": 400,  # no UTF-8
    # in every lane: no process gets a URL with bytes outside ASCII
    **{f"GET /api/v1/{url} HTTP/1.1\r\nHost: x\r\n\r\n".encode(): status for url, status in (
        ("games?limit=1&x=é", 400), ("games?limit=500&x=é", 400), ("games/1/audit?x=é", 400),
        ("players/fred/against/é", 404), ("players/fred/against/é?limit=500", 400))},
    **{b"GET /api/v1/variants HTTP/1.1\r\n%s\r\n" % hosts: 400 for hosts in (
        b"", HOST + HOST, b"Host: x y\r\n", b"Host: x/y\r\n", b"Host: x:y\r\n", b"Host: [::1\r\n")},  # RFC 9112, 3.2
    **{b"%s HTTP/1.1\r\n" % line + HOST + b"\r\n": 404 for line in (
        b"GET http://[x]/api/v1", b"GET /%ff%00", b"* *", b"OPTIONS *", b"CONNECT x:443")},
    **{CHUNKED + chunks: 411 for chunks in (
        b"x\r\n", b"-1\r\n", b"1;\x00\r\n", b"1\r\nab\r\n0\r\n\r\n", b"110000\r\n" + b" " * 0x110000)},
    POST + b"Content-Length: 1048577\r\n\r\n": 413,  # announced
    POST + b"Content-Length: 70000\r\n\r\n" + b" " * 70000: 413,  # sent
    b"GET / HTTP/1.1\r\nA: " + b"x" * 70000 + b"\r\n\r\n": 431,
}  # fmt: skip


def test_invalid_requests_are_answered_with_a_problem(shared_server: ServerProcess) -> None:
    for sent, status in PROBLEMS.items():
        answer = send_bytes(shared_server, sent)
        assert answer.status == status, (sent[:100], answer.body)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.problem["status"] == status
        assert answer.problem["type"].startswith("/problems/")
        assert {name.lower() for name in HEADERS} <= set(answer.headers)


NO_HTTP = [
    *(POST + b"Transfer-Encoding: %s\r\n\r\n" % each for each in (
        b"gzip", b"chunked, gzip", b"identity", b"\x0bchunked")),
    *(POST + b"Content-Length: %s\r\n\r\n" % each + BODY for each in (
        b"x", b"-1", b"+41", b"9" * 4000, b"9" * 5000)),
    *(b"GET /api/v1/variants HTTP/1.1\r\n%s\r\n\r\n" % header for header in (
        b"A: b\rC: d", b"A: \x00", b"A\x00: b", b"A : b", b" A: b", b"nothing")),
    *(line + b"\r\n\r\n" for line in (
        b"nonsense", b"GET /api v1 HTTP/1.1", b"GET /api/v1/variants HTTP/x",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
        b"GET http://[::1/api/v1 HTTP/1.1", b"GET http://\xe2\x84\x80/ HTTP/1.1", b"GET /api/v1/games?\xff HTTP/1.1")),
]  # fmt: skip


def test_bytes_that_are_no_http_are_answered_and_closed_and_are_no_errors_in_the_log(
    configured_server: ConfiguredServer,
) -> None:
    before = len(configured_server.log.read_text())
    for sent in NO_HTTP:
        answer = send_bytes(configured_server, sent)
        assert (answer.status, answer.headers["connection"], answer.body) == (400, "close", b""), sent[:100]
    long = send_bytes(configured_server, b"GET /" + b"x" * 70000 + b" HTTP/1.1\r\n\r\n")
    assert (long.status, long.headers["connection"], long.body) == (414, "close", b"")
    said = configured_server.log.read_text()[before:].splitlines()
    assert [line for line in said if json.loads(line)["level"] not in ("debug", "info")] == []


def test_the_server_still_answers_afterwards(shared_server: ServerProcess) -> None:
    body = BODY.replace(b"ann", b"wire-ann")
    length = f"Content-Length: {len(body)}\r\n\r\n".encode()
    assert send_bytes(shared_server, POST + length + body).status == 201
    again = send_bytes(shared_server, POST + length + body)
    assert (again.status, again.problem["type"]) == (409, "/problems/name-taken")
    assert send_bytes(shared_server, b"GET /api/v1/variants HTTP/1.0\r\n\r\n").status == 200
    expecting = POST + b"Expect: 100-continue\r\n" + length
    assert send_bytes(shared_server, expecting + body).status == 409


def connect(serving: ServerProcess) -> socket.socket:
    address = urlsplit(serving.url)
    return socket.create_connection((address.hostname, address.port), timeout=60)


def test_headers_that_arrive_too_slowly_are_closed(impatient_server: ServerProcess) -> None:
    with connect(impatient_server) as connection, pytest.raises(OSError, match=r"reset|pipe"):
        trickle(connection)


def test_a_body_that_does_not_arrive_is_answered_with_a_problem(impatient_server: ServerProcess) -> None:
    for expect in (b"", b"Expect: 100-continue\r\n"):
        answer = send_bytes(impatient_server, POST + expect + b"Content-Length: 41\r\n\r\n" + BODY[:20])
        assert (answer.status, answer.problem["type"]) == (408, "/problems/request-timeout")
        assert answer.headers["connection"] == "close"


def trickle(connection: socket.socket) -> None:
    """Send a byte at a time for up to a minute, so that the connection is never idle for long."""
    for _ in range(600):
        connection.sendall(b"G")
        time.sleep(0.1)
