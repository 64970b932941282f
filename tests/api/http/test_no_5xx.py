"""No input gives a 5xx, and no refused request changes the log."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.config import NO_LIMITS, Config
from domain.cards import DECK_54
from domain.commands import NameTrump
from tests.api.conftest import Caller, services_of
from tests.api.games.test_moves_of_all_games import BIDDEN, corellian, served
from tests.api.given_http import Table
from tests.given import GAME

MANY = settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """One store is enough for requests that never reach it."""
    return Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, seating="at-once")


def corellian_table(app: Flask) -> Table:
    """Return a hand of Corellian Pitch, which has moves of every kind, with the same players while the app lives."""
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
def test_any_body_posted_as_a_move(app: Flask, seat: int, body: Any, headers: dict[str, str]) -> None:
    table = corellian_table(app)
    before = table.log
    data = json.dumps(body).encode()
    named = {"Content-Type": "application/json"} | headers
    if ask(table.by(seat), "POST", f"/games/{GAME}/moves", data=data, headers=named) >= 400:
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
def test_any_table(app: Flask, body: Any) -> None:
    table, games = corellian_table(app), services_of(app).games
    before = games.log.last_numbers()
    data = json.dumps(body).encode()
    if ask(table.by(0), "POST", "/games", data=data, headers={"Content-Type": "application/json"}) >= 400:
        assert games.log.last_numbers() == before
