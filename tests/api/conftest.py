"""The application on each store, and a client that speaks to it as one player or as nobody."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.app import create_app
from api.config import NO_LIMITS, Config
from api.services.container import Services
from tests.conftest import Database

PASSWORD = "correct-horse"


@contextmanager
def seeded_randomness(name: str) -> Iterator[None]:
    """Meanwhile what a server in this process draws (ids, salts, seeds, what its bots do) follows from `name` alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets._sysrand", Random(name))
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that is marked `one_store` on SQLite alone."""
    if "database" in metafunc.fixturenames and metafunc.definition.get_closest_marker("one_store"):
        metafunc.definition.add_marker(pytest.mark.parametrize("database", ["sqlite"], indirect=True))


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Iterator[None]:
    """Each fixture tells one story, whichever test is the first to ask for it."""
    with seeded_randomness(f"{fixturedef.argname} of {request.node.nodeid}"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Each test tells one story, whatever was run before it and in whatever process."""
    with seeded_randomness(item.nodeid):
        return (yield)


@pytest.fixture(autouse=True)
def wait_patiently(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for his turn at a file or at hashing has a minute: a busy machine turns nobody away."""
    for module in ("projections.storage.database.LOCK", "api.accounts.passwords.HASHING"):
        monkeypatch.setattr(f"{module}_TIMEOUT_S", 60.0)


def services_of(app: Flask) -> Services:
    """What the application works with."""
    found: Services = app.extensions["trickbook"]
    return found


def config_for(database: Database) -> Config:
    """A configuration for tests: cheap passwords, no limits."""
    return Config(data=database.data, database_url=database.url, hashing="cheapest", limits=NO_LIMITS)


@pytest.fixture
def config(database: Database) -> Config:
    """The configuration under test, on each store in turn; a test module may override it."""
    return config_for(database)


MakeApp = Callable[[Config], Flask]


@pytest.fixture
def make_app() -> Iterator[MakeApp]:
    """Applications for configurations of a test's own, closed after it."""
    made: list[Flask] = []

    def make(config: Config) -> Flask:
        made.append(create_app(config))
        return made[-1]

    yield make
    for app in made:
        services_of(app).close()


@pytest.fixture
def app(make_app: MakeApp, config: Config) -> Flask:
    """The application on each store in turn, new and empty."""
    return make_app(config)


AT_ROOT = ("/api/", "/.well-known/", "/health", "/problems", "/static/", "/verify", "/?")


@dataclass(frozen=True)
class Caller:
    """Somebody with an HTTP client, and a token or none; paths are below /api/v1 unless they start with it."""

    client: FlaskClient
    token: str | None = None

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> TestResponse:
        """Send JSON where there is a body; `If_Match="3"` is the header If-Match."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            named.setdefault("Authorization", f"Bearer {self.token}")
        at_root = path == "/" or path.startswith(AT_ROOT)
        url = path if at_root else "/api/v1" + path
        return self.client.open(url, method=method, json=body, headers=named)

    def get(self, path: str, **headers: str) -> TestResponse:
        """GET."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: object, **headers: str) -> TestResponse:
        """POST with a JSON body."""
        return self.ask("POST", path, body, **headers)

    def delete(self, path: str, **headers: str) -> TestResponse:
        """DELETE."""
        return self.ask("DELETE", path, **headers)

    def join(self, name: str) -> "Caller":
        """Register and log in: the same client as that player."""
        assert self.post("/users", {"name": name, "password": PASSWORD}).status_code == 201
        token = self.post("/tokens", {"name": name, "password": PASSWORD}).get_json()["token"]
        return replace(self, token=token)


@pytest.fixture
def caller(app: Flask) -> Caller:
    """A stranger."""
    return Caller(app.test_client())


@pytest.fixture
def ann(caller: Caller) -> Caller:
    """The player ann, logged in."""
    return caller.join("ann")


def check_problem(answer: TestResponse, status: int, slug: str) -> dict[str, object]:
    """The answer is that problem, whole: type, title, status, content type; its body."""
    assert answer.content_type == "application/problem+json", answer.text
    body: dict[str, object] = answer.get_json(force=True)
    assert (answer.status_code, body["status"], body["type"]) == (status, status, f"/problems/{slug}"), body
    assert body["title"]
    return body
