"""Ratings over HTTP: who is on the list, what counts, rulings, and banned players."""

from typing import Any

import pytest

from tests.api.arbiters import created, give_ruling, open_dispute
from tests.api.conftest import check_problem
from tests.api.games.test_standings import ask, new_people, resign
from tests.api.live_server import GameServer
from tests.conduct.conftest import moderator

NUMBER = {"rating", "plus_minus", "shown", "provisional", "games", "value", "spread"}
LINE = NUMBER | {"rank", "player", "opponents", "last"}


@pytest.fixture
def people(server: GameServer) -> list[str]:
    return new_people(server, "ann", "bob", "cat", "eve", "fay", "gus")


def listed(server: GameServer, people: list[str], query: str = "") -> dict[str, dict[str, Any]]:
    """Return the lines of these people in the ratings of Pitch, by name."""
    page = ask(server, f"/ratings?variant=pitch&limit=500{query}")
    assert [line["rank"] for line in page["items"]] == list(range(1, len(page["items"]) + 1))
    return {name: line for line in page["items"] if (name := page["names"][line["player"]]) in people}


def own(server: GameServer, name: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Return a player's ratings, by variant and kind of table."""
    return {(each["variant"], each["kind"]): each for each in ask(server, f"/players/{name}/ratings")["ratings"]}


def test_a_player_is_listed_who_has_met_five_opponents(server: GameServer, people: list[str]) -> None:
    ann, *others = people
    for other in others[:4]:
        resign(server, other, ann, other)
    assert listed(server, people) == {}
    resign(server, others[4], ann, others[4])
    # then ann alone is on both lists, with five provisional games
    for kind in ("all", "two"):
        (line,) = listed(server, people, f"&kind={kind}").values()
        assert set(line) == LINE
        assert (line["games"], line["opponents"], line["provisional"]) == (5, 5, True)
        assert line["shown"].endswith(", provisional (5 of 20)")
        assert ("±" in line["shown"]) is (kind == "two")
        assert own(server, ann)["pitch", kind]["rank"] == line["rank"]
        assert own(server, others[0])["pitch", kind]["rank"] is None
    assert listed(server, people, "&kind=partners") == {}
    # and the history has each game twice, the last one first, each from where the one before ended
    items = [item for item in ask(server, f"/players/{ann}/ratings")["items"] if item["kind"] == "all"]
    assert [item["place"] for item in items] == [1] * 5
    assert [item["before"]["value"] for item in items[:-1]] == [item["after"]["value"] for item in items[1:]]
    assert (items[-1]["before"]["shown"], items[-1]["after"]["value"]) == ("1600, provisional (0 of 20)", 1800.0)


def test_private_games_and_games_with_bots_rate_nobody(server: GameServer, people: list[str]) -> None:
    ann, bob, *_ = people
    resign(server, bob, ann, bob, watch={"public": False})
    resign(server, ann, ann, "bot:simple")
    resign(server, ann, ann, "bot:simple", undo="practice")
    for reader in (None, server[ann]):
        for name in (ann, bob):
            body = ask(server, f"/players/{name}/ratings", reader)
            assert (body["ratings"], body["items"]) == ([], [])
    # and lists, scoreboards and histories say why
    items = ask(server, "/games?player=" + ann, server[ann])["items"]
    assert [item["unrated"] for item in items] == ["practice", "bots", "private"]
    boards = [ask(server, f"/games/{item['id']}/scoreboard", server[ann])["unrated"] for item in items]
    assert boards == ["practice", "bots", "private"]
    views = [ask(server, f"/games/{item['id']}", server[ann])["unrated"] for item in items]
    assert views == ["practice", "bots", "private"]
    reasons = [item["reason"] for item in ask(server, f"/players/{ann}/history", server[ann])["items"]]
    assert reasons == ["practice", "bots", "private"]


def test_a_game_tells_nothing_before_its_end(server: GameServer, people: list[str]) -> None:
    ann, bob, *_ = people
    game = created(server[ann].post("/games", {"variant": "pitch", "seats": [ann, bob], "watch": {"delay": 50}}))["id"]
    history = f"/players/{ann}/history"
    assert (own(server, ann), ask(server, history, server[ann])["items"]) == ({}, [])
    server[bob].post(f"/games/{game}/moves", {"type": "resign"})
    assert own(server, ann)["pitch", "all"]["games"] == 1
    assert [item["id"] for item in ask(server, history)["items"]] == [game]


@pytest.mark.both_stores
def test_a_ruling_rates_what_followed_again_and_says_who_moved(server: GameServer, people: list[str]) -> None:
    # given a game of ann and bob that was played to its end, and a later one of ann and eve
    ann, bob, _, eve, *_ = people
    game = server.open([ann, bob], options={"win": 7})
    game.play(lambda view: view["status"] == "finished")
    (winner,) = game.public["result"]["winners"]
    resign(server, eve, ann, eve)
    names = (ann, bob, eve)
    before = {name: own(server, name)["pitch", "all"]["value"] for name in names}
    # when a ruling makes the loser win
    created(open_dispute(game, 0, hand=game.public["last_hand"]["hand"]))
    created(give_ruling(game, "rhea", "adjust", changes=[-30, 30] if winner == 0 else [30, -30]))
    # then all three have another rating, and the list of changes says so
    after = {name: own(server, name)["pitch", "all"]["value"] for name in names}
    assert all(before[name] != after[name] for name in names)
    for kind, numbers in (("all", (before, after)), ("two", None)):
        body = ask(server, f"/ratings/changes?variant=pitch&kind={kind}&limit=500")
        moved = {body["names"][item["player"]]: item for item in body["items"] if item["id"] == game.id}
        assert set(moved) == set(names)
        assert {(item["dispute"], item["decision"]) for item in moved.values()} == {(1, "adjust")}
        if numbers is not None:
            assert [{name: moved[name][when]["value"] for name in names} for when in ("before", "after")] == list(
                numbers
            )
    # and a page of them goes on where the one before ended
    path = "/ratings/changes?variant=pitch"
    first = ask(server, f"{path}&limit=2")
    rest = ask(server, f"{path}&limit=500&cursor={first['next']}")
    assert first["items"] + rest["items"] == ask(server, f"{path}&limit=500")["items"]


def test_a_banned_player_keeps_the_line(server: GameServer, people: list[str]) -> None:
    ann, *others = people
    for other in others:
        resign(server, other, ann, other)
    before = listed(server, people)
    assert set(before) == {ann}
    # when ann is banned
    report = created(server[others[0]].post("/reports", {"about": ann, "kind": "abuse", "text": "insults"}))["report"]
    judge = moderator(server.app, "mod")
    assert judge.post(f"/moderation/reports/{report}/claim", {}).status_code == 200
    created(judge.post(f"/moderation/reports/{report}/ruling", {"step": "ban", "reason": "No.", "until": None}))
    # then the games that were played still count
    assert listed(server, people) == before


@pytest.mark.parametrize(
    "path",
    ["/ratings", "/ratings?variant=whist", "/ratings?variant=pitch&kind=six", "/ratings?variant=pitch&cursor=x",
     "/ratings/changes?variant=pitch&cursor=MSAxIHA=", "/ratings?variant=pitch&cursor=MSAxIHggcA=="],
)  # fmt: skip
def test_a_query_that_says_nothing_sensible_is_malformed(server: GameServer, path: str) -> None:
    check_problem(server.nobody.get(path), 400, "malformed")


@pytest.mark.both_stores
def test_a_page_goes_on_where_the_one_before_ended(server: GameServer, people: list[str]) -> None:
    ann, bob, *others = people
    for name in (ann, bob):
        for other in [each for each in (ann, bob, *others) if each != name]:
            resign(server, other, name, other)
    for path in ("/ratings?variant=pitch", f"/players/{ann}/ratings?"):
        whole = ask(server, f"{path}&limit=500")["items"]
        pages = [ask(server, f"{path}&limit=1")]
        while pages[-1]["next"] is not None:
            pages.append(ask(server, f"{path}&limit=1&cursor={pages[-1]['next']}"))
        assert [item for page in pages for item in page["items"]] == whole
        assert len(whole) >= 2
