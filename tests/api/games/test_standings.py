"""Standings, histories and head to head over HTTP: what counts, who sees what, and whose names are shown."""

from itertools import count
from typing import Any

import pytest

from tests.api.arbiters import created, give_ruling, open_dispute
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.live_server import GameServer

LINE = {"rank", "player", "games", "won", "hands", "hands_won", "bids", "made", "set", "set_rate", "points"}
NUMBERS = count(1)


def new_people(server: GameServer, *names: str) -> list[str]:
    """Register players whom no other test seats, and return their names."""
    number = next(NUMBERS)
    made = [f"{name}-{number}" for name in names]
    assert all(server[name].token for name in made)
    return made


@pytest.fixture
def people(server: GameServer) -> list[str]:
    return new_people(server, "ann", "bob", "cat", "eve")


def ask(server: GameServer, path: str, by: Caller | None = None) -> dict[str, Any]:
    server.follow()
    answer = (by or server.nobody).get(path)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def lines(server: GameServer, people: list[str], query: str = "") -> list[dict[str, Any]]:
    """Return the lines of these people in the standings of Pitch, with their names."""
    page = ask(server, f"/standings?variant=pitch&limit=500{query}")
    assert [line["rank"] for line in page["items"]] == list(range(1, len(page["items"]) + 1))
    named = [line | {"name": page["names"][line["player"]]} for line in page["items"]]
    return [line for line in named if line["name"] in people]


def resign(server: GameServer, loser: str, *names: str, **more: Any) -> str:
    """Open a game of these players, and let one of them resign; return its id."""
    body = {"variant": "pitch", "seats": list(names), **more}
    game: str = created(server[names[0]].post("/games", body))["id"]
    assert server[loser].post(f"/games/{game}/moves", {"type": "resign"}).status_code == 201
    return game


def test_only_public_games_between_people_with_accounts_count(server: GameServer, people: list[str]) -> None:
    ann, bob, *_ = people
    # given a game that counts, and one for each of several reasons not to count
    resign(server, bob, ann, bob)
    resign(server, ann, ann, "bot:simple")
    resign(server, ann, ann, bob, watch={"public": False})
    resign(server, ann, ann, "bot:simple", undo="practice")
    # then the standings have the first one alone
    found = [(line["name"], line["games"], line["won"]) for line in lines(server, people)]
    assert found == [(ann, 1, 1), (bob, 1, 0)]
    own = ask(server, f"/players/{ann}/history", server[ann])["items"]
    assert [item["counts"] for item in own] == [False, False, False, True]
    (figures,) = ask(server, f"/players/{ann}/standings")["items"]
    assert (figures["variant"], figures["games"], figures["won"], figures["set_rate"]) == ("pitch", 1, 1, None)


def test_a_private_game_is_in_the_history_for_those_alone_who_played_it(server: GameServer, people: list[str]) -> None:
    ann, bob, cat, _ = people
    game = resign(server, bob, ann, bob, watch={"public": False})
    for reader in (None, server[cat], server["rhea"]):
        assert ask(server, f"/players/{ann}/history", reader)["items"] == []
    for name in (ann, bob):
        assert [item["id"] for item in ask(server, f"/players/{ann}/history", server[name])["items"]] == [game]
        (item,) = ask(server, f"/players/{name}/history", server[ann])["items"]
        assert item["won"] is (name == ann)
    assert ask(server, f"/players/{ann}/against/{bob}", server[ann])["items"] == []


def test_a_ruling_after_the_end_changes_the_points(server: GameServer, people: list[str]) -> None:
    # given a game with a scored hand that ann wins
    ann, bob, *_ = people
    game = server.open([ann, bob], options={"win": 21})
    game.play_hand()
    assert server[bob].post(f"{game.path}/moves", {"type": "resign"}).status_code == 201
    before = {line["name"]: line for line in lines(server, people)}
    # when a ruling changes the score
    created(open_dispute(game, 0))
    created(give_ruling(game, "rhea", "adjust", changes=[5, -4]))
    # then the standings and the history have the ruled points, and the hands as they were played
    after = {line["name"]: line for line in lines(server, people)}
    changed = {name: after[name]["points"] - before[name]["points"] for name in before}
    assert changed == {ann: 5, bob: -4}
    assert [after[name]["hands"] for name in before] == [before[name]["hands"] for name in before]
    (item,) = ask(server, f"/players/{ann}/history")["items"]
    result, seat = item["result"], item["seat"]
    assert item["points"] == result["ruled"]["scores"][seat] == result["scores"][seat] + 5


