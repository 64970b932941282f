"""The description of this interface as OpenAPI, and a page that shows it without any other server.

The page is Swagger UI, from the wheel flask-swagger-ui. It shows the description of this server and no other: the
server refuses `?url=`, and the page ignores it.
"""

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask, Response, request
from werkzeug.routing import Rule

from api.description.components import Components, component_name, drop_unused
from api.description.parameters import (
    ASKED,
    SENT,
    header_name,
    header_references,
    path_of,
    path_parameters,
    problem_catalog,
    problem_examples,
    problem_response,
    problems_of,
    response_name,
    variables_of,
)
from api.inbox.services.webhook_messages import TestMessage, WebhookMessage
from api.pages.html import below
from api.problem import Problem, ProblemBody
from api.web.context import current_application
from api.web.responses import JSON, file_response
from api.web.route import (
    ASSETS,
    Content,
    Route,
    RouteAnswer,
    Shape,
    Shapes,
    TaggedBlueprint,
    file_route,
    page_route,
    routes_of,
)
from projections.lists.inbox_entries import ENTRY_TYPES
from projections.views.audience import ShownItem, WithheldItem

JsonObject = dict[str, Any]
WEBHOOK_BODY = WebhookMessage | TestMessage
NEWEST, FOR_GENERATORS = "3.2.0", "3.1.1"
TAGS: Mapping[str, str] = {
    "people": "Users, tokens, guests, and your own account.",
    "games": "The lobby, views and moves.",
    "commands": "Command lines, as players of pbmserv write them.",
    "tables": "Tables that form, invitations, and seats that change hands.",
    "log": "Events, streams, exports, receipts and proofs.",
    "inbox": "The news of your games, and webhooks to which the server sends it.",
    "questions": "Audits, replays, questions, branches and hands.",
    "disputes": "Disputes, rulings and appeals.",
    "conduct": "Blocks, chat, reports and moderation.",
    "pages": "Pages for people, and the sessions of browsers.",
    "server": "The server itself.",
}
SECURITY: dict[str, list[JsonObject]] = {"none": [], "optional": [{}, {"token": []}], "needed": [{"token": []}]}
REFERENCED: tuple[Shape, ...] = (
    ProblemBody,
    ShownItem,
    WithheldItem,
    *ENTRY_TYPES.values(),
)
"""The parts to which others refer by name."""
TOKEN_SCHEME = {"type": "http", "scheme": "bearer", "description": "The token that `POST /tokens` returns."}
INFO = {
    "summary": "Trick-taking card games played for score.",
    "description": (
        "Every deal, bid and card is a fact in a log. `GET` of an address also answers `HEAD`. Every error is a problem"
        " (RFC 9457); `x-problem-types` lists their types with the clauses of the rules."
    ),
    "contact": {"name": "The host of this server"},
    "license": {"name": "MIT", "identifier": "MIT"},
}


def openapi_document(app: Flask, openapi_version: str = NEWEST, root: str = "") -> JsonObject:
    """Return the description of every route of the app, which is below the path `root`.

    Routes that a Flask extension or a host added aren't in it.
    """
    return _Document(app, openapi_version).describe(root)


