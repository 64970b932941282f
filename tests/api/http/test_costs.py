"""Requests read of a long game, in counted events and never in time: no more than their routes declare."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from flask import Flask

import api.caller as budget_module
from api.caller import units_of
from api.config import Config
from api.config.limits import NO_LIMITS, Rate
from api.lines.catalog import GAME_COMMANDS
from api.lines.routes import lane_of_text
from api.web.route import MAX_LIGHT_PAGE
from domain.events import GameOpened, Player, Watch
from domain.store.aggregate import CHECKPOINT_ENTRIES, Entry
from domain.store.application import GameEvents
from projections.views.seat import ViewFold
from tests.api.conftest import Caller, MakeApp, services_of
from tests.api.given_http import store_events
from tests.api.worlds import play_random_game
from tests.given import GAME
from tests.routes import ROUTES
from tests.values import replace

PAGE = MAX_LIGHT_PAGE + CHECKPOINT_ENTRIES
"""How many events a light request reads at most: a page, and those from the checkpoint before it."""
BOARD = 1
PATH = {"reference": GAME, "hand": 1, "seat": 0, "dispute": 1, "message": 1, "player": "p_1"}
QUERIES = {
    "events.list_events": ("", "?limit=100&after=30"),
    "queries.commits_between": ("?from=1",),
    "queries.compare_root": (f"?root={'0' * 64}",),
    "queries.legal_moves": ("?seat=0", "?seat=0&at=600"),
    "queries.replay": ("", "?at=600", "?at=600&seat=0"),
}
"""The queries of routes that read more or less by them, and those without which a route refuses."""
HEAVY_LINES = {"audit": "audits.game_audit", "dispute": "disputes.list_disputes", "transcript": "audits.transcript"}
"""The route that a heavy line about one board asks."""
PUBLIC = Watch()
ARGUMENTS = {"move": f"{BOARD} pass#5", "show": f"{BOARD}", "showas": f"{BOARD}", "hand": f"{BOARD}", "help": ""}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts the events that are read from the store, and those that are folded into views."""
    counts, read_rows, add = Counter[str](), GameEvents.get, ViewFold.add

    def counted_rows(self: GameEvents, *arguments: Any, **given: Any) -> Iterator[Entry]:
        for entry in read_rows(self, *arguments, **given):
            counts["read"] += 1
            yield entry

    def counted_add(self: ViewFold, event: Any) -> None:
        counts["folded"] += 1
        add(self, event)

    monkeypatch.setattr(GameEvents, "get", counted_rows)
    monkeypatch.setattr(ViewFold, "add", counted_add)
    return counts


def store_longest_game(app: Flask, ann: Caller, watch: Watch = PUBLIC) -> int:
    """Store a whole game of ann and three others, and return the number of its events."""
    services, callers = services_of(app), [ann, *map(ann.join, ("bob", "cat", "dan"))]
    people = [Player(str(each.get("/me").get_json()["id"]), "human") for each in callers]
    assert services.accounts.boards.reserve(GAME, people[0].player) == BOARD
    events = play_random_game(Random(1), people, "blackout", 10_000)
    assert events[-1].fact == "GameEnded"
    opened: GameOpened = events[0].data
    store_events(services.games, [replace(events[0], data=replace(opened, watch=watch)), *events[1:]])
    services.followers.catch_up()
    return len(events)


def test_attack_149_no_route_reads_more_of_the_longest_game_than_it_declares(
    app: Flask, ann: Caller, read: Counter[str]
) -> None:
    size, services = store_longest_game(app, ann), services_of(app)
    answered, client = Counter[int](), app.test_client()
    urls = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or "reference" not in rule.arguments or not rule.arguments <= PATH.keys():
            continue
        path = urls.build(rule.endpoint, {name: PATH[name] for name in rule.arguments})
        for query in QUERIES.get(rule.endpoint, ("",)):
            for named in ({"Authorization": f"Bearer {ann.token}"}, {}):
                client.get(path + query, headers=named)  # from here on, the game is in memory
                read.clear()
                answered[client.get(path + query, headers=named).status_code] += 1
                declared = ROUTES[rule.endpoint]
                lane = declared.choose_lane(query.removeprefix("?"))
                most = PAGE if lane == "light" else declared.reads * size + PAGE
                assert read["read"] <= most, (rule.endpoint, query)
                assert read["folded"] <= (0 if lane == "light" else size + 1), (rule.endpoint, query)
                assert read["read"] + read["folded"] <= declared.passes * size + PAGE, (rule.endpoint, query)
    assert services.games.state(GAME).version == size
    assert answered[200] > 50, answered


def test_attack_149_no_light_line_reads_more_than_a_page_of_a_long_game(
    app: Flask, ann: Caller, read: Counter[str]
) -> None:
    size = store_longest_game(app, ann)
    for name in GAME_COMMANDS:
        line = f"blackout {name} {ARGUMENTS.get(name, BOARD)}"
        ann.post("/commands", {"line": line})
        read.clear()
        assert ann.post("/commands", {"line": line}).status_code == 200, line
        heavy = lane_of_text(line, has_token=True) == "heavy"
        reads = ROUTES[HEAVY_LINES[name]].reads if heavy and name in HEAVY_LINES else 0
        assert read["read"] <= reads * size + PAGE, line
        assert read["folded"] == 0, line


@pytest.fixture
def limited(config: Config, make_app: MakeApp) -> Flask:
    """An app where a player may do as much in a minute as one audit of the longest game costs, twice and not thrice."""
    people = [Player(f"p_{seat}", "human") for seat in range(4)]
    size = len(play_random_game(Random(1), people, "blackout", 10_000))
    cost = 1 + units_of(size, ROUTES["audits.game_audit"].passes)
    assert cost > 4
    return make_app(replace(config, limits=replace(NO_LIMITS, heavy_by_player=Rate(3 * cost - 1, 60))))


def test_attack_149_an_audit_costs_as_much_as_its_game_is_long(limited: Flask) -> None:
    ann = Caller(limited.test_client()).join("ann")
    store_longest_game(limited, ann)
    assert [ann.get(f"/games/{GAME}/audit").status_code for _ in range(3)] == [200, 200, 429]


def test_attack_149_a_game_that_a_player_must_not_know_of_costs_as_much_as_none(limited: Flask) -> None:
    ann = Caller(limited.test_client()).join("ann")
    store_longest_game(limited, ann, Watch(public=False))
    eve = ann.join("eve")
    assert {eve.get(f"/games/{GAME}/audit").status_code for _ in range(8)} == {404}


def test_attack_150_a_line_of_many_lines_costs_what_they_cost_and_ends_there(
    app: Flask, ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = store_longest_game(app, ann)
    each = 1 + units_of(size, ROUTES["queries.replay"].passes)
    monkeypatch.setattr(budget_module, "MOST_UNITS", 1 + 5 * each)
    shown = " ".join(f"{BOARD}#{size - n}" for n in range(1, 4))
    answer = ann.post("/commands", {"line": "multiple", "text": [f"blackout show {shown}"] * 3}).get_json()
    assert [item["ok"] for item in answer["data"]["items"]] == [True, False, False]
    assert "Ask for fewer boards, lines or choices at a time" in " ".join(answer["text"].split())
