"""A rematch: the players of a finished game are asked again, with the same options."""

from functools import partial
from typing import Any

import pytest

from tests.api.conftest import check_problem, services_of
from tests.forming.tables import People, opening_of, states
from tests.simultaneous import at_once

TABLES: dict[str, dict[str, Any]] = {
    "pitch": {"options": {"win": 21}, "timing": {"nag_days": 3}, "fairness": {"cuts": "open", "window_s": 5}},
    "setback": {"options": {}, "reveal": "game"},
    "blackout": {"options": {"inorder": True}},
    "corellian": {"options": {"randomizer": {"when": [1, 8], "end": None}}},
}


def play_out(people: People, *seats: str, **more: Any) -> str:
    """Let everybody sit down and resign, and return the game."""
    table = people.form(*seats, **more)
    for name in seats[1:]:
        if not name.startswith("bot:"):
            assert people.claim(name, table).status_code == 201
    for name in seats:
        if not name.startswith("bot:"):
            people[name].post(f"/games/{table['id']}/moves", {"type": "resign"})
    game: str = table["id"]
    assert people.nobody.get(f"/games/{game}").get_json()["status"] == "finished"
    return game


@pytest.mark.parametrize("variant", TABLES)
def test_a_rematch_copies_players_and_options(people: People, variant: str) -> None:
    game = play_out(people, "ann", "bob", "bot:simple", "bot:simple", variant=variant, **TABLES[variant])
    asked = people["bob"].post(f"/games/{game}/rematch", {})
    table = asked.get_json()
    assert (asked.status_code, table["rematch_of"]) == (201, game)
    assert sorted(states(table)) == sorted([
        ("asked", "ann"), ("claimed", "bob"), ("claimed", "bot:simple:2"), ("claimed", "bot:simple:3"),
    ])  # fmt: skip
    assert people.claim("ann", table).get_json()["view"]["status"] == "active"
    first, second = (opening_of(people, each)["data"] for each in (game, table["id"]))
    for field in ("variant", "options", "rules", "timing", "fairness", "reveal", "players"):
        assert second[field] == first[field]


def test_a_rematch_that_everybody_asks_for_starts_at_once(people: People) -> None:
    game = play_out(people, "ann", "bob", "cat")
    table = people["ann"].post("/games", {"rematch_of": game}).get_json()
    assert people["bob"].post(f"/games/{game}/rematch", {}).get_json()["id"] == table["id"]
    assert people["bob"].post(f"/games/{game}/rematch", {}).get_json()["status"] == "forming"
    started = people["cat"].post("/games", {"rematch_of": str(table["board"] - 1)})
    assert started.get_json()["view"]["status"] == "active"


def seat_at_once(people: People, *names: str) -> None:
    """Let everybody seat these players without asking them."""
    for name in names:
        assert people[name].ask("PUT", "/me/seating", {"at_once": True, "friends": []}).status_code == 200


@pytest.mark.both_stores
def test_players_who_are_seated_at_once_and_all_ask_for_a_rematch_get_one_game(people: People) -> None:
    game = play_out(people, "ann", "bob")
    seat_at_once(people, "ann", "bob")
    asked = at_once(*(partial(people[name].post, f"/games/{game}/rematch", {}) for name in ("ann", "bob") * 2))
    assert [answer.status_code for answer in asked] == [201] * 4
    (again,) = {answer.get_json()["id"] for answer in asked}
    assert people["ann"].post("/games", {"rematch_of": game}).get_json()["id"] == again, "while it's running"
    for name in ("ann", "bob"):
        people[name].post(f"/games/{again}/moves", {"type": "resign"})
    third = {people[name].post(f"/games/{game}/rematch", {}).get_json()["id"] for name in ("ann", "bob")}
    assert len(third) == 1
    assert third != {again}, "it's over, so the next one is another game"


def test_another_request_for_a_rematch_that_has_started_gets_its_game(people: People) -> None:
    game = play_out(people, "ann", "bob")
    table = people["ann"].post(f"/games/{game}/rematch", {}).get_json()
    people["bob"].post(f"/games/{game}/rematch", {})
    again = people["ann"].post(f"/games/{game}/rematch", {}).get_json()
    assert (again["id"], again["view"]["status"]) == (table["id"], "active")


