"""The log: one JSON line for each request and for what people with power do, and no secret in any of them."""

import base64
import json
import logging
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from api.config import Config
from api.monitoring.logs import JsonFormatter, log_event, setup_logging
from api.web.request_log import request_id
from domain.events import CardsDealt, CeremonyRevealed
from tests.api.conftest import PASSWORD, Caller, ConfiguredServer, services_of
from tests.api.live_server import GameServer, open_server
from tests.api.remote_server import RemoteCaller, RemoteServer
from tests.api.server_process import run_program
from tests.commands import run

REFUSED_FIELDS = ("status", "lane", "reason", "route", "method", "address")
FIELDS = ["time", "level", "logger", "message", "request"]


@pytest.fixture
def log() -> Iterator[StringIO]:
    """Everything that trickbook logs during the test, from `debug` on, as a server writes it."""
    written, logger = StringIO(), logging.getLogger("trickbook")
    handler, level = logging.StreamHandler(written), logger.level
    handler.setFormatter(JsonFormatter())
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield written
    logger.removeHandler(handler)
    logger.setLevel(level)


@pytest.fixture
def server(tmp_path: Path, log: StringIO) -> Iterator[GameServer]:
    """A server in this process."""
    with open_server(tmp_path) as found:
        yield found


def of_message(log: StringIO, message: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    return [line for line in lines if line["message"] == message]


def test_each_request_is_one_json_line_on_standard_error(configured_server: ConfiguredServer) -> None:
    nobody, ids = RemoteServer(configured_server.url).nobody, ["proxy-1.2_3", "log-1", "log-2", "log-3"]
    answer = nobody.get("/games/1/seats/x?secret=7", X_Request_Id=ids[0])
    assert (answer.status_code, answer.headers["X-Request-Id"]) == (404, ids[0])
    login = {"name": "log-ann", "password": PASSWORD}
    assert nobody.post("/users", login, X_Request_Id=ids[1]).status_code == 201
    token = nobody.post("/tokens", login, X_Request_Id=ids[2]).get_json()["token"]
    assert RemoteCaller(configured_server.url, token).get("/games", X_Request_Id=ids[3]).status_code == 200
    requests = [line for line in lines_about(configured_server, *ids) if line["message"] == "request"]
    fields = [*FIELDS, "route", "method", "status", "time_ms", "player", "address"]
    assert [list(line) for line in requests] == [fields] * 4
    shown = [(line["method"], line["route"], line["status"], line["player"] is None) for line in requests]
    assert shown == [
        ("GET", "none", 404, True),
        ("POST", "/api/v1/users", 201, True),
        ("POST", "/api/v1/tokens", 201, True),
        ("GET", "/api/v1/games", 200, False),
    ]
    assert {line["address"] for line in requests} == {"127.0.0.1"}
    assert all(line["time_ms"] >= 0 for line in requests)
    assert [line["level"] for line in requests] == ["info", "info", "info", "debug"]  # a read that succeeds


def lines_about(server: ConfiguredServer, *ids: str) -> list[dict[str, Any]]:
    """Return the lines that the server has logged about requests with these ids."""
    lines = [json.loads(line) for line in server.log.read_text(encoding="ascii").splitlines()]
    return [line for line in lines if line.get("request") in ids]


def test_a_request_that_no_route_reads_is_a_line_too(configured_server: ConfiguredServer) -> None:
    nobody = RemoteServer(configured_server.url).nobody
    first = nobody.get("/games?secret=7", X_Long="y" * 40_000, X_Request_Id="proxy-1")
    assert (first.status_code, first.headers["X-Request-Id"]) == (431, "proxy-1")
    with closing(HTTPConnection(urlsplit(configured_server.url).netloc, timeout=60)) as connection:
        connection.putrequest("GET", "/api/v1/games")
        for name, value in ("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "192.0.2.2"), ("X", "y" * 40_000):
            connection.putheader(name, value)  # the client sent the first address, and the proxy added the second one
        connection.endheaders()
        second = connection.getresponse()
    assert second.status == 431
    lines = lines_about(configured_server, "proxy-1", str(second.headers["X-Request-Id"]))
    assert [list(line) for line in lines] == [[*FIELDS, *REFUSED_FIELDS]] * 2
    assert [(line["message"], line["reason"][:3], line["address"]) for line in lines] == [
        ("refused", "431", "127.0.0.1"),
        ("refused", "431", "192.0.2.2"),
    ]
    assert {(line["method"], line["route"], line["status"]) for line in lines} == {("GET", "/api/v1/games", 431)}


def test_the_level_error_leaves_out_requests(
    server: GameServer, log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("logThreads", "logProcesses", "logMultiprocessing"):
        monkeypatch.setattr(logging, name, True)  # put back after the test
    setup_logging(Config(log="error"))
    assert server.nobody.get("/nowhere").status_code == 404
    assert log.getvalue() == ""


def test_a_valid_request_id_is_kept_and_an_invalid_one_is_replaced() -> None:
    assert request_id("x" * 64) == "x" * 64
    assert request_id(None) != request_id(None)
    for sent in ("", " ", "a b", "a\n", "\x1b[31m", "x" * 65, "\u00e9", "a;b", '"a"', "<b>", "%0a"):
        assert request_id(sent) != sent
        assert len(request_id(sent)) == 32


def test_a_log_in_and_a_failure_name_the_player_by_id(server: GameServer, log: StringIO) -> None:
    ann = server["ann"]
    assert server.nobody.post("/tokens", {"name": "ann", "password": PASSWORD}).status_code == 201
    for name in ("ann", "hunter2-typed-as-a-name"):
        assert server.nobody.post("/tokens", {"name": name, "password": "wrong-horse"}).status_code == 401
    player = services_of(server.app).accounts.users.by_name("ann")
    assert player is not None
    assert [line["player"] for line in of_message(log, "log-in")] == [player.id]
    assert [line["player"] for line in of_message(log, "log-in-failed")] == [player.id, None]
    requests = of_message(log, "request")
    assert {line["request"] for line in of_message(log, "log-in-failed")} <= {line["request"] for line in requests}
    assert "hunter2" not in log.getvalue()
    assert str(ann.token) not in log.getvalue()


def test_a_role_and_an_erasure_are_logged(server: GameServer, log: StringIO) -> None:
    moderator = server.role("mod", "moderator")
    game = server.open(["ann", "bob", "cat"])
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] == 1)
    body = {"hand": 1, "kind": "score", "text": "what I say about my cards"}
    assert game.seats[0].post(f"{game.path}/disputes", body).status_code == 201
    assert moderator.delete(f"{game.path}/disputes/1/texts").status_code == 204
    run("user", "role", "mod", "moderator", "--remove", at=server.config)
    player = services_of(server.app).accounts.users.by_name("mod")
    assert player is not None
    for message in ("role-granted", "role-withdrawn"):
        assert [(line["player"], line["role"]) for line in of_message(log, message)] == [(player.id, "moderator")]
    [erased] = of_message(log, "texts-erased")
    assert (erased["player"], erased["game"], erased["dispute"]) == (player.id, game.id, 1)
    assert "what I say" not in log.getvalue()


def test_a_role_given_on_the_command_line_is_a_json_line_on_standard_error(tmp_path: Path) -> None:
    at = ("--data", str(tmp_path))
    assert run("store", "init", *at).exit_code == 0
    assert run("user", "add", "ann", "--password", PASSWORD, *at).exit_code == 0
    said = run_program("user", "role", "ann", "arbiter", *at)
    assert said.stdout == "ann is now an arbiter\n"
    [line] = said.stderr.splitlines()
    assert (json.loads(line)["message"], json.loads(line)["role"]) == ("role-granted", "arbiter")


def test_a_restore_is_logged(server: GameServer, tmp_path: Path, log: StringIO) -> None:
    server.open(["ann", "bob", "cat"])
    backup, restored = tmp_path / "backup", tmp_path / "restored"
    assert run("store", "backup", str(backup), at=server.config).exit_code == 0
    assert run("store", "restore", str(backup), at=Config(data=restored)).exit_code == 0
    assert [line["games"] for line in of_message(log, "restored")] == [1]


def secrets_of(server: GameServer, game: str) -> list[str]:
    """Return everything secret about a game and its players: tokens, the password, seeds, salts and hidden cards."""
    entries = services_of(server.app).games.entries(game)
    facts = [entry.event for entry in entries]
    seeds = [fact.data.seed for fact in facts if isinstance(fact.data, CeremonyRevealed)]
    raw = [bytes.fromhex(seed) for seed in seeds]
    hands = [fact.data.cards for fact in facts if isinstance(fact.data, CardsDealt)]
    cards = [sign.join(f"{quote}{card}{quote}" for card in hand[:2]) for hand in hands
             for quote, sign in (('"', ", "), ("'", ", "), ('\\"', ","), ("", " "))]  # fmt: skip
    numbers = [base64.b64encode(seed).decode() for seed in raw] + [str(int.from_bytes(seed)) for seed in raw]
    tokens = [str(caller.token) for caller in server.people.values()]
    return [PASSWORD, *tokens, *seeds, *numbers, *cards, *(fact.salt for fact in facts)]


def test_no_line_holds_a_secret(server: GameServer, log: StringIO) -> None:
    game = server.open(["ann", "bob", "bot:simple"])
    game.play_hand()
    ann = server["ann"]
    for path in ("", "/seats/0", "/export", "/audit", "/receipt", "/events", "/legal?seat=0&move=ad", "/nowhere"):
        ann.get(game.path + path)
    ann.post(f"{game.path}/moves", {"type": "play", "card": "AD"})
    ann.post("/tokens", {"name": PASSWORD, "password": str(ann.token)})
    ann.get(f"/games?player={ann.token}")
    Caller(ann.client, "tb_" + "x" * 43).get(game.path)
    assert len(of_message(log, "request")) > 10
    secrets = secrets_of(server, game.id)
    assert len(secrets) > 20
    assert [secret for secret in secrets if secret in log.getvalue()] == []


def test_line_breaks_and_terminal_codes_of_a_client_are_inert(log: StringIO) -> None:
    hostile = 'a\r\n{"message": "log-in"}\x1b[2J\x7f\u202e\u2028\x00'
    log_event(logging.getLogger("trickbook.test"), hostile, logging.ERROR, name=hostile)
    line = log.getvalue().removesuffix("\n")
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["name"] == hostile


def test_a_field_cannot_hide_one_of_every_line() -> None:
    with pytest.raises(ValueError, match="every line has its own time, trace"):
        log_event(logging.getLogger("trickbook.test"), "x", time=0, trace="", player="p")