class _Document:
    """A document that is being made."""

    def __init__(self, app: Flask, openapi_version: str) -> None:
        self.app, self.routes = app, routes_of(app)
        self.newest = openapi_version == NEWEST
        plugin = MarshmallowPlugin(schema_name_resolver=component_name)
        self.spec = APISpec("trickbook", version("trickbook"), openapi_version, plugins=[plugin], info=INFO)
        self.components = Components(self.spec, plugin, _shapes(self.routes.values()), newest=self.newest)

    def describe(self, root: str) -> JsonObject:
        """Add all routes and components, and return the document."""
        self._add_shared_components()
        for rule in self.app.url_map.iter_rules():
            if rule.endpoint in self.routes:
                self._add_route(rule, self.routes[rule.endpoint])
        webhooks = webhook_messages(self.components.schema(WEBHOOK_BODY))
        self.components.describe()
        made: JsonObject = self.spec.to_dict() | {"webhooks": webhooks}
        return drop_unused(made) | {
            "servers": [{"url": root or "/"}],
            "tags": [{"name": name, "description": says} for name, says in TAGS.items()],
            "x-problem-types": problem_catalog(),
        }

    def _add_shared_components(self) -> None:
        shared = self.spec.components
        shared.security_scheme("token", TOKEN_SCHEME)
        for schema in REFERENCED:
            self.components.schema(schema)
        for name, header in SENT.items():
            shared.header(name, dict(header))
        for name, parameter in path_parameters().items():
            shared.parameter(name, "path", parameter)
        for name, asked in ASKED.items():
            shared.parameter(name, "header", {"name": header_name(name), **asked})
        for slug, example in problem_examples().items():
            shared.example(slug, example)

    def _add_route(self, rule: Rule, declared: Route) -> None:
        [method] = (rule.methods or set()) - {"HEAD", "OPTIONS"}  # Flask adds these
        endpoint, path = rule.endpoint, path_of(rule)
        described: JsonObject = {
            "operationId": operation_id(endpoint),
            "summary": declared.summary,
            "description": inspect.getdoc(self.app.view_functions[endpoint]) or "",
            "tags": [declared.tag or self._tag_of(endpoint)],
            "security": SECURITY[declared.token],
            "parameters": [*variables_of(rule), *declared.asks, *self.components.parameters(declared.query)],
            "responses": {str(answer.status): self._answer(endpoint, answer) for answer in declared.answers},
        }
        for status, slugs in problems_of(declared, path, method.lower()).items():
            described["responses"][str(status)] = self._problem(slugs)
        if declared.leads_to:
            described["responses"]["201"]["links"] = links_of(declared)
        if declared.body is not None:
            content = {"schema": self.components.schema(declared.body), "example": declared.example}
            described["requestBody"] = {"required": True, "content": {JSON: content}}
        self.spec.path(path, operations={method.lower(): described})

    def _tag_of(self, endpoint: str) -> str:
        blueprint = self.app.blueprints[endpoint.partition(".")[0]]
        if not isinstance(blueprint, TaggedBlueprint):
            raise TypeError(f"{endpoint} belongs to a blueprint without a tag")
        return blueprint.tag

    def _problem(self, slugs: list[str]) -> JsonObject:
        name, response = response_name(slugs), problem_response(slugs, newest=self.newest)
        if name is None:
            return response
        if name not in self.spec.components.responses:
            self.spec.components.response(name, response)
        return {"$ref": "#/components/responses/" + name}

    def _answer(self, endpoint: str, answer: RouteAnswer) -> JsonObject:
        described: JsonObject = {
            "description": answer.says,
            "headers": header_references([*answer.headers, "X-Request-Id"]),
        }
        if answer.contents:
            described["content"] = {
                each.media: self._content(each) | example_of(endpoint, answer.status, each.media, newest=self.newest)
                for each in answer.contents
            }
        return described

    def _content(self, content: Content) -> JsonObject:
        if content.item is not None and self.newest:
            return {"itemSchema": self.components.schema(content.item)}
        return {"schema": self.components.schema(content.shape)}


def _shapes(routes: Iterable[Route]) -> Iterator[Shapes]:
    """Yield the shapes of all bodies of requests and responses."""
    yield from (*REFERENCED, WEBHOOK_BODY)
    for declared in routes:
        if declared.body is not None:
            yield declared.body
        for content in (content for answer in declared.answers for content in answer.contents):
            yield content.shape
            if content.item is not None:
                yield content.item


FILE = Path(__file__).with_name("examples.json")


@lru_cache(maxsize=1)
def recorded_examples() -> dict[str, JsonObject]:
    """Return the examples by endpoint, and then by status and content type: JSON values, or texts."""
    found: dict[str, JsonObject] = json.loads(FILE.read_bytes())
    return found


