"""The lobby over HTTP, on each store."""

from flask import Flask

from domain.rules.variants import KNOWN
from tests.api.conftest import Caller, check_problem, services_of


def update_lists(app: Flask) -> None:
    services_of(app).followers.catch_up()


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
        assert body["errors"] == {"variant": [f"Must be one of: {', '.join(KNOWN)}."]}


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
