"""A private game: for everybody but its players and an arbiter with an open dispute, it doesn't exist."""

import json
from contextlib import ExitStack

import pytest

from tests.api.arbiters import appeal, created, decide, give_ruling, open_dispute
from tests.api.conftest import Caller, check_problem
from tests.api.live_server import GameServer, ServedGame, open_server
from tests.api.log_reference import check_export
from tests.conduct.conftest import moderator
from tests.conftest import Database
from tests.domain.store.storing import Rows
from tests.watching.routes import responses_about
from tests.watching.tables import PRIVATE, lobby_ids, outsiders, private_game, watched_game

NO_ID, NO_BOARD = "0f8fad5b-d9cb-469f-a165-70867728950e", 999
RULING = {"decision": "none", "basis": "S34", "standard": "likely", "text": "as played"}


def assert_absent(caller: Caller, missing: object, reference: object, who: str, begin: int | None) -> None:
    """Check that every route answers as for a game that doesn't exist, byte by byte."""
    expected = responses_about(caller, missing, begin)
    for request, response in responses_about(caller, reference, begin).items():
        assert response == expected[request], (who, request)


def exported(caller: Caller, query: str = "") -> list[str]:
    """Return the ids of the games in the bulk export."""
    lines = [json.loads(line) for line in caller.get(f"/exports/games{query}").data.splitlines()]
    return [line["game"] for line in lines if "format" in line]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # every route, which takes longer on PostgreSQL
@pytest.mark.parametrize(
    "moment", ["live", "ruled", "finished", pytest.param("live, all headers", marks=pytest.mark.slow)]
)
def test_a_private_game_is_for_others_byte_by_byte_a_game_that_does_not_exist(server: GameServer, moment: str) -> None:
    game = private_game(server)
    board = game.view(0)["board"]
    if moment == "ruled":
        server.role("rue", "arbiter")
        created(open_dispute(game, 1))
        created(give_ruling(game, "rue", "none"))
    if moment == "finished":
        game.finish()
    server.follow()
    callers = outsiders(server)
    for number, who in enumerate(callers if moment.startswith("live") else ("eve", "arbiter")):
        begin = None if moment.endswith("all headers") else number
        assert_absent(callers[who], NO_ID, game.id, who, begin)
        if who == "eve" or begin is None:
            assert_absent(callers[who], NO_BOARD, board, who, begin)


def test_the_players_of_a_private_game_see_it_as_usual(server: GameServer) -> None:
    game = private_game(server)
    for seat, caller in game.seats.items():
        assert (
            caller.get(game.path).get_json()["version"] == caller.get(f"{game.path}/seats/{seat}").get_json()["version"]
        )
        assert check_export(caller.get(f"{game.path}/export").data).withheld
        assert caller.get(f"{game.path}/audit").get_json()["verdict"]["code"] == 2
        check_problem(caller.get(f"{game.path}/seats/{(seat + 1) % 3}"), 404, "not-found")
    game.finish()
    assert game.seats[1].get(f"{game.path}/audit").get_json()["verdict"]["code"] == 0


def test_a_moderator_erases_texts_of_a_private_game_and_learns_no_more_of_it(server: GameServer) -> None:
    game = private_game(server)
    created(open_dispute(game, 1))
    player = server.role("mo", "moderator")
    with_scope = moderator(server.app, "mo")
    check_problem(player.delete(f"{game.path}/disputes/1/texts"), 404, "not-found")
    for path in (game.path, f"{game.path}/disputes"):
        check_problem(with_scope.get(path), 404, "not-found")
    missing = with_scope.delete(f"/games/{NO_ID}/disputes/2/texts")
    assert with_scope.delete(f"{game.path}/disputes/2/texts").data == missing.data
    assert with_scope.delete(f"{game.path}/disputes/1/texts").status_code == 204
    (item,) = game.seats[0].get(f"{game.path}/disputes").get_json()["items"]
    assert item["opened"]["erased"] is True


@pytest.mark.both_stores
def test_lists_and_exports_show_a_private_game_to_its_players_alone(server: GameServer) -> None:
    game, shown = private_game(server), watched_game(server, public=True)
    server.follow()
    waits_for = game.server["ann"].get(game.path).get_json()
    name = waits_for["names"][waits_for["seats"][waits_for["turn"]["seats"][0]]["player"]]
    filters = ("", "?player=ann", f"?waiting={name}", "?since=2020-01-01", "?status=active", "?variant=pitch")
    for who, caller in outsiders(server).items():
        assert all(game.id not in lobby_ids(caller, query) for query in filters), who
        assert lobby_ids(caller) == lobby_ids(caller, "?since=2020-01-01") == [shown.id]
        assert exported(caller) == exported(caller, "?player=ann") == [shown.id]
    for caller in game.seats.values():
        assert all(game.id in lobby_ids(caller, query) for query in filters)
        assert set(exported(caller)) == {game.id, shown.id}
    [item] = [item for item in server["ann"].get("/games").get_json()["items"] if item["id"] == game.id]
    assert (item["watch"], item["version"]) == ({"public": False, "delay": 0}, waits_for["version"])