def test_a_rematch_with_other_settings_keeps_the_rest(people: People) -> None:
    game = play_out(people, "ann", "bob", options={"win": 21, "around": "right"}, timing={"nag_days": 3}, reveal="game")
    pace = {"kind": "live", "base_s": 300, "increment_s": 5}
    other = {"options": {"win": 11}, "timing": {"pace": pace}, "undo": "none"}
    table = people["ann"].post(f"/games/{game}/rematch", other).get_json()
    # bob, with other wishes, isn't dealt in
    for asked in ({"options": {"win": 21}}, {"reveal": "hand"}, {"undo": "consent"}):
        refused = people["bob"].post("/games", {"rematch_of": game, **asked})
        check_problem(refused, 409, "other-settings")
    # with the same wishes, or none, the game starts
    started = people["bob"].post(f"/games/{game}/rematch", {"options": {"win": 11}})
    assert (started.status_code, started.get_json()["id"]) == (201, table["id"])
    first, second = (opening_of(people, each)["data"] for each in (game, table["id"]))
    assert (second["options"]["win"], second["timing"]["pace"]["base_s"]) == (11, 300)
    assert (second["timing"]["nag_days"], second["undo"]) == (7, "none"), "as without the game before"
    assert (first["options"]["around"], second["options"]["around"]) == ("right", "left")
    for field in ("variant", "reveal", "watch", "autopilot", "fairness"):
        assert second[field] == first[field]


@pytest.mark.parametrize(
    ("settings", "status", "slug"),
    [
        ({"options": {"win": 3}}, 409, "not-offered"),
        ({"reveal": "never"}, 409, "not-offered"),
        ({"options": []}, 400, "malformed"),
        ({"variant": "setback"}, 400, "malformed"),
        ({"chat": "loud"}, 400, "malformed"),
    ],
)
def test_settings_that_a_game_cannot_have_are_refused(
    people: People, settings: dict[str, Any], status: int, slug: str
) -> None:
    game = play_out(people, "ann", "bob")
    check_problem(people["ann"].post(f"/games/{game}/rematch", settings), status, slug)


@pytest.mark.parametrize("blocker", ["ann", "bob"])
def test_players_apart_by_a_block_ask_for_rematches_of_their_own(people: People, blocker: str) -> None:
    game = play_out(people, "ann", "bob", "cat")
    other = "bob" if blocker == "ann" else "ann"
    assert people[blocker].ask("PUT", f"/me/blocks/{other}").status_code == 204
    tables = [people[name].post(f"/games/{game}/rematch", {}).get_json() for name in ("ann", "bob")]
    assert [(table["status"], table["rematch_of"]) for table in tables] == [("forming", game)] * 2
    assert tables[0]["id"] != tables[1]["id"]
    assert [dict(states(table))["claimed"] for table in tables] == ["ann", "bob"]


def test_a_rematch_with_somebody_who_was_deleted_is_refused(people: People) -> None:
    game = play_out(people, "ann", "bob")
    accounts = services_of(people.app).accounts
    bob = accounts.users.by_name("bob")
    assert bob is not None
    accounts.erasures.erase(bob.id)
    refused = check_problem(people["ann"].post(f"/games/{game}/rematch", {}), 409, "no-such-player")
    assert refused["detail"] == "A player of that game has no account any more. Open a new game."


def test_only_players_of_a_finished_game_ask_for_a_rematch(people: People) -> None:
    running = people.open("ann", "bot:simple").get_json()["id"]
    check_problem(people["ann"].post(f"/games/{running}/rematch", {}), 409, "game-running")
    check_problem(people["bob"].post(f"/games/{running}/rematch", {}), 403, "not-seated")
    unknown = "00000000-0000-4000-8000-000000000000"
    check_problem(people["bob"].post(f"/games/{unknown}/rematch", {}), 404, "not-found")
    for body in ({"rematch_of": "x"}, {"rematch_of": running, "seats": ["ann"]}, {"rematch_of": 1}):
        check_problem(people["ann"].post("/games", body), 400, "malformed")


def test_an_end_that_has_passed_is_not_copied(people: People) -> None:
    ended = people.open("ann", "bot:simple", timing={"ends_at": "2026-01-01T00:00:00Z"}).get_json()
    assert ended["view"]["status"] == "finished"
    again = people["ann"].post(f"/games/{ended['id']}/rematch", {}).get_json()
    assert again["view"]["status"] == "active"


def test_a_repeated_request_for_a_rematch_opens_one_table(people: People) -> None:
    game = play_out(people, "ann", "bob")
    first = people["ann"].post(f"/games/{game}/rematch", {}, Idempotency_Key="k").get_json()
    assert people["ann"].post(f"/games/{game}/rematch", {}, Idempotency_Key="k").get_json() == first
