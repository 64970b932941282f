"""Cross-origin requests (CORS, Fetch standard): which pages of other sites may call this server from a browser.

A session's cookie doesn't count on requests of other sites' pages, so an allowed page can do only what its visitor's
token allows.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from api.server.sender import Message, Send
from api.server.wsgi_bridge import Header

ANY = "*"
METHODS = b"DELETE, GET, HEAD, PATCH, POST, PUT"
REQUEST_HEADERS = (
    b"Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
)
ANSWER_HEADERS = b"ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Trickbook-Position, X-Request-Id"
"""The headers of an answer that a page may read, besides those that every page may read."""
PREFLIGHT_AGE_S = b"600"


class CrossOrigin:
    """Adds the headers of CORS to answers for the allowed origins; without origins it changes nothing."""

    def __init__(self, origins: Iterable[str] = ()) -> None:
        self._origins = frozenset(origin.encode() for origin in origins)
        self._any = ANY.encode() in self._origins

    def send_to(self, scope: Mapping[str, Any], send: Send) -> Send:
        """Return `send` with the headers of CORS for the answer to this request."""
        if not self._origins:
            return send
        added = self._headers(_header(scope, b"origin"))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *added]
            await send(message)

        return send_with_headers

    def preflight(self, scope: Mapping[str, Any]) -> list[Header] | None:
        """Return the further headers of the answer to a preflight request of an allowed page, or None for any other."""
        if scope["method"] != "OPTIONS" or _header(scope, b"access-control-request-method") is None:
            return None
        if not self._allows(_header(scope, b"origin")):
            return None
        return [
            (b"access-control-allow-methods", METHODS),
            (b"access-control-allow-headers", REQUEST_HEADERS),
            (b"access-control-max-age", PREFLIGHT_AGE_S),
        ]

    def _headers(self, origin: bytes | None) -> list[Header]:
        if self._any:
            return [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", ANSWER_HEADERS)]
        vary = [(b"vary", b"Origin")]
        if origin is None or not self._allows(origin):
            return vary
        return [(b"access-control-allow-origin", origin), (b"access-control-expose-headers", ANSWER_HEADERS), *vary]

    def _allows(self, origin: bytes | None) -> bool:
        return origin is not None and (self._any or origin in self._origins)


def _header(scope: Mapping[str, Any], name: bytes) -> bytes | None:
    return next((value for each, value in scope["headers"] if each == name), None)
