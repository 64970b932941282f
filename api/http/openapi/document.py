"""The description as an OpenAPI document: 3.2, or 3.1 for generators of clients, from the routes of an app."""

import inspect
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from marshmallow import Schema
from werkzeug.routing import Rule

from api.http.openapi.answers.audits import CheckedReceiptSchema
from api.http.openapi.answers.inbox import ENTRIES, WebhookMessageSchema
from api.http.openapi.answers.log import EventSchema, ShownItemSchema, WithheldItemSchema
from api.http.openapi.answers.questions import MomentSchema
from api.http.openapi.answers.server import ProblemSchema
from api.http.openapi.components import Components, component_name
from api.http.openapi.examples import example_of
from api.http.openapi.headers import ASKED, SENT, header_name
from api.http.openapi.links import LINKS, links_of, operation_id
from api.http.openapi.model import Content, DescribedAnswer, Operation
from api.http.openapi.operations import OPERATIONS, TAG_OF, TAGS
from api.http.openapi.operations.inbox import webhook_messages
from api.http.openapi.paths import path_of, path_parameters, variables_of
from api.http.openapi.problem_answers import (
    header_references,
    problem_catalog,
    problem_examples,
    problem_response,
    problems_of,
    response_name,
)
from api.http.query_args import query_schema

JsonObject = dict[str, Any]
NEWEST, FOR_GENERATORS = "3.2.0", "3.1.1"
SECURITY: dict[str, list[JsonObject]] = {"none": [], "optional": [{}, {"token": []}], "needed": [{"token": []}]}
REFERENCED: tuple[type[Schema], ...] = (
    ProblemSchema,
    EventSchema,
    ShownItemSchema,
    WithheldItemSchema,
    CheckedReceiptSchema,
    MomentSchema,
    *ENTRIES.values(),
)
"""The schemas that others refer to by name."""
TOKEN_SCHEME = {"type": "http", "scheme": "bearer", "description": "The token that `POST /tokens` returns."}
INFO = {
    "summary": "Trick-taking card games played for score.",
    "description": (
        "Every deal, bid and card is a fact in a log. `GET` of an address also answers `HEAD`. Every error is a problem"
        " (RFC 9457); `x-problem-types` lists their types with the clauses of the rules."
    ),
    "license": {"name": "MIT", "identifier": "MIT"},
}


def openapi_document(app: Flask, openapi_version: str = NEWEST, root: str = "") -> JsonObject:
    """Return the description of every route of the app, which is below the path `root`.

    Routes that a Flask extension or a host added aren't in it.
    """
    return _Document(openapi_version).describe(app, root)


class _Document:
    """A document that is being made."""

    def __init__(self, openapi_version: str) -> None:
        self.newest = openapi_version == NEWEST
        plugin = MarshmallowPlugin(schema_name_resolver=component_name)
        self.spec = APISpec("trickbook", version("trickbook"), openapi_version, plugins=[plugin], info=INFO)
        self.components = Components(self.spec, plugin, newest=self.newest)

    def describe(self, app: Flask, root: str) -> JsonObject:
        """Add all routes and components, and return the document."""
        self._add_shared_components()
        for rule, method in _routes(app):
            self._add_route(app, rule, method)
        webhooks = webhook_messages(self.components.schema(WebhookMessageSchema))
        self.components.describe()
        made: JsonObject = self.spec.to_dict()
        return made | {
            "servers": [{"url": root or "/"}],
            "webhooks": webhooks,
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

    def _add_route(self, app: Flask, rule: Rule, method: str) -> None:
        operation = OPERATIONS[rule.endpoint]
        view = app.view_functions[rule.endpoint]
        parameters = [*variables_of(rule), *operation.asks, *self.components.parameters(query_schema(view))]
        described: JsonObject = {
            "operationId": operation_id(rule.endpoint),
            "summary": operation.summary,
            "description": inspect.getdoc(view) or "",
            "tags": [TAG_OF[rule.endpoint]],
            "security": SECURITY[operation.token],
            "parameters": parameters,
            "responses": self._responses(rule, operation, method),
        }
        if rule.endpoint in LINKS:
            described["responses"]["201"]["links"] = links_of(rule.endpoint)
        if operation.bodies:
            described["requestBody"] = self._body(operation)
        self.spec.path(path_of(rule), operations={method: described})

    def _body(self, operation: Operation) -> JsonObject:
        schemas = [self.components.schema(each) for each in operation.bodies]
        schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
        return {"required": True, "content": {"application/json": {"schema": schema, "example": operation.example}}}

    def _responses(self, rule: Rule, operation: Operation, method: str) -> JsonObject:
        responses: JsonObject = {
            str(answer.status): self._answer(rule.endpoint, answer) for answer in operation.answers
        }
        for status, slugs in problems_of(operation, path_of(rule), method).items():
            responses[str(status)] = self._problem(slugs)
        return responses

    def _problem(self, slugs: list[str]) -> JsonObject:
        name, response = response_name(slugs), problem_response(slugs, newest=self.newest)
        if name is None:
            return response
        if name not in self.spec.components.responses:
            self.spec.components.response(name, response)
        return {"$ref": "#/components/responses/" + name}

    def _answer(self, endpoint: str, answer: DescribedAnswer) -> JsonObject:
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
        return {"schema": self.components.schema(content.schema)}


def _routes(app: Flask) -> Iterator[tuple[Rule, str]]:
    """Yield each route with its method. Every endpoint has one method, and Flask adds HEAD and OPTIONS."""
    for rule in app.url_map.iter_rules():
        if rule.endpoint in OPERATIONS:
            [method] = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            yield rule, method.lower()
