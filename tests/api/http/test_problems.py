"""Every error is a problem with the right status; no problem leaks data, and no input gives a 5xx."""

import logging
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from eventsourcing.persistence import OperationalError as EventStoreDown
from flask import Flask
from marshmallow import Schema, ValidationError, validate
from werkzeug.exceptions import HTTPException, ImATeapot, ServiceUnavailable

from api.app import bare_app, create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from api.play.services.games import legal_moves_in_refusals
from api.problem import Problem
from api.schemas import StrictSchema
from api.web.clauses import clauses_of_variant
from api.web.problems import PROBLEM_TYPES, all_problem_types
from domain.rejections import MustFollow, NotSeated, Rejected, refusals
from domain.store import StoreUnavailable
from tests.api.conftest import PASSWORD, Caller, check_problem, services_of
from tests.api.live_server import open_server
from tests.api.worker_thread import running_worker
from tests.postgres import Cluster
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An app for any number of requests."""
    with open_server(tmp_path_factory.mktemp("data")) as server:
        yield server.app


@pytest.fixture
def stranger(target: Flask) -> Caller:
    return Caller(target.test_client())


def answer_to(error: Exception) -> Caller:
    """Return the answer of an app whose only route, /boom, raises this exception."""
    app = bare_app(Config())

    def boom() -> str:
        raise error

    app.add_url_rule("/health/boom", "boom", boom)
    return Caller(app.test_client())


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "status", "slug"),
    [
        (MustFollow("hearts were led; legal: KH"), 409, "must-follow"),
        (Rejected("no"), 409, "rejected"),
        (NotSeated("you have no seat here"), 403, "not-seated"),
        (ValidationError({"bid": ["Not a valid integer."]}), 400, "malformed"),
        (Problem("stale-version", "the game is at 12"), 412, "stale-version"),
        (sqlite3.OperationalError("disk I/O error"), 503, "store-down"),
        (sqlite3.DatabaseError("file is not a database"), 503, "store-down"),
        (psycopg.OperationalError("server closed the connection"), 503, "store-down"),
        (caused(EventStoreDown("disk"), sqlite3.OperationalError("disk")), 503, "store-down"),
        (caused(EventStoreDown("gone"), psycopg.OperationalError("gone")), 503, "store-down"),
        (ServiceUnavailable(), 503, "store-down"),
        (KeyError("seed 00ff"), 500, "internal"),
        (RecursionError("deep"), 500, "internal"),
        (ImATeapot(), 418, "http-418"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_each_exception_has_its_problem(error: Exception, status: int, slug: str) -> None:
    check_problem(answer_to(error).get("/health/boom"), status, slug)


def refused_with(read_view: Callable[[], dict[str, object]]) -> Caller:
    """Return a caller of an app that refuses a move, and reads the legal ones from this view."""
    app = bare_app(Config())

    @legal_moves_in_refusals(read_view, lambda: "setback")
    def boom() -> str:
        raise MustFollow("hearts were led")

    app.add_url_rule("/health/boom", "boom", boom)
    return Caller(app.test_client())


def test_a_refusal_gives_the_reason_and_the_legal_moves() -> None:
    legal = [{"type": "play", "card": "KH"}]
    caller = refused_with(lambda: {"cards": ["KH"], "legal": legal, "choose": None})
    assert check_problem(caller.get("/health/boom"), 409, "must-follow") == {
        "type": "/problems/must-follow",
        "title": "Must follow",
        "status": 409,
        "detail": "hearts were led",
        "legal": legal,
        "clauses": clauses_of_variant("setback", "must-follow"),
    }
    assert clauses_of_variant("setback", "must-follow")


def test_a_store_that_fails_while_a_refusal_reads_the_legal_moves_is_a_503() -> None:
    def fail() -> dict[str, object]:
        raise StoreUnavailable("the store failed")

    answer = refused_with(fail).get("/health/boom")
    assert check_problem(answer, 503, "store-down")["title"] == "Store unavailable"
    assert answer.headers["Retry-After"]


def test_an_unexpected_error_is_only_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    answer = answer_to(KeyError("seed 00ff")).get("/health/boom")
    assert check_problem(answer, 500, "internal") == {
        "type": "/problems/internal",
        "title": "Internal error",
        "status": 500,
    }
    logged = [(record.name, record.levelno) for record in caplog.records]
    assert logged == [("trickbook.problems", logging.ERROR), ("trickbook.requests", logging.ERROR)]
    assert "seed 00ff" in caplog.text


def test_every_503_says_when_to_try_again() -> None:
    for slug in (slug for slug, kind in PROBLEM_TYPES.items() if kind.status == 503):
        answer = answer_to(Problem(slug, "later")).get("/health/boom")
        check_problem(answer, 503, slug)
        assert int(answer.headers["Retry-After"]) >= 0


def test_store_failures_show_nothing_about_the_store() -> None:
    answer = answer_to(psycopg.OperationalError("password authentication failed for user ann")).get("/health/boom")
    assert "ann" not in answer.text
    assert answer.headers["Retry-After"] == "1"


def test_redirects_stay_redirects() -> None:
    class Moved(HTTPException):
        code = 307

    assert answer_to(Moved()).get("/health/boom").status_code == 307


def test_every_type_of_problem_has_a_page(stranger: Caller) -> None:
    assert {"must-follow", "not-seated", "malformed"} < all_problem_types().keys()
    for slug, kind in all_problem_types().items():
        page = stranger.get(f"/problems/{slug}")
        assert (page.status_code, page.content_type) == (200, "text/plain; charset=utf-8")
        assert page.text.startswith(f"{kind.title} ({kind.status}, /problems/{slug})\n\n{kind.meaning}")
        assert kind.meaning
    check_problem(stranger.get("/problems/none"), 404, "not-found")


def test_the_page_of_a_refusal_cites_the_clauses_of_every_game_with_it(stranger: Caller) -> None:
    by_the_rules = "gamerz Pitch: S34, S35\nSetback: T20, T21\nBlackout: B20\nCorellian Pitch: R-C9\n"
    by_the_rules += "Smear: M14, M15, R-M6\nPedro and Cinch: D17\nFour-point Pitch in pairs: Y17, Y18\nOh Hell: O12\n"
    assert stranger.get("/problems/must-follow").text == (
        "Must follow (409, /problems/must-follow)\n\n"
        "You can follow the card led, so you must play a card that follows.\n"
        f"\nBy the rules (docs/rules):\n{by_the_rules}"
    )
    assert "every game: R-P9" in stranger.get("/problems/seat-left").text
    assert "By the rules" not in stranger.get("/problems/malformed").text


def test_refusals_cite_clauses_in_their_clauses_and_not_in_their_sentence() -> None:
    for refusal in refusals().values():
        assert not re.search(r"(?:R-)?[A-Z][0-9]", refusal.__doc__ or ""), refusal


def test_every_pattern_for_a_field_says_what_the_field_must_be() -> None:
    def schemas(of: type[Schema]) -> Iterator[type[Schema]]:
        for each in of.__subclasses__():
            yield each
            yield from schemas(each)

    patterns = {
        f"{schema.__name__}.{name}": validator.error
        for schema in schemas(StrictSchema)
        for name, field in schema._declared_fields.items()
        for validator in field.validators
        if isinstance(validator, validate.Regexp)
    }
    assert patterns["NewNight.start"] == "Must be a time, 00:00 to 23:59."
    assert [name for name, says in patterns.items() if not says.startswith("Must ")] == []


def test_a_missing_resource_is_a_problem(stranger: Caller) -> None:
    nowhere = ("/nowhere", "/users/", "//users", "/../../etc/passwd", "/%2e%2e%2f%00")
    for path in (*nowhere, "/games/abc", "/games/01", "/games/1/seats/x"):
        answer = stranger.get(path)
        detail = "There is nothing at this address. The page /docs lists the addresses of this server."
        assert check_problem(answer, 404, "not-found")["detail"] == detail
        assert (answer.data[-2:], "Allow" in answer.headers) == (b"}\n", False)
    for method, path in (("GET", "/users"), ("PATCH", "/tokens/current"), ("POST", "/health/live")):
        answer = stranger.ask(method, path)
        told = check_problem(answer, 405, "method-not-allowed")["detail"]
        assert str(told).startswith(f"This address doesn't support {method}. Use "), told
        assert "Allow" in answer.headers
    check_problem(stranger.ask("POST", "/users"), 415, "unsupported-media-type")


def test_every_answer_has_the_security_headers_and_no_cors(stranger: Caller) -> None:
    origin = {"Origin": "https://evil.example"}
    asked = [("GET", "/health/live"), ("GET", "/nowhere"), ("PUT", "/users"), ("POST", "/users"), ("OPTIONS", "/users")]
    for method, path in asked:
        headers = stranger.ask(method, path, **origin).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert (headers["Cache-Control"], headers["Vary"]) == ("no-store", "Authorization, Cookie")
        assert not [name for name, _ in headers if name.startswith("Access-Control")]


def test_the_health_routes_report_live_and_ready(caller: Caller) -> None:
    assert caller.get("/health/live").get_json() == {"status": "live"}
    checks = {"office": "ok", "log": "ok", "views": "ok"}
    lag = dict.fromkeys(("lobby", "scoreboard", "agenda", "disputes", "inbox", "standings", "ratings"), 0)
    ready = {"status": "ready", "checks": checks, "lag": lag, "lists": dict.fromkeys(lag, "ok"), "quarantined": 0}
    assert caller.get("/health/ready").get_json() == ready


def test_a_locked_file_is_a_503_until_it_is_unlocked(tmp_path: Path) -> None:
    app = create_app(Config(data=tmp_path, hashing="cheapest", lock_timeout_s=1))
    caller = Caller(app.test_client())
    with closing(sqlite3.connect(tmp_path / "office.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        answer = caller.post("/users", {"name": "ann", "password": PASSWORD})
    check_problem(answer, 503, "store-down")
    wait_until(lambda: caller.post("/users", {"name": "ann", "password": PASSWORD}).status_code == 201)
    services_of(app).close()


def test_a_dead_database_server_is_a_503_until_it_is_back_and_each_failure_is_one_line_in_the_log(
    postgres_cluster: Cluster, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.worker.INTERVAL_S", 0.1)
    app = create_app(
        Config(database_url=postgres_cluster.server.dsn, hashing="cheapest", limits=NO_LIMITS, seating="at-once")
    )
    ann = Caller(app.test_client()).join("ann")
    ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]})
    with running_worker(services_of(app)):
        postgres_cluster.kill()
        for answer in (
            ann.get("/games/1"), ann.post("/games/1/moves", {"type": "pass"}), ann.delete("/tokens/current"),
            ann.get("/health/ready"),
        ):  # fmt: skip
            check_problem(answer, 503, "store-down")
            assert answer.headers["Retry-After"] == "1"
        assert ann.get("/health/live").status_code == 200
        wait_until(lambda: [record.name for record in caplog.records].count("trickbook.worker") > 3)
    own = [record for record in caplog.records if record.name.startswith(("trickbook", "projections"))]
    told = [record for record in own if record.levelno > logging.INFO]
    assert {(record.levelno, record.exc_info) for record in told} == {(logging.WARNING, None)}
    assert {"trickbook.problems", "trickbook.worker"} <= {record.name for record in told}
    assert not any("\n" in record.getMessage() for record in told)
    postgres_cluster.start()
    wait_until(lambda: ann.get("/health/ready").status_code == 200)
    assert ann.delete("/tokens/current").status_code == 204
    services_of(app).close()
