"""Tables that form: what may be seen, claimed, left, started, cancelled, and what a repeated request answers."""

from typing import Any

import pytest

from api.tables.stored.seats import TABLES
from tests.api.conftest import check_problem, services_of
from tests.forming.tables import PITCH, People, opening_of, states


def test_a_forming_table_has_no_version_no_log_and_a_revision(people: People) -> None:
    table = people.form("ann", "open", timing={"nag_days": 3})
    read = people.nobody.get(f"/games/{table['board']}")
    body = read.get_json()
    assert (read.headers["ETag"], body["version"], body["status"]) == ('"0.1"', 0, "forming")
    assert (body["variant"], body["options"]["win"], body["options"]["settle"]) == ("pitch", 7, "bid_first")
    assert (body["undo"], body["chat"]) == ("consent", "open")
    assert body["timing"] == {"nag_days": 3, "forfeit_days": 21, "total_days": None, "ends_at": None, "pace": None}
    assert body["seats"] == [
        {"seat": 0, "kind": "human", "player": body["opener"], "state": "claimed"},
        {"seat": 1, "kind": "open", "player": None, "state": "open"},
    ]
    again = people.nobody.get(f"/games/{table['id']}", If_None_Match='"0.1"')
    assert (again.status_code, again.headers["ETag"]) == (304, '"0.1"')
    for path in ("export", "events", "seats/0", "receipt", "audit"):
        check_problem(people["ann"].get(f"/games/{table['id']}/{path}"), 404, "not-found")


def test_a_move_at_a_forming_table_is_refused(people: People) -> None:
    table = people.form("ann", "open")
    check_problem(people["ann"].post(f"/games/{table['id']}/moves", {"text": "2"}), 409, "forming")
    move = people["ann"].post(f"/games/{table['id']}/moves", {"text": "2"}, If_Match='"0.1"')
    check_problem(move, 409, "forming")
    hidden = people.form("ann", "invite")
    check_problem(people["bob"].post(f"/games/{hidden['id']}/moves", {"text": "2"}), 404, "not-found")
    started = people.claim("bob", table).get_json()
    stale = people["ann"].post(f"/games/{started['id']}/moves", {"text": "2"}, If_Match='"0.1"')
    check_problem(stale, 412, "stale-version")


def test_a_seat_is_claimed_once_and_left_again(people: People) -> None:
    table = people.form("ann", "open", "open", "open")
    first = people.claim("bob", table, seat=2)
    assert (first.status_code, first.headers["ETag"]) == (201, '"0.2"')
    assert people.claim("bob", table).get_json() == first.get_json()
    check_problem(people.claim("bob", table, seat=3), 409, "seat-taken")
    check_problem(people.claim("cat", table, seat=2), 409, "seat-taken")
    check_problem(people.claim("cat", table, seat=0), 409, "seat-taken")
    assert people["bob"].delete(f"/games/{table['id']}/seats/current").status_code == 204
    check_problem(people["bob"].delete(f"/games/{table['id']}/seats/current"), 409, "seat-taken")
    assert states(people.claim("cat", table, seat=2).get_json())[2] == ("claimed", "cat")


def test_a_claim_may_depend_on_the_revision(people: People) -> None:
    table = people.form("ann", "open", "open")
    path = f"/games/{table['id']}/seats"
    check_problem(people["bob"].post(path, {}, If_Match='"0.2"'), 412, "stale-version")
    check_problem(people["bob"].post(path, {}, If_Match='"1"'), 400, "malformed")
    assert people["bob"].post(path, {}, If_Match='"0.1"').status_code == 201


