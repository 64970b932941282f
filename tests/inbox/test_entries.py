"""`GET /me/events` as a list: entries, pages, scopes and refusals."""

from dataclasses import replace
from typing import Any

import pytest

from tests.api.conftest import PASSWORD, Caller, check_problem
from tests.api.live_server import GameServer, first_move


def entries(caller: Caller, query: str = "") -> dict[str, Any]:
    """Return the body of the caller's inbox."""
    answer = caller.get(f"/me/events{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def test_an_inbox_shows_the_turns_of_its_player_and_the_end(server: GameServer) -> None:
    game = server.open(["ann", "bob", "bot:simple"])
    assert entries(server["ann"])["items"] == []
    before = 0
    for _ in range(4):
        (seat,) = game.public["turn"]["seats"]
        server.follow()
        for name, caller in (("ann", server["ann"]), ("bob", server["bob"])):
            turns = [item for item in entries(caller)["items"] if item["kind"] == "turn"]
            if game.seats[seat] == server[name]:
                board = game.public["board"]
                about = {"game": game.id, "board": board, "variant": "pitch", "seat": seat, "awaits": "move"}
                assert turns[-1] == turns[-1] | about
                assert before < turns[-1]["version"] <= game.public["version"]
        before = game.public["version"]
        assert game.move(seat, first_move(game.view(seat))).status_code == 201
    game.finish()
    server.follow()
    for name in ("ann", "bob"):
        assert [item["kind"] for item in entries(server[name])["items"]].count("game-over") == 1


def test_a_page_goes_on_where_the_last_one_stopped(server: GameServer) -> None:
    game = server.open(["ann", "bob"])
    game.play_hand()
    server.follow()
    whole = entries(server["ann"])
    assert (len(whole["items"]) > 5, whole["next"]) == (True, None)
    pages, after = list[Any](), ""
    while True:
        page = entries(server["ann"], f"?limit=2{after}")
        pages += page["items"]
        if page["next"] is None:
            break
        assert page["next"] == page["last"] == page["items"][-1]["id"]
        after = f"&after={page['next']}"
    assert pages == whole["items"]
    assert page["last"] == whole["last"]
    assert entries(server["ann"], f"?after={whole['items'][2]['id']}")["items"] == whole["items"][3:]
    assert entries(server["ann"], f"?after={whole['last']}")["items"] == []


def test_an_id_of_another_generation_gets_all_entries(server: GameServer) -> None:
    server.open(["ann", "bob"]).play_hand()
    server.follow()
    whole = entries(server["ann"])
    generation, number = map(int, whole["last"].split("."))
    for other in (f"{generation - 1}.{number}", f"{generation + 1}.{number}", f"{generation}.{number + 1}", "0.0"):
        assert entries(server["ann"], f"?after={other}") == whole


def test_a_client_that_begins_at_the_end_gets_only_what_is_new(server: GameServer) -> None:
    game = server.open(["ann", "bob"])
    server.follow()
    whole, end = entries(server["ann"]), entries(server["ann"], "?after=end")
    assert whole["items"]
    assert end == {"items": [], "last": whole["last"], "next": None}
    game.play_hand()
    server.follow()
    new = entries(server["ann"], f"?after={end['last']}")["items"]
    assert entries(server["ann"])["items"] == [*whole["items"], *new]
    assert entries(server["cat"], "?after=end")["last"].endswith(".0")


def test_an_inbox_is_the_players_own(server: GameServer) -> None:
    server.open(["ann", "bob"])
    server.follow()
    assert entries(server["cat"])["items"] == []
    check_problem(server.nobody.get("/me/events"), 401, "unauthorized")


@pytest.mark.both_stores
def test_a_token_for_one_game_sees_the_entries_of_that_game_alone(server: GameServer) -> None:
    games = [server.open(["ann", "bob"]) for _ in range(2)]
    for game in games:
        game.play_hand()
    server.follow()
    ann, whole = server["ann"], entries(server["ann"])["items"]
    for game in games:
        body = {"name": "ann", "password": PASSWORD, "scope": f"play:{game.id}"}
        one = replace(ann, token=ann.post("/tokens", body).get_json()["token"])
        found = entries(one)
        assert without_ids(found["items"]) == without_ids([item for item in whole if item["game"] == game.id])
        assert entries(one, "?limit=1")["items"] == found["items"][:1]
        assert entries(one, f"?after={found['last']}")["items"] == []
    read = ann.post("/tokens", {"name": "ann", "password": PASSWORD, "scope": "read"}).get_json()["token"]
    assert entries(replace(ann, token=read))["items"] == whole


def test_queries_that_name_no_entry_are_refused(server: GameServer) -> None:
    for query in ("after=5", "after=x.y", "after=1.2.3", "after=01.2", "limit=0", "limit=101", "wait=26", "after=",
                  "after=end&wait=3"):  # fmt: skip
        check_problem(server["ann"].get(f"/me/events?{query}"), 400, "malformed")


@pytest.mark.both_stores
def test_attack_183_a_token_for_one_game_learns_nothing_about_the_rest_of_the_inbox(server: GameServer) -> None:
    """Neither the ids of entries nor the end of the inbox count what happens elsewhere, or move by it."""
    game, other = server.open(["ann", "bob"]), server.open(["ann", "bob"])
    body = {"name": "ann", "password": PASSWORD, "scope": f"play:{game.id}"}
    bot = replace(server["ann"], token=server["ann"].post("/tokens", body).get_json()["token"])
    assert entries(bot, "?after=end")["last"] == entries(bot, "?after=0.0")["last"]
    game.play_hand()
    server.follow()
    whole, end = entries(bot), entries(bot, "?after=end")
    assert end == {"items": [], "last": whole["last"], "next": None}
    assert min(int(each["id"].partition(".")[2]) for each in whole["items"]) > 10**6, "no count"
    other.play_hand()
    server.follow()
    for query, before in (("", whole), ("?after=end", end), (f"?after={whole['last']}", end)):
        assert entries(bot, query) == before
    game.play_hand()
    server.follow()
    now, many = entries(bot)["items"], len(whole["items"])
    assert now[:many] == whole["items"]
    assert entries(bot, f"?after={whole['last']}")["items"] == now[many:] != []
    assert entries(bot, f"?limit=1&after={now[2]['id']}")["items"] == now[3:4]


def without_ids(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return entries without their ids, which are others for a token of one game."""
    return [{name: value for name, value in item.items() if name != "id"} for item in items]
