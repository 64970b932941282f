"""People who have asked to be deleted are at no table from then on, and can't be seated at another one."""

from typing import Any

import pytest

from tests.api.conftest import PASSWORD, check_problem
from tests.forming.tables import PITCH, People, states


def leave(people: People, name: str) -> None:
    """Ask for the deletion of somebody's account."""
    people.register(name)
    assert people[name].ask("DELETE", "/me", {"password": PASSWORD}).status_code == 202


@pytest.mark.parametrize("seating", [{}, {"at_once": True}], ids=["asked", "at once"])
def test_somebody_who_is_leaving_is_neither_asked_nor_seated(people: People, seating: dict[str, Any]) -> None:
    people["bob"].ask("PUT", "/me/seating", seating)
    game = people.open("ann", "bot:simple").get_json()["id"]
    leave(people, "bob")
    for path, body in (("/games", PITCH | {"seats": ["ann", "bob"]}), (f"/games/{game}/handovers", {"to": "bob"})):
        refused = check_problem(people["ann"].post(path, body), 409, "no-such-player")
        assert refused["detail"] == "bob is deleting their account, and can't be seated"
    restored = people.nobody.post("/me/restore", {"name": "bob", "password": PASSWORD})
    assert restored.status_code == 201
    assert people["ann"].post("/games", PITCH | {"seats": ["ann", "bob"]}).status_code == 201


def test_somebody_who_is_leaving_leaves_the_tables_that_form(people: People) -> None:
    claimed, asked, own = people.form("ann", "open"), people.form("ann", "bob", "open"), people.form("bob", "open")
    other = people.form("ann", "open", "open")
    people.claim("bob", other)
    leave(people, "bob")
    tables = [people["ann"].get(f"/games/{table['id']}").get_json() for table in (claimed, asked, other)]
    assert [[state for state, _ in states(table)] for table in tables] == [
        ["claimed", "open"], ["claimed", "invite", "open"], ["claimed", "open", "open"],
    ]  # fmt: skip
    check_problem(people["ann"].get(f"/games/{own['id']}"), 404, "not-found")
    check_problem(people.claim("ann", own), 404, "not-found")


def test_a_cancelled_table_of_somebody_who_comes_back_counts_no_more(people: People) -> None:
    table = people.form("bob", "open")
    leave(people, "bob")
    people.nobody.post("/me/restore", {"name": "bob", "password": PASSWORD})
    unfinished = people.app.extensions["trickbook"].accounts.boards.unfinished(table["opener"])
    assert unfinished == []