def test_a_full_table_closes_and_its_game_is_opened_by_the_opener(people: People) -> None:
    table = people.form("open", "open", by="ann")
    assert people.claim("bob", table).get_json()["status"] == "forming"
    started = people.claim("cat", table)
    body = started.get_json()
    assert body["view"]["you"]["seat"] == 1
    assert started.headers["Location"] == f"/api/v1/games/{table['id']}"
    opened = opening_of(people, table["id"])
    assert (opened["fact"], opened["by"]) == ("GameOpened", table["opener"])
    assert opened["data"]["rated"] is None
    repeated = people.claim("cat", table).get_json()
    assert repeated["version"] == body["version"]
    check_problem(people.claim("dan", table), 409, "table-closed")
    check_problem(people["cat"].delete(f"/games/{table['id']}/seats/current"), 409, "table-closed")
    check_problem(people["ann"].delete(f"/games/{table['id']}"), 409, "table-closed")


def test_the_opener_starts_with_bots_in_the_empty_seats(people: People) -> None:
    table = people.form("ann", "open", "invite", "bob")
    check_problem(people["bob"].post(f"/games/{table['id']}/start", {"bots": "bot:simple"}), 403, "forbidden")
    refused = check_problem(people["ann"].post(f"/games/{table['id']}/start", {}), 409, "seats-empty")
    assert "seat 1, 2, 3" in str(refused["detail"])
    check_problem(people["ann"].post(f"/games/{table['id']}/start", {"bots": "bot:best"}), 400, "malformed")
    started = people["ann"].post(f"/games/{table['id']}/start", {"bots": "bot:simple"}, If_Match='"0.1"')
    body = started.get_json()
    assert started.status_code == 201
    assert [seat["kind"] for seat in body["view"]["seats"]] == ["human", "bot", "bot", "bot"]
    event = opening_of(people, table["id"])
    assert event["data"]["rated"] == {"counts": False, "reason": "bots"}


def test_a_table_without_a_person_does_not_start(people: People) -> None:
    table = people.form("open", "bot:simple", by="ann")
    check_problem(people["ann"].post(f"/games/{table['id']}/start", {"bots": "bot:simple"}), 409, "no-person")
    assert people["ann"].get(f"/games/{table['id']}").get_json()["status"] == "forming"


def test_a_cancelled_table_is_gone_for_all_but_its_players(people: People) -> None:
    table = people.form("ann", "open", "open")
    people.claim("bob", table)
    check_problem(people["bob"].delete(f"/games/{table['id']}"), 403, "forbidden")
    assert people["ann"].delete(f"/games/{table['id']}").status_code == 204
    check_problem(people["ann"].delete(f"/games/{table['id']}"), 409, "table-closed")
    assert people["bob"].get(f"/games/{table['id']}").get_json()["status"] == "cancelled"
    check_problem(people["cat"].get(f"/games/{table['id']}"), 404, "not-found")
    check_problem(people.claim("cat", table), 404, "not-found")
    check_problem(people["bob"].delete(f"/games/{table['id']}/seats/current"), 409, "table-closed")
    check_problem(people["ann"].post(f"/games/{table['id']}/start", {"bots": "bot:simple"}), 409, "table-closed")
    assert people.nobody.get("/games?status=forming").get_json()["items"] == []


def test_a_table_lapses_after_its_time(people: People) -> None:
    table = people.form("ann", "open", expires_s=60)
    services = services_of(people.app)
    services.accounts.database.run("UPDATE forming_tables SET expires = 1")
    check_problem(people.claim("bob", table), 409, "table-closed")
    assert people.nobody.get("/games?status=forming").get_json()["items"] == []
    assert services.accounts.forming.lapse() == [table["id"]]
    assert people["ann"].get(f"/games/{table['id']}").get_json()["status"] == "lapsed"
    assert services.accounts.boards.unfinished(table["opener"]) == [table["id"]]


def test_a_table_forms_for_a_minute_to_thirty_days(people: People) -> None:
    for expires_s in (59, 30 * 24 * 3600 + 1, "60", None):
        check_problem(people.open("ann", "open", expires_s=expires_s), 400, "malformed")


