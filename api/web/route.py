"""Declares routes: `route`, below Flask's own decorator on a view, says all about the route that isn't its path.

The server reads there how to load the query and in which lane a request runs, and the description all that it writes.

The cost that a request may have says which part of the server runs it: dear requests never delay cheap ones. `light`
runs in one thread of the request process (`api.server.batch_lane`). All others run in other processes, at a lower
priority: `login` hashes passwords, `waiting` has lists that wait until they include a position or that are long,
`heavy` reads whole games or long lists, and `export` has downloads without an end in sight. Every route declares its
lane, by name or by a function, and how much it reads of a game; `api.lines.routes` does that for command lines.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, Literal, TypeVar
from urllib.parse import unquote_plus

from flask import Blueprint, Flask, g
from flask.typing import RouteCallable
from marshmallow import Schema

from api.schemas import StrictSchema
from api.web.responses import JSON, TEXT
from domain.json_fields import NAMED

Lane = Literal["light", "login", "waiting", "heavy", "export"]
LANE_KEY = "trickbook.lane"
"""The key in the environ of the lane that a request runs in; missing where a server has no lanes."""
ChooseLane = Callable[[str, str], Lane]
"""Takes the query string and the Accept header as sent."""

MAX_LIGHT_PAGE = 100
MAX_LIGHT_QUERY = 4096
"""A longer query, which no client needs, is heavy: decoding it takes time in the one event loop."""
EVENT_STREAM = "text/event-stream"
WAIT = re.compile("(?:^|&)wait=")
LIMIT = re.compile(r"(?:^|&)limit=([0-9]{1,9})(?=&|$)")


def by_page_size(query_string: str, _accept: str = "") -> Lane:
    """Return `heavy` for a page of over `MAX_LIGHT_PAGE` items, however the query is percent-encoded."""
    limits = LIMIT.findall(unquote_plus(query_string))
    return "heavy" if any(int(limit) > MAX_LIGHT_PAGE for limit in limits) else "light"


def by_events(query_string: str, accept: str) -> Lane:
    """Return `light` for an event stream, a small page or a wait, `heavy` for the rest of a log, which may be long.

    A stream is what a client gets that accepts nothing else. A request that waits holds no thread meanwhile.
    """
    if accept.strip().lower() == EVENT_STREAM or WAIT.search(unquote_plus(query_string)):
        return "light"
    return by_page_size(query_string) if LIMIT.search(unquote_plus(query_string)) else "heavy"


def by_wait(query_string: str, _accept: str = "") -> Lane:
    """Return `heavy` for a large page, otherwise `waiting` for a list that waits for a position."""
    lane = by_page_size(query_string)
    return "waiting" if lane == "light" and WAIT.search(unquote_plus(query_string)) else lane


BUDGETED = frozenset[Lane](("waiting", "heavy", "export"))
"""The lanes whose requests count against a budget of their address and their player."""


ViewFunction = TypeVar("ViewFunction", bound=RouteCallable)
Token = Literal["none", "optional", "needed"]
"""Whether a request may or must carry a token. `none` is for routes that ignore it."""
JsonSchema = Mapping[str, Any]
Shape = type[Any] | UnionType | Schema | JsonSchema
"""A type that msgspec describes, a marshmallow schema, several of either (`A | B`), or a JSON schema."""
Shapes = Shape | tuple[Shape, ...]
"""A shape, or several of which an item of a sequence has one."""
Links = Mapping[str, Mapping[str, str]]
"""The endpoints that a response leads to, each with the variables of their paths as OpenAPI's runtime expressions."""

NO_ARGS = StrictSchema()
SAME_GAME = {"game": "$request.path.game"}


@dataclass(frozen=True)
class Content:
    """A content type of a response, and the shape of its body; for a sequence also the shape of each `item`."""

    media: str
    shape: Shape
    item: Shapes | None = None


