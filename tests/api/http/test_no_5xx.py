"""No input gives a 5xx, and no refused request changes the log."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.config import NO_LIMITS, Config
from domain.cards import DECK_54
from domain.commands import NameTrump
from tests.api.conftest import Caller, MakeApp, services_of
from tests.api.games.test_moves_of_all_games import BIDDEN, corellian, served
from tests.api.given_http import Table, given_http
from tests.conftest import Database
from tests.given import GAME, deal, game_opened

HANDS = ["AC KC 2D 3D 4D 5D", "2C 3C 6D 7D 8D 9D", "AH KH QH JH 10H 9H", "AS KS QS JS 10S 9S"]
MANY = settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """One store is enough for requests that never reach it."""
    return Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, seating="at-once")


@pytest.fixture
def table(app: Flask) -> Table:
    return given_http(app, game_opened(4), *deal(HANDS))


def corellian_table(app: Flask) -> Table:
    """A hand after the pitcher named trump, with the same players for the life of the server."""
    if "corellian" not in app.extensions:
        app.extensions["corellian"] = served(app, corellian(*BIDDEN, NameTrump(0, "C")))
    found: Table = app.extensions["corellian"]
    return found


odd = ["", "0", "-1", "1e3", "9" * 30, "\0", "\ud800", "%00", "../..", "\xe9", "\uff11"]
texts = st.text(max_size=20) | st.sampled_from(odd)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    scalars, lambda each: st.lists(each, max_size=4) | st.dictionaries(texts, each, max_size=4), max_leaves=8
)
words = st.sampled_from(  # none of them ends the game
    ["bid", "pass", "play", "undo", "accept", "reject", "cut", "vote", "name_trump", "call_partner", "discard",
     "call_delay", "change_rules"]
)  # fmt: skip
moves = st.fixed_dictionaries(
    {},
    optional={
        "type": words | values,
        "bid": st.integers(-3, 9) | values,
        "card": st.sampled_from(DECK_54) | values,
        "cards": st.lists(st.sampled_from(DECK_54), max_size=9) | values,
        "suit": st.sampled_from("CDHSX") | values,
        "accused": st.integers(-1, 5) | values,
        "guilty": st.booleans() | values,
        "change": st.sampled_from(["points:7", "points:", "dirty:on", "partners:call", "x:y"]) | values,
        "text": texts | values,
        "seat": values,
    },
)
header_texts = st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=20)
named = ["If-Match", "If-None-Match", "Idempotency-Key", "Accept", "Content-Type", "Range", "Last-Event-ID"]
likely = ['"1"', 'W/"9"', "*", '"' + "9" * 40 + '"', "text/event-stream", "bytes=0-1", "a" * 300]
headers = st.dictionaries(st.sampled_from(named), header_texts | st.sampled_from(likely), max_size=3)
ids = st.sampled_from(["1", "2", "0", GAME, GAME.upper(), "9" * 11, "x"]) | texts
resources = st.sampled_from(
    ["", "/seats/0", "/seats/1", "/seats/9", "/events", "/export", "/hands/1", "/hands/1/replay", "/hands/1/transcript",
     "/hands/1/audit", "/audit", "/scoreboard", "/hands/7", "/moves", "/hands/1/replay/x", "/seats/"]
)  # fmt: skip
known = ["after", "limit", "at", "seat", "wait", "cursor", "player", "status", "since", "variant", "waiting"]
keys = st.sampled_from(known)
queries = st.dictionaries(keys | texts, texts | st.integers(-9, 2**70).map(str), max_size=3)


def ask(caller: Caller, method: str, path: str, **more: Any) -> int:
    """Send a request; check that a refusal is a problem, and return the status."""
    named = {"Authorization": f"Bearer {caller.token}"} | more.pop("headers", {})
    answer = caller.client.open("/api/v1" + path, method=method, headers=named, **more)
    assert answer.status_code < 500 or answer.get_json(force=True)["type"] == "/problems/behind", answer.text
    if answer.status_code >= 400:
        assert answer.content_type == "application/problem+json"
        assert answer.get_json(force=True)["status"] == answer.status_code
    return answer.status_code


@MANY
@given(seat=st.integers(0, 3), body=moves | values, headers=headers)
def test_any_body_posted_as_a_move(table: Table, seat: int, body: Any, headers: dict[str, str]) -> None:
    before = table.log
    data = json.dumps(body).encode()
    named = {"Content-Type": "application/json"} | headers
    if ask(table.by(seat), "POST", f"/games/{GAME}/moves", data=data, headers=named) >= 400:
        assert table.log == before


@MANY
@given(seat=st.integers(0, 3), body=moves | values)
def test_any_body_posted_as_a_move_of_corellian_pitch(app: Flask, seat: int, body: Any) -> None:
    table = corellian_table(app)
    before = table.log
    named = {"Content-Type": "application/json"}
    if ask(table.by(seat), "POST", f"/games/{GAME}/moves", data=json.dumps(body).encode(), headers=named) >= 400:
        assert table.log == before


@MANY
@given(data=st.binary(max_size=60), headers=headers)
def test_any_bytes_posted_anywhere(table: Table, data: bytes, headers: dict[str, str]) -> None:
    before = table.log
    for path in (f"/games/{GAME}/moves", "/games", "/users", "/tokens"):
        status = ask(table.by(0), "POST", path, data=data, headers={"Content-Type": "application/json"} | headers)
        assert status >= 400
    assert table.log == before


@MANY
@given(reference=ids, resource=resources, query=queries, headers=headers)
def test_any_read(table: Table, reference: str, resource: str, query: dict[str, str], headers: dict[str, str]) -> None:
    services_of(table.app).wait_timeout_s = 0
    before = table.log
    path = f"/games/{reference}{resource}".encode("utf-8", "replace").decode()
    safe = {key.encode("utf-8", "replace"): value.encode("utf-8", "replace") for key, value in query.items()}
    ask(table.by(0), "GET", path.replace("?", "%3F").replace("#", "%23"), query_string=safe, headers=headers)
    ask(table.by(0), "GET", "/games", query_string=safe, headers=headers)
    assert table.log == before


numbers = st.integers(-1, 3) | values
lists = st.lists(st.sampled_from(["4", "10", "11b", "call", "left", "x"]) | values, max_size=4) | values
randomizers = values | st.fixed_dictionaries({}, optional={
    "when": st.lists(numbers, max_size=3) | values, "end": st.lists(numbers, max_size=3) | values, "points": lists,
    "dirty": values, "reverse": values, "partners": lists, "x": values})  # fmt: skip
options = values | st.fixed_dictionaries({}, optional={
    "randomizer": randomizers, "ends_at": texts | values, "host_changes": values, "ten": texts, "win": numbers,
    "low": numbers, "hook": values, "stop": values})  # fmt: skip
timings = values | st.fixed_dictionaries({}, optional={"ends_at": texts | values, "nag_days": values, "x": values})


@MANY
@given(body=st.fixed_dictionaries({
    "variant": st.sampled_from(["pitch", "setback", "blackout", "corellian"]) | values,
    "seats": st.just(["p0", "bot:random", "bot:random", "bot:simple"]) | values}, optional={
    "options": options, "timing": timings, "fairness": values, "reveal": values, "undo": values}))  # fmt: skip
def test_any_table(table: Table, body: Any) -> None:
    games = services_of(table.app).games
    before = games.log.last_numbers()
    data = json.dumps(body).encode()
    if ask(table.by(0), "POST", "/games", data=data, headers={"Content-Type": "application/json"}) >= 400:
        assert games.log.last_numbers() == before


def test_a_hundred_simultaneous_bids_store_one_event_for_each_version(
    make_app: MakeApp, database: Database, tmp_path: Path
) -> None:
    """Each seat sends every bid on two servers; each refusal gives its reason."""
    config = Config(data=tmp_path, database_url=database.url, hashing="cheapest", limits=NO_LIMITS, seating="at-once")
    table = given_http(make_app(config), game_opened(4), *deal(HANDS))
    other, answers = make_app(config), []

    def send(seat: int, number: int) -> None:
        app = table.app if number % 2 else other
        caller = Caller(app.test_client(), table.by(seat).token)
        answers.append(caller.post("/games/1/moves", {"type": "bid", "bid": 2 + number % 4}))

    with ThreadPoolExecutor(100) as pool:
        list(pool.map(lambda number: send(number % 4, number // 4), range(100)))
    assert {answer.status_code for answer in answers} <= {201, 409, 503}
    moved = [answer.get_json()["version"] for answer in answers if answer.status_code == 201]
    assert len(set(moved)) == len(moved)
    assert [entry.event.version for entry in table.games.entries(GAME)] == list(range(1, len(table.log) + 1))
