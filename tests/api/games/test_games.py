"""Games over HTTP: opened, found and viewed."""

import pytest
from flask import Flask

from tests.api.conftest import Caller, check_problem
from tests.api.given_http import Table, given_http
from tests.given import auction, deal, game_opened

HANDS = ["AC KC 2D 3D 4D 5D", "2C 3C 6D 7D 8D 9D", "AH KH QH JH 10H 9H", "AS KS QS JS 10S 9S"]


@pytest.fixture
def table(app: Flask) -> Table:
    return given_http(app, game_opened(4), *deal(HANDS), *auction(3, 0, 0, 0))


def test_S1_S2_S20_a_game_starts_at_once(ann: Caller, caller: Caller) -> None:
    caller.join("bob")
    answer = ann.post("/games", {"variant": "pitch", "seats": ["bob", "ann"]})
    body = answer.get_json()
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/api/v1/games/{body['id']}")
    assert body["board"] == 1
    assert [line.get("event", {}).get("fact") for line in body["events"]] == [
        "GameOpened", "CeremonyOpened", None, "HandDealt", None, "CardsDealt", None,
    ]  # fmt: skip
    view = body["view"]
    assert (view["rules"], view["turn"]["seats"], view["you"]["seat"]) == ({"goal": 11}, [0], 1)
    assert len(view["you"]["cards"]) == 6
    assert sorted(body["names"].values()) == ["ann", "bob"]
    assert (body["version"], body["root"]) == (view["version"], view["root"])
    assert ann.get(answer.headers["Location"]).get_json()["version"] == body["version"]


def test_R_P1_a_host_need_not_play(ann: Caller, caller: Caller) -> None:
    caller.join("bob")
    body = ann.post("/games", {"variant": "pitch", "seats": ["bob", "bot:random"]}).get_json()
    assert "you" not in body["view"]
    assert body["events"][0]["event"]["by"] not in body["names"]


def test_a_game_is_found_by_its_board(table: Table, caller: Caller) -> None:
    assert caller.get("/games/1").data == caller.get(f"/games/{table.game}").data
    check_problem(caller.get("/games/2"), 404, "not-found")


def test_the_etag_of_a_view_is_its_version(table: Table) -> None:
    seat, path = table.by(0), f"/games/{table.game}/seats/0"
    first = seat.get(path)
    assert first.headers["ETag"] == f'"{first.get_json()["version"]}"'
    for tag in ('"7"', 'W/"7"', "7", '"6", W/"7"'):
        again = seat.get(path, If_None_Match=tag.replace("7", str(first.get_json()["version"])))
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"]), tag
    table.when(0, {"text": "ac"}).happens()
    assert seat.get(path, If_None_Match=first.headers["ETag"]).status_code == 200
