"""Logs and exports that were changed: every route and command finds the change, and names it."""

from pathlib import Path

import pytest
from flask import Flask

from api.config import Config
from replay.history import export_bytes
from tests.api.conftest import Caller, MakeApp, check_problem, config_for
from tests.api.given_http import Table, given_http
from tests.commands import run
from tests.conftest import Database
from tests.domain.store.storing import Rows
from tests.given import GAME, auction, deal, game_opened
from tests.replay.playing import played

HANDS = ["AC KC QC JC 10C 2C", "2D 3D 4D 5D 6D 7D", "AH KH QH JH 10H 9H"]


READS = ("", "/seats/0", "/events", "/export", "/hands/1", "/hands/1/replay", "/hands/1/transcript", "/hands/1/audit")


@pytest.fixture
def broken(make_app: MakeApp, database: Database) -> Table:
    """A game whose log was changed, on a server that has not read it before."""
    table = given_http(make_app(config_for(database)), game_opened(3), *deal(HANDS), *auction(4, 0, 0))
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


def test_bytes_that_are_not_an_event_are_not_quoted(make_app: MakeApp, tmp_path: Path) -> None:
    database = Database(None, tmp_path)
    given_http(make_app(config_for(database)), game_opened(3), *deal(HANDS))
    Rows(database).put(GAME, 5, "CardsDealt/1", b"x" * 32 + b'{"fact":"CardsDealt","data":{"cards":["SECRET"]}}')
    caller = Caller(make_app(config_for(database)).test_client())
    for answer in (caller.get("/games/1"), caller.get("/games/1/audit")):
        assert "SECRET" not in answer.text
        assert GAME in answer.text


def test_a_file_that_is_not_an_export_is_exit_code_2(tmp_path: Path) -> None:
    """The error is a sentence without a traceback."""
    at, file = Config(data=tmp_path / "data"), tmp_path / "game.ndjson"
    assert run("store", "init", at=at).exit_code == 0
    nested = b"[" * 8000 + b"]" * 8000 + b"\n"
    newer = export_bytes(played(5, 4).history).replace(b"trickbook-export/1", b"trickbook-export/9", 1)
    for text in (b"\n", b"{}\n", b"x", b"\xff\xfe\n", b"null\n", nested, newer):
        file.write_bytes(text)
        for command in ("game verify", "game audit", "game show", "ask score", "ask sight"):
            found = run(*command.split(), str(file), at=at)
            assert (found.exit_code, "Traceback" in found.output) == (2, False), (command, text[:30], found.output)
    for command in ("game verify", "game audit", "game show", "ask score"):
        assert run(*command.split(), str(tmp_path / "nothing.ndjson"), at=at).exit_code == 2
    for game in ("999999", "0f8fad5b-d9cb-469f-a165-70867728950e", "0", "-1", "1" * 40, "\uff11"):
        assert run("game", "audit", "--", game, at=at).exit_code == 2, game
