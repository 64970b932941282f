"""The order in which the server offers its games: those first that most people have played lately."""

import pytest
from flask import Flask

from api.tables.services.popular_games import KEPT_S, LATELY_US, PopularGames
from domain.rules.variants import VARIANTS
from tests.api.conftest import Caller, services_of

CATALOGUE = list(VARIANTS)


def order(games: PopularGames) -> list[str]:
    return [each.name for each in games.variants()]


@pytest.mark.both_stores
def test_games_that_most_people_played_lately_come_first_and_the_others_keep_their_order(
    app: Flask, caller: Caller
) -> None:
    services, clock = services_of(app), [0.0]
    ann, bob = caller.join("ann"), caller.join("bob")
    games = PopularGames(services.rows, services.clock.now_us, lambda: clock[0])
    assert order(games) == CATALOGUE
    bots = ["bot:simple"] * 3
    for variant in ("pedro", "pedro", "cinch"):  # one person, twice, and bots
        assert ann.post("/games", {"variant": variant, "seats": ["ann", *bots]}).status_code == 201
    for variant, watch in (("smear", {"public": True}), ("seven-point", {"public": False})):
        body = {"variant": variant, "seats": ["ann", "bob", *bots[1:]], "watch": watch}
        assert bob.post("/games", body).status_code == 201
    services.followers.catch_up()
    assert order(games) == CATALOGUE, "the order is kept for an hour"
    clock[0] += KEPT_S
    first = ["smear", "pedro", "cinch"]
    assert order(games) == [*first, *(each for each in CATALOGUE if each not in first)]
    later = PopularGames(services.rows, lambda: services.clock.now_us() + LATELY_US)
    assert order(later) == CATALOGUE, "a month later nobody has played lately"
    assert [each["name"] for each in caller.get("/variants").get_json()["items"]] == order(games)


def test_attack_181_many_games_of_one_person_crowd_out_no_others(
    app: Flask, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.lists.lobby_pages.MOST_COUNTED", 2)
    services, ann, bob = services_of(app), caller.join("ann"), caller.join("bob")
    for opener, variant, seats in [(bob, "pedro", ["bob", "ann"]), *[(ann, "cinch", ["ann", "bot:simple"])] * 3]:
        body = {"variant": variant, "seats": [*seats, "bot:simple", "bot:simple"]}
        assert opener.post("/games", body).status_code == 201
    services.followers.catch_up()
    assert order(PopularGames(services.rows, services.clock.now_us))[:2] == ["pedro", "cinch"]


def test_without_the_lists_the_order_stays(app: Flask) -> None:
    rows = services_of(app).rows
    games = PopularGames(rows, services_of(app).clock.now_us)
    rows.close()
    assert order(games) == CATALOGUE
