"""Invitations: anybody with the link can take a seat, as often as it says, until it expires or is revoked."""

from tests.api.conftest import check_problem, services_of
from tests.forming.tables import People, states


def test_a_table_of_invited_players_is_hidden_from_others(people: People) -> None:
    table = people.form("ann", "invite", "bot:simple")
    assert people.nobody.get("/games?status=forming").get_json()["items"] == []
    for stranger in (people.nobody, people["bob"]):
        check_problem(stranger.get(f"/games/{table['id']}"), 404, "not-found")
    check_problem(people.claim("bob", table), 404, "not-found")
    assert people["ann"].get(f"/games/{table['id']}").status_code == 200


def test_an_invitation_shows_the_table_and_gives_a_seat_once(people: People) -> None:
    table = people.form("ann", "invite", "invite", "bot:simple")
    made = people.invitation("ann", table)
    assert (made["uses"], len(made["token"])) == (1, 22)
    assert people.nobody.get(made["path"].removeprefix("/api/v1")).get_json()["id"] == table["id"]
    joined = people.claim("bob", table, invitation=made["token"])
    assert states(joined.get_json())[1] == ("claimed", "bob")
    assert people.claim("bob", table, invitation=made["token"]).get_json() == joined.get_json()
    check_problem(people.claim("cat", table, invitation=made["token"]), 404, "not-found")
    check_problem(people.nobody.get(f"/invitations/{made['token']}"), 404, "not-found")
    assert people["bob"].get(f"/games/{table['id']}").status_code == 200
    other = people.invitation("ann", table)
    assert people.claim("cat", table, invitation=other["token"]).get_json()["view"]["you"]["seat"] == 2


def test_an_invitation_shows_what_became_of_its_table(people: People) -> None:
    dealt, ended = people.form("ann", "invite", "bot:simple"), people.form("ann", "invite")
    links = [people.invitation("ann", table, uses=2)["path"].removeprefix("/api/v1") for table in (dealt, ended)]
    token = links[0].removeprefix("/invitations/")
    assert people.nobody.get(links[0]).get_json()["status"] == "forming"
    assert people.claim("bob", dealt, invitation=token).status_code == 201
    assert people.nobody.get(links[0]).get_json()["status"] == "dealt"
    people["ann"].delete(f"/games/{ended['id']}")
    assert people["ann"].get(links[1]).get_json()["status"] == "cancelled"
    check_problem(people.nobody.get(links[1]), 404, "not-found")


def test_a_used_invitation_is_listed_without_its_token(people: People) -> None:
    table = people.form("ann", "invite", "invite", "invite")
    made = people.invitation("ann", table, uses=2, expires_s=3600)
    people.claim("bob", table, invitation=made["token"])
    listed = people["ann"].get(f"/games/{table['id']}/invitations")
    (item,) = listed.get_json()["items"]
    assert (item["id"], item["uses"], item["used"], item["revoked"]) == (made["id"], 2, 1, None)
    assert made["token"] not in listed.text
    check_problem(people["bob"].get(f"/games/{table['id']}/invitations"), 403, "forbidden")
    check_problem(people["bob"].post(f"/games/{table['id']}/invitations", {}), 403, "forbidden")


def test_a_revoked_invitation_is_worth_nothing(people: People) -> None:
    table = people.form("ann", "invite")
    made = people.invitation("ann", table)
    path = f"/games/{table['id']}/invitations/{made['id']}"
    assert people["ann"].delete(path).status_code == 204
    check_problem(people["ann"].delete(path), 404, "not-found")
    check_problem(people.claim("bob", table, invitation=made["token"]), 404, "not-found")


def test_an_expired_invitation_is_worth_nothing(people: People) -> None:
    table = people.form("ann", "invite")
    made = people.invitation("ann", table, expires_s=60)
    services_of(people.app).accounts.database.run("UPDATE table_invitations SET expires = 1")
    check_problem(people.claim("bob", table, invitation=made["token"]), 404, "not-found")


def test_an_invitation_is_for_one_table(people: People) -> None:
    table, other = people.form("ann", "invite"), people.form("ann", "invite")
    made = people.invitation("ann", other)
    check_problem(people.claim("bob", table, invitation=made["token"]), 404, "not-found")
    shown = people.form("ann", "open")
    check_problem(people.claim("bob", shown, invitation=made["token"]), 404, "not-found")
    assert people.claim("bob", other, invitation=made["token"]).status_code == 201


def test_a_block_outweighs_an_invitation(people: People) -> None:
    table, bob = people.form("ann", "invite"), people.form("bob", "open")
    made = people.invitation("ann", table)
    services_of(people.app).accounts.blocks.add(table["opener"], bob["opener"])
    check_problem(people.claim("bob", table, invitation=made["token"]), 409, "seat-taken")
    shown = [caller.get(f"/invitations/{made['token']}") for caller in (people["bob"], people.nobody)]
    assert shown[0].data == shown[1].data
    assert people.claim("cat", table, invitation=made["token"]).status_code == 201  # the refused claim used nothing


def test_nobody_is_invited_to_a_table_that_is_full(people: People) -> None:
    table = people.form("ann", "open")
    people["ann"].delete(f"/games/{table['id']}")
    check_problem(people["ann"].post(f"/games/{table['id']}/invitations", {}), 409, "table-closed")


def test_an_invitation_has_one_to_a_hundred_uses_and_at_least_a_minute(people: People) -> None:
    table = people.form("ann", "invite")
    for body in ({"uses": 0}, {"uses": 101}, {"expires_s": 59}, {"for": "bob"}):
        check_problem(people["ann"].post(f"/games/{table['id']}/invitations", body), 400, "malformed")


def test_those_who_were_asked_or_took_a_seat_are_invited_for_good(people: People) -> None:
    table = people.form("ann", "bob", "open")
    people["bob"].delete(f"/games/{table['id']}/seats/current")
    people.claim("cat", table)
    ids = {name: people.form(name, "open")["opener"] for name in ("ann", "bob", "cat", "dan")}
    accounts = services_of(people.app).accounts
    assert [name for name in ids if accounts.invited(table["id"], ids[name])] == ["ann", "bob", "cat"]
