"""Rolling upgrades: a node stores a new fact only once all nodes of the last minute know it."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from flask import Flask

from api.accounts.server_nodes import PRESENT_US, Node, NodeRecords, known_facts, node_heartbeat
from api.config import Config
from api.container import Services, open_services
from domain.commands import OpenGame
from domain.events import FACT_VERSIONS, Player
from domain.store import FactTooNew, NoSuchGame
from domain.store.games import RULES
from domain.store.held_clock import machine_time
from domain.store.sql.database import Transaction
from tests.api.conftest import Caller, check_problem, services_of

GAME = "6f1d0c1e-0000-4000-8000-000000000001"
TABLE = {"variant": "pitch", "seats": ["ann", "bot:random"]}
OLD = known_facts() | {"GameOpened": FACT_VERSIONS["GameOpened"] - 1}


class Minute:
    """A clock for heartbeats that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000_000_000

    def __call__(self, _tables: Transaction) -> int:
        return self.now


@pytest.fixture
def minute() -> Minute:
    return Minute()


@pytest.fixture
def services(config: Config, minute: Minute) -> Iterator[Services]:
    """A process whose node looks at heartbeats by that clock."""
    with closing(open_services(config)) as opened:
        opened.node = Node(NodeRecords(opened.accounts.database, minute), guard=opened.games.guard)
        yield opened


def another(services: Services, minute: Minute, facts: dict[str, int]) -> Node:
    """Return another node on this store, which has given a heartbeat."""
    node = Node(NodeRecords(services.accounts.database, minute), facts)
    node.beat()
    return node


def open_game(services: Services, game: str = GAME) -> None:
    people = Player("p_ann", "human"), Player("bot:random:1", "bot", "random")
    services.games.open(OpenGame(game, 1, "pitch", {}, people), by="p_ann", command_id="1-1")


@pytest.mark.parametrize("missing", ["", "GameOpened", "CeremonyOpened", RULES])
def test_a_fact_that_another_node_does_not_know_is_not_stored(services: Services, minute: Minute, missing: str) -> None:
    known = {fact: v for fact, v in known_facts().items() if fact != missing} if missing else OLD
    another(services, minute, known)
    services.node.beat()
    with pytest.raises(FactTooNew, match="still runs release"):
        open_game(services)
    with pytest.raises(NoSuchGame):
        services.games.state(GAME)


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


def test_a_node_that_was_killed_while_the_clock_was_ahead_is_waited_for_no_longer(
    services: Services, minute: Minute
) -> None:
    # given a clock of PostgreSQL that is 30 years ahead, and a node that is killed then
    minute.now += 10**15
    another(services, minute, OLD)
    # when it's right again
    minute.now -= 10**15
    services.node.beat()
    # then the node isn't waited for for 30 years, and its row is gone
    open_game(services)
    assert services.accounts.database.run("SELECT name FROM nodes") == [(services.node.name,)]


def test_a_node_that_stops_in_order_is_not_waited_for_until_it_comes_back(services: Services, minute: Minute) -> None:
    old = another(services, minute, OLD)
    services.node.beat()
    with pytest.raises(FactTooNew):
        open_game(services)
    old.leave()
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
    old = Node(NodeRecords(services.accounts.database, lambda _: machine_time()), OLD)
    old.beat()
    services.node.look()
    refused = ann.post("/games", TABLE)
    body = check_problem(refused, 503, "not-ready")
    assert ("release" in str(body["detail"]), "Retry-After" in refused.headers) == (True, True)
    old.leave()
    services.node.look()
    assert ann.post("/games", TABLE).status_code == 201


def test_a_process_that_stores_facts_is_a_node_until_it_stops(services: Services) -> None:
    with node_heartbeat(services.node):
        assert services.accounts.database.run("SELECT name FROM nodes") == [(services.node.name,)]
    assert services.accounts.database.run("SELECT name FROM nodes") == []
