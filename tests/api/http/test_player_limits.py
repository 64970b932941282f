"""Limits for each player over HTTP: proposals, games, disputes and texts, and the length of a game."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from api.config import Config
from api.config.limits import Limits
from tests.api.conftest import Caller, MakeApp, check_problem, services_of
from tests.api.live_server import GameServer, ServedGame

LIMITED: dict[str, Any] = {
    "hand_proposals": 3,
    "unfinished_games": 3,
    "hourly_games": 5,
    "game_disputes": 1,
    "text_length": 20,
}
SEATS = ["ann", "bob"]


@pytest.fixture
def limited(make_app: MakeApp, config: Config) -> Flask:
    """An app with small limits, on each store in turn."""
    return make_app(replace(config, limits=Limits(), **LIMITED))


def open_room(limited: Flask) -> ServedGame:
    return GameServer(limited, services_of(limited).config).open(SEATS)


def test_R_P8_proposing_and_rejecting_in_a_loop_is_refused_and_the_log_stays_short(limited: Flask) -> None:
    room = open_room(limited)
    begun, answers = room.public["version"], []
    for _ in range(50):
        answers.append(room.move(0, {"type": "propose_draw"}))
        if answers[-1].status_code == 201:
            assert room.move(1, {"type": "reject"}).status_code == 201
    assert [answer.status_code for answer in answers] == [201] * 3 + [409] * 47
    refused = check_problem(answers[-1], 409, "too-many")
    assert "3 proposals in this hand" in str(refused["detail"])
    assert refused["clauses"] == ["R-P7", "R-P8", "R-P13"]
    # another limit rests on no rule of the games
    first, last = (str(datetime.now(UTC).date() + timedelta(days)) for days in (10, 37))
    vacation = [{"first": first, "last": last}]
    hours = room.seats[0].ask(
        "PUT", "/me/hours", {"zone": "UTC", "night": None, "weekends": False, "vacation": vacation}
    )
    assert "clauses" not in check_problem(hours, 409, "too-many")
    assert room.public["version"] == begun + 6
    assert "propose_draw" not in room.view(0)["you"]["may"]
    assert "propose_draw" in room.view(1)["you"]["may"]


def open_games(caller: Caller, count: int, seats: list[str]) -> list[str]:
    """Open games and return their paths."""
    opened = [caller.post("/games", {"variant": "pitch", "seats": seats}) for _ in range(count)]
    assert [answer.status_code for answer in opened] == [201] * count
    return [f"/games/{answer.get_json()['id']}" for answer in opened]


def test_a_player_opens_no_more_games_than_may_be_unfinished_and_one_that_ends_makes_room(limited: Flask) -> None:
    stranger = Caller(limited.test_client())
    ann, bob = stranger.join("ann"), stranger.join("bob")
    paths = open_games(ann, 3, SEATS)
    refused = ann.post("/games", {"variant": "pitch", "seats": SEATS})
    assert "3 unfinished games" in str(check_problem(refused, 409, "too-many")["detail"])
    assert ann.post("/games", {"variant": "pitch", "seats": SEATS}).status_code == 409
    open_games(bob, 1, SEATS)
    assert bob.post(f"{paths[0]}/moves", {"type": "resign"}).status_code == 201
    assert ann.post("/games", {"variant": "pitch", "seats": SEATS}).status_code == 409, "the lobby is behind"
    services_of(limited).followers.catch_up()
    open_games(ann, 1, SEATS)
    assert ann.post("/games", {"variant": "pitch", "seats": SEATS}).status_code == 409


def test_a_player_opens_only_a_number_of_games_in_an_hour_and_is_told_when_to_come_back(limited: Flask) -> None:
    ann = Caller(limited.test_client()).join("ann")
    for left in range(4, -1, -1):
        opened = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]})
        assert opened.headers["RateLimit-Policy"] == '"games";q=5;w=3600'
        assert re.fullmatch(rf'"games";r={left};t=3(600|5\d\d)', opened.headers["RateLimit"])
        path = f"/games/{opened.get_json()['id']}"
        assert ann.post(f"{path}/moves", {"type": "resign"}).status_code == 201
        services_of(limited).followers.catch_up()
    refused = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]})
    assert "You opened 5 games in the last hour." in str(check_problem(refused, 429, "too-many-requests")["detail"])
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600
    assert refused.headers["RateLimit"] == f'"games";r=0;t={refused.headers["Retry-After"]}'
    assert "RateLimit" not in ann.get("/games").headers


def test_a_response_tells_what_each_of_its_limits_leaves_the_scarcest_first(limited: Flask) -> None:
    ann = Caller(limited.test_client()).join("ann")
    (path,) = open_games(ann, 1, ["ann", "bot:random"])
    for left in (599, 598):
        audit = ann.get(f"{path}/audit")
        assert audit.headers["RateLimit-Policy"] == '"heavy-by-player";q=600;w=60, "heavy-by-address";q=3000;w=60'
        assert re.fullmatch(
            rf'"heavy-by-player";r={left};t=\d+, "heavy-by-address";r={2400 + left};t=\d+', audit.headers["RateLimit"]
        )


def test_a_player_disputes_a_game_as_often_as_the_server_allows_with_texts_as_long_as_it_allows(limited: Flask) -> None:
    room = open_room(limited)
    dispute: dict[str, Any] = {"hand": 1, "kind": "deal", "text": "The deal looks odd."}
    for text, status in (("x" * 21, 400), ("x" * 10_001, 400), (dispute["text"], 201)):
        assert room.seats[0].post(f"{room.path}/disputes", dispute | {"text": text}).status_code == status
    long = room.seats[1].post(f"{room.path}/disputes", dispute | {"text": "x" * 21})
    assert check_problem(long, 400, "malformed")["errors"] == {
        "text": ["A text may have 20 characters, and this one has 21."]
    }
    while room.public["hand"]["number"] == 1:
        assert room.move(room.turn, room.legal(room.turn)[0]).status_code == 201
    refused = room.seats[0].post(f"{room.path}/disputes", dispute | {"hand": 2})
    assert "opened 1 dispute in this game" in str(check_problem(refused, 409, "too-many")["detail"])
    assert room.seats[1].post(f"{room.path}/disputes", dispute | {"hand": 2}).status_code == 201


def test_the_opening_records_the_limits_of_the_server_and_no_client_chooses_them(app: Flask, ann: Caller) -> None:
    body: dict[str, Any] = {"variant": "pitch", "seats": ["ann", "bot:random"]}
    game = ann.post("/games", body).get_json()["id"]
    (opened, *_) = ann.get(f"/games/{game}/events").get_json()["items"]
    assert opened["event"]["data"]["limits"] == {"events": 20_000, "proposals": 20}
    check_problem(ann.post("/games", body | {"limits": None}), 400, "malformed")
