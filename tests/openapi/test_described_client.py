"""The client of the tests notices responses that the description doesn't have."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from api.app import create_app
from api.config import NO_LIMITS, Config
from tests.api.conftest import Caller, services_of
from tests.api.http.described_client import misfits


@pytest.fixture
def app(tmp_path: Path) -> Any:
    made = create_app(Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS))
    yield made
    services_of(made).close()


def found(app: Flask, endpoint: str, path: str, response: Response) -> list[str]:
    """Return what doesn't fit if the view of an endpoint answers with `response`."""
    app.view_functions[endpoint] = lambda **_: response
    answer = FlaskClient(app, app.response_class).get(path)
    return misfits(app, "GET", path, answer)


def test_another_body_is_found(app: Flask) -> None:
    says = {
        '{"status":"live"}': None,
        '{"status":"live","since":1}': "Additional properties are not allowed ('since' was unexpected)",
        '{"status":"well"}': '"well" is not one of',
        "{}": '"status" is a required property',
        "[]": 'is not of type "object"',
    }
    for body, misfit in says.items():
        told = found(app, "health.live", "/health/live", Response(body, content_type="application/json"))
        assert (told == []) if misfit is None else (misfit in told[0])


def test_another_status_content_type_header_or_problem_is_found(app: Flask) -> None:
    path = "/health/live"
    assert "an undocumented status" in found(app, "health.live", path, Response("", 418))[0]
    assert found(app, "health.live", path, Response("live")) == ["the content type text/html; charset=utf-8"]
    problem = '{"type":"/problems/must-follow","title":"Must follow","status":500}'
    other = Response(problem, 500, content_type="application/problem+json")
    assert "is not one of" in found(app, "health.live", path, other)[0]
    assert "no header ETag" in found(app, "verify_page.page", "/verify", Response("", content_type="text/html"))[0]
    ann = Caller(FlaskClient(app, app.response_class)).join("ann")
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}).get_json()["id"]
    line = Response('{"version":1}\n', content_type="application/x-ndjson")
    assert found(app, "events.export", f"/api/v1/games/{game}/export", line)
