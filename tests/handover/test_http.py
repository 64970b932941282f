"""Seats that change hands over HTTP: offers, answers, bots, and the way back."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from api.config.limits import NO_LIMITS, Rate
from api.tables.stored import handover_offers
from tests.api.conftest import Caller, MakeApp, check_problem, config_for, services_of
from tests.conftest import Database

pytestmark = pytest.mark.usefixtures("app")
PEOPLE = ("ann", "bob", "dan")


@pytest.fixture
def people(app: Flask) -> dict[str, Caller]:
    """Ann, bob, dan and eve, who are registered."""
    return {name: Caller(app.test_client()).join(name) for name in (*PEOPLE, "eve")}


@pytest.fixture
def game(people: dict[str, Caller]) -> str:
    """A game of ann, bob and dan."""
    opened = people["ann"].post("/games", {"variant": "pitch", "seats": list(PEOPLE)}).get_json()
    return str(opened["id"])


def offer(people: dict[str, Caller], game: str, by: str = "bob", to: str = "eve") -> dict[str, Any]:
    answer = people[by].post(f"/games/{game}/handovers", {"to": to})
    assert answer.status_code == 201, answer.get_json()
    made: dict[str, Any] = answer.get_json()
    return made


def agree(people: dict[str, Caller], game: str, *names: str) -> None:
    for name in names:
        moved = people[name].post(f"/games/{game}/moves", {"type": "answer_handover", "accept": True})
        assert moved.status_code == 201, moved.get_json()


def hand_to_eve(people: dict[str, Caller], game: str) -> None:
    """Hand the seat of bob over to eve."""
    made = offer(people, game)
    assert people["eve"].post(f"/games/{game}/handovers/{made['id']}/accept", {}).status_code == 204
    agree(people, game, "ann", "dan")


def holder(people: dict[str, Caller], game: str, seat: int = 1) -> str:
    view = people["ann"].get(f"/games/{game}").get_json()
    return str(view["names"][view["seats"][seat]["player"]])


def test_R_P13_a_person_agrees_beside_the_log_before_the_table_is_asked(people: dict[str, Caller], game: str) -> None:
    before = people["ann"].get(f"/games/{game}").get_json()["version"]
    made = offer(people, game)
    assert set(made) == {"id", "game", "seat", "from", "to", "made", "expires", "names"}
    assert people["ann"].get(f"/games/{game}").get_json()["version"] == before
    (shown,) = people["eve"].get("/me/handovers").get_json()["items"]
    assert {**shown, "names": made["names"]} == made
    assert people["bob"].get(f"/games/{game}/handovers").get_json()["items"] == [shown]
    assert people["ann"].get(f"/games/{game}/handovers").get_json()["items"] == []
    assert people["eve"].post(f"/games/{game}/handovers/{made['id']}/accept", {}).status_code == 204
    (asked,) = people["ann"].get(f"/games/{game}/events?after={before}").get_json()["items"]
    assert (asked["event"]["fact"], asked["event"]["by"]) == ("HandoverAsked", made["from"])
    view = people["ann"].get(f"/games/{game}").get_json()
    assert view["handover"] == {"seat": 1, "to": made["to"], "kind": "human", "accepted": [1]}
    assert view["names"][made["to"]] == "eve"
    assert people["eve"].get("/me/handovers").get_json()["items"] == []
    agree(people, game, "ann", "dan")
    assert holder(people, game) == "eve"


def test_the_new_player_plays_and_the_former_one_does_not(people: dict[str, Caller], game: str) -> None:
    hand_to_eve(people, game)
    seat = people["eve"].get(f"/games/{game}/seats/1").get_json()
    assert len(seat["you"]["cards"]) == 6
    check_problem(people["bob"].get(f"/games/{game}/seats/1"), 404, "not-found")
    assert people["ann"].post(f"/games/{game}/moves", {"type": "pass"}).status_code == 201
    refused = check_problem(people["bob"].post(f"/games/{game}/moves", {"type": "pass"}), 403, "not-seated")
    assert refused.keys() & {"legal", "choose"} == set(), "it shows no cards of the seat"
    assert people["eve"].post(f"/games/{game}/moves", {"type": "pass"}).status_code == 201


def test_R_P14_the_seat_is_taken_back_without_asking(people: dict[str, Caller], game: str) -> None:
    hand_to_eve(people, game)
    back = people["bob"].post(f"/games/{game}/handovers/return", {})
    assert back.status_code == 201
    assert [line["event"]["fact"] for line in back.get_json()["events"]] == ["SeatReturned"]
    assert back.get_json()["view"]["you"]["seat"] == 1
    assert holder(people, game) == "bob"
    check_problem(people["eve"].get(f"/games/{game}/seats/1"), 404, "not-found")
    check_problem(people["bob"].post(f"/games/{game}/handovers/return", {}), 409, "no-handover")


def test_R_P14_a_move_takes_the_seat_back_too(people: dict[str, Caller], game: str) -> None:
    hand_to_eve(people, game)
    assert people["bob"].post(f"/games/{game}/moves", {"type": "return_seat"}).status_code == 201
    assert holder(people, game) == "bob"


def test_R_P14_a_repeated_return_gets_the_first_answer(people: dict[str, Caller], game: str) -> None:
    hand_to_eve(people, game)
    path, key = f"/games/{game}/handovers/return", {"Idempotency-Key": "back"}
    first = people["bob"].post(path, {}, **key)
    assert people["bob"].post(path, {}, **key).get_json() == first.get_json()


def test_R_P13_a_bot_needs_no_agreement_of_its_own_and_plays_at_once(people: dict[str, Caller], game: str) -> None:
    first = people["ann"].get(f"/games/{game}").get_json()["turn"]["seats"][0]
    name = PEOPLE[first]
    others = [other for other in PEOPLE if other != name]
    asked = people[name].post(f"/games/{game}/handovers", {"to": "bot:simple"})
    assert asked.status_code == 201
    assert asked.get_json()["view"]["handover"]["to"] == "bot:simple:3"
    agree(people, game, *others)
    view = people["ann"].get(f"/games/{game}").get_json()
    assert (view["seats"][first]["kind"], view["turn"]["seats"]) == ("bot", [(first + 1) % 3])
    assert people[name].post(f"/games/{game}/handovers/return", {}).status_code == 201


def test_an_offer_is_declined_or_withdrawn_once(people: dict[str, Caller], game: str) -> None:
    made = offer(people, game)
    path = f"/games/{game}/handovers/{made['id']}"
    check_problem(people["eve"].delete(path), 409, "no-handover")
    check_problem(people["bob"].post(path + "/decline", {}), 409, "no-handover")
    check_problem(people["bob"].post(path + "/accept", {}), 409, "no-handover")
    assert people["eve"].post(path + "/decline", {}).status_code == 204
    check_problem(people["eve"].post(path + "/accept", {}), 404, "not-found")
    again = offer(people, game)
    assert people["bob"].delete(f"/games/{game}/handovers/{again['id']}").status_code == 204
    check_problem(people["eve"].post(f"/games/{game}/handovers/{again['id']}/accept", {}), 404, "not-found")


def test_others_see_nothing_of_an_offer(people: dict[str, Caller], game: str) -> None:
    path = f"/games/{game}/handovers/{offer(people, game)['id']}"
    unknown = people["ann"].post(f"/games/{game}/handovers/{'0' * 32}/accept", {})
    answer = people["ann"].post(path + "/accept", {})
    check_problem(answer, 404, "not-found")
    assert answer.data == unknown.data


def test_one_offer_at_a_time_and_the_same_one_again(people: dict[str, Caller], game: str) -> None:
    made = offer(people, game)
    assert offer(people, game)["id"] == made["id"]
    Caller(people["eve"].client).join("zoe")
    check_problem(people["bob"].post(f"/games/{game}/handovers", {"to": "zoe"}), 409, "handover-open")


@pytest.mark.parametrize(
    ("by", "to", "status", "slug"),
    [
        ("bob", "nobody", 409, "no-such-player"),
        ("bob", "ann", 409, "seated-before"),
        ("bob", "bob", 409, "seated-before"),
        ("bob", "bot:nobody", 400, "malformed"),
        ("eve", "bot:simple", 403, "not-seated"),
    ],
)
def test_refused_offers(people: dict[str, Caller], game: str, by: str, to: str, status: int, slug: str) -> None:
    check_problem(people[by].post(f"/games/{game}/handovers", {"to": to}), status, slug)


def test_a_seat_is_offered_to_a_user_or_a_bot_and_not_left_empty(people: dict[str, Caller], game: str) -> None:
    refused = people["bob"].post(f"/games/{game}/handovers", {"to": "zoe and dan"})
    assert refused.get_json()["errors"] == {"to": ["Must be the name of a user or a bot."]}


def test_an_offer_lapses_after_its_time(people: dict[str, Caller], game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = offer(people, game)
    monkeypatch.setattr(handover_offers, "LIFE_S", -1)
    check_problem(people["eve"].post(f"/games/{game}/handovers/{made['id']}/accept", {}), 404, "not-found")
    assert people["eve"].get("/me/handovers").get_json()["items"] == []
    monkeypatch.undo()


def test_an_offer_of_somebody_who_left_the_seat_since_is_gone(people: dict[str, Caller], game: str) -> None:
    made = offer(people, game)
    assert people["bob"].post(f"/games/{game}/handovers", {"to": "bot:simple"}).status_code == 201
    agree(people, game, "ann", "dan")
    check_problem(people["eve"].post(f"/games/{game}/handovers/{made['id']}/accept", {}), 404, "not-found")


def test_offers_have_a_limit_for_each_player(make_app: MakeApp, database: Database) -> None:
    limited = replace(config_for(database), limits=replace(NO_LIMITS, handover_offers=Rate(1, 3600)))
    app = make_app(limited)
    ann, _ = Caller(app.test_client()).join("ann"), Caller(app.test_client()).join("bob")
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}).get_json()["id"]
    made = ann.post(f"/games/{game}/handovers", {"to": "bob"}).get_json()
    assert ann.delete(f"/games/{game}/handovers/{made['id']}").status_code == 204
    check_problem(ann.post(f"/games/{game}/handovers", {"to": "bob"}), 429, "too-many-requests")


def test_erasure_and_own_data_of_offers(app: Flask, people: dict[str, Caller], game: str) -> None:
    made, database = offer(people, game), services_of(app).accounts.database
    own: Any = handover_offers.own_data(database, made["to"])
    assert [(each["id"], each["made"], each["outcome"]) for each in own] == [
        (made["id"], made["made"][:19] + "Z", None)
    ]
    with database.transaction(writes=True) as transaction:
        handover_offers.erase_player(transaction, made["to"])
    assert handover_offers.own_data(database, made["to"]) == []


def test_lists_show_the_present_player(people: dict[str, Caller], game: str, app: Flask) -> None:
    hand_to_eve(people, game)
    services_of(app).followers.catch_up()
    (item,) = people["ann"].get("/games?player=eve").get_json()["items"]
    names = people["ann"].get("/games?player=eve").get_json()["names"]
    assert [names[seat["player"]] for seat in item["seats"]] == ["ann", "eve", "dan"]
    board = people["ann"].get(f"/games/{game}/scoreboard").get_json()
    assert [board["names"][player] for player in board["players"]] == ["ann", "eve", "dan"]


def test_a_host_sees_everybody_who_sat_in_the_export(people: dict[str, Caller], game: str) -> None:
    hand_to_eve(people, game)
    header = people["ann"].get(f"/games/{game}/export").data.split(b"\n")[0]
    assert all(name.encode() in header for name in (*PEOPLE, "eve"))
    audit = people["ann"].get(f"/games/{game}/audit").get_json()
    assert audit["verdict"]["code"] == 2


def test_a_private_game_is_seen_while_a_seat_of_it_is_offered(people: dict[str, Caller]) -> None:
    body = {"variant": "pitch", "seats": list(PEOPLE), "watch": {"public": False, "delay": 0}}
    game = str(people["ann"].post("/games", body).get_json()["id"])
    assert people["eve"].get(f"/games/{game}").status_code == 404
    made = offer(people, game)
    assert people["eve"].get(f"/games/{game}").status_code == 200
    assert people["eve"].post(f"/games/{game}/handovers/{made['id']}/decline", {}).status_code == 204
    assert people["eve"].get(f"/games/{game}").status_code == 404
    hand_to_eve(people, game)
    assert people["bob"].get(f"/games/{game}").status_code == 200
