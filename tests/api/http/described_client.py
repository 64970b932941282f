"""A client that checks each response against the description of the interface."""

import copy
import gzip
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from api.description.document import openapi_document
from api.description.parameters import path_of

Json = Any
DOCUMENT = "urn:trickbook"
LINES = "application/x-ndjson"


class DescribedClient(FlaskClient):
    """A test client whose responses fit the description, or the test fails."""

    def open(self, *args: Any, **options: Any) -> TestResponse:
        """Send a request, and check the response, unless the test names `buffered` since it reads it in parts."""
        response = super().open(*args, **options)
        if "buffered" in options:
            return response
        request = response.request
        found = misfits(self.application, request.method, request.path, response)
        assert not found, f"{request.method} {request.path} {response.status_code}: {'; '.join(found)}"
        return response


def rule_of(app: Flask, method: str, path: str) -> Rule | None:
    """Return the route that a request finds, if any."""
    try:
        rule, _ = app.url_map.bind("localhost").match(path, method, return_rule=True)
    except HTTPException:
        return None
    return rule


def misfits(app: Flask, method: str, path: str, response: TestResponse) -> list[str]:
    """Return what doesn't fit the description in the response to a request; nothing for an address without a route."""
    if method == "OPTIONS" or "description" not in app.blueprints:  # an app of a test, with routes of its own
        return []
    rule = rule_of(app, method, path)
    if rule is None:
        return [] if response.status_code in (400, 401, 404, 405, 414, 429, 431) else ["an address without a route"]
    item = description(app)["paths"].get(path_of(rule))
    if item is None:  # a route that a test has added
        return []
    described = item["get" if method == "HEAD" else method.lower()]
    answer = described["responses"].get(str(response.status_code))
    if answer is None:
        return [f"an undocumented status, type {_problem_type(response)}"]
    return list(_misfits(_resolved(app, answer), response, method))


def _problem_type(response: TestResponse) -> str:
    return str(response.get_json(force=True, silent=True))[:200]


def _misfits(answer: Json, response: TestResponse, method: str) -> Iterator[str]:
    for name, header in answer.get("headers", {}).items():
        required = description_of_header(header["$ref"]).get("required", False)
        if required and name not in response.headers:
            yield f"no header {name}"
    contents = answer.get("content")
    if contents is None:
        if response.data:
            yield f"a body of {response.content_type}"
        return
    content = contents.get(response.mimetype)
    if content is None:
        yield f"the content type {response.content_type}"
    elif method != "HEAD":
        for value in _values(response):
            yield from _errors(content.get("itemSchema") or content["schema"], value)


def _values(response: TestResponse) -> Iterator[Json]:
    packed = response.headers.get("Content-Encoding") == "gzip"
    data = gzip.decompress(response.data) if packed else response.data
    if response.mimetype == LINES:
        yield from map(json.loads, data.splitlines())
    elif (response.mimetype or "").endswith("json"):
        yield json.loads(data)


def content_errors(app: Flask, content: Json, value: Json) -> list[str]:
    """Return what doesn't fit a content object of the description in a value, or in one item of a sequence."""
    description(app)
    return list(_errors(content.get("itemSchema") or content["schema"], value))


def _errors(schema: Json, value: Json) -> Iterator[str]:
    for error in _validator(schema).iter_errors(value):
        yield f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}"
        return


_validators: dict[int, tuple[Json, Any]] = {}
"""Each schema with its validator, by the schema's id, which no other gets since the schema is kept."""


def _validator(schema: Json) -> Any:
    if id(schema) not in _validators:
        made = jsonschema_rs.Draft202012Validator(_absolute(schema), registry=_registry())
        _validators[id(schema)] = schema, made
    return _validators[id(schema)][1]


@cache
def _registry() -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry([(DOCUMENT, _absolute(_closed(_documents[0])))])


_documents: list[Json] = []


def description(app: Flask) -> Json:
    """Return the description of the routes, made once in this process."""
    if not _documents:
        _documents.append(json.loads(json.dumps(openapi_document(app))))
    return _documents[0]


def description_of_header(reference: str) -> Json:
    """Return the header object that a reference names."""
    return _documents[0]["components"]["headers"][reference.rpartition("/")[2]]


def _resolved(app: Flask, answer: Json) -> Json:
    reference: str | None = answer.get("$ref")
    return answer if reference is None else description(app)["components"]["responses"][reference.rpartition("/")[2]]


def _absolute(value: Json) -> Json:
    """Return a schema whose references name the document."""
    if isinstance(value, dict):
        return {
            key: DOCUMENT + each if key == "$ref" and each.startswith("#") else _absolute(each)
            for key, each in value.items()
        }
    return [_absolute(each) for each in value] if isinstance(value, list) else value


def _closed(document: Json) -> Json:
    """Return the document with schemas that allow no field that isn't described."""
    closed = copy.deepcopy(document)
    for schema in closed["components"]["schemas"].values():
        _close(schema)
    return closed


def _close(schema: Json) -> None:
    if isinstance(schema, list):
        for each in schema:
            _close(each)
    elif isinstance(schema, dict):
        if schema.get("type") == "object" and schema.get("properties"):
            schema.setdefault("additionalProperties", False)
        for each in schema.values():
            _close(each)
