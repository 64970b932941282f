"""Raw bytes that no HTTP library sends, to a running server: each is answered, and no answer is a 5xx."""

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from api.app import HEADERS
from tests.api.server_process import ServerProcess, start_server
from tests.conftest import Database

IMPATIENT = """
import api.server.front as front, api.server.listener as listener
from api.cli.main import main
listener.HEADER_TIMEOUT_MS, front.BODY_TIMEOUT_S = 1000, 1.0
main()
"""
SECRET = "tb_" + "s" * 43
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


def send_bytes(serving: ServerProcess, request: bytes) -> Answer:
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


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all these requests."""
    with start_server(Database(None, tmp_path_factory.mktemp("data"))) as started:
        yield started


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        pytest.param(POST + b"Content-Length: 1048577\r\n\r\n", 413, id="over 1 MiB announced"),
        pytest.param(POST + b"Content-Length: 70000\r\n\r\n" + b" " * 70000, 413, id="over 64 KiB sent"),
        pytest.param(CHUNKED + b"x\r\n", 411, id="chunk size no number"),
        pytest.param(CHUNKED + b"-1\r\n", 411, id="chunk size below 0"),
        pytest.param(CHUNKED + b"1;\x00\r\n", 411, id="chunk extension"),
        pytest.param(CHUNKED + b"1\r\nab\r\n0\r\n\r\n", 411, id="chunk too long"),
        pytest.param(CHUNKED + b"110000\r\n" + b" " * 0x110000, 411, id="chunks over 1 MiB"),
        pytest.param(b"GET http://[x]/api/v1 HTTP/1.1\r\n\r\n", 404, id="invalid address in brackets"),
        pytest.param(b"GET /%ff%00 HTTP/1.1\r\n\r\n", 404, id="path that is no UTF-8"),
        pytest.param(b"GET /api/v1/games?x=%ff HTTP/1.1\r\n\r\n", 400, id="query that is no UTF-8"),
        pytest.param(b"* * HTTP/1.1\r\n\r\n", 404, id="method *"),
        pytest.param(b"OPTIONS * HTTP/1.1\r\n\r\n", 404, id="OPTIONS *"),
        pytest.param(b"CONNECT x:443 HTTP/1.1\r\n\r\n", 404, id="CONNECT"),
        pytest.param(b"GET / HTTP/1.1\r\nA: " + b"x" * 70000 + b"\r\n\r\n", 431, id="headers over 64 KiB"),
    ],
)
def test_invalid_requests_are_answered_with_a_problem(serving: ServerProcess, request_: bytes, status: int) -> None:
    answer = send_bytes(serving, request_)
    assert answer.status == status, answer.body
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.problem["status"] == status
    assert answer.problem["type"].startswith("/problems/")
    assert {name.lower() for name in HEADERS} <= set(answer.headers)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        pytest.param(POST + b"Transfer-Encoding: gzip\r\n\r\n", 400, id="coding gzip"),
        pytest.param(POST + b"Transfer-Encoding: chunked, gzip\r\n\r\n", 400, id="coding chunked, gzip"),
        pytest.param(POST + b"Transfer-Encoding: identity\r\n\r\n", 400, id="coding identity"),
        pytest.param(POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n", 400, id="coding with a control character"),
        pytest.param(POST + b"Content-Length: x\r\n\r\n", 400, id="length no number"),
        pytest.param(POST + b"Content-Length: -1\r\n\r\n", 400, id="length below 0"),
        pytest.param(POST + b"Content-Length: +41\r\n\r\n" + BODY, 400, id="length with a sign"),
        pytest.param(POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", 400, id="length of 5000 digits"),
        pytest.param(POST + b"Content-Length: " + b"9" * 4000 + b"\r\n\r\n", 400, id="length of 4000 digits"),
        pytest.param(b"GET /api/v1/variants HTTP/1.1\r\nA: b\rC: d\r\n\r\n", 400, id="bare CR"),
        pytest.param(b"GET /api/v1/variants HTTP/1.1\r\nA: \x00\r\n\r\n", 400, id="NUL in a header"),
        pytest.param(b"GET /api/v1/variants HTTP/1.1\r\nA\x00: b\r\n\r\n", 400, id="NUL in a header's name"),
        pytest.param(b"GET /api/v1/variants HTTP/1.1\r\nA : b\r\n\r\n", 400, id="space before the colon"),
        pytest.param(b"GET /api/v1/variants HTTP/1.1\r\n A: b\r\n\r\n", 400, id="folded first header"),
        pytest.param(b"GET /api/v1/variants HTTP/1.1\r\nnothing\r\n\r\n", 400, id="no colon"),
        pytest.param(b"nonsense\r\n\r\n", 400, id="start line of one word"),
        pytest.param(b"GET /api v1 HTTP/1.1\r\n\r\n", 400, id="space in the address"),
        pytest.param(b"GET /api/v1/variants HTTP/x\r\n\r\n", 400, id="no version"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, id="TLS"),
        pytest.param(b"GET http://[::1/api/v1 HTTP/1.1\r\n\r\n", 400, id="address with half a bracket"),
        pytest.param(b"GET http://\xe2\x84\x80/ HTTP/1.1\r\n\r\n", 400, id="address that is no ASCII"),
        pytest.param(b"GET /api/v1/games?\xff HTTP/1.1\r\n\r\n", 400, id="query of raw bytes"),
        pytest.param(b"GET /" + b"x" * 70000 + b" HTTP/1.1\r\n\r\n", 414, id="address over 64 KiB"),
    ],
)
def test_bytes_that_are_no_http_are_answered_and_closed(serving: ServerProcess, request_: bytes, status: int) -> None:
    answer = send_bytes(serving, request_)
    assert (answer.status, answer.headers["connection"], answer.body) == (status, "close", b"")


@pytest.mark.parametrize(
    "both",
    [b"Content-Length: 41\r\nTransfer-Encoding: chunked\r\n", b"Transfer-Encoding: chunked\r\nContent-Length: 41\r\n"],
)
def test_a_length_and_a_transfer_encoding_together_are_refused(serving: ServerProcess, both: bytes) -> None:
    answer = send_bytes(serving, POST + both + b"\r\n" + b"29\r\n" + BODY + b"\r\n0\r\n\r\n")
    assert (answer.status, answer.headers["connection"]) == (411, "close")


def test_the_server_still_answers_afterwards(serving: ServerProcess) -> None:
    length = f"Content-Length: {len(BODY)}\r\n\r\n".encode()
    assert send_bytes(serving, POST + length + BODY).status == 201
    again = send_bytes(serving, POST + length + BODY)
    assert (again.status, again.problem["type"]) == (409, "/problems/name-taken")
    expecting = POST + b"Expect: 100-continue\r\n" + length
    assert send_bytes(serving, expecting + BODY).status == 409


def test_invalid_bytes_are_not_logged_as_errors(tmp_path: Path) -> None:
    errors = tmp_path / "stderr"
    with errors.open("wb") as file, start_server(Database(None, tmp_path), stderr=file) as started:
        for request in (
            b"GET http://[::1/api/v1 HTTP/1.1\r\n\r\n",
            POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
        ):
            assert send_bytes(started, request).status == 400
        assert started.stop() == 0
    assert errors.read_text() == ""


def test_incomplete_requests_are_closed_while_others_are_answered(tmp_path: Path) -> None:
    with start_server(Database(None, tmp_path), program=[sys.executable, "-c", IMPATIENT]) as started:
        address = urlsplit(started.url)
        idle = [socket.create_connection((address.hostname, address.port), timeout=60) for _ in range(1100)]
        begun = time.monotonic()
        assert send_bytes(started, b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n").status == 200
        assert time.monotonic() - begun < 25, "idle connections don't keep a new one waiting"
        assert idle[0].recv(1) == b""
        for each in idle:
            each.close()


def test_headers_that_arrive_too_slowly_are_closed(tmp_path: Path) -> None:
    with start_server(Database(None, tmp_path), program=[sys.executable, "-c", IMPATIENT]) as started:
        address = urlsplit(started.url)
        connection = socket.create_connection((address.hostname, address.port), timeout=60)
        with connection, pytest.raises(OSError, match=r"reset|pipe"):
            trickle(connection)


@pytest.mark.parametrize("expect", [b"", b"Expect: 100-continue\r\n"])
def test_a_body_that_does_not_arrive_is_answered_with_a_problem(tmp_path: Path, expect: bytes) -> None:
    with start_server(Database(None, tmp_path), program=[sys.executable, "-c", IMPATIENT]) as started:
        answer = send_bytes(started, POST + expect + b"Content-Length: 41\r\n\r\n" + BODY[:20])
        assert (answer.status, answer.problem["type"]) == (408, "/problems/request-timeout")
        assert answer.headers["connection"] == "close"


def trickle(connection: socket.socket) -> None:
    """Send a byte at a time for up to a minute, so that the connection is never idle for long."""
    for _ in range(600):
        connection.sendall(b"G")
        time.sleep(0.1)
