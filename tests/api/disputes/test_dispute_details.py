"""The details of a dispute: the accused and evidence, kept beside the log with the text (docs/disputes.md)."""

from hashlib import sha256
from typing import Any

from flask import Flask

from tests.api.conftest import check_problem, services_of
from tests.api.disputed_table import TEXT, DisputedTable

DETAILS = {"revokes": [38], "accused": {"trick": 2, "seat": 2, "card": "10C"}, "draws": []}
CANONICAL = '{"accused":{"card":"10C","seat":2,"trick":2},"draws":[],"revokes":[38]}'


def test_details_are_shown_with_the_text_and_the_note_covers_them(here: DisputedTable) -> None:
    here.contest(details=DETAILS)
    for caller in (here.table.by(1), here.ann):
        opened = here.items(caller)[0]["opened"]
        assert opened["details"] == DETAILS
        whole = f"{TEXT}\n{CANONICAL}".encode()
        assert sha256(bytes.fromhex(opened["salt"]) + whole).hexdigest() == opened["note"]
    assert "details" not in here.items(here.nobody)[0]["opened"]
    assert b"accused" not in b"".join(here.log)


def test_other_seats_get_details_about_a_live_hand_after_it(here: DisputedTable) -> None:
    here.contest(hand=2, details=DETAILS)
    assert "details" not in here.items(here.table.by(2))[0]["opened"]
    assert here.items(here.table.by(1))[0]["opened"]["details"] == DETAILS
    for seat in (0, 2):
        here.table.when(seat, {"type": "resign"}).happens()
    assert here.items(here.table.by(2))[0]["opened"]["details"] == DETAILS


def test_details_are_erased_with_the_text(here: DisputedTable, app: Flask) -> None:
    here.contest(details=DETAILS)
    exported = here.table.by(1).get("/me/export").get_json()["dispute_texts"]
    assert [(each["text"], each["details"]) for each in exported] == [(TEXT, DETAILS)]
    assert here.mod.delete(here.path + "/1/texts").status_code == 204
    assert "details" not in here.items(here.ann)[0]["opened"]
    assert services_of(app).accounts.database.run("SELECT text, details FROM texts") == [(None, None)]


INVALID: list[dict[str, Any] | None] = [
    *({"accused": accused} for accused in ({"seat": 3}, {"seat": -1}, {"trick": 2})),
    *({"accused": {"seat": 1} | more} for more in ({"card": "1C"}, {"trick": 0})),
    *({"revokes": [0]}, {"draws": list(range(1, 100))}, {"other": 1}, None),
]


def test_details_that_cannot_be_are_refused_and_nothing_is_stored(here: DisputedTable, app: Flask) -> None:
    for details in INVALID:
        check_problem(here.contest(details=details), 400, "malformed")
        assert services_of(app).accounts.database.run("SELECT COUNT(*) FROM texts") == [(0,)]
