"""A delayed game: everybody who isn't seated sees it as it was some facts ago, through every route."""

import pytest

from api.play.services.gate import delayed_head
from tests.api.arbiters import appeal, created, give_ruling, open_dispute
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.live_server import GameServer, ServedGame
from tests.api.log_reference import check_export
from tests.values import replace
from tests.watching.routes import whole_response
from tests.watching.tables import lobby_ids, outsiders, play_one, watched_game


def version_for(caller: Caller, game: ServedGame) -> int:
    """Return the version that the view of a spectator has, 0 if there is nothing to see yet."""
    answer = caller.get(game.path)
    if answer.status_code == 404:
        check_problem(answer, 404, "not-found")
        return 0
    version: int = answer.get_json()["version"]
    assert answer.headers["ETag"] == f'"{version}"'
    return version


def true_head(server: GameServer, game: ServedGame, delay: int) -> int:
    log = services_of(server.app).games
    version = log.state(game.id).version
    return delayed_head(lambda after, upto: log.entries(game.id, after, upto), version, delay)


def test_the_view_and_its_etag_move_only_when_a_commit_is_old_enough(server: GameServer) -> None:
    game, eve = watched_game(server, delay=6), server["eve"]
    seen = [version_for(eve, game)]
    for _ in range(26):
        answer = play_one(game)
        head = true_head(server, game, 6)
        unchanged = eve.get(game.path, If_None_Match=f'"{seen[-1]}"')
        assert (unchanged.status_code == 304) is (head == seen[-1] > 0)
        seen.append(version_for(eve, game))
        assert seen[-1] == head < answer["version"] - 5
        assert game.seats[2].get(game.path).get_json()["version"] == answer["version"], "a player isn't late"
    assert seen[0] == 0
    assert len(set(seen)) > 6
    game.finish()
    assert version_for(eve, game) == game.view(0)["version"], "all is shown once the game is over"


def test_receipts_and_proofs_of_a_delayed_game_reach_to_its_head(server: GameServer) -> None:
    game, nobody = watched_game(server, delay=30), server.nobody
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] == 1)
    newest = game.seats[0].get(f"{game.path}/receipt").get_json()
    head = version_for(nobody, game)
    assert newest["size"] > head > 0
    check_problem(nobody.get(f"{game.path}/receipt"), 404, "not-found")
    check_problem(nobody.get(f"{game.path}/receipt?size={head + 1}"), 400, "malformed")
    check_problem(nobody.get(f"{game.path}/proofs/inclusion?version=2"), 404, "not-found")
    export = check_export(nobody.get(f"{game.path}/export").data)
    assert len(export.events) + len(export.withheld) == head
    assert nobody.get(f"{game.path}/audit").get_json()["log"]["receipts"] == "absent"
    assert nobody.get(f"{game.path}/audit").get_json()["verdict"]["code"] == 2
    while version_for(nobody, game) < newest["size"]:
        play_one(game)
    shown = nobody.get(f"{game.path}/receipt").get_json()
    assert shown["size"] <= version_for(nobody, game)
    body = nobody.get(f"{game.path}/proofs/inclusion?version=2").get_json()
    assert body["size"] == shown["size"]


def test_the_lobby_shows_what_the_opening_says_until_the_end(server: GameServer) -> None:
    game, eve = watched_game(server, delay=2), server["eve"]
    server.follow()
    before = eve.get("/games").get_json()["items"]
    assert (before[0]["watch"], before[0]["version"], before[0]["waiting"]) == ({"public": True, "delay": 2}, 1, [])
    for _ in range(30):
        play_one(game)
    view = game.view(0)
    name = view["names"][view["seats"][view["turn"]["seats"][0]]["player"]]
    server.follow()
    for who, caller in outsiders(server).items():
        assert caller.get("/games").get_json()["items"] == before, who
        assert lobby_ids(caller, f"?waiting={name}") == []
        assert lobby_ids(caller, f"?since={game.view(0)['turn']['since'][:26]}Z") == []
    [own] = server["ann"].get("/games").get_json()["items"]
    assert (own["version"], own["waiting"]) == (view["version"], [view["seats"][view["turn"]["seats"][0]]["player"]])
    assert lobby_ids(server["ann"], f"?waiting={name}") == [game.id]
    game.finish()
    server.follow()
    [over] = eve.get("/games").get_json()["items"]
    assert (over["status"], over["version"]) == ("finished", game.view(0)["version"])


@pytest.mark.both_stores
def test_the_lobby_names_no_player_who_got_a_seat_of_a_delayed_game_until_the_end(server: GameServer) -> None:
    game, dan = watched_game(server, delay=300), server["dan"]
    server.follow()
    before = server.nobody.get("/games").get_json()
    offer = game.seats[1].post(f"{game.path}/handovers", {"to": "dan"}).get_json()
    assert dan.post(f"{game.path}/handovers/{offer['id']}/accept", {}).status_code == 204
    for seat in (0, 2):
        game.move(seat, {"type": "answer_handover", "accept": True})
    server.follow()
    for who, caller in outsiders(server).items():
        assert caller.get("/games").get_json() == before, who
        found = {query: lobby_ids(caller, query) for query in ("?player=dan", "?player=bob", "?player=ann&player=bob")}
        assert found == {"?player=dan": [], "?player=bob": [game.id], "?player=ann&player=bob": [game.id]}, who
    for caller in (dan, server["ann"]):
        assert lobby_ids(caller, "?player=dan") == [game.id]
    replace(game, seats={**game.seats, 1: dan}).finish()
    server.follow()
    assert (lobby_ids(server.nobody, "?player=dan"), lobby_ids(server.nobody, "?player=bob")) == ([game.id], [])


def test_an_arbiter_sees_a_delayed_game_at_once_while_a_dispute_waits_for_them(server: GameServer) -> None:
    game = watched_game(server, delay=300)
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] == 1)
    rue, eve = server.role("rue", "arbiter"), server["eve"]
    assert version_for(rue, game) == 0
    created(open_dispute(game, 1))
    assert version_for(rue, game) == game.view(0)["version"]
    assert version_for(eve, game) == 0
    created(give_ruling(game, "rue", "none"))
    assert version_for(rue, game) == 0
    created(appeal(game, 0))
    assert version_for(rue, game) == 0, "another arbiter decides on the appeal"


def test_an_arbiter_without_a_dispute_learns_no_version_from_refusals(server: GameServer) -> None:
    game = watched_game(server, delay=300)
    play_one(game)
    server.role("rue", "arbiter")
    body = {"decision": "none", "basis": "S34", "standard": "likely", "text": "as played"}
    for path, sent in (("ruling", body), ("decision", {"decision": "upheld", "text": "as played"})):
        answer = server["rue"].post(f"{game.path}/disputes/1/{path}", sent, If_Match='"1"')
        assert "version" not in check_problem(answer, 404, "no-such-dispute")


def test_refusals_to_a_spectator_say_nothing_of_the_hidden_part(server: GameServer) -> None:
    game, eve = watched_game(server, delay=4), server["eve"]
    told = set()
    for _ in range(12):
        play_one(game)
        answer = eve.post(f"{game.path}/moves", {"type": "pass"}, If_Match='"2"')
        check_problem(answer, 403, "not-seated")
        told.add(whole_response(answer))
    assert len(told) == 1