def example_of(endpoint: str, status: int, media: str, *, newest: bool) -> JsonObject:
    """Return the fields of a content object for its example; none for a file."""
    example = recorded_examples().get(endpoint, {}).get(f"{status} {media}")
    if example is None:
        return {}
    if media == JSON:
        return {"example": example}
    return {"examples": {"recorded": {"serializedValue" if newest else "value": example}}}


def operation_id(endpoint: str) -> str:
    """Return the name of an endpoint's operation: `games_move`."""
    return endpoint.replace(".", "_")


def links_of(declared: Route) -> dict[str, Any]:
    return {
        operation_id(target): {"operationId": operation_id(target), "parameters": dict(parameters)}
        for target, parameters in declared.leads_to.items()
    }


def webhook_messages(body: JsonObject) -> JsonObject:
    """Return the request that the server sends to a webhook, whose body has this schema."""
    header = {"in": "header", "required": True, "schema": {"type": "string"}}
    names = {
        "webhook-id": "The same if the message is sent again.",
        "webhook-timestamp": "Seconds since 1970.",
        "webhook-signature": "As Standard Webhooks says.",
    }
    return {
        "inboxEntry": {
            "post": {
                "operationId": "inbox_entry",
                "summary": "an entry of your inbox, or a test, sent to your webhook",
                "security": [],
                "parameters": [{"name": name, "description": says, **header} for name, says in names.items()],
                "requestBody": {"required": True, "content": {JSON: {"schema": body}}},
                "responses": {
                    "2XX": {"description": "You have it. Any other status counts as a failure, and it's sent again."},
                    "410": {"description": "The webhook is switched off at once."},
                },
            }
        }
    }


STATIC = Path(__file__).parents[1] / "static" / "docs"
PAGE, SCRIPT = "docs.html", "docs.js"
SWAGGER_FILES = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # Swagger UI draws its icons and sizes with style attributes
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

DOCUMENT = Content(JSON, {"type": "object"})

description = TaggedBlueprint("description", __name__, "server")


@description.get("/openapi.json")
@file_route("this interface as OpenAPI 3.2", DOCUMENT, says="An OpenAPI document.", lane="heavy")
def newest() -> Response:
    """Return 200: this interface as OpenAPI 3.2, with the items of streams."""
    return file_response("openapi.json", _document(current_application(), NEWEST, request.root_path))


@description.get("/openapi-3.1.json")
@file_route("the same as OpenAPI 3.1, for generators of clients", DOCUMENT, says="An OpenAPI document.", lane="heavy")
def for_generators() -> Response:
    """Return 200: the same as OpenAPI 3.1, without the items of streams, for generators of clients."""
    return file_response("openapi-3.1.json", _document(current_application(), FOR_GENERATORS, request.root_path))


@description.get("/docs")
@page_route("a page that shows this interface")
def page() -> Response:
    """Return 200: a page that shows this interface, and can send requests to this server."""
    return file_response(PAGE, below(request.root_path, _asset(PAGE).decode()).encode(), POLICY)


@description.get("/docs/<file>")
@file_route("the files of that page", *ASSETS, problems=("not-found",))
def asset(file: str) -> Response:
    """Return 200: a script or style of the page; 404 for any other name."""
    if file not in (SCRIPT, *SWAGGER_FILES):
        raise Problem("not-found", "There is no such file. The page that shows this interface is at /docs.")
    return file_response(file, _asset(file))


@lru_cache(maxsize=4)
def _document(app: Flask, openapi_version: str, root: str) -> bytes:
    """Return a document as JSON. The routes of an app don't change."""
    return json.dumps(openapi_document(app, openapi_version, root), ensure_ascii=False).encode() + b"\n"


@lru_cache(maxsize=len(SWAGGER_FILES) + 2)
def _asset(name: str) -> bytes:
    found = STATIC / name if name in (PAGE, SCRIPT) else files("flask_swagger_ui") / "dist" / name
    return found.read_bytes()