@pytest.mark.both_stores
def test_a_page_goes_on_where_the_one_before_ended(server: GameServer, people: list[str]) -> None:
    ann = people[0]
    for loser in people[1:]:
        resign(server, loser, ann, loser)
    whole = ask(server, "/standings?variant=pitch&limit=500")["items"]
    assert len(whole) > 3
    assert set(whole[0]) == LINE
    pages = [ask(server, "/standings?variant=pitch&limit=2")]
    while pages[-1]["next"] is not None:
        pages.append(ask(server, f"/standings?variant=pitch&limit=2&cursor={pages[-1]['next']}"))
    assert [line for page in pages for line in page["items"]] == whole
    first = ask(server, f"/players/{ann}/history?limit=2")
    rest = ask(server, f"/players/{ann}/history?limit=2&cursor={first['next']}")
    boards = [item["board"] for item in first["items"] + rest["items"]]
    assert (len(boards), boards, rest["next"]) == (3, sorted(boards, reverse=True), None)


def test_a_period_has_its_own_games(server: GameServer, people: list[str]) -> None:
    ann, bob, *_ = people
    resign(server, bob, ann, bob)
    ended = ask(server, f"/players/{ann}/history")["items"][0]["ended"]
    for period in ("all", ended[:4], ended[:7]):
        assert len(lines(server, people, f"&period={period}")) == 2
    assert lines(server, people, "&period=1999") == []


@pytest.mark.parametrize(
    "query",
    ["", "?variant=whist", "?variant=pitch&period=2026-13", "?variant=pitch&cursor=x", "?variant=pitch&limit=0"],
)
def test_a_query_that_says_nothing_sensible_is_malformed(server: GameServer, query: str) -> None:
    check_problem(server.nobody.get(f"/standings{query}"), 400, "malformed")


def test_a_cursor_of_another_list_is_malformed(server: GameServer, people: list[str]) -> None:
    for cursor in ("MSAxIDEgcCBx", "YSBiIGMgZA==", "OTk5OTk5OTk5OTk5OTk5OTk5OTkgMSAxIHA="):
        check_problem(server.nobody.get(f"/standings?variant=pitch&cursor={cursor}"), 400, "malformed")
        check_problem(server.nobody.get(f"/players/{people[0]}/history?cursor={cursor}"), 400, "malformed")


def test_head_to_head_counts_opponents_and_not_partners(server: GameServer, people: list[str]) -> None:
    ann, bob, cat, eve = people
    resign(server, bob, ann, bob)
    resign(server, bob, ann, bob)
    body = {"variant": "setback", "seats": [ann, bob, cat, eve]}
    game = created(server[ann].post("/games", body))["id"]
    for name in (bob, eve):
        server[name].post(f"/games/{game}/moves", {"type": "resign"})
    assert ask(server, f"/players/{ann}/against/{bob}")["items"] == [
        {"variant": "pitch", "games": 2, "won": 2, "lost": 0},
        {"variant": "setback", "games": 1, "won": 1, "lost": 0},
    ]
    back = {"variant": "pitch", "games": 2, "won": 0, "lost": 2}
    assert ask(server, f"/players/{bob}/against/{ann}")["items"][0] == back
    assert ask(server, f"/players/{ann}/against/{cat}")["items"] == []
    for path in ("/players/nobody/history", f"/players/{ann}/against/nobody", "/players/nobody/standings"):
        check_problem(server.nobody.get(path), 404, "not-found")


@pytest.mark.both_stores
def test_guests_and_erased_players_have_no_line_and_no_rank(server: GameServer, people: list[str]) -> None:
    # given games that bob has won, and one with a guest
    ann, bob, cat, _ = people
    resign(server, ann, bob, ann)
    resign(server, cat, bob, cat)
    guest = Caller(server.app.test_client(), server.nobody.post("/guests", {}).get_json()["token"])
    name = guest.get("/me").get_json()["name"]
    game = created(server[ann].post("/games", {"variant": "pitch", "seats": [ann, name]}))["id"]
    guest.post(f"/games/{game}/moves", {"type": "resign"})
    assert ask(server, f"/players/{name}/history")["items"][0]["reason"] == "guest"
    assert {line["name"] for line in lines(server, [*people, name])} == {ann, bob, cat}
    # and each page of a player has the rank of the line
    for line in lines(server, people):
        (own,) = ask(server, f"/players/{line['name']}/standings")["items"]
        assert own["rank"] == line["rank"]
    # when bob is erased
    services = services_of(server.app)
    erased = server[bob].get("/me").get_json()["id"]
    assert server.command("user", "delete", bob, "--now", "--yes").exit_code == 0
    # then the others move up, and their games stay, without bob's name
    assert {line["name"] for line in lines(server, [*people, "deleted"])} == {ann, cat}
    for line in lines(server, people):
        (own,) = ask(server, f"/players/{line['name']}/standings")["items"]
        assert own["rank"] == line["rank"]
    page = ask(server, f"/players/{cat}/history")
    assert {seat["player"] for seat in page["items"][0]["seats"]} >= {erased}
    assert page["names"][erased] == "deleted"
    check_problem(server.nobody.get(f"/players/{bob}/history"), 404, "not-found")
    # and a rebuild changes nothing
    before = lines(server, people)
    services.followers.each["standings"].rebuild()
    assert lines(server, people) == before