@dataclass(frozen=True)
class RouteAnswer:
    """A response that isn't a problem. `headers` are named as in `api.description.parameters`."""

    status: int
    says: str
    contents: tuple[Content, ...] = ()
    headers: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Route:
    """A declaration, and the decorator that gives it to a view: place it below Flask's.

    `answer` is the shape of the JSON of a response with the status 200, or its content types; without it, the response
    is empty, with 204. `status`, `says` and `headers` are about this response, unless `answer` is a whole one that
    several routes share. `also` are others, but no problem.
    """

    summary: str = field(kw_only=False)
    """The route's line in the table of docs/http.md."""
    answer: Shape | tuple[Content, ...] | RouteAnswer | None = None
    status: int | None = None
    says: str = "OK"
    headers: tuple[str, ...] = ()
    also: tuple[RouteAnswer, ...] = ()
    token: Token = "optional"
    query: Schema = NO_ARGS
    """Loads `query_args()`."""
    body: Shape | None = None
    """The shape of the request's JSON, with the `example` to show first."""
    example: JsonSchema | None = None
    problems: tuple[str, ...] = ()
    """Slugs beside those that every route of its kind can answer."""
    asks: tuple[str, ...] = ()
    """Headers of requests, named as in `api.description.parameters`."""
    lane: Lane | ChooseLane = "light"
    passes: float = 0
    """How often a request goes through all events of a game, as reading them once is one time."""
    reads: int = 0
    """How often it reads them from the store; other passes work on what is read. In the light lane, it reads at most a
    page of a game that the server has in memory."""
    leads_to: Links = field(default_factory=dict)
    """Links of the response 201."""
    tag: str | None = None
    """Another tag than the blueprint's."""

    def __call__(self, view: ViewFunction) -> ViewFunction:
        """Declare the route of a view."""
        vars(view)[DECLARED] = self
        return view

    @property
    def answers(self) -> tuple[RouteAnswer, ...]:
        """All responses but problems."""
        answer = self.answer
        if isinstance(answer, RouteAnswer):
            return answer, *self.also
        contents = answer if isinstance(answer, tuple) else () if answer is None else (Content(JSON, answer),)
        return RouteAnswer(self.status or (200 if contents else 204), self.says, contents, self.headers), *self.also

    @property
    def is_always_light(self) -> bool:
        """Whether every request is light, whatever its query and headers are."""
        return self.lane == "light"

    def choose_lane(self, query_string: str, accept: str = "") -> Lane:
        """Return the lane of a request with this query string and this Accept header, as sent."""
        if isinstance(self.lane, str):
            return self.lane
        return "heavy" if len(query_string) > MAX_LIGHT_QUERY else self.lane(query_string, accept)


route = Route
UNDECLARED = Route("")
"""Stands for a route that an extension or a host has added, and for an address without a route: 404 or 405."""
DECLARED = "trickbook_route"
"""The attribute of a view that holds its declaration, so that decorators with `functools.wraps` pass it on."""


class TaggedBlueprint(Blueprint):
    """A blueprint whose routes have a tag of the description (`api.description.document.TAGS`)."""

    def __init__(self, name: str, import_name: str, tag: str, url_prefix: str | None = None) -> None:
        super().__init__(name, import_name, url_prefix=url_prefix)
        self.tag = tag


def component(name: str) -> JsonSchema:
    """Return the shape of an object that no type describes, such as `MoveBody`."""
    return {NAMED: name}


AS_TEXT = Content(TEXT, str)


def or_text(shape: Shape) -> tuple[Content, ...]:
    """Return the contents of an answer as JSON or as text."""
    return Content(JSON, shape), AS_TEXT


HTML = Content("text/html", str)
UNCHANGED = RouteAnswer(304, "The file hasn't changed.", headers=("File-ETag",))
ASSETS = (*(Content(media, str) for media in ("text/css", "text/javascript", "image/png")), Content(JSON, {}))
"""The contents of a page's own files."""


def file_route(
    summary: str,
    *contents: Content,
    says: str = "The file.",
    query: Schema = NO_ARGS,
    problems: tuple[str, ...] = (),
    lane: Lane = "light",
) -> Route:
    """Return the declaration of a file or a page that a browser asks for again with its ETag."""
    return Route(
        summary,
        answer=contents,
        says=says,
        headers=("File-ETag",),
        also=(UNCHANGED,),
        token="none",
        query=query,
        problems=problems,
        asks=("If-None-Match",),
        lane=lane,
    )


def page_route(summary: str, *problems: str, query: Schema = NO_ARGS) -> Route:
    """Return the declaration of a page."""
    return file_route(summary, HTML, says="The page.", query=query, problems=problems)


def declared_route(app: Flask, endpoint: str | None) -> Route:
    """Return what the view of an endpoint declares, or `UNDECLARED`."""
    declared: Route = getattr(app.view_functions.get(endpoint or ""), DECLARED, UNDECLARED)
    return declared


def routes_of(app: Flask) -> dict[str, Route]:
    """Return the declarations of an app's views by endpoint, without undeclared ones."""
    found = {endpoint: declared_route(app, endpoint) for endpoint in app.view_functions}
    return {endpoint: declared for endpoint, declared in found.items() if declared is not UNDECLARED}


def require_declarations(app: Flask) -> None:
    """Raise TypeError if a view of the app declares nothing."""
    missing = sorted(app.view_functions.keys() - routes_of(app).keys())
    if missing:
        raise TypeError(f"Place @route(...) below Flask's decorator on the view of {', '.join(missing)}.")


def query_args() -> dict[str, Any]:
    """Return the query parameters of the current request, loaded by the schema that its route declares."""
    args: dict[str, Any] = g.query_args
    return args
