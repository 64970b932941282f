"""Connections that send fuzzed requests and bytes, and the outcome of each."""

import re
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from urllib.parse import urlsplit

from tests.campaigns.fuzz.requests import FuzzedRequest

TIMEOUT_S = 60.0
ANSWERED_AFTER_S = 0.5
"""After this time without an answer, a client closes its half. The server must then answer or close it."""
ENOUGH = 64 * 1024
STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})")


@dataclass(frozen=True)
class Outcome:
    """`status` is the first that was answered, 0 for a close without one; `fault` says what's wrong, or is empty."""

    status: int
    fault: str = ""


def connect(url: str) -> socket.socket:
    """Return a new connection to the server."""
    address = urlsplit(url)
    return socket.create_connection((address.hostname, address.port), timeout=TIMEOUT_S)


class Sender:
    """Sends requests one after the other, on the same connection while the server keeps it open."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: socket.socket | None = None

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def send(self, request: FuzzedRequest, token: str | None) -> Outcome:
        """Send a request and read its answer."""
        self._connection = self._connection or connect(self._url)
        try:
            with suppress(ConnectionError):  # the server may close after an early answer
                self._connection.sendall(to_bytes(request, token))
            return self._read(request, self._connection)
        except (OSError, HTTPException, ValueError) as error:
            self.close()
            return Outcome(0, f"no answer: {type(error).__name__} {error}")

    def _read(self, request: FuzzedRequest, connection: socket.socket) -> Outcome:
        with HTTPResponse(connection, method=request.method) as response:
            response.begin()
            streamed = response.headers.get_content_type() == "text/event-stream" and response.status == 200
            rest = b"" if streamed else response.read(ENOUGH)
            if streamed or response.will_close or len(rest) >= ENOUGH:
                self.close()
            return Outcome(response.status, fault_of(response.status, "Retry-After" in response.headers, rest))


def to_bytes(request: FuzzedRequest, token: str | None) -> bytes:
    """Return the request as it is sent."""
    lines = [b"%s %s HTTP/1.1" % (request.method.encode(), request.target), b"Host: fuzz.example"]
    lines += [b"Authorization: Bearer " + token.encode()] if token else []
    lines += [name.encode() + b": " + value for name, value in request.headers]
    lines += [b"Content-Length: %d" % len(request.body)] if request.body or request.method == "POST" else []
    return b"\r\n".join(lines) + b"\r\n\r\n" + request.body


def fault_of(status: int, has_retry_after: bool, body: bytes) -> str:
    """Return what is wrong with an answer, or an empty text."""
    if status >= 500 and not (status == 503 and has_retry_after):
        return f"{status} {body[:300]!r}"
    return "the answer has a traceback" if b"Traceback (most recent" in body else ""


def is_enough(answer: bytes) -> bool:
    """Return whether to read no further: a long answer, or an event stream, which may stay open."""
    return len(answer) >= ENOUGH or b"\r\ncontent-type: text/event-stream" in answer.lower()


def send_raw(url: str, data: bytes) -> Outcome:
    """Send bytes on a new connection, and read until the server has answered or closed."""
    answer = b""
    with connect(url) as connection:
        with suppress(ConnectionError):  # the server may close after an early answer
            connection.sendall(data)
        try:
            connection.settimeout(ANSWERED_AFTER_S)
            with suppress(TimeoutError):
                answer = connection.recv(ENOUGH)
                if not answer:
                    return Outcome(0)
            connection.settimeout(TIMEOUT_S)
            connection.shutdown(socket.SHUT_WR)
            until = time.monotonic() + TIMEOUT_S
            while not is_enough(answer) and time.monotonic() < until and (more := connection.recv(ENOUGH)):
                answer += more
        except TimeoutError:
            return Outcome(0, "the server neither answered nor closed the connection")
        except OSError:  # it closed the connection, with bytes unread
            pass
    statuses = [int(found) for found in STATUS.findall(answer)]
    faults = [fault for status in statuses if (fault := fault_of(status, b"retry-after" in answer.lower(), answer))]
    return Outcome(statuses[0] if statuses else 0, faults[0] if faults else "")
