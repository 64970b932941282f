"""The texts and details of disputes: who reads them, when, and how a moderator erases them (docs/disputes.md)."""

import re
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from api.people.stored import roles
from tests.api.arbiters import (
    STATEMENT,
    created,
    get_disputes,
    give_ruling,
    open_dispute,
    open_disputed_game,
)
from tests.api.conftest import PASSWORD, Caller, check_problem, services_of
from tests.api.disputed_table import GROUNDS, TEXT, DisputedTable, give_role
from tests.api.live_server import GameServer


def test_trust_2_other_seats_read_a_text_about_a_hand_after_the_hand(here: DisputedTable) -> None:
    here.contest(hand=2)
    here.rule("none")
    (item,) = here.items(here.table.by(2))
    hidden = {"text": None, "salt": None, "erased": False, "withheld": True}
    assert {name: item["opened"][name] for name in hidden} == hidden
    assert (item["ruling"]["text"], item["ruling"]["withheld"]) == (GROUNDS, False)
    assert TEXT.encode() not in here.table.by(2).get(here.path).data
    for seat in (0, 2):
        here.table.when(seat, {"type": "resign"}).happens()
    (item,) = here.items(here.table.by(2))
    assert (item["opened"]["text"], item["opened"]["withheld"]) == (TEXT, False)


def test_an_appeal_needs_no_text(here: DisputedTable) -> None:
    here.contest()
    here.rule("none")
    here.appeal(2)
    (item,) = here.items(here.ann)
    assert (item["appeal"]["seat"], item["appeal"]["text"], item["appeal"]["erased"]) == (2, None, False)


def test_a_refused_dispute_stores_no_text(here: DisputedTable, app: Flask) -> None:
    here.contest()
    check_problem(here.contest(), 409, "already-disputed")
    check_problem(here.contest(hand=9), 409, "not-a-dispute")
    assert services_of(app).accounts.database.run("SELECT COUNT(*) FROM texts") == [(1,)]


def test_only_the_parties_and_arbiters_read_texts(server: GameServer) -> None:
    game = open_disputed_game(server)
    created(open_dispute(game, 0))
    created(give_ruling(game, "rhea", "none"))
    for caller in (game.seats[0], server["rhea"], server["sol"]):
        (item,) = get_disputes(game, caller)
        assert (item["opened"]["text"], item["ruling"]["text"], item["status"]) == (STATEMENT, GROUNDS, "ruled")
        for told in (item["opened"], item["ruling"]):
            assert sha256(bytes.fromhex(told["salt"]) + told["text"].encode()).hexdigest() == told["note"]
            event = next(each for each in game.read().events if each["version"] == told["version"])
            assert event["data"]["note"] == told["note"]
    for seat in (1, 2):
        opened = get_disputes(game, game.seats[seat])[0]["opened"]
        assert (opened["text"], opened["salt"], opened["withheld"]) == (None, None, True)
    game.play_hand()
    for seat in (1, 2):
        (item,) = get_disputes(game, game.seats[seat])
        assert (item["opened"]["text"], item["opened"]["withheld"], item["ruling"]["text"]) == (
            STATEMENT,
            False,
            GROUNDS,
        )
    for caller in (server.nobody, server["eve"], server["mod"]):
        answer = caller.get(f"{game.path}/disputes")
        assert (answer.status_code, "looked into" in answer.text, GROUNDS in answer.text) == (200, False, False)
        (item,) = answer.get_json()["items"]
        assert (item["status"], item["opened"].get("text")) == ("ruled", None)
    for path in ("/export", "/events", "/audit", "", "/commits", "/hands/1/transcript", "/scoreboard"):
        assert "looked into" not in game.seats[0].get(game.path + path).text, "no free text is a fact"


def test_erased_texts_are_in_no_file_and_no_output(server: GameServer) -> None:
    game = open_disputed_game(server)
    created(open_dispute(game, 0))
    created(give_ruling(game, "rhea", "none"))
    before = game.export()
    for caller in (server["rhea"], server["eve"], *game.seats.values()):
        check_problem(caller.delete(f"{game.path}/disputes/1/texts"), 403, "forbidden")
    check_problem(server.nobody.delete(f"{game.path}/disputes/1/texts"), 401, "unauthorized")
    assert get_disputes(game, game.seats[0])[0]["opened"]["text"] == STATEMENT
    for _ in range(2):
        assert server["mod"].delete(f"{game.path}/disputes/1/texts").status_code == 204
    assert game.export() == before
    game.play_hand()
    for caller in (*game.seats.values(), server["rhea"]):
        (item,) = get_disputes(game, caller)
        for part in ("opened", "ruling"):
            assert (item[part]["text"], item[part]["salt"], item[part]["erased"]) == (None, None, True)
    assert STATEMENT not in server.command("dispute", "show", game.id, "1").output
    assert b"looked into" not in b"".join(each.read_bytes() for each in server.config.data.glob("*.db"))


@pytest.mark.parametrize("scope", ["play", "moderate"])
@pytest.mark.parametrize("name", ["p1", "ann"])
def test_no_moderator_erases_the_texts_of_a_dispute_in_which_they_have_a_part(
    here: DisputedTable, app: Flask, name: str, scope: str
) -> None:
    """Neither the accused at seat 1, nor the arbiter who gave the ruling, with either kind of token."""
    created(here.contest(2))
    created(here.rule("none"))
    give_role(app, name, roles.MODERATOR)
    token = here.nobody.post("/tokens", {"name": name, "password": PASSWORD, "scope": scope}).get_json()["token"]
    refused = replace(here.nobody, token=token).delete(f"{here.path}/1/texts")
    assert "Ask another moderator" in str(check_problem(refused, 403, "forbidden")["detail"])
    assert here.items(here.ben)[0]["opened"]["text"] == TEXT
    assert here.nobody.get("/moderation/log").get_json()["items"] == []


