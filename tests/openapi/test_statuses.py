"""Each status that the description names for a route is the answer to a request, and no other status is."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask

from api.description.document import operation_id, recorded_examples
from api.description.parameters import variables_of
from api.web.responses import EVENT_STREAM, JSON, NDJSON
from tests.api.http.described_client import content_errors, description
from tests.openapi.statuses import described_statuses
from tests.openapi.walk.examples import Examples, described_contents, examples_from
from tests.openapi.walk.record import record
from tests.openapi.walk.recorder import Key, Sample
from tests.routes import ROUTES

Samples = Mapping[Key, Sample]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    """The responses to requests to every route, each checked against the description when it came."""
    return record(tmp_path_factory.mktemp("walk"))


@pytest.fixture(scope="module")
def today(samples: Samples) -> Examples:
    """The examples that `make examples` would write."""
    return examples_from(samples)


def test_every_status_that_a_route_names_for_itself_is_the_answer_to_a_request(samples: Samples) -> None:
    answered = {(endpoint, status) for endpoint, status, _ in samples}
    assert set(described_statuses()) - answered == set()


def test_every_route_refuses_what_all_routes_refuse(samples: Samples) -> None:
    answered = {(endpoint, status) for endpoint, status, _ in samples}
    assert {(endpoint, 400) for endpoint in ROUTES} <= answered
    assert {(endpoint, 415) for endpoint, declared in ROUTES.items() if declared.body is not None} <= answered


def test_every_response_has_an_example(today: Examples) -> None:
    recorded = recorded_examples()
    assert recorded.keys() == today.keys()
    assert {name: each.keys() for name, each in recorded.items()} == {name: each.keys() for name, each in today.items()}


def test_the_examples_have_the_fields_of_todays_responses(today: Examples) -> None:
    for endpoint, examples in recorded_examples().items():
        for key, example in examples.items():
            if isinstance(example, dict):
                assert example.keys() == today[endpoint][key].keys(), f"{endpoint} {key}: run make examples"


def test_the_examples_fit_the_description(app: Flask) -> None:
    contents = _contents(app)
    for endpoint, status, media in described_contents():
        content = contents[endpoint, status, media]
        example = content.get("example") or content["examples"]["recorded"]["serializedValue"]
        for value in _values(media, example):
            assert content_errors(app, content, value) == [], f"{endpoint} {status} {media}: run make examples"


def test_each_link_fills_the_path_of_another_operation_from_the_response(app: Flask, samples: Samples) -> None:
    rules = {rule.endpoint: rule for rule in app.url_map.iter_rules()}
    for endpoint, declared in ROUTES.items():
        body = json.loads(samples[endpoint, 201, JSON].body) if declared.leads_to else {}
        for target, parameters in declared.leads_to.items():
            assert set(parameters) == set(variables_of(rules[target])), (endpoint, target)
            for source in parameters.values():
                place, _, name = source.replace("#/", ".").rpartition(".")
                known = body if place == "$response.body" else variables_of(rules[endpoint])
                assert name in known, (endpoint, target, source)


def _contents(app: Flask) -> dict[tuple[str, int, str], Any]:
    """Return each content object of a response that isn't a problem."""
    endpoints = {operation_id(endpoint): endpoint for endpoint in ROUTES}
    return {
        (endpoints[operation["operationId"]], int(status), media): content
        for item in description(app)["paths"].values()
        for method, operation in item.items()
        if method != "parameters"
        for status, response in operation["responses"].items()
        for media, content in response.get("content", {}).items()
    }


def _values(media: str, example: Any) -> list[Any]:
    """Return what has the schema: the value, each line, or each frame as an object."""
    if media == NDJSON:
        return [json.loads(line) for line in example.splitlines()]
    if media == EVENT_STREAM:
        return [dict(line.split(": ", 1) for line in frame.splitlines()) for frame in example.strip().split("\n\n")]
    return [example] if media == JSON else []
