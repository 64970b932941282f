"""The application of Flask, which matches an address once, and the limits of headers in front of it.

Parsers of libraries may take time that grows with the square of a header's length: werkzeug's parser of Accept needs
seconds for 64 KB of blanks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, AnyStr, NamedTuple
from urllib.parse import unquote_to_bytes

from flask import Flask, Request
from flask.sessions import NullSession, SessionInterface
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter, Rule

from api.problem import Problem
from api.web.route import Route, declared_route

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

ROUTE_KEY = "trickbook.route"
"""The key of a RouteMatch in the environ of a request whose address is matched already."""
CACHED_MATCHES, MAX_CACHED_BYTES = 4096, 128
"""How many addresses are remembered, and how long one may be: longer ones could fill the memory."""
LONGEST_PATH = 1024
"""A longer one is matched by Flask, in a lane: no route has one, and decoding it takes time in the one event loop."""


class RouteMatch(NamedTuple):
    """The rule that an address matches, the values of the rule's variables, and the declaration of the route."""

    rule: Rule
    values: Mapping[str, Any]
    declared: Route


RouteFinder = Callable[[str, bytes], RouteMatch | None]
"""Takes the method, and the path as sent, percent-encoded."""


def route_finder(app: Flask) -> RouteFinder:
    """Return a function that matches addresses with the rules registered so far, and remembers those that match.

    The function returns None if no rule matches, for a path over `LONGEST_PATH`, and for OPTIONS, which Flask answers
    itself.
    """
    routes = app.url_map.bind("localhost")

    def match(method: str, path: bytes) -> RouteMatch:
        rule, values = routes.match(unquote_to_bytes(path).decode(errors="replace"), method, return_rule=True)
        return RouteMatch(rule, values, declared_route(app, rule.endpoint))

    remembered = lru_cache(CACHED_MATCHES)(match)

    def find(method: str, path: bytes) -> RouteMatch | None:
        if method == "OPTIONS" or len(path) > LONGEST_PATH:
            return None
        try:
            return match(method, path) if len(path) > MAX_CACHED_BYTES else remembered(method, path)
        except HTTPException:
            return None

    return find


def path_below(root: AnyStr, path: AnyStr, slash: AnyStr) -> AnyStr:
    """Return what follows `root` in a path, at least a slash, or a path that isn't below it as it is."""
    is_below = (path + slash).startswith(root + slash)
    return path.removeprefix(root) or slash if is_below else path


class NoSessions(SessionInterface):
    """Gives every request the same empty session, which can't be changed: a cookie of this server holds a token."""

    _session = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:  # noqa: ARG002 - Flask passes them
        return self._session


class Application(Flask):
    """Flask without sessions, which doesn't match an address twice. All else is Flask's: hooks, signals, extensions."""

    session_interface = NoSessions()

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return the adapter that matches the request's address, or None after taking the match from the environ."""
        found: RouteMatch | None = None if request is None else request.environ.get(ROUTE_KEY)
        if request is None or found is None:
            return super().create_url_adapter(request)
        request.url_rule, request.view_args = found.rule, dict(found.values)
        return None


def _environ_key(name: str) -> str:
    key = name.upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


MAX_BYTES: Mapping[str, int] = {
    "accept": 256,
    "accept-charset": 256,
    "accept-encoding": 256,
    "accept-language": 256,
    "authorization": 512,
    "content-encoding": 64,
    "content-length": 20,
    "content-type": 256,
    "expect": 64,
    "forwarded": 1024,
    "host": 320,
    "if-match": 256,
    "if-modified-since": 64,
    "if-none-match": 1024,
    "if-range": 256,
    "if-unmodified-since": 64,
    "last-event-id": 256,
    "range": 256,
    "transfer-encoding": 64,
    "x-forwarded-for": 1024,
    "x-forwarded-host": 320,
    "x-forwarded-port": 64,
    "x-forwarded-prefix": 256,
    "x-forwarded-proto": 64,
}
"""The maximum bytes of all values of one header together, by its name in lower case."""
MAX_OTHER_BYTES = 8 * 1024
"""The maximum for every other header, such as Cookie; no parser of this server reads the others."""
MAX_ADDRESS_BYTES = 16 * 1024
"""The maximum of path and query: the longest query is a move of 4,096 characters, percent-encoded."""
HEADER_KEYS = frozenset(("HTTP_", "CONTE"))
"""The first five characters of the keys of headers in a WSGI environment."""
MAX_BYTES_BY_KEY = {_environ_key(name): size for name, size in MAX_BYTES.items()}
REFUSAL = "trickbook.oversized_header"


@dataclass(frozen=True)
class OversizedHeader:
    """A header, its name in lower case, that is longer than `max_bytes`."""

    name: str
    max_bytes: int

    def __str__(self) -> str:
        return f"The header {self.name} has more than {self.max_bytes} bytes. Send a shorter one."


def drop_oversized_headers(environ: "WSGIEnvironment") -> None:
    """Remove oversized headers, so that nothing parses them, and leave a note of the first for `check_sizes`."""
    headers = [(key, value) for key, value in environ.items() if key[:5] in HEADER_KEYS]
    for key in [key for key, value in headers if len(value) > MAX_BYTES_BY_KEY.get(key, MAX_OTHER_BYTES)]:
        name = key.removeprefix("HTTP_").replace("_", "-").lower()
        environ.setdefault(REFUSAL, OversizedHeader(name[:64], MAX_BYTES.get(name, MAX_OTHER_BYTES)))
        del environ[key]


def check_sizes(request: Request) -> None:
    """Answer 431 if `drop_oversized_headers` found an oversized header, and 414 for a long address."""
    oversized = request.environ.get(REFUSAL)
    if oversized is not None:
        raise Problem("headers-too-large", str(oversized))
    if len(request.query_string) + len(request.path) > MAX_ADDRESS_BYTES:
        raise Problem("uri-too-long", f"The address has more than {MAX_ADDRESS_BYTES} bytes. Send a shorter one.")
