"""A delayed game: everybody who isn't seated sees it as it was some facts ago, through every route."""

import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest
from flask import Flask

import api.play.services.gate as delay_module
import api.play.services.gate as gate_module
from api.app import create_app
from api.config import NO_LIMITS, Config
from api.play.services.autoplay import AutoPlayer
from api.play.services.gate import GameGate, delayed_head
from api.web.context import attach_services
from domain.events import GameOpened, Player, Watch
from domain.store import Games
from projections.views.cache import ViewCache
from tests.api.arbiters import appeal, created, give_ruling, open_dispute
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.given_http import store_events
from tests.api.live_server import GameServer, ServedGame
from tests.api.log_reference import check_export
from tests.api.worlds import Events, play_random_game, time_after
from tests.given import GAME
from tests.values import replace
from tests.watching.routes import Response, requests_about, whole_response
from tests.watching.tables import finish, lobby_ids, outsiders, play_one, play_until, watched_game

Registered = tuple[Path, list[Player], dict[str, str | None]]
OPAQUE = "Trickbook-Position"
NEW_MESSAGE = re.compile(rb'"(at|id)":"(?:m_[0-9a-f]{24}|[0-9T:.-]+Z)"')
"""The random id and the time of a message just written."""


@pytest.fixture(scope="module")
def registered(tmp_path_factory: pytest.TempPathFactory) -> Registered:
    """A data folder with players and their tokens, to copy into every world."""
    data = tmp_path_factory.mktemp("office")
    app = create_app(Config(data=data, hashing="cheapest", limits=NO_LIMITS, seating="at-once"))
    here, tokens, people = services_of(app), dict[str, str | None](), list[Player]()
    for number in range(5):
        token = Caller(app.test_client()).join(f"p{number}").token
        found = here.accounts.users.by_name(f"p{number}")
        assert found is not None
        people.append(Player(found.id, "human"))
        tokens[found.id] = token
    here.accounts.boards.reserve(GAME, "p0")
    here.close()
    return data, people, tokens


def serve(data: Path, events: Events, now: str) -> Flask:
    """Serve these events; random values and times in the store are the same in every world."""
    app = create_app(Config(data=data, hashing="cheapest", limits=NO_LIMITS, seating="at-once"))
    here = services_of(app)
    here.games.close()
    here.games = Games(data, entropy=lambda size: b"\7" * size, clock=lambda: now)
    views = ViewCache(here.games)
    here.views, here.autoplayer = views, AutoPlayer(here.games, views)
    here.gate = GameGate(here.games, views, here.accounts.roles)
    attach_services(app, here)
    here.followers = type(here.followers)(here.games, here.rows)
    store_events(here.games, events)
    here.followers.catch_up()
    return app


@pytest.fixture
def serve_world(
    registered: Registered, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[Events, str], Flask]]:
    """What serves a log at a time to the same players."""
    with ExitStack() as stack:

        def serve_log(events: Events, now: str) -> Flask:
            data = tmp_path_factory.mktemp("world")
            ignored = shutil.ignore_patterns("log.db*", "views.db*")
            shutil.copytree(registered[0], data, dirs_exist_ok=True, ignore=ignored)
            app = serve(data, events, now)
            stack.callback(services_of(app).close)
            return app

        yield serve_log


def delayed_events(people: list[Player], variant: str, moves: int, delay: int) -> Events:
    """Return a random game that spectators see `delay` facts late."""
    chance = random.Random(f"{variant} {moves}")
    events = play_random_game(chance, people, variant, moves)
    opened: GameOpened = events[0].data
    return [replace(events[0], data=replace(opened, watch=Watch(delay=delay))), *events[1:]]


def responses(caller: Caller) -> dict[str, Response]:
    """Return what every route about the game answers, without the encrypted position and what a new message draws."""
    told: dict[str, Response] = {}
    for method, address, body in requests_about(caller.client.application, 1):
        answer = caller.ask(method, address, body)
        answer.headers.pop(OPAQUE, None)
        status, headers, content = whole_response(answer)
        if method == "POST" and address.endswith("/chat"):
            content = NEW_MESSAGE.sub(rb'"\1":""', content)
        told[f"{method} {address} {body}"] = (status, headers, content)
    return told


QUICK = {("pitch", 2), ("pitch", 44), ("setback", 17), ("blackout", 17), ("corellian", 17)}
GAMES = [
    pytest.param(variant, players, moves, marks=() if (variant, moves) in QUICK else pytest.mark.slow)
    for variant, players in (("pitch", 3), ("setback", 4), ("blackout", 4), ("corellian", 4))
    for moves in (2, 17, 44)
]


@pytest.mark.parametrize(("variant", "players", "moves"), GAMES)
def test_spectators_get_byte_by_byte_what_they_got_when_the_log_ended_at_the_head(
    registered: Registered,
    serve_world: Callable[[Events, str], Flask],
    monkeypatch: pytest.MonkeyPatch,
    variant: str,
    players: int,
    moves: int,
) -> None:
    _, people, tokens = registered
    delay = 1 + moves % 7
    events = delayed_events(people[:players], variant, moves, delay)
    ends = [one.version for one, after in pairwise(events) if one.command != after.command]
    over = any(event.fact == "GameEnded" for event in events)
    head = len(events) if over else max((end for end in ends if end <= len(events) - delay), default=0)
    now = time_after(events[-1].at, 20)
    whole = serve_world(events, now)
    watching = (None, tokens[people[4].player])
    spectators = [Caller(whole.test_client(), token) for token in watching]
    late = [responses(each) for each in spectators]
    lists = [each.get("/games").data for each in spectators]
    bulk = [each.get("/exports/games").data for each in spectators]
    if not head:
        assert all(b"nothing of it can be seen yet" in told[f"GET /games/1 {None}"][2] for told in late)
        assert bulk == [b"", b""]
        return
    for module in (gate_module, delay_module):
        monkeypatch.setattr(module, "is_delayed", lambda _: False)
    earlier = serve_world(events[:head], now)
    for number, token in enumerate(watching):
        caller = Caller(earlier.test_client(), token)
        for request, response in responses(caller).items():
            assert late[number][request] == response, request
        assert bulk[number] == caller.get("/exports/games").data
    monkeypatch.undo()
    listed = serve_world(events if over else events[: ends[0]], now)
    caller = Caller(listed.test_client())
    assert lists == [caller.get("/games").data] * 2, "until the end, the list shows what the opening says"
    seated = Caller(whole.test_client(), tokens[people[0].player])
    assert seated.get("/games/1").get_json()["version"] == len(events)


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
    finish(game)
    assert version_for(eve, game) == game.view(0)["version"], "all is shown once the game is over"


def test_receipts_and_proofs_of_a_delayed_game_reach_to_its_head(server: GameServer) -> None:
    game, nobody = watched_game(server, delay=30), server.nobody
    play_until(game, lambda view: (view["last_hand"] or {"hand": 0})["hand"] == 1)
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
    finish(game)
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
    finish(replace(game, seats={**game.seats, 1: dan}))
    server.follow()
    assert (lobby_ids(server.nobody, "?player=dan"), lobby_ids(server.nobody, "?player=bob")) == ([game.id], [])


def test_an_arbiter_sees_a_delayed_game_at_once_while_a_dispute_waits_for_them(server: GameServer) -> None:
    game = watched_game(server, delay=300)
    play_until(game, lambda view: (view["last_hand"] or {"hand": 0})["hand"] == 1)
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