def test_the_moderation_log_names_erased_texts_by_their_notes(here: DisputedTable) -> None:
    created(here.contest())
    created(here.rule("none"))
    shown = here.items(here.ann)[0]
    for _ in range(2):
        assert here.mod.delete(here.path + "/1/texts").status_code == 204
    (item,) = here.nobody.get("/moderation/log").get_json()["items"]
    assert (item["entry"]["act"], item["entry"]["by"]) == ("erase", here.mod.get("/me").get_json()["id"])
    assert item["entry"]["notes"] == [shown[part]["note"] for part in ("opened", "ruling")]
    assert here.table.game not in str(item), "a game may be private"


def test_an_arbiter_who_plays_reads_no_more_than_the_other_seats(server: GameServer) -> None:
    game = server.open(["rhea", "ann", "bob"], options={"win": 21})
    created(open_dispute(game, 1))
    for _ in range(2):
        (item,) = get_disputes(game, server["rhea"])
        assert (item["opened"]["text"], item["opened"]["withheld"]) == (None, True)
        assert give_ruling(game, "rhea", "none").status_code == 403
        game.move(0, {"type": "resign"})
    assert get_disputes(game, game.seats[1])[0]["opened"]["text"] == STATEMENT


def test_a_text_holds_no_terminal_control_characters_when_it_is_shown(server: GameServer) -> None:
    """A text is data: it is stored and shown as it was sent, except for control characters."""
    table = server.open(["ann", "bob"])
    said = "\u202etfel <b>&amp; =cmd|' /C calc'!A0 '; DROP TABLE texts; -- \U0001f0a1 \u200b \u0661"
    assert table.seats[0].post(f"{table.path}/disputes", {"hand": 1, "kind": "other", "text": said}).status_code == 201
    (item,) = server["rhea"].get(f"{table.path}/disputes").get_json()["items"]
    assert item["opened"]["text"] == said
    for text in ("a\x1b[31mb", "a\x00b", "a\r\nb", "a\x7fb", "a\x9bb"):
        answer = table.seats[1].post(f"{table.path}/disputes", {"hand": 1, "kind": "other", "text": text})
        if answer.status_code == 201:
            shown = server.command("dispute", "show", table.id, "2").output
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown), repr(shown)
    assert table.public["status"] == "active"


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


def put_answer(here: DisputedTable, seat: int, text: str, dispute: int = 1) -> TestResponse:
    return here.table.by(seat).ask("PUT", f"{here.path}/{dispute}/answer", {"text": text})


def answers(here: DisputedTable, caller: Caller) -> list[tuple[int, str | None, bool]]:
    """Return the seat and the text of each answer that somebody reads, and whether it's withheld from them."""
    return [(each["seat"], each["text"], each["withheld"]) for each in here.items(caller)[0]["answers"]]


@pytest.mark.both_stores
def test_the_accused_and_others_answer_in_words_until_the_ruling(here: DisputedTable) -> None:
    created(here.contest(1, details=DETAILS))
    check_problem(put_answer(here, 1, "myself"), 403, "forbidden")
    check_problem(put_answer(here, 2, "x", dispute=2), 404, "no-such-dispute")
    check_problem(here.ann.ask("PUT", f"{here.path}/1/answer", {"text": "x"}), 403, "not-seated")
    check_problem(put_answer(here, 2, "x" * 2001), 400, "malformed")
    assert [put_answer(here, *said).status_code for said in ((2, "I had none"), (0, "true"), (2, "I had no club"))] == [
        204, 204, 204,
    ]  # fmt: skip
    for seat in (0, 2):
        here.table.when(seat, {"type": "resign"}).happens()
    for reader in (here.ann, here.table.by(1)):
        assert answers(here, reader) == [(0, "true", False), (2, "I had no club", False)]
    assert "answers" not in here.items()[0], "others read no text"
    created(here.rule("none"))
    check_problem(put_answer(here, 2, "late"), 409, "already-ruled")
    created(here.appeal(2))
    assert put_answer(here, 0, "still true").status_code == 204
    created(here.decide("upheld"))
    check_problem(put_answer(here, 0, "late"), 409, "already-ruled")
    assert answers(here, here.ann) == [(2, "I had no club", False), (0, "still true", False)]
    assert b"club" not in b"".join(here.log)


def test_no_other_seat_reads_an_answer_while_a_hand_is_played(here: DisputedTable) -> None:
    created(here.contest(1))
    put_answer(here, 2, "I held the king")
    assert answers(here, here.table.by(2)) == [(2, "I held the king", False)]
    assert answers(here, here.table.by(1)) == [(2, None, True)]
    assert answers(here, here.ann) == [(2, "I held the king", False)], "an arbiter doesn't play"


def test_an_answer_is_erased_with_the_texts_and_stays_so(here: DisputedTable) -> None:
    created(here.contest(1))
    put_answer(here, 2, "an insult")
    assert here.table.by(2).get("/me/export").get_json()["dispute_texts"][0]["text"] == "an insult"
    assert here.mod.delete(here.path + "/1/texts").status_code == 204
    assert [(each["text"], each["erased"]) for each in here.items(here.ann)[0]["answers"]] == [(None, True)]
    check_problem(put_answer(here, 2, "an insult"), 403, "forbidden")
    (item,) = here.nobody.get("/moderation/log").get_json()["items"]
    assert len(item["entry"]["notes"]) == 2
