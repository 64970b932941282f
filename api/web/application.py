"""The Flask application: it doesn't match an address again that the server has matched to choose a lane."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, AnyStr, NamedTuple
from urllib.parse import unquote_to_bytes

from flask import Flask, Request
from flask.sessions import NullSession, SessionInterface
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter, Rule

from api.web.route import Route, declared_route

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
        """Return the session."""
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
