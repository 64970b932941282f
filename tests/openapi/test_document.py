"""The description of the interface: valid, complete, and of the routes that the app has."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator, OpenAPIV32SpecValidator

from api.app import create_app
from api.config import Config
from api.description.document import FOR_GENERATORS, NEWEST, openapi_document
from api.description.parameters import VARIABLES, path_of, variables_of
from api.web.problems import all_problem_types
from projections.moves.json_moves import MOVES
from tests.api.conftest import services_of
from tests.docs.markdown import ROOT
from tests.docs.rule_sheets.sheets import clauses

Document = dict[str, Any]
NOT_OF_A_ROUTE = {"method-not-allowed"}
"""Problems of addresses, which OpenAPI has no place for."""


@pytest.fixture(scope="module")
def newest(app: Flask) -> Document:
    """The description in OpenAPI 3.2, as JSON has it."""
    found: Document = json.loads(json.dumps(openapi_document(app, NEWEST)))
    return found


@pytest.fixture(scope="module")
def for_generators(app: Flask) -> Document:
    """The description in OpenAPI 3.1."""
    found: Document = json.loads(json.dumps(openapi_document(app, FOR_GENERATORS)))
    return found


def operations(document: Document) -> Iterator[Document]:
    """Yield every operation."""
    for item in document["paths"].values():
        yield from (operation for method, operation in item.items() if method != "parameters")


def responses(document: Document) -> Iterator[Document]:
    """Yield every response, those of components in their place."""
    for operation in operations(document):
        for response in operation["responses"].values():
            name: str = response.get("$ref", "").rpartition("/")[2]
            yield document["components"]["responses"][name] if name else response


def parts(value: Any) -> Iterator[Document]:
    """Yield every object within a JSON value, itself included."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from parts(each)


def test_the_newest_document_is_valid(newest: Document) -> None:
    assert (newest["openapi"], newest["servers"]) == ("3.2.0", [{"url": "/"}])
    assert list(OpenAPIV32SpecValidator(newest).iter_errors()) == []


@pytest.mark.slow
def test_the_document_for_generators_is_valid(for_generators: Document) -> None:
    assert for_generators["openapi"] == "3.1.1"
    assert list(OpenAPIV31SpecValidator(for_generators).iter_errors()) == []


def test_every_route_is_described_and_nothing_else_is(app: Flask, newest: Document) -> None:
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    assert {each["operationId"] for each in operations(newest)} == {name.replace(".", "_") for name in endpoints}
    assert len(list(operations(newest))) == len(endpoints)


def test_a_route_that_a_host_added_is_not_described(tmp_path: Path, newest: Document) -> None:
    app = create_app(Config(data=tmp_path, hashing="cheapest"))
    app.add_url_rule("/new", "new", lambda: "", methods=["GET", "POST"])
    assert openapi_document(app)["paths"].keys() == newest["paths"].keys()
    services_of(app).close()


def test_every_variable_of_a_path_is_described(app: Flask, newest: Document) -> None:
    used = {name for rule in app.url_map.iter_rules() for name in variables_of(rule)}
    assert used == VARIABLES.keys()
    assert {path_of(rule) for rule in app.url_map.iter_rules()} == newest["paths"].keys()


def test_every_type_of_problem_is_of_a_route_with_an_example_and_existing_clauses(newest: Document) -> None:
    known, examples = all_problem_types(), newest["components"]["examples"]
    listed = {
        slug
        for response in responses(newest)
        for slug in response.get("content", {}).get("application/problem+json", {}).get("examples", {})
    }
    assert listed == known.keys() - NOT_OF_A_ROUTE
    assert newest["x-problem-types"].keys() == known.keys()
    assert examples.keys() == listed
    cited = {clause for problem in newest["x-problem-types"].values() for clause in problem["clauses"]}
    assert cited
    assert cited <= {clause for sheet in (ROOT / "docs" / "rules").glob("*.md") for clause in clauses(sheet)}
    assert newest["x-problem-types"]["must-follow"]["clauses"] == list(known["must-follow"].clauses)


def test_the_words_of_an_operation_name_no_status_that_it_never_answers(newest: Document) -> None:
    named = {
        (operation["operationId"], status)
        for path in newest["paths"].values()
        for method, operation in path.items()
        if method != "parameters"
        for status in set(re.findall(r"\b[2-5]\d\d\b", operation["description"])) - operation["responses"].keys()
    }
    assert named == set()


def test_linters_find_nothing_to_say(newest: Document, for_generators: Document) -> None:
    for document in (newest, for_generators):
        text = json.dumps(document)
        components = {kind: group for kind, group in document["components"].items() if kind != "securitySchemes"}
        pointers = [f'"#/components/{kind}/{name}"' for kind, group in components.items() for name in group]
        assert [pointer for pointer in pointers if pointer not in text] == []
        schemas = [each for each in parts(components["schemas"]) if "properties" in each or "type" in each]
        assert [each for each in schemas if each.get("type") == "array" and "items" not in each] == []
        assert [each for each in schemas if set(each.get("required", ())) - each.get("properties", {}).keys()] == []
        assert document["webhooks"]["inboxEntry"]["post"]["security"] == []
        assert document["info"]["contact"]["name"]


def test_every_type_of_move_is_described(newest: Document) -> None:
    schemas = newest["components"]["schemas"]
    names = [each["$ref"].rpartition("/")[2] for each in schemas["Move"]["oneOf"]]
    described = {schemas[name]["properties"]["type"]["const"]: set(schemas[name]["required"]) for name in names}
    assert described == {kind: {"type", *each.fields} for kind, each in MOVES.items()}


def test_streams_and_lines_have_a_schema_of_each_item_in_the_newest_document_alone(
    newest: Document, for_generators: Document
) -> None:
    sequences = {"application/x-ndjson", "text/event-stream"}
    for document, key in ((newest, "itemSchema"), (for_generators, "schema")):
        found = [
            content
            for response in responses(document)
            for media, content in response.get("content", {}).items()
            if media in sequences
        ]
        assert len(found) == 7
        assert all(set(content) == {key, "examples"} for content in found)


def test_every_operation_has_words_a_tag_and_an_example_of_its_body(newest: Document) -> None:
    ids = [each["operationId"] for each in operations(newest)]
    assert len(ids) == len(set(ids))
    for operation in operations(newest):
        assert operation["summary"], operation["operationId"]
        assert operation["description"], operation["operationId"]
        assert len(operation["tags"]) == 1
        if "requestBody" in operation:
            assert isinstance(operation["requestBody"]["content"]["application/json"]["example"], dict)
