"""R-P1, R-P2: people are asked before they are seated, unless they or the host allow it."""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api.config import Config
from tests.api.conftest import MakeApp, check_problem, services_of
from tests.forming.tables import People, id_of, states
from tests.plugins.statements import METHODS


@pytest.mark.both_stores
def test_R_P2_a_named_player_is_asked_and_the_game_starts_when_they_sit_down(people: People) -> None:
    table = people.form("ann", "bob", "bot:simple")
    assert states(table) == [("claimed", "ann"), ("asked", "bob"), ("claimed", "bot:simple:2")]
    (question,) = people["bob"].get("/me/questions").get_json()["items"]
    assert question["id"] == table["id"]
    assert services_of(people.app).labels.of([table["id"]]) == {table["id"]: (table["board"], "pitch")}
    started = people.claim("bob", table)
    body = started.get_json()
    assert (started.status_code, body["id"], body["board"]) == (201, table["id"], table["board"])
    assert body["view"]["you"]["seat"] == 1
    assert people["bob"].get("/me/questions").get_json()["items"] == []
    assert people["ann"].get(f"/games/{table['id']}/seats/0").status_code == 200


def test_R_P2_a_player_who_declines_frees_the_seat_for_somebody_with_an_invitation(people: People) -> None:
    table = people.form("ann", "bob")
    assert people["bob"].delete(f"/games/{table['id']}/seats/current").status_code == 204
    assert states(people["ann"].get(f"/games/{table['id']}").get_json()) == [("claimed", "ann"), ("invite", None)]
    assert people["bob"].get("/me/questions").get_json()["items"] == []
    check_problem(people.claim("bob", table), 409, "seat-taken")


@pytest.mark.parametrize("allowed", [{"at_once": True}, {"friends": ["ann"]}], ids=["anybody", "friends"])
def test_R_P1_players_who_allow_the_opener_are_seated_at_once(people: People, allowed: dict[str, object]) -> None:
    people.register("ann")
    assert people["bob"].ask("PUT", "/me/seating", allowed).status_code == 200
    assert people.open("ann", "bob").get_json()["view"]["status"] == "active"
    by_cat = people.open("cat", "bob")
    assert by_cat.get_json().get("status") == ("forming" if "friends" in allowed else None)


def test_seating_is_read_as_it_was_set(people: People) -> None:
    assert people["bob"].get("/me/seating").get_json() == {"at_once": False, "friends": []}
    people.register("ann", "cat")
    seating = {"at_once": False, "friends": ["ann", "cat"]}
    assert people["bob"].ask("PUT", "/me/seating", seating).get_json() == seating
    assert people["bob"].ask("PUT", "/me/seating", {"at_once": True}).get_json() == {"at_once": True, "friends": []}
    assert people["bob"].get("/me/seating").get_json() == {"at_once": True, "friends": []}
    check_problem(people["bob"].ask("PUT", "/me/seating", {"friends": ["nobody"]}), 409, "no-such-player")
    check_problem(people["bob"].ask("PUT", "/me/seating", {"at_once": "yes"}), 400, "malformed")


NAMES = ("ann", "cat", "dan", "eve", "fay")


@pytest.mark.both_stores
@pytest.mark.parametrize(
    "ask",
    [
        lambda bob, names: bob.ask("PUT", "/me/seating", {"friends": [*names] * 40}),
        lambda bob, names: bob.post("/messages", {"to": [*names] * 2, "text": "hello"}),
        lambda bob, names: bob.get("/games?status=forming&" + "&".join(f"player={name}" for name in names)),
    ],
    ids=["friends", "readers", "filter"],
)
def test_attack_156_a_list_of_names_is_one_question(people: People, ask: Callable[..., TestResponse]) -> None:
    people.register(*NAMES)
    bob, asked, accounts = people["bob"], Counter[int](), services_of(people.app).accounts
    accounts.tokens.timer = accounts.steps.timer = lambda: 0.0  # what is known of a caller gets no older

    def note(frame: FrameType, event: str, _: object) -> None:
        asked[count] += event == "call" and "store/sql" in frame.f_code.co_filename and frame.f_code.co_name in METHODS

    for count in (1, len(NAMES)):
        ask(bob, NAMES[:count])  # what is asked once isn't counted
        sys.setprofile(note)
        answer = ask(bob, NAMES[:count])
        sys.setprofile(None)
        assert answer.status_code < 300, answer.text
    assert asked[1] == asked[len(NAMES)] > 0


def test_R_P1_a_host_may_seat_named_players_at_once(config: Config, make_app: MakeApp) -> None:
    people = People(make_app(replace(config, seating="at-once")))
    assert people.open("ann", "bob").get_json()["view"]["status"] == "active"
    assert people.form("ann", "bob", "open")["status"] == "forming"


