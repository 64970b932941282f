"""Whole games of people and bots over HTTP: each ends, verifies, and looks the same live, replayed and listed.

By default a few of each variant with any options; `make games` plays fifty of each on each store.
"""

import random
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from api.config import Config
from api.worker import Worker
from domain.protocols.merkle_log import EMPTY
from domain.rules.variants import VARIANTS
from domain.rules.variants.corellian_versions import VERSIONS
from projections.bots import choose
from replay.audit import GREEN, audit
from replay.history import History, read_export
from replay.history.steps import view_of
from replay.rejudge import rejudge
from tests.api.conftest import Caller, MakeApp, services_of
from tests.api.worlds import time_after
from tests.step_limit import steps

PEOPLE = 3
SAMPLE = 12
SOON = 30
"""Seconds that a session may last that nothing else ends: as many commands, some of its first hand."""
View = Mapping[str, Any]


class Clock:
    """The store's clock: it begins yesterday and moves on by a second for each command."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC) - timedelta(days=1)

    def __call__(self) -> str:
        self.now += timedelta(seconds=1)
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@pytest.fixture
def app(make_app: MakeApp, config: Config) -> Flask:
    """An app on each store in turn, with the same games in every run."""
    made = make_app(config)
    services_of(made).games._clock = Clock()
    return made


@pytest.fixture
def people(caller: Caller) -> list[Caller]:
    return [caller.join(f"player{number}") for number in range(PEOPLE)]


def options_of(variant: str, chance: random.Random, soon: str) -> dict[str, Any]:
    """Return random options; a Corellian game ends by its randomizer or after its first hand."""
    chosen = {option.name: chance.choice(option.values) for option in VARIANTS[variant].options}
    if variant == "corellian":
        parts: dict[str, Any] = {
            "when": [1, chance.choice([1, 4, 16])],
            "end": [1, chance.choice([30, 60, 120])],
            "points": chance.sample(list(VERSIONS), chance.randint(0, 12)),
            "partners": chance.sample(["across", "left", "right", "call"], chance.randint(0, 4)),
        }
        chosen["randomizer"] = chosen["randomizer"] and parts
        if chosen["randomizer"] is None:
            chosen |= {"ends_at": soon, "stop": "after_hand", "host_changes": True}
    return chosen


def seats_of(variant: str, chance: random.Random) -> list[str]:
    """Return three people and as many bots as fit, or fewer."""
    players = chance.choice([number for number in VARIANTS[variant].rules.seats if number >= PEOPLE])
    seats = [f"player{seat}" for seat in range(PEOPLE)]
    seats += [chance.choice(["bot:random", "bot:simple"]) for _ in range(players - PEOPLE)]
    chance.shuffle(seats)
    return seats


def play(app: Flask, people: list[Caller], variant: str, chance: random.Random) -> tuple[str, list[tuple[int, View]]]:
    """Play a game to its end; return its ID, and all views in answers with their seats."""
    soon = time_after(services_of(app).games._clock(), SOON)
    body = {"variant": variant, "seats": seats_of(variant, chance), "options": options_of(variant, chance, soon)}
    answer = people[0].post("/games", body)
    assert answer.status_code == 201, answer.text
    opened = answer.get_json()
    game, view, views = opened["id"], opened["view"], list[tuple[int, View]]()
    by_id = {opened_id: name for opened_id, name in opened["names"].items() if name.startswith("player")}
    spent = steps()
    while view["status"] == "active":
        next(spent)
        (turn,) = view["turn"]["seats"]
        name = by_id.get(view["seats"][turn]["player"])
        if name is None:
            view = let_worker_play(app, people[0], game)
            continue
        mover = people[int(name.removeprefix("player"))]
        own = mover.get(f"/games/{game}/seats/{turn}").get_json()
        views.append((turn, own))
        move = choose_move(own, chance)
        answer = mover.post(f"/games/{game}/moves", move, If_Match=f'"{own["version"]}"')
        assert answer.status_code == 201, answer.text
        view = answer.get_json()["view"]
        views.append((turn, view))
    return game, views


def choose_move(own: View, chance: random.Random) -> dict[str, Any]:
    """Return the move of bot:random, or sometimes a rule change by the host."""
    if "change_rules" in own["you"]["may"] and chance.random() < 0.2:
        return {"type": "change_rules", "change": chance.choice(own["rules"]["changes"])}
    return choose("random", own, chance.randrange)


def let_worker_play(app: Flask, caller: Caller, game: str) -> View:
    """Let the worker play on after a request."""
    here = services_of(app)
    here.followers.catch_up()
    assert Worker(here).play_waiting_games(timedelta()) == 1
    view: View = caller.get(f"/games/{game}").get_json()
    return view


def without_names(view: View) -> View:
    """Return a view without the names that the API adds."""
    return {key: value for key, value in view.items() if key != "names"}


def check(app: Flask, people: list[Caller], game: str, views: list[tuple[int, View]], chance: random.Random) -> None:
    """Check a finished game; only some of its many views are replayed, since each is folded from event 1."""
    history = read_export(people[0].get(f"/games/{game}/export").data)
    assert (history.faults, history.withheld) == ((), 0)
    assert audit(history, rejudge(history)).code() == GREEN
    for seat, view in chance.sample(views, min(len(views), SAMPLE)):
        assert view_of(history, seat, view["version"]) == without_names(view)
    final = people[0].get(f"/games/{game}").get_json()
    assert without_names(final) == view_of(history, None)
    services_of(app).followers.catch_up()
    listed = people[0].get(f"/games/{game}/scoreboard").get_json()
    assert listed["totals"] == final["result"]["scores"]
    assert listed["result"] == final["result"]
    assert root(history) == final["root"]
    for hand in {1, final["hand"]["number"]} if final["hand"] else ():
        check_hand(people[0], f"/games/{game}/hands/{hand}", final)


def check_hand(caller: Caller, path: str, final: View) -> None:
    """Check a hand of a finished game: its result, a seat's view, its text and its audit."""
    told = caller.get(path).get_json()
    assert told["status"] in ("scored", "thrown_in", "broken_off")
    assert (told["score"] is not None) == (told["status"] == "scored")
    assert told["revealed"]
    assert len(told["bids"]) == len(final["seats"])
    for seat in range(len(final["seats"])):
        replayed = caller.get(f"{path}/replay?seat={seat}").get_json()
        assert (replayed["you"]["seat"], replayed["version"]) == (seat, told["last"])
    assert "??" not in caller.get(f"{path}/transcript").text
    assert caller.get(f"{path}/audit").get_json()["verdict"]["code"] == GREEN


def root(history: History) -> str:
    """Compute the root over the leaves."""
    frontier = EMPTY
    for line in history.lines:
        frontier = frontier.append(line.leaf)
    return frontier.root().hex()


def play_and_check(app: Flask, people: list[Caller], variant: str, games: range) -> None:
    for number in games:
        chance = random.Random(f"{variant} {number}")
        game, views = play(app, people, variant, chance)
        check(app, people, game, views, chance)


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_games_over_http_end_and_verify(app: Flask, people: list[Caller], variant: str) -> None:
    play_and_check(app, people, variant, range(1))


@pytest.mark.slow
@pytest.mark.parametrize("ten", range(5))
@pytest.mark.parametrize("variant", list(VARIANTS))
def test_fifty_games_over_http_end_and_verify(app: Flask, people: list[Caller], variant: str, ten: int) -> None:
    play_and_check(app, people, variant, range(10 * ten, 10 * ten + 10))