@pytest.mark.parametrize(
    ("change", "slug"),
    [
        pytest.param({"seats": ["ann"] + ["open"] * 7}, "wrong-number-of-players", id="S2 too many seats"),
        pytest.param({"seats": ["ann", "open", "ann"]}, "same-player-twice", id="a player twice"),
        pytest.param({"seats": ["ann", "open"], "options": {"win": 8}}, "not-offered", id="R-S21 another goal"),
        pytest.param({"seats": ["nobody", "open"]}, "no-such-player", id="nobody of that name"),
    ],
)
def test_a_table_that_could_not_start_does_not_form(people: People, change: dict[str, Any], slug: str) -> None:
    check_problem(people["ann"].post("/games", PITCH | change), 409, slug)
    assert people.form("ann", "open")["board"] == 1


def test_a_repeated_request_forms_no_second_table(people: People) -> None:
    body = PITCH | {"seats": ["ann", "open"]}
    first = people["ann"].post("/games", body, Idempotency_Key="k")
    assert people["ann"].post("/games", body, Idempotency_Key="k").get_json() == first.get_json()
    check_problem(people["ann"].post("/games", PITCH | {"seats": ["ann", "invite"]}, Idempotency_Key="k"), 422,
                  "key-reused")  # fmt: skip
    people.claim("bob", first.get_json())
    again = people["ann"].post("/games", body, Idempotency_Key="k")
    assert (again.status_code, again.get_json()["view"]["you"]["seat"]) == (201, 0)


@pytest.mark.both_stores
def test_open_tables_are_listed_a_page_at_a_time(people: People) -> None:
    made = [people.form("ann", "open")["id"] for _ in range(3)]
    setback = people.form("bob", "open", "open", variant="setback", options={})["id"]
    hidden = people.form("bob", "invite")["id"]
    page = people.nobody.get("/games?status=forming&limit=3").get_json()
    assert [item["id"] for item in page["items"]] == [setback, made[2], made[1]]
    rest = people.nobody.get(f"/games?status=forming&limit=3&cursor={page['next']}").get_json()
    assert ([item["id"] for item in rest["items"]], rest["next"]) == ([made[0]], None)
    assert page["names"][page["items"][0]["opener"]] == "bob"
    for query, found in (("variant=setback", [setback]), ("player=ann", made[::-1]), ("player=nobody", [])):
        listed = people.nobody.get(f"/games?status=forming&{query}").get_json()["items"]
        assert [item["id"] for item in listed] == found
    own = people["bob"].get("/games?status=forming&player=bob").get_json()["items"]
    assert [item["id"] for item in own] == [hidden, setback]
    check_problem(people.nobody.get("/games?status=forming&waiting=ann"), 400, "malformed")
    for cursor in ("x", "YSBi"):
        check_problem(people.nobody.get(f"/games?status=forming&cursor={cursor}"), 400, "malformed")


@pytest.mark.both_stores
def test_a_filter_by_several_players_finds_where_all_of_them_sit(people: People) -> None:
    alone, forming, game = (people.form("ann", "open", *["open"] * more) for more in (0, 1, 0))
    for table in (forming, game):
        people.claim("bob", table)
    services_of(people.app).followers.catch_up()
    for status, table in (("forming", forming), ("active", game)):
        both = people.nobody.get(f"/games?status={status}&player=ann&player=bob").get_json()["items"]
        assert [item["id"] for item in both] == [table["id"]]
        assert people.nobody.get(f"/games?status={status}&player=ann&player=cat").get_json()["items"] == []
    check_problem(people.nobody.get("/games?player=ann&status=active&status=active"), 400, "malformed")
    assert people.nobody.get(f"/games/{alone['id']}").get_json()["status"] == "forming"


def test_forming_tables_are_not_among_the_games_and_may_be_created_again(people: People) -> None:
    people.form("ann", "open")
    services_of(people.app).followers.catch_up()
    assert people.nobody.get("/games").get_json()["items"] == []
    services_of(people.app).accounts.database.create_tables(TABLES)
    assert len(people.nobody.get("/games?status=forming").get_json()["items"]) == 1


def test_R_P12_nobody_is_called_like_an_empty_seat(people: People) -> None:
    for name in ("open", "invite", "0pen", "Invite"):
        check_problem(people.nobody.post("/users", {"name": name, "password": "correct-horse"}), 400, "malformed")
