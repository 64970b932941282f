"""The description as an OpenAPI document: 3.2, or 3.1 for generators of clients, from the routes of an app."""

import inspect
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from marshmallow import Schema
from werkzeug.routing import Rule

from api.description.answers.audits import CheckedReceiptSchema
from api.description.answers.inbox import ENTRIES, WebhookMessageSchema
from api.description.answers.log import EventSchema, ShownItemSchema, WithheldItemSchema
from api.description.answers.questions import MomentSchema
from api.description.answers.server import ProblemSchema
from api.description.components import Components, component_name, drop_unused
from api.description.headers import ASKED, SENT, header_name
from api.description.model import Content, DescribedAnswer, Operation
from api.description.operations import OPERATIONS, TAG_OF, TAGS
from api.description.operations.inbox import webhook_messages
from api.description.paths import path_of, path_parameters, variables_of
from api.description.problem_answers import (
    header_references,
    problem_catalog,
    problem_examples,
    problem_response,
    problems_of,
    response_name,
)
from api.web.query_args import query_schema
from api.web.responses import JSON

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
    "contact": {"name": "The host of this server"},
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


SAME_GAME = {"game": "$request.path.game"}
OPENED_GAME = {"game": "$response.body#/id"}
NEW_DISPUTE = SAME_GAME | {"dispute": "$response.body#/dispute"}
NEW_REPORT = {"report": "$response.body#/report"}
NEW_OFFER = SAME_GAME | {"offer": "$response.body#/id"}
AFTER_OPENING = (
    "games.public_view",
    "games.move",
    "events.list_events",
    "events.export",
    "audits.game_audit",
    "forming.claim",
    "forming.start",
    "forming.cancel",
    "invitations.invite",
    "handovers.ask",
    "chat.write",
    "proofs.make_receipt",
    "disputes.open_dispute",
)
OPENING: Mapping[str, Mapping[str, str]] = dict.fromkeys(AFTER_OPENING, OPENED_GAME)

LINKS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "opening.open_game": OPENING,
    "opening.rematch": OPENING,
    "users.log_in": {"own_tokens.end_token": {"token": "$response.body#/id"}},
    "invitations.invite": {
        "invitations.invited_table": {"token": "$response.body#/token"},
        "invitations.revoke": SAME_GAME | {"invitation": "$response.body#/id"},
    },
    "handovers.ask": dict.fromkeys(("handovers.accept", "handovers.decline", "handovers.withdraw"), NEW_OFFER),
    "disputes.open_dispute": dict.fromkeys(
        ("disputes.rule", "disputes.appeal", "disputes.decide", "disputes.erase"), NEW_DISPUTE
    ),
    "chat.write": {"chat.erase": SAME_GAME | {"message": "$response.body#/id"}},
    "reports.report": dict.fromkeys(("moderation.claim", "moderation.rule"), NEW_REPORT),
    "webhooks.add_webhook": {"webhooks.remove_webhook": {"webhook": "$response.body#/id"}},
    "reports.appeal": {"moderation.decide": {"step": "$response.body#/step"}},
}
"""For the 201 of an endpoint, the endpoints that it leads to, each with the variables of their paths."""


def operation_id(endpoint: str) -> str:
    """Return the name of an endpoint's operation: `games_move`."""
    return endpoint.replace(".", "_")


def links_of(endpoint: str) -> dict[str, Any]:
    """Return the link objects of an endpoint."""
    return {
        operation_id(target): {"operationId": operation_id(target), "parameters": dict(parameters)}
        for target, parameters in LINKS[endpoint].items()
    }
