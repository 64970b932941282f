"""A log changed behind the server's back: what each route says of it, and what no answer quotes, on each store."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask

from api.cli.main import main
from api.config import NO_LIMITS, Config
from tests.api.conftest import Caller, MakeApp, check_problem, config_for
from tests.api.given_http import Table, given_http
from tests.conftest import Database
from tests.domain.storing import Rows
from tests.given import GAME, auction, deal, opened

HANDS = ["AC KC QC JC 10C 2C", "2D 3D 4D 5D 6D 7D", "AH KH QH JH 10H 9H"]
READS = ("", "/seats/0", "/events", "/export", "/hands/1", "/hands/1/replay", "/hands/1/transcript", "/hands/1/audit")


@pytest.fixture
def broken(make_app: MakeApp, database: Database) -> Table:
    """A table whose log has been changed, on a server that has not read it before."""
    table = given_http(make_app(config_for(database)), opened(3), *deal(HANDS), *auction(4, 0, 0))
    _, topic, state = Rows(database).of(GAME)[5]
    assert b'"at":"2' in state
    Rows(database).put(GAME, 6, topic, state.replace(b'"at":"2', b'"at":"1'))
    app: Flask = make_app(config_for(database))
    callers = [None if each is None else Caller(app.test_client(), each.token) for each in table.callers]
    return Table(app, tuple(callers))


def test_every_read_and_move_names_the_event_and_quotes_nothing(broken: Table) -> None:
    answers = [broken.by(0).get(f"/games/{ref}{path}") for path in READS for ref in (1, GAME)]
    answers.append(broken.by(0).post("/games/1/moves", {"type": "play", "card": "AC"}))
    for answer in answers:
        body = check_problem(answer, 500, "corrupt-log")
        assert (body["game"], body["version"]) == (GAME, 7)
        what = "its link is not the root of the events before it: event 6 or this link was changed"
        assert body["detail"] == f"event 7 of game {GAME}: {what}"


def test_the_audit_answers_and_names_the_event(broken: Table) -> None:
    for reference in (1, GAME):
        answer = broken.by(0).get(f"/games/{reference}/audit")
        assert answer.status_code == 200
        report = answer.get_json()
        assert (report["audit"], report["game"], report["board"]) == ("trickbook-audit/1", GAME, 1)
        assert report["verdict"] == {"code": 1, "says": "a check failed", "findings": 1}
        says = "its link is not the root of the events before it: event 6 or this link was changed"
        assert report["log"]["findings"] == [{"version": 7, "says": says}]
        assert not report["hands"]
    text = broken.by(0).get("/games/1/audit", Accept="text/plain").text
    assert "event 7: its link is not the root" in text
    assert "verdict: a check failed" in text


def test_bytes_that_are_no_event_are_not_quoted(make_app: MakeApp, tmp_path: Path) -> None:
    config, database = Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS), Database(None, tmp_path)
    given_http(make_app(config), opened(3), *deal(HANDS))
    Rows(database).put(GAME, 5, "CardsDealt/1", b"x" * 32 + b'{"fact":"CardsDealt","data":{"cards":["SECRET"]}}')
    caller = Caller(make_app(config).test_client())
    for answer in (caller.get("/games/1"), caller.get("/games/1/audit")):
        assert "SECRET" not in answer.text
        assert GAME in answer.text


def test_the_program_gives_the_same_report(broken: Table, database: Database) -> None:
    environment: dict[str, str | None] = {"TRICKBOOK_DATABASE_URL": database.url}
    audit = CliRunner().invoke(main, ["audit", "1", "--json", "--data", str(database.data)], env=environment)
    assert audit.exit_code == 1
    assert json.loads(audit.stdout) == broken.by(0).get("/games/1/audit").get_json()
