"""The HTTP contract, from the documents alone: shapes, statuses and headers that hold for every deal."""

import json
from pathlib import Path

import pytest
from flask import Flask

from api.config import NO_LIMITS, Config
from tests.api.conftest import PASSWORD, check_problem
from tests.api.room import Room


def keys(names: str) -> set[str]:
    """Return the names as a set."""
    return set(names.split())


VIEW = keys(
    "id board variant version root status phase rules seats sides hand ceremony turn last_hand proposal handover delay"
    " disputes ruled result"
)
HAND = keys(
    "number redeal dealer eldest bids passed pitcher bid trump marker upcard called trick last_trick commit grade"
)
YOU = {"seat", "cards", "sees", "legal", "choose", "may"}
ANSWER = {"version", "root", "events", "view", "names", "receipt"}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """The contract is the same on both stores; SQLite is enough."""
    return Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, seating="at-once")


@pytest.fixture
def room(app: Flask) -> Room:
    """A Pitch game of ann and bob, in its first auction."""
    return Room(app, ["ann", "bob"])


def test_a_seat_sees_the_documented_keys_and_a_spectator_the_same_without_you(room: Room) -> None:
    own, open_to_all = room.view(0), room.view()
    assert set(own) == VIEW | {"you", "names"}
    assert set(open_to_all) == VIEW | {"names"}
    assert set(own["you"]) == YOU
    assert set(own["hand"]) == HAND
    assert set(own["turn"]) == {"seats", "since", "deadline"}
    assert set(own["seats"][0]) == {"seat", "player", "kind", "score", "count", "tricks", "state", "earlier"}
    assert {key: own[key] for key in open_to_all} == open_to_all
    assert own["you"]["cards"] == [card for card in DECK if card in own["you"]["cards"]]
    assert len(own["you"]["cards"]) == own["seats"][0]["count"] == 6


def test_a_view_that_you_get_ends_with_names_and_answers_have_them_beside_the_view(room: Room) -> None:
    view, opened = room.view(0), room.opened.get_json()
    names = {line["player"]: name for line, name in zip(view["seats"], ["ann", "bob"], strict=True)}
    assert list(view)[-1] == "names"
    assert view["names"] == opened["names"] == names
    assert set(opened) == ANSWER | {"id", "board"}
    assert "names" not in opened["view"]
    answer = room.move_at_turn({"type": "bid", "bid": 3})
    assert set(answer.get_json()) == ANSWER
    assert answer.get_json()["names"] == names
    assert set(answer.get_json()["view"]) == VIEW | {"you"}


def test_a_401_says_how_to_send_a_token_and_if_only_the_word_bearer_is_missing(room: Room) -> None:
    token = str(room.players[0].token)
    for header, says in (
        (token, "doesn't begin with the word Bearer. Send `Authorization: Bearer TOKEN`."),
        (f"Token {token}", "doesn't begin with the word Bearer."),
        ("Bearer tb_wrong", "contains no valid token of this server."),
    ):
        problem = check_problem(room.stranger.get(room.path, Authorization=header), 401, "unauthorized")
        assert says in str(problem["detail"])
        assert token not in str(problem)
    without = check_problem(room.stranger.post("/games", {}), 401, "unauthorized")
    assert "Send `Authorization: Bearer TOKEN`. POST /tokens returns a token." in str(without["detail"])


def test_requests_outside_the_rules_of_http_get_their_own_statuses(room: Room) -> None:
    ann, moves = room.players[0], f"{room.path}/moves"
    bid: dict[str, object] = {"type": "bid", "bid": 3}
    check_problem(ann.get("/games?colour=red"), 400, "malformed")
    check_problem(ann.get(f"/games?cursor={ann.token}"), 400, "token-in-url")
    check_problem(room.stranger.get(room.path, Authorization="Bearer tb_wrong"), 401, "unauthorized")
    check_problem(room.stranger.post(moves, bid), 401, "unauthorized")
    check_problem(room.stranger.post("/tokens", {"name": "ann", "password": "wrong-horse"}), 401, "bad-login")
    check_problem(room.stranger.join("eve").post(moves, bid), 403, "not-seated")
    check_problem(ann.get("/games/4711"), 404, "not-found")
    check_problem(ann.delete("/games"), 405, "method-not-allowed")
    check_problem(ann.get(f"{room.path}/receipt", Accept="image/png"), 406, "not-acceptable")
    check_problem(room.stranger.post("/users", {"name": "ANN", "password": PASSWORD}), 409, "name-taken")
    check_problem(ann.post(moves, {"text": "x" * 70_000}), 413, "too-large")
    plain = {"Authorization": f"Bearer {ann.token}", "Content-Type": "text/plain"}
    text = ann.client.post(f"/api/v1{moves}", data=json.dumps(bid), headers=plain)
    check_problem(text, 415, "unsupported-media-type")
