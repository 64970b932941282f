"""A call of the WSGI application for a request that has arrived completely (PEP 3333)."""

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_to_bytes

from api.play.services.event_stream import ENVIRON_KEY, WAITED_KEY, AnyStream
from api.web.application import ROUTE_KEY, RouteMatch
from api.web.request_input import BODY_KEY
from api.web.route import LANE_KEY, Lane

Header = tuple[bytes, bytes]
CACHED_NAMES, MAX_CACHED_NAME = 256, 64
"""How many names of headers are remembered, and how long one may be: clients may send any."""
SAME_FOR_ALL: Mapping[str, Any] = {
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.version": (1, 0),
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
"""The part of the environ that is the same for every request."""


@dataclass(frozen=True)
class HttpRequest:
    """A request with its whole body. `path` and `query_string` are as sent, percent-encoded."""

    method: str
    path: bytes
    query_string: bytes
    headers: tuple[Header, ...]
    body: bytes
    client: str
    """The address of the peer."""
    server: tuple[str, int]
    scheme: str = "http"
    route: RouteMatch | None = None
    """The match of the path, if it is known."""
    root: str = ""
    """The path that the server is below (SCRIPT_NAME of PEP 3333); `path` is what follows it."""

    def to_environ(self) -> dict[str, Any]:
        """Return the environ of a WSGI call."""
        environ = {
            **SAME_FOR_ALL,
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": self.root,
            "PATH_INFO": unquote_to_bytes(self.path).decode("latin-1"),
            "QUERY_STRING": self.query_string.decode("latin-1"),
            "SERVER_NAME": self.server[0],
            "SERVER_PORT": str(self.server[1]),
            "REMOTE_ADDR": self.client,
            "wsgi.url_scheme": self.scheme,
            "wsgi.input": io.BytesIO(self.body),
            "wsgi.errors": sys.stderr,
            BODY_KEY: self.body,
            ROUTE_KEY: self.route,
        }
        for name, value in self.headers:
            key = _known_environ_key(name) if len(name) <= MAX_CACHED_NAME else _environ_key(name)
            text = value.decode("latin-1")
            if key is not None:
                environ[key] = f"{environ[key]},{text}" if key in environ else text
        return environ


def _environ_key(name: bytes) -> str | None:
    """Return the key of a header, or None for a name with `_`: its key would be that of another header."""
    if b"_" in name:
        return None
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


_known_environ_key = lru_cache(CACHED_NAMES)(_environ_key)


@lru_cache(CACHED_NAMES)
def _lower_name(name: str) -> bytes:
    return name.lower().encode()


@dataclass
class WsgiResponse:
    """The response of a WSGI application. `event_stream` is what the view left in the environ, if anything."""

    status: int
    headers: list[Header]
    body: bytes = b""
    chunks: Iterator[bytes] | None = None
    """The body of a response without a Content-Length, made while it is sent."""
    event_stream: AnyStream | None = None
    close: Callable[[], None] = field(default=lambda: None)
    """Call this once after the last chunk, also if the client is gone."""


WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def call_wsgi(
    app: WsgiApp, request: HttpRequest, lane: Lane = "light", *, streams: bool = False, waited: bool = False
) -> WsgiResponse:
    """Call the application and return its response: with the whole body if that has a length, else with its chunks.

    With `streams`, a view may leave an event stream in the environ, unless the request has `waited` for one.
    """
    environ = request.to_environ() | {LANE_KEY: lane}
    if streams:
        environ[ENVIRON_KEY] = None
        environ[WAITED_KEY] = waited
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _exc_info: object = None) -> None:
        started[:] = [int(status[:3]), [(_lower_name(name), value.encode("latin-1")) for name, value in headers]]

    chunks = app(environ, start_response)
    close: Callable[[], None] = getattr(chunks, "close", lambda: None)
    status, headers = started
    response = WsgiResponse(status, headers, event_stream=environ.get(ENVIRON_KEY))
    if response.event_stream is None and not _has_length(response):
        response.chunks, response.close = iter(chunks), close
        return response
    try:
        response.body = b"".join(chunks)
    finally:
        close()
    return response


def _has_length(response: WsgiResponse) -> bool:
    return response.status in (204, 304) or any(name == b"content-length" for name, _ in response.headers)
