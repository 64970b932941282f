"""Logs and exports that were changed: every route and command finds the change, and names it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask

from api.cli.main import main
from api.config import NO_LIMITS, Config
from tests.api.conftest import Caller, MakeApp, check_problem, config_for
from tests.api.given_http import Table, given_http
from tests.api.live_server import PEOPLE, GameServer, ServedGame, get_json, open_server, write_export
from tests.api.log_reference import canonical, check_export, leaf, roots
from tests.conftest import Database
from tests.domain.store.storing import Rows
from tests.given import GAME, auction, deal, game_opened

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
    config, database = (
        Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, seating="at-once"),
        Database(None, tmp_path),
    )
    given_http(make_app(config), game_opened(3), *deal(HANDS))
    Rows(database).put(GAME, 5, "CardsDealt/1", b"x" * 32 + b'{"fact":"CardsDealt","data":{"cards":["SECRET"]}}')
    caller = Caller(make_app(config).test_client())
    for answer in (caller.get("/games/1"), caller.get("/games/1/audit")):
        assert "SECRET" not in answer.text
        assert GAME in answer.text


def test_the_program_gives_the_same_report(broken: Table, database: Database) -> None:
    environment: dict[str, str | None] = {"TRICKBOOK_DATABASE_URL": database.url}
    audit = CliRunner().invoke(main, ["game", "audit", "1", "--json", "--data", str(database.data)], env=environment)
    assert audit.exit_code == 1
    assert json.loads(audit.stdout) == broken.by(0).get("/games/1/audit").get_json()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server for all these games."""
    with open_server(tmp_path_factory.mktemp("questions")) as found:
        yield found


@pytest.fixture(scope="module")
def over(server: GameServer) -> ServedGame:
    """A finished game of Corellian Pitch with rule changes: one whole hand and a part of another."""
    game = server.open(PEOPLE, "corellian", options={"randomizer": {"when": [1, 5], "end": None}})
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] >= 1)
    game.finish()
    return game


def test_8_and_9_a_forged_export_is_found_and_its_first_difference_is_named(
    server: GameServer, over: ServedGame, tmp_path: Path
) -> None:
    """One salt is changed and all hashes fit, so that only an older root shows it."""
    assert server.command("game", "audit", over.id).exit_code == 0
    assert server.command("game", "verify", write_export(over, tmp_path)).exit_code == 0
    lines = over.export().split(b"\n")
    found = check_export(over.export())
    victim = found.events[5] | {"salt": "00" * 16}
    told = [*found.events[:5], victim, *found.events[6:]]
    raws = [canonical(event) for event in told]
    leaves = [leaf(raw) for raw in raws]
    links = roots(leaves)
    parts = [
        b'{"event":%b,"leaf":"%b","prev":"%b","version":%d}' % (raw, of.hex().encode(), prev.hex().encode(), i)
        for i, (raw, of, prev) in enumerate(zip(raws, leaves, links[:-1], strict=True), start=1)
    ]
    trailer = canonical(found.trailer | {"root": links[-1].hex(), "receipt": None})
    (tmp_path / "forged.ndjson").write_bytes(b"\n".join([lines[0], *parts, trailer, b""]))
    check_export((tmp_path / "forged.ndjson").read_bytes())
    forged, true = str(tmp_path / "forged.ndjson"), write_export(over, tmp_path)
    assert server.command("game", "verify", forged).exit_code == 0, "nothing in the file itself tells"
    assert server.command("game", "verify", forged, "--root", found.trailer["root"]).exit_code == 1
    parted = server.command("game", "compare", true, forged)
    assert (parted.exit_code, "event 6" in parted.output) == (1, True), parted.output
    size = len(found.lines)
    assert get_json(over, f"/compare?size={size}&root={found.trailer['root']}")["code"] == 0
    assert get_json(over, f"/compare?size={size}&root={links[-1].hex()}")["code"] == 1
    assert get_json(over, f"/compare?size={size + 1}&root={links[-1].hex()}")["code"] != 0


@pytest.mark.parametrize("number", [0, 1, 7, 20, -2, -1])
def test_8_one_changed_byte_of_a_line_is_found_and_named(
    server: GameServer, over: ServedGame, tmp_path: Path, number: int
) -> None:
    lines = over.export().split(b"\n")[:-1]
    at = lines[number].index(b'"game":') + 9 if b'"game":' in lines[number] else 12
    lines[number] = lines[number][:at] + bytes([lines[number][at] ^ 1]) + lines[number][at + 1 :]
    found = server.command("game", "verify", write_export(over, tmp_path, b"\n".join([*lines, b""])))
    assert found.exit_code in (1, 2), found.output
    assert found.exit_code == 1 or number == 0, found.output
    if number in (7, 20):
        assert f"event {number}" in found.output


def test_a_file_that_is_not_an_export_is_exit_code_2(server: GameServer, over: ServedGame, tmp_path: Path) -> None:
    """The error is a sentence without a traceback."""
    whole = over.export()
    nested = b"[" * 8000 + b"]" * 8000 + b"\n"
    newer = whole.replace(b"trickbook-export/1", b"trickbook-export/9", 1)
    for text in (b"\n", b"{}\n", b"x", b"\xff\xfe\n", b"null\n", nested, newer):
        for command in ("verify", "audit", "show", "score", "sight"):
            found = server.command("game", command, write_export(over, tmp_path, text))
            assert found.exit_code == 2, (command, text[:30], found.output)
            assert "Traceback" not in found.output
    for command in ("verify", "audit", "show", "score"):
        assert server.command("game", command, str(tmp_path / "nothing.ndjson")).exit_code == 2
    for game in ("999999", "0f8fad5b-d9cb-469f-a165-70867728950e", "0", "-1", "1" * 40, "\uff11"):
        assert server.command("game", "audit", "--", game).exit_code == 2, game
