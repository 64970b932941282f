"""Rolling upgrades: a node stores a new fact only once all nodes of the last minute know it."""

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from flask import Flask

from api.accounts.nodes import NodeRecords
from api.config import Config
from api.services.container import Services, open_services
from api.services.kept_time import machine_time
from api.services.operations.nodes import PRESENT_US, RULES, Node, known_facts, node_presence
from domain.commands import OpenGame
from domain.events import FACT_VERSIONS, Player
from domain.store import FactTooNew, NoSuchGame
from domain.store.observer import NoObserver
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.remote_server import RemoteServer
from tests.api.server_process import start_server
from tests.conftest import Database
from tests.waiting import wait_until

GAME = "6f1d0c1e-0000-4000-8000-000000000001"
TABLE = {"variant": "pitch", "seats": ["ann", "bot:random"]}
OLD = known_facts() | {"GameOpened": FACT_VERSIONS["GameOpened"] - 1}


class Minute:
    """A clock for heartbeats that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def minute() -> Minute:
    return Minute()


@pytest.fixture
def services(config: Config, minute: Minute) -> Iterator[Services]:
    """A process whose node looks at heartbeats by that clock."""
    with closing(open_services(config)) as opened:
        opened.node = Node(NodeRecords(opened.accounts.database, minute))
        opened.games.attach(NoObserver(), opened.node)
        yield opened


def another(services: Services, minute: Minute, facts: dict[str, int]) -> Node:
    """Return another node on this store, which has given a heartbeat."""
    node = Node(NodeRecords(services.accounts.database, minute), facts)
    node.beat()
    return node


def open_game(services: Services, game: str = GAME) -> None:
    people = Player("p_ann", "human"), Player("bot:random:1", "bot", "random")
    services.games.open(OpenGame(game, 1, "pitch", {}, people), by="p_ann", command_id="1-1")


def test_a_fact_that_an_older_node_cannot_read_is_not_stored(services: Services, minute: Minute) -> None:
    another(services, minute, OLD)
    services.node.beat()
    with pytest.raises(FactTooNew, match="still runs release"):
        open_game(services)
    with pytest.raises(NoSuchGame):
        services.games.state(GAME)


@pytest.mark.parametrize("missing", ["GameOpened", "CeremonyOpened", RULES])
def test_a_fact_that_another_node_does_not_know_is_not_stored(services: Services, minute: Minute, missing: str) -> None:
    another(services, minute, {fact: v for fact, v in known_facts().items() if fact != missing})
    services.node.beat()
    with pytest.raises(FactTooNew):
        open_game(services)


def test_facts_that_all_nodes_know_are_stored(services: Services, minute: Minute) -> None:
    another(services, minute, known_facts() | {"SeatResigned": FACT_VERSIONS["SeatResigned"] + 1, "FactOfTomorrow": 1})
    another(services, minute, {fact: v for fact, v in known_facts().items() if fact != "DisputeOpened"})
    services.node.beat()
    open_game(services)
    assert services.games.state(GAME).version > 1


def test_a_node_that_was_killed_is_waited_for_a_minute(services: Services, minute: Minute) -> None:
    another(services, minute, OLD)
    minute.now += PRESENT_US
    services.node.beat()
    with pytest.raises(FactTooNew):
        open_game(services)
    minute.now += 1
    services.node.beat()
    open_game(services)


def test_a_node_that_stops_in_order_is_not_waited_for(services: Services, minute: Minute) -> None:
    old = another(services, minute, OLD)
    services.node.beat()
    with pytest.raises(FactTooNew):
        open_game(services)
    old.leave()
    services.node.beat()
    open_game(services)


def test_an_older_node_that_comes_back_is_waited_for_again(services: Services, minute: Minute) -> None:
    services.node.beat()
    open_game(services)
    another(services, minute, OLD)
    services.node.beat()
    with pytest.raises(FactTooNew):
        open_game(services, GAME.replace("6f1d", "6f1e"))


def test_a_row_of_a_node_that_was_killed_goes_after_a_day(services: Services, minute: Minute) -> None:
    another(services, minute, OLD)
    minute.now += 25 * 3600 * 1_000_000
    services.node.beat()
    assert services.accounts.database.run("SELECT name FROM nodes") == [(services.node.name,)]


def test_a_request_that_must_wait_for_the_upgrade_gets_503(app: Flask, ann: Caller) -> None:
    services = services_of(app)
    old = Node(NodeRecords(services.accounts.database, machine_time), OLD)
    old.beat()
    services.node.look()
    refused = ann.post("/games", TABLE)
    body = check_problem(refused, 503, "not-ready")
    assert ("release" in str(body["detail"]), "Retry-After" in refused.headers) == (True, True)
    old.leave()
    services.node.look()
    assert ann.post("/games", TABLE).status_code == 201


def test_a_process_that_stores_facts_is_a_node_until_it_stops(services: Services) -> None:
    with node_presence(services.node):
        assert services.accounts.database.run("SELECT name FROM nodes") == [(services.node.name,)]
    assert services.accounts.database.run("SELECT name FROM nodes") == []


TOMORROW = """
import dataclasses, sys
from domain import events
from domain.events import codec, upcasts
events.FACT_VERSIONS["SeatResigned"] = 2
upcasts.FACT_UPCASTS[("SeatResigned", 1)] = lambda data: data
from api.services.operations import nodes
nodes.PRESENT_US, nodes.BEAT_S = 20_000_000, 0.2
from api.cli.main import main
main()
"""


@pytest.mark.slow
def test_two_servers_of_two_releases_on_one_postgres(fresh_postgres: str, tmp_path: Path) -> None:
    """Both play; tomorrow's release resigns in its own words only once today's server is gone."""
    database, resign = Database(fresh_postgres, tmp_path), {"type": "resign"}
    with (
        start_server(database) as today,
        start_server(database, program=(sys.executable, "-c", TOMORROW)) as tomorrow,
    ):
        old = RemoteServer(today.url)
        games = [old["ann"].post("/games", TABLE).get_json()["id"] for _ in range(2)]
        new = RemoteServer(tomorrow.url, old.tokens)
        assert new["ann"].post("/games", TABLE).status_code == 201
        refused = new["ann"].post(f"/games/{games[0]}/moves", resign)
        assert (refused.status_code, refused.get_json()["type"]) == (503, "/problems/not-ready")
        assert old["ann"].post(f"/games/{games[0]}/moves", resign).status_code == 201
        today.kill()
        wait_until(lambda: new["ann"].post(f"/games/{games[1]}/moves", resign).status_code == 201)
        exports = [httpx.get(f"{tomorrow.url}/api/v1/games/{game}/export", timeout=60).text for game in games]
    versions = [next(line for line in text.splitlines() if '"SeatResigned"' in line) for text in exports]
    assert ['"v":1' in versions[0], '"v":2' in versions[1]] == [True, True]
