"""`trickbook table`: a host lists, shows and cancels the tables that wait for players."""

import json

import pytest

from api.config import Config
from tests.commands import run
from tests.forming.tables import People


def test_a_host_lists_and_shows_tables(people: People, config: Config) -> None:
    assert "There are no such tables." in run("table", "list", at=config).output
    table = people.form("ann", "bob", "open")
    people.invitation("ann", table)
    listed = run("table", "list", "--json", at=config)
    (shown,) = json.loads(listed.stdout)
    assert (shown["id"], shown["names"][shown["opener"]], shown["status"]) == (table["id"], "ann", "forming")
    assert "ann, bob, open" in run("table", "list", at=config).output
    whole = json.loads(run("table", "show", str(table["board"]), at=config).stdout)
    assert [seat["state"] for seat in whole["seats"]] == ["claimed", "asked", "open"]
    assert [invitation["is_revoked"] for invitation in whole["invitations"]] == [False]


@pytest.mark.both_stores
def test_a_host_cancels_a_table(people: People, config: Config) -> None:
    table = people.form("ann", "open")
    assert run("table", "cancel", table["id"], "--yes", at=config).output == f"cancelled table {table['board']}\n"
    again = run("table", "cancel", table["id"], "--yes", at=config)
    assert (again.exit_code, "it's cancelled" in again.output) == (2, True)
    assert "table-cancelled" in run("user", "log", at=config).output
    assert run("table", "list", "--json", at=config).stdout.strip() == "[]"
    assert len(json.loads(run("table", "list", "--all", "--json", at=config).stdout)) == 1


def test_a_table_that_never_waited_is_named(people: People, config: Config) -> None:
    game = people.open("ann", "bot:simple").get_json()
    for name, message in ((str(game["board"]), "There is no table 1"), ("99", "There is no board 99")):
        refused = run("table", "show", name, at=config)
        assert (refused.exit_code, message in refused.output) == (2, True), refused.output
