"""Fixtures for the app on each store, and an HTTP client that acts as one player or as a stranger."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from api.container import Services, open_services
from api.people.stored import passwords as password_hashing
from api.people.stored import users
from api.web.application import Application
from domain.store import StoreUnavailable
from domain.store.sql.breaker import Timeouts
from projections.storage.rows import RowsUnavailable
from tests.api.http.described_client import DescribedClient
from tests.api.server_process import start_server
from tests.conftest import Database
from tests.games.four import Four
from tests.plugins.url_builders import share_url_builders
from tests.waiting import wait_for

PASSWORD = "correct-horse"
Application.test_client_class = DescribedClient
share_url_builders()


def patient_timeouts(config: Config) -> Timeouts:
    """Return the time limits of the settings, with a minute for locks and statements unless the test sets them."""
    lock_s, statement_s = (
        60 if chosen == usual else chosen
        for chosen, usual in (
            (config.lock_timeout_s, Config.lock_timeout_s),
            (config.statement_timeout_s, Config.statement_timeout_s),
        )
    )
    return Timeouts(config.connect_timeout_s, lock_s, statement_s)


# The machine may be busy: databases and hashing slots have a minute.
password_hashing.HASHING_TIMEOUT_S, password_hashing.MAX_WAITING = 60.0, 60
users.check_password_strength = cache(password_hashing.check_password_strength)  # type: ignore[attr-defined]
Config.timeouts = property(patient_timeouts)  # type: ignore[assignment, method-assign]


def services_of(app: Flask) -> Services:
    """Return the services of an app."""
    found: Services = app.extensions["trickbook"]
    return found


def config_for(database: Database) -> Config:
    """Return a configuration with cheap password hashing and no rate limits."""
    return Config(
        data=database.data, database_url=database.url, hashing="cheapest", limits=NO_LIMITS, seating="at-once"
    )


@pytest.fixture
def config(database: Database) -> Config:
    """The configuration under test, on each store in turn. A test module may override it."""
    return config_for(database)


MakeApp = Callable[[Config], Flask]


@pytest.fixture
def make_app() -> Iterator[MakeApp]:
    """Make apps for configurations of a test; closes them after the test."""
    made: list[Flask] = []

    def make(config: Config) -> Flask:
        made.append(create_patiently(config))
        return made[-1]

    yield make
    for app in made:
        services_of(app).close()


def create_patiently(config: Config) -> Flask:
    """Create an app. On a busy machine, the first connection may take longer than its time limit.

    After one that did, the database counts as silent for some seconds.
    """
    made: list[Flask] = []

    def try_once() -> None:
        with suppress(StoreUnavailable, RowsUnavailable, psycopg.OperationalError):
            made.append(create_app(config))

    wait_for(try_once, lambda _: made, "the app doesn't start", pause_s=0.2)
    return made[0]


@pytest.fixture
def app(make_app: MakeApp, config: Config) -> Flask:
    """A new, empty app on each store in turn."""
    return make_app(config)


@pytest.fixture
def four(config: Config) -> Iterator[Four]:
    """The games of all variants on a new store."""
    open_services(config).close()
    with closing(Four(config).fill(5)) as made:
        yield made


AT_ROOT = (
    "/api/", "/.well-known/", "/docs", "/health", "/metrics", "/openapi", "/problems", "/static/", "/verify",
    "/session", "/rules", "/worker.js", "/?",
)  # fmt: skip


@dataclass(frozen=True)
class Caller:
    """An HTTP client with or without a token; paths are below /api/v1 unless they begin with one of `AT_ROOT`."""

    client: FlaskClient
    token: str | None = None

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> TestResponse:
        """Send a request, with a JSON body if there is one; `If_Match="3"` sets the header If-Match."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            named.setdefault("Authorization", f"Bearer {self.token}")
        at_root = path == "/" or path.startswith(AT_ROOT)
        url = path if at_root else "/api/v1" + path
        return self.client.open(url, method=method, json=body, headers=named)

    def get(self, path: str, **headers: str) -> TestResponse:
        """Send GET."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: object, **headers: str) -> TestResponse:
        """Send POST with a JSON body."""
        return self.ask("POST", path, body, **headers)

    def delete(self, path: str, **headers: str) -> TestResponse:
        """Send DELETE."""
        return self.ask("DELETE", path, **headers)

    def join(self, name: str) -> "Caller":
        """Register and log in, without requests, as thousands of tests do so; return a caller with the new token."""
        accounts = services_of(self.client.application).accounts
        player = accounts.users.register(name, PASSWORD)
        accounts.recovery_codes.renew(player.id)
        return replace(self, token=accounts.tokens.issue(*accounts.users.authenticate(name, PASSWORD)))


@pytest.fixture
def caller(app: Flask) -> Caller:
    """A caller without a token."""
    return Caller(app.test_client())


@pytest.fixture
def ann(caller: Caller) -> Caller:
    """The player ann, logged in."""
    return caller.join("ann")


def check_problem(answer: TestResponse, status: int, slug: str) -> dict[str, object]:
    """Check the type, title, status and content type of a problem, and return its body."""
    assert answer.content_type == "application/problem+json", answer.text
    body: dict[str, object] = answer.get_json(force=True)
    assert (answer.status_code, body["status"], body["type"]) == (status, status, f"/problems/{slug}"), body
    assert body["title"]
    return body


def at_one_moment(app: Flask) -> Flask:
    """Return the app, with a stopped clock for the rate limits."""
    storage = services_of(app).limit_storage
    storage.clock = storage._shared._clock = lambda: 0.0
    return app


HASTY = """
import api.server.event_streams as streams
from api.cli.main import main
streams.HEARTBEAT_S = 0.2
main()
"""
ALLOWED_PAGES = ("https://cards.example.com", "http://localhost:5173")


@dataclass(frozen=True)
class ConfiguredServer:
    """A server whose settings aren't the usual ones, with all that it printed when it started, its data and its log.

    `pid` is its supervisor.
    """

    url: str
    said: list[str]
    data: Path
    log: Path
    pid: int


@pytest.fixture(scope="session")
def configured_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConfiguredServer]:
    """Yield a server on SQLite with large limits.

    It logs all, trusts a proxy, answers two other sites, and sends a comment after 0.2 seconds without an event.
    """
    data, log = tmp_path_factory.mktemp("configured"), tmp_path_factory.mktemp("log") / "stderr"
    settings = {"LIMITS": "large", "LOG": "debug", "TRUSTED_PROXIES": "1", "CORS_ORIGINS": ",".join(ALLOWED_PAGES)}
    program = [sys.executable, "-c", HASTY]
    with (
        log.open("wb") as file,
        start_server(Database(None, data), stderr=file, program=program, **settings) as serving,
    ):
        more = [line.rstrip("\n") for _, line in zip(range(2), serving.process.stdout or (), strict=False)]
        yield ConfiguredServer(serving.url, serving.said + more, data, log, serving.process.pid)
        assert serving.stop() == 0
