"""The data that tables hold about a player can be exported, and goes with the player."""

from api.tables.stored.table_lists import erase_player, own_data
from tests.api.conftest import services_of
from tests.forming.tables import People, id_of, states


def test_a_player_who_is_erased_leaves_their_seats_and_tables(people: People) -> None:
    own, other = people.form("bob", "open"), people.form("ann", "bob", "open")
    bob, ann = id_of(other, "bob"), id_of(other, "ann")
    people["bob"].ask("PUT", "/me/seating", {"at_once": True, "friends": ["ann"]})
    accounts = services_of(people.app).accounts
    assert people["bob"].get("/me/export").get_json()["tables"]["seats"] == [own["id"]]
    assert own_data(accounts.database, bob) == {
        "opened_tables": [own["id"]],
        "seats": [own["id"]],
        "questions": [other["id"]],
        "friends": [ann],
        "seated_at_once": True,
    }
    with accounts.database.transaction(writes=True) as transaction:
        erase_player(transaction, bob)
    accounts_left = own_data(accounts.database, bob)
    assert accounts_left == {
        "opened_tables": [own["id"]], "seats": [], "questions": [], "friends": [], "seated_at_once": False,
    }  # fmt: skip
    assert not accounts.invited(other["id"], bob)
    assert states(people["ann"].get(f"/games/{other['id']}").get_json())[1] == ("invite", None)
    formed = accounts.forming.read(own["id"])
    assert formed is not None
    assert formed.status == "cancelled"
