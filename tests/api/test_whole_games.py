"""Whole games of people and bots through HTTP: each ends, verifies, and looks the same live, replayed and listed.

A few by default; fifty on each store under `make games`.
"""

import random
from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask

from domain.cardlog import EMPTY
from projections.bots import choose
from replay.audit import GREEN, audit
from replay.history import History, read
from replay.rejudge import rejudge
from replay.steps import view_of
from tests.api.conftest import Caller, services_of

GOALS = (7, 11, 21)
PEOPLE = 3
SAMPLE = 12
View = Mapping[str, Any]


@pytest.fixture
def people(caller: Caller) -> list[Caller]:
    return [caller.join(f"player{number}") for number in range(PEOPLE)]


def play(people: list[Caller], number: int, chance: random.Random) -> tuple[str, list[tuple[int, View]]]:
    """A game to its end; its id, and every view that an answer held, with the seat it was for."""
    bots, goal = chance.randrange(5), GOALS[number % len(GOALS)]
    seats = [f"player{seat}" for seat in range(PEOPLE)] + [chance.choice(["bot:random", "bot:simple"])] * bots
    chance.shuffle(seats)
    body = {"variant": "pitch", "seats": seats, "options": {"win": goal}}
    opened = people[0].post("/games", body).get_json()
    game, view, views = opened["id"], opened["view"], list[tuple[int, View]]()
    while view["status"] == "active":
        (turn,) = view["turn"]["seats"]
        mover = people[int(seats[turn].removeprefix("player"))]
        own = mover.get(f"/games/{game}/seats/{turn}").get_json()
        views.append((turn, own))
        answer = mover.post(
            f"/games/{game}/moves", choose("random", own, chance.randrange), If_Match=f'"{own["version"]}"'
        )
        assert answer.status_code == 201, answer.text
        view = answer.get_json()["view"]
        views.append((turn, view))
    return game, views


def bare(view: View) -> View:
    """Without the names that the API adds."""
    return {key: value for key, value in view.items() if key != "names"}


def check(app: Flask, people: list[Caller], game: str, views: list[tuple[int, View]], chance: random.Random) -> None:
    """What must hold of a game that has ended; of its many views some are replayed, as each is folded from event 1."""
    history = read(people[0].get(f"/games/{game}/export").data)
    assert (history.faults, history.withheld) == ((), 0)
    assert audit(history, rejudge(history)).code() == GREEN
    for seat, view in chance.sample(views, min(len(views), SAMPLE)):
        assert view_of(history, seat, view["version"]) == bare(view)
    final = people[0].get(f"/games/{game}").get_json()
    assert bare(final) == view_of(history, None)
    services_of(app).followers.catch_up()
    listed = people[0].get(f"/games/{game}/scoreboard").get_json()
    assert listed["totals"] == final["result"]["scores"]
    assert listed["result"] == final["result"]
    assert root(history) == final["root"]


def root(history: History) -> str:
    """The root over the leaves, by our own count."""
    frontier = EMPTY
    for line in history.lines:
        frontier = frontier.append(line.leaf)
    return frontier.root().hex()


def played_and_checked(app: Flask, people: list[Caller], games: int) -> None:
    chance = random.Random(games)
    for number in range(games):
        game, views = play(people, number, chance)
        check(app, people, game, views, chance)


def test_games_through_http_end_and_verify(app: Flask, people: list[Caller]) -> None:
    played_and_checked(app, people, 1)


@pytest.mark.slow
def test_fifty_games_through_http_end_and_verify(app: Flask, people: list[Caller]) -> None:
    played_and_checked(app, people, 50)
