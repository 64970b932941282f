"""Branches of a hand over HTTP: they play on, and change no byte of any store."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api.config import Config
from api.config.limits import NO_LIMITS, Rate
from tests.api.conftest import Caller, MakeApp, at_one_moment, check_problem
from tests.api.queries.test_bytes import Live
from tests.api.queries.test_questions import QUESTIONS

CONFIGURED = replace(NO_LIMITS, branches=Rate(count=30, window_s=60))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """One store, whose files the tests read; branches have a rate limit."""
    return Config(data=tmp_path, hashing="cheapest", limits=CONFIGURED, seating="at-once")


def read_all_rows(config: Config) -> list[str]:
    """Return all rows of all stores."""
    rows = list[str]()
    for name in ("log.db", "office.db", "views.db"):
        with closing(sqlite3.connect(config.data / name)) as connection:
            rows += connection.iterdump()
    return rows


def turn_of(live: Live, hand: int) -> tuple[int, int]:
    """Return a version of a hand at which a player was to move, and their seat."""
    for each in live.shown:
        view = live.stranger.get(f"{live.path}/replay?at={each.version}").get_json()
        turn = view["turn"]["seats"]
        if view["hand"] and view["hand"]["number"] == hand and turn and turn[0] in live.people:
            return each.version, turn[0]
    raise LookupError("nobody was to move")


def post_branch(who: Caller, live: Live, **body: Any) -> Any:
    """Return the answer to a branch."""
    answer = who.post(f"{live.path}/branches", body)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def test_a_branch_of_a_revealed_hand_stores_nothing(live: Live, config: Config) -> None:
    at, seat = turn_of(live, 1)
    before = read_all_rows(config)
    own = live.people[seat]
    told = own.get(f"{live.path}/legal?at={at}").get_json()["legal"]
    for move in told:
        answer = post_branch(own, live, at=at, moves=[move], bots="simple")
        assert answer["facts"][0]["version"] == at + 1
        assert (answer["stopped"], answer["code"]) == ("the hand is over", 0)
    assert post_branch(live.stranger, live, at=at, seat=seat)["views"][0]["view"]["you"]["legal"] == told
    assert read_all_rows(config) == before


def test_no_question_stores_anything(live: Live, config: Config) -> None:
    live.stranger.get(f"{live.path}/audit")
    before = read_all_rows(config)
    for path in (*QUESTIONS, "replay", "replay?at=20", "compare?root=" + "ab" * 32):
        assert live.stranger.get(f"{live.path}/{path}").status_code == 200
    assert read_all_rows(config) == before


def test_a_branch_refuses_a_move_like_the_game(live: Live, config: Config) -> None:
    at, seat = turn_of(live, 1)
    before = read_all_rows(config)
    refused = live.stranger.post(f"{live.path}/branches", {"at": at, "moves": [{"type": "vote", "guilty": True}]})
    problem = check_problem(refused, 409, "no-delay")
    assert str(problem["detail"]).startswith(f"move 1, of seat {seat}: ")
    assert problem["legal"]
    assert read_all_rows(config) == before


def test_a_live_hand_cannot_be_branched(live: Live, config: Config) -> None:
    before, version = read_all_rows(config), live.looks()[None]["version"]
    for who in (live.stranger, *live.people.values()):
        check_problem(who.post(f"{live.path}/branches", {"at": version}), 409, "conflict")
    assert read_all_rows(config) == before


INVALID: list[dict[str, Any]] = [
    {}, {"at": 0}, {"at": "5"}, {"at": 99999}, {"at": 5, "moves": "ad"}, {"at": 5, "moves": [3]},
    {"at": 5, "moves": ["ad"] * 301}, {"at": 5, "bots": "clever"}, {"at": 5, "hands": 0}, {"at": 5, "hands": 21},
    {"at": 5, "seed": "00"}, {"at": 5, "seat": -1}, {"at": True}, {"at": -1}, {"at": None}, {"at": 2**60},
    {"at": 5, "hands": "1"}, {"at": 5, "hands": 10**6}, {"at": 5, "moves": [None]}, {"at": 5, "moves": [[]]},
    {"at": 5, "seat": "0"},
]  # fmt: skip


def test_an_invalid_branch_is_malformed(caller: Caller) -> None:
    live = Live(caller, "setback")
    for body in (*INVALID, [], 7):
        check_problem(caller.post(f"{live.path}/branches", body), 400, "malformed")


def test_a_branch_with_an_invalid_move_is_malformed(live: Live) -> None:
    at, _ = turn_of(live, 1)
    for move in ("blah", {"type": "fly"}, {"type": "pass", "seat": 17}, "9: pass"):
        check_problem(live.stranger.post(f"{live.path}/branches", {"at": at, "moves": [move]}), 400, "malformed")
    check_problem(live.stranger.post(f"{live.path}/branches", {"at": at, "seat": 4}), 404, "not-found")
    check_problem(live.stranger.post("/games/9/branches", {"at": at}), 404, "not-found")


def test_branches_are_limited_for_each_caller(make_app: MakeApp, config: Config) -> None:
    app = at_one_moment(make_app(replace(config, limits=replace(CONFIGURED, branches=Rate(count=2, window_s=60)))))
    live = Live(Caller(app.test_client()), "setback")
    first, second = live.people.values()
    codes = [first.post(f"{live.path}/branches", {"at": 1}).status_code for _ in range(3)]
    assert codes == [409, 409, 429]
    assert first.post(f"{live.path}/branches", {"at": 1}).headers["Retry-After"]
    assert second.post(f"{live.path}/branches", {"at": 1}).status_code == 409
    assert live.stranger.post(f"{live.path}/branches", {"at": 1}).status_code == 409
