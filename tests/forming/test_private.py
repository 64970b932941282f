"""Private tables: seen by those who were asked or took a seat, before the deal and after it."""

from typing import Any

from tests.api.conftest import check_problem
from tests.forming.tables import People, opening_of

PRIVATE: dict[str, Any] = {"watch": {"public": False, "delay": 0}}


def test_an_open_seat_at_a_private_table_is_not_shown_to_everybody(people: People) -> None:
    table = people.form("ann", "open", **PRIVATE)
    assert table["watch"] == PRIVATE["watch"]
    assert people["bob"].get("/games?status=forming").get_json()["items"] == []
    check_problem(people["bob"].get(f"/games/{table['id']}"), 404, "not-found")
    made = people.invitation("ann", table)
    assert people.claim("bob", table, invitation=made["token"]).get_json()["view"]["you"]["seat"] == 1


def test_a_player_who_declined_may_watch_a_private_game(people: People) -> None:
    table = people.form("ann", "bob", **PRIVATE)
    people["bob"].delete(f"/games/{table['id']}/seats/current")
    made = people.invitation("ann", table)
    people.claim("cat", table, invitation=made["token"])
    assert people["bob"].get(f"/games/{table['id']}").get_json()["status"] == "active"
    check_problem(people["dan"].get(f"/games/{table['id']}"), 404, "not-found")


def test_a_private_game_is_not_rated(people: People) -> None:
    table = people.form("ann", "bob", **PRIVATE)
    people.claim("bob", table)
    lines = people["ann"].get(f"/games/{table['id']}/export").text
    assert '"rated":{"counts":false,"reason":"private"}' in lines
    public = people.form("ann", "bob")
    people.claim("bob", public)
    assert opening_of(people, public["id"])["data"]["rated"] is None


def test_practice_is_the_reason_of_a_table_for_practice(people: People) -> None:
    opened = people.open("ann", "bot:simple", undo="practice").get_json()
    assert opening_of(people, opened["id"])["data"]["rated"] == {"counts": False, "reason": "practice"}
    check_problem(people.open("ann", "open", undo="practice"), 409, "not-offered")
    people["ann"].post(f"/games/{opened['id']}/moves", {"type": "resign"})
    again = people["ann"].post(f"/games/{opened['id']}/rematch", {}).get_json()
    assert opening_of(people, again["id"])["data"]["undo"] == "practice"