def test_pages_of_the_lobby_neither_repeat_nor_miss_a_private_game(server: GameServer) -> None:
    made = [watched_game(server, public=number % 3 > 0).id for number in range(8)]
    server.follow()
    seen, query = list[str](), "?limit=2"
    while query:
        page = server["ann"].get(f"/games{query}").get_json()
        seen += [item["id"] for item in page["items"]]
        query = f"?limit=2&cursor={page['next']}" if page["next"] else ""
    assert seen == made[::-1]


def test_an_arbiter_sees_a_private_game_while_a_dispute_waits_for_them(server: GameServer) -> None:
    game = private_game(server)
    rue, max_, eve = server.role("rue", "arbiter"), server.role("max", "arbiter"), server["eve"]
    check_problem(rue.get(game.path), 404, "not-found")
    created(open_dispute(game, 1))
    for arbiter in (rue, max_):
        view = arbiter.get(game.path).get_json()
        assert ("you" in view, view["version"]) == (False, game.view(0)["version"])
        assert check_export(arbiter.get(f"{game.path}/export").data).withheld
    check_problem(eve.get(game.path), 404, "not-found")
    server.follow()
    assert [item["game"] for item in rue.get("/disputes").get_json()["items"]] == [game.id]
    first = rue.post(f"{game.path}/disputes/1/ruling", RULING, Idempotency_Key="once")
    assert first.status_code == 201, first.text
    for arbiter in (rue, max_):
        check_problem(arbiter.get(game.path), 404, "not-found")
    again = rue.post(f"{game.path}/disputes/1/ruling", RULING, Idempotency_Key="once")
    assert (again.status_code, again.data) == (201, first.data), "a repeated request gets its first answer"
    created(appeal(game, 0))
    check_problem(rue.get(game.path), 404, "not-found")  # they can't decide on their own ruling
    assert max_.get(game.path).status_code == 200
    created(decide(game, "max", "upheld"))
    check_problem(max_.get(game.path), 404, "not-found")


def test_a_private_game_whose_log_was_changed_stays_hidden(database: Database) -> None:
    with open_server(database.data, database.url) as server:
        game, shown = private_game(server), watched_game(server, public=True)
        board = game.view(0)["board"]
    for each in (game, shown):
        _, topic, state = Rows(database).of(each.id)[4]
        assert b'"at":"2' in state
        Rows(database).put(each.id, 5, topic, state.replace(b'"at":"2', b'"at":"1'))
    with ExitStack() as stack:
        server = stack.enter_context(open_server(database.data, database.url))
        ann = Caller(server.app.test_client(), game.seats[0].token)
        for reader, changed in ((server.nobody, shown), (ann, shown), (ann, game)):
            check_problem(reader.get(changed.path), 500, "corrupt-log")
            assert reader.get(f"{changed.path}/audit").get_json()["verdict"]["code"] == 1
        assert_absent(server.nobody, NO_ID, game.id, "stranger", 0)
        assert_absent(server["eve"], NO_BOARD, board, "eve", 1)
        assert exported(server.nobody) == [shown.id]
        assert set(exported(ann)) == {shown.id, game.id}


def test_a_watch_that_is_not_offered_or_no_object_is_refused(server: GameServer) -> None:
    def refused(watch: object, status: int, code: str) -> str:
        body = {"variant": "pitch", "seats": ["ann", "bot:simple"], "watch": watch}
        return str(check_problem(server["ann"].post("/games", body), status, code)["detail"])

    for watch in ({"public": 1}, {"delay": -1}, {"delay": 1001}, {"delay": True}, {"delay": "3"}, PRIVATE | {"x": 1}):
        assert "watch" in refused(watch, 409, "not-offered"), watch
    no_objects: tuple[object, ...] = (None, [], "private", True)
    for no_object in no_objects:
        assert refused(no_object, 400, "malformed"), no_object


def opened_watch(game: ServedGame) -> object:
    item = game.seats[0].get(f"{game.path}/events?limit=1").get_json()["items"][0]
    return item["event"]["data"]["watch"]


def test_the_opening_records_who_may_watch(server: GameServer) -> None:
    assert opened_watch(watched_game(server)) == {"public": True, "delay": 0}
    assert opened_watch(watched_game(server, delay=1000)) == {"public": True, "delay": 1000}
    assert opened_watch(watched_game(server, public=False, delay=7)) == {"public": False, "delay": 7}
