"""The lobby and the scoreboard over HTTP, on each store."""

from collections.abc import Iterator

import pytest
from flask import Flask

from domain.cards import Card
from domain.commands import PlayCard
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.given_http import Table, given_http
from tests.api.worker_thread import running_worker
from tests.given import auction, deal, game_opened

HANDS = ["AC KC QC JC 10C 2C", "2D 3D 4D 5D 6D 7D", "AH KH QH JH 10H 9H"]


@pytest.fixture
def working(app: Flask) -> Iterator[None]:
    """A worker beside the server, as `serve` starts it."""
    with running_worker(services_of(app)):
        yield


def update_lists(app: Flask) -> None:
    services_of(app).followers.catch_up()


def scored(app: Flask) -> Table:
    """Return a game after its first hand, in which seat 0 pulled all its clubs."""
    table = given_http(app, game_opened(3, win=7), *deal(HANDS), *auction(4, 0, 0))
    players = [seat.player for seat in table.games.state(table.game).seats]
    for cards in zip(*(hand.split() for hand in HANDS), strict=True):
        for seat, card in enumerate(cards):
            table.games.act(table.game, PlayCard(seat, Card(card)), by=players[seat], command_id=f"m{card}-1")
    return table


def test_S40_S41_S42_the_scoreboard_has_a_line_for_each_seat(app: Flask, caller: Caller) -> None:
    table = scored(app)
    update_lists(app)
    body = caller.get(f"/games/{table.game}/scoreboard").get_json()
    assert body["totals"] == [5, 0, 0]
    (hand,) = body["hands"]
    assert (hand["pitcher"], hand["bid"], hand["made"]) == (0, 4, True)
    texts = [line["text"] for line in hand["lines"]]
    assert texts[0].split() == ["p0", "5", "high", "low", "jack", "game", "40", "smudge"]
    assert [text.split()[:2] for text in texts[1:]] == [["p1", "0"], ["p2", "0"]]
    assert sorted(body["names"].values()) == ["p0", "p1", "p2"]


def test_the_lobby_lists_games_with_the_seats_to_move(app: Flask, ann: Caller, caller: Caller) -> None:
    caller.join("bob")
    for seats in (["ann", "bob"], ["bob", "ann"], ["bob", "bot:random"]):
        assert ann.post("/games", {"variant": "pitch", "seats": seats}).status_code == 201
    update_lists(app)
    every = caller.get("/games").get_json()
    assert [game["board"] for game in every["items"]] == [3, 2, 1]
    assert sorted(every["names"].values()) == ["ann", "bob", "bot:random:1"]
    boards = {
        "player=ann": [2, 1],
        "player=bob": [3, 2, 1],
        "waiting=ann": [1],
        "waiting=bob": [3, 2],
        "player=nobody": [],
        "status=active": [3, 2, 1],
        "status=finished": [],
        "variant=pitch": [3, 2, 1],
        "variant=blackout": [],
        "since=2020-02-29": [3, 2, 1],
        "since=2020-01-01T08:00": [3, 2, 1],
        "since=2020-01-01T08:00:59.5Z": [3, 2, 1],
        "since=2999-01-01T00:00:00Z": [],
    }
    for query, expected in boards.items():
        assert [game["board"] for game in caller.get(f"/games?{query}").get_json()["items"]] == expected, query


def test_the_lobby_comes_in_pages(app: Flask, ann: Caller, caller: Caller) -> None:
    for _ in range(5):
        ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]})
    update_lists(app)
    boards, path = [], "/games?limit=2"
    while path:
        page = caller.get(path).get_json()
        boards += [game["board"] for game in page["items"]]
        path = page["next"] and f"/games?limit=2&cursor={page['next']}"
    assert boards == [5, 4, 3, 2, 1]


def test_an_invalid_query_of_a_list_is_malformed(app: Flask, caller: Caller) -> None:
    impossible = ["2026-99-99", "2026-02-30", "0000-01-01", "2026-11-21T25:00", "2026-11-21T08:60"]
    for time in (*impossible, "2026-11-21T08:00:61Z", "2026-11-21T08:00:00.0000000Z"):
        check_problem(caller.get(f"/games?since={time}"), 400, "malformed")
    wrong = ["limit=0", "limit=501", "limit=x", "status=over", "since=yesterday", "cursor=x", "cursor=%F0%9F%82%A1",
             "cursor=AAAA", "wait=-1", "wait=999", "who=ann", "limit=1&limit=1"]  # fmt: skip
    for query in wrong:
        check_problem(caller.get(f"/games?{query}"), 400, "malformed")


def test_an_unknown_variant_is_malformed_and_the_known_ones_are_named(caller: Caller) -> None:
    for variant in ("chess", "", "Pitch"):
        body = check_problem(caller.get(f"/games?variant={variant}"), 400, "malformed")
        assert body["errors"] == {"variant": ["Must be one of: pitch, setback, blackout, corellian."]}


def test_a_reader_that_waits_for_its_write_sees_it(app: Flask, working: None, ann: Caller) -> None:
    services_of(app).wait_timeout_s = 60
    for board in range(1, 4):
        answer = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]})
        position = answer.headers["Trickbook-Position"]
        listed = ann.get(f"/games?wait={position}").get_json()["items"]
        assert listed[0]["board"] == board
        assert ann.get(f"/games/{board}/scoreboard?wait={position}").status_code == 200


def test_without_a_worker_a_list_says_that_it_is_behind(app: Flask, ann: Caller) -> None:
    services_of(app).wait_timeout_s = 0.05
    answer = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]})
    wait = f"wait={answer.headers['Trickbook-Position']}"
    for path in (f"/games?{wait}", f"/games/1/scoreboard?{wait}", "/games/1/scoreboard"):
        late = ann.get(path)
        check_problem(late, 503, "behind")
        assert late.headers["Retry-After"] == "1"
    assert answer.status_code == 201
    assert ann.get("/games").get_json()["items"] == []


def test_the_scoreboard_of_a_missing_game_is_not_found(app: Flask, caller: Caller) -> None:
    check_problem(caller.get("/games/7/scoreboard"), 404, "not-found")
    check_problem(caller.get("/games/0f8fad5b-d9cb-469f-a165-70867728950e/scoreboard"), 404, "not-found")
