"""Tables before the deal, seen with guests, tokens of other scopes, and the export of one's own data."""

from dataclasses import replace

from tests.api.conftest import PASSWORD, Caller, check_problem, services_of
from tests.forming.tables import People, opening_of, states


def arrive(people: People) -> tuple[Caller, str]:
    """Return a new guest and their name."""
    made = people.nobody.post("/guests", {}).get_json()
    return replace(people.nobody, token=made["token"]), made["name"]


def test_a_guest_takes_a_seat_and_the_game_is_not_rated(people: People) -> None:
    guest, name = arrive(people)
    table = people.form("ann", "open")
    started = guest.post(f"/games/{table['id']}/seats", {})
    assert started.status_code == 201
    assert name in started.get_json()["names"].values()
    assert opening_of(people, table["id"])["data"]["rated"] == {"counts": False, "reason": "guest"}


def test_a_guest_is_asked_like_anybody_else(people: People) -> None:
    guest, name = arrive(people)
    table = people["ann"].post("/games", {"variant": "pitch", "seats": ["ann", name]}).get_json()
    assert states(table)[1] == ("asked", name)
    assert [each["id"] for each in guest.get("/me/questions").get_json()["items"]] == [table["id"]]


def test_a_token_that_only_reads_takes_no_seat(people: People) -> None:
    table = people.form("ann", "bob", "open")
    body = {"name": "bob", "password": PASSWORD, "scope": "read"}
    reader = replace(people.nobody, token=people.nobody.post("/tokens", body).get_json()["token"])
    assert [each["id"] for each in reader.get("/me/questions").get_json()["items"]] == [table["id"]]
    assert reader.get("/me/seating").status_code == 200
    assert states(reader.get(f"/games/{table['id']}").get_json())[1] == ("asked", "bob")
    for method, path, sent in (
        ("POST", f"/games/{table['id']}/seats", {}), ("DELETE", f"/games/{table['id']}/seats/current", None),
        ("POST", "/games", {"variant": "pitch", "seats": ["bob", "open"]}), ("PUT", "/me/seating", {"at_once": True}),
    ):  # fmt: skip
        check_problem(reader.ask(method, path, sent), 403, "token-scope")


def test_a_table_whose_opener_was_deleted_names_nobody(people: People) -> None:
    table = people.form("ann", "open", "open")
    people.claim("bob", table)
    services_of(people.app).accounts.erasures.erase(table["opener"])
    left = people["bob"].get(f"/games/{table['id']}").get_json()
    assert (left["status"], left["names"][table["opener"]]) == ("cancelled", "deleted")
    assert states(left)[0] == ("invite", None)
    assert '"ann"' not in people["bob"].get(f"/games/{table['id']}").text
