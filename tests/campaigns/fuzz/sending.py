"""Send fuzzed bytes on a connection of their own, and judge the answer."""

import re
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

TIMEOUT_S = 60.0
ENOUGH = 64 * 1024
STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})")


@dataclass(frozen=True)
class Outcome:
    """`status` is the first that was answered, 0 for a close without one; `fault` says what's wrong, or is empty."""

    status: int
    fault: str = ""


def fault_of(status: int, has_retry_after: bool, body: bytes) -> str:
    """Return what is wrong with an answer, or an empty text."""
    if status >= 500 and not (status == 503 and has_retry_after):
        return f"{status} {body[:300]!r}"
    return "the answer has a traceback" if b"Traceback (most recent" in body else ""


def is_enough(answer: bytes) -> bool:
    """Return whether to read no further: a long answer, or an event stream, which may stay open."""
    return len(answer) >= ENOUGH or b"\r\ncontent-type: text/event-stream" in answer.lower()


def send(url: str, data: bytes, answered_after_s: float = TIMEOUT_S) -> Outcome:
    """Send bytes on a new connection, and read until the server has answered or closed.

    After that time without an answer, the client closes its half. Then the server must answer or close the connection.
    """
    answer, address = b"", urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=TIMEOUT_S) as connection:
        with suppress(ConnectionError):  # the server may close after an early answer
            connection.sendall(data)
        try:
            connection.settimeout(answered_after_s)
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