@pytest.mark.parametrize("blocker", ["ann", "bob"])
@pytest.mark.parametrize("seating", ["asked", "at-once"])
def test_a_block_makes_a_player_who_does_not_answer(
    config: Config, make_app: MakeApp, blocker: str, seating: str
) -> None:
    app = make_app(replace(config, seating="at-once" if seating == "at-once" else "asked"))
    people = People(app)
    unblocked = people.form("ann", "bob", "open")
    ids = {name: id_of(unblocked, name) for name in ("ann", "bob")}
    people["bob"].ask("PUT", "/me/seating", {"at_once": True})
    other = "bob" if blocker == "ann" else "ann"
    services_of(app).accounts.blocks.add(ids[blocker], ids[other])
    table = people.form("ann", "bob", "open")
    assert states(table) == [("claimed", "ann"), ("asked", "bob"), ("open", None)]
    assert table["id"] not in [each["id"] for each in people["bob"].get("/me/questions").get_json()["items"]]
    refused = people.claim("bob", table)
    check_problem(refused, 409, "seat-taken")
    game, lists = f"/games/{table['id']}", "/games?status=forming"
    for path in (game, lists) if blocker == "ann" else (game,):  # one's own block closes tables out of one's own lists
        assert people["bob"].get(path).data == people["cat"].get(path).data
    assert people.claim("cat", table, seat=1).data == refused.data  # a seat that others can't take
    check_problem(people["bob"].delete(f"/games/{table['id']}/seats/current"), 409, "seat-taken")


def test_two_players_apart_by_a_block_are_not_seated_together_by_a_third(people: People) -> None:
    for name in ("bob", "cat"):
        people[name].ask("PUT", "/me/seating", {"at_once": True})
    assert people.open("ann", "bob", "cat").get_json()["view"]["status"] == "active"
    assert people["bob"].ask("PUT", "/me/blocks/cat").status_code == 204
    for seats in (("ann", "bob", "cat"), ("ann", "cat", "bob")):
        table = people.form(*seats)
        assert states(table) == [("claimed", "ann"), ("claimed", seats[1]), ("asked", seats[2])]
        assert people[seats[2]].get("/me/questions").get_json()["items"] == []
        assert table["id"] not in [each.note.about for each in services_of(people.app).accounts.outbox.after(0, 99)]
        check_problem(people[seats[2]].get(f"/games/{table['id']}"), 404, "not-found")


def test_a_block_keeps_a_player_from_a_table_where_the_other_sits(people: People) -> None:
    table = people.form("ann", "open", "open")
    assert people.claim("bob", table).status_code == 201
    joined = people["ann"].get(f"/games/{table['id']}").get_json()
    cat = people.form("cat", "open")
    services_of(people.app).accounts.blocks.add(id_of(cat, "cat"), id_of(joined, "bob"))
    check_problem(people.claim("cat", table), 409, "seat-taken")
    assert people["bob"].get(f"/games/{table['id']}").status_code == 200


def test_a_question_asked_across_a_block_shows_no_private_table(people: People) -> None:
    private: dict[str, Any] = {"watch": {"public": False, "delay": 0}}
    bob, ann = people.form("bob", "open"), people.form("ann", "open")
    services_of(people.app).accounts.blocks.add(bob["opener"], ann["opener"])
    table = people.form("ann", "bob", "cat", **private)
    assert people["ann"].post(f"/games/{table['id']}/start", {"bots": "bot:simple"}).status_code == 201
    check_problem(people["bob"].get(f"/games/{table['id']}"), 404, "not-found")
    assert people["cat"].get(f"/games/{table['id']}").status_code == 200


def test_a_block_made_after_the_question_leaves_a_table_that_asks_somebody_else(people: People) -> None:
    table = people.form("ann", "bob", "cat")
    services_of(people.app).accounts.blocks.add(table["opener"], id_of(table, "bob"))
    assert people["bob"].get("/me/questions").get_json()["items"] == []
    assert states(people["bob"].get(f"/games/{table['id']}").get_json())[1] == ("asked", None)
    check_problem(people.claim("bob", table), 409, "seat-taken")
    assert states(people["ann"].get(f"/games/{table['id']}").get_json())[1] == ("asked", "bob")


def test_the_name_of_a_player_who_is_asked_is_shown_to_the_players_alone(people: People) -> None:
    table = people.form("ann", "bob", "open")
    for name in ("ann", "bob"):
        assert states(people[name].get(f"/games/{table['id']}").get_json())[1] == ("asked", "bob")
    for stranger in (people.nobody, people["cat"]):
        shown = stranger.get(f"/games/{table['id']}")
        assert states(shown.get_json())[1] == ("asked", None)
        assert id_of(table, "bob") not in shown.text


def test_R_P1_a_friend_is_a_person_and_not_the_next_player_of_that_name(people: People) -> None:
    people.register("ann", "bob")
    people["bob"].ask("PUT", "/me/seating", {"friends": ["ann"]})
    accounts = services_of(people.app).accounts
    ann = accounts.users.by_name("ann")
    assert ann is not None
    accounts.erasures.erase(ann.id)
    people.callers.pop("ann")
    answer = people.open("ann", "bob")
    assert answer.get_json()["status"] == "forming", "bob is asked"


def test_lists_say_first_what_a_watcher_may_see(people: People) -> None:
    watch = {"public": True, "delay": 7}
    people.form("ann", "open", watch=watch)
    game = people.open("bob", "bot:simple", watch=watch).get_json()["id"]
    followers = services_of(people.app).followers
    followers.catch_up()
    for query in ("", "?status=forming"):
        (item,) = people.nobody.get(f"/games{query}").get_json()["items"]
        assert item["watch"] == watch
        assert (item["id"] == game) is not bool(query)
