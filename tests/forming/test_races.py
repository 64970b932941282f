"""Races and crashes: one player gets the last seat, one game starts, and a worker deals what a killed server left."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from api.container import open_services
from api.limits import RateLimiter
from api.tables.services.forming import deal_table
from api.tables.stored.invitations import Invitations
from api.tables.stored.seats import CLAIMED, TableStatus
from api.worker import Worker
from domain.commands import OpenGame
from domain.rejections import NotOffered
from domain.store import Commit, Games
from tests.api.conftest import MakeApp, services_of
from tests.api.server_process import CHECKOUT
from tests.conftest import Database
from tests.forming.tables import People
from tests.forming.test_rematch import play_out
from tests.simultaneous import at_once

CLAIMANTS = 100
KILLED = """
import os, signal, sys
from pathlib import Path
from api.app import create_app
from api.config.limits import NO_LIMITS
from api.config import Config
from domain.store import Games
from tests.api.conftest import Caller

Games.open = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
config = Config(data=Path(sys.argv[1]), database_url=sys.argv[2] or None, hashing="cheapest", limits=NO_LIMITS)
bob = Caller(create_app(config).test_client(), sys.argv[3])
bob.post(f"/games/{sys.argv[4]}/seats", {})
"""


@pytest.fixture
def servers(fresh_postgres: str, tmp_path: Path) -> Iterator[list[People]]:
    """Two servers on one PostgreSQL."""
    config = Config(data=tmp_path, database_url=fresh_postgres, hashing="cheapest", limits=NO_LIMITS)
    with ExitStack() as stack:
        apps = [create_app(config) for _ in range(2)]
        for app in apps:
            stack.enter_context(closing(services_of(app)))
        yield [People(app) for app in apps]


def test_a_hundred_claims_of_the_last_seat_at_two_servers_start_one_game(servers: list[People]) -> None:
    table = servers[0].form("ann", "open")
    names = [f"p{number}" for number in range(CLAIMANTS)]
    for number, name in enumerate(names):
        servers[number % 2].register(name)

    def claim(number: int) -> tuple[int, str]:
        answer = servers[number % 2].claim(names[number], table)
        return answer.status_code, str(answer.get_json(force=True).get("type"))

    answers = at_once(*(partial(claim, number) for number in range(CLAIMANTS)))
    assert [status for status, _ in answers].count(201) == 1
    refused = {slug for status, slug in answers if status != 201}
    assert refused <= {"/problems/table-closed", "/problems/seat-taken"}
    winner = names[[status for status, _ in answers].index(201)]
    services = services_of(servers[0].app)
    state = services.games.state(table["id"])
    assert services.accounts.users.names_of([state.seats[1].player]) == {state.seats[1].player: winner}
    entries = services.games.entries(table["id"])
    assert [entry.event.fact for entry in entries].count("GameOpened") == 1
    assert sum(services.games.log.last_numbers()) == len(entries)


def test_a_player_who_claims_and_leaves_while_others_claim_is_seated_once_or_never(servers: list[People]) -> None:
    table = servers[0].form("ann", "open", "open", "open")
    for number, name in enumerate(("bob", "cat", "dan", "eve")):
        servers[number % 2].register(name)

    def turn(number: int) -> int:
        name = ("bob", "cat", "dan", "eve")[number % 4]
        people = servers[number % 2]
        if number % 3 == 2:
            return people[name].delete(f"/games/{table['id']}/seats/current").status_code
        return people.claim(name, table).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(turn, range(40))) <= {201, 204, 404, 409}
    formed = services_of(servers[0].app).accounts.forming.read(table["id"])
    assert formed is not None
    seated = [seat.player for seat in formed.seats if seat.player is not None]
    assert len(set(seated)) == len(seated)
    is_full = all(seat.state == CLAIMED for seat in formed.seats)
    assert is_full is (formed.status != TableStatus.FORMING)


@pytest.fixture
def people(config: Config, make_app: MakeApp) -> People:
    return People(make_app(config))


@pytest.mark.both_stores
@pytest.mark.parametrize(
    ("seat", "owner", "method"),
    [("open", RateLimiter, "take"), ("invite", RateLimiter, "take"), ("invite", Invitations, "game_of")],
    ids=["the last seat", "by an invitation", "an invitation for one use"],
)
def test_attack_158_a_player_who_claims_the_last_seat_twice_at_once_gets_it_twice(
    people: People, monkeypatch: pytest.MonkeyPatch, seat: str, owner: type[Any], method: str
) -> None:
    # given a request that comes while another one of the same player has read the table, and hasn't claimed yet
    table, body, real = people.form("ann", seat), dict[str, Any](), getattr(owner, method)
    if seat == "invite":
        body["invitation"] = people.invitation("ann", table, uses=1)["token"]
    people.register("bob")
    answers = list[TestResponse]()

    def claim_first(*values: Any, **more: Any) -> Any:
        monkeypatch.setattr(owner, method, real)
        answers.append(people.claim("bob", table, **body))
        return real(*values, **more)

    monkeypatch.setattr(owner, method, claim_first)
    # when both are answered, each has the game
    answers.append(people.claim("bob", table, **body))
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].get_json()["view"] == answers[1].get_json()["view"]


def closed_table(people: People) -> str:
    """Return a table that has closed without a game: as if the process had stopped after the last claim."""
    table = people.form("ann", "open", "bot:simple")
    services_of(people.app).accounts.forming.claim(table["id"], people.form("bob", "open")["opener"], None)
    game: str = table["id"]
    return game


def test_a_worker_deals_the_table_of_a_server_that_was_killed_after_the_last_claim(
    database: Database, people: People
) -> None:
    table = people.form("ann", "open", "bot:simple")
    arguments = (str(database.data), database.url or "", people["bob"].token or "", table["id"])
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False, timeout=120, cwd=CHECKOUT)
    assert killed.returncode == -signal.SIGKILL
    services = services_of(people.app)
    formed = services.accounts.forming.read(table["id"])
    assert formed is not None
    assert formed.status == TableStatus.CLOSING
    assert people.nobody.get(f"/games/{table['id']}").get_json()["status"] == "closing"
    assert Worker(services).finish_tables() == 1
    assert Worker(services).finish_tables() == 0
    view = people["bob"].get(f"/games/{table['id']}/seats/1").get_json()
    assert (view["status"], view["board"]) == ("active", table["board"])
    assert people["bob"].post(f"/games/{table['id']}/seats", {}).get_json()["view"]["you"]["seat"] == 1


def test_two_workers_deal_a_closed_table_once(config: Config, people: People) -> None:
    here, game = services_of(people.app), closed_table(people)
    with closing(open_services(config)) as there:
        tables = [services.accounts.forming.read(game) for services in (here, there)]
        pairs = zip((here, there), tables, strict=True)
        commits = at_once(*(partial(deal_table, services, table) for services, table in pairs if table))
    assert sorted(commit.repeated for commit in commits) == [False, True]
    assert [entry.event.fact for entry in here.games.entries(game)].count("GameOpened") == 1


def test_the_player_who_closed_the_table_may_ask_again_before_it_is_dealt(people: People) -> None:
    game = closed_table(people)
    again = people["bob"].post(f"/games/{game}/seats", {})
    assert (again.status_code, again.get_json()["view"]["you"]["seat"]) == (201, 1)
    assert people["bob"].delete(f"/games/{game}/seats/current").status_code == 409


def test_a_closed_table_that_the_rules_refuse_is_cancelled(people: People) -> None:
    services, game = services_of(people.app), closed_table(people)

    def refuse(*_: object, **__: object) -> None:
        raise NotOffered("This program doesn't offer that any more.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Games, "open", refuse)
        assert Worker(services).finish_tables() == 0
    assert people["ann"].get(f"/games/{game}").get_json()["status"] == "cancelled"
    assert services.accounts.forming.closing() == []


def test_a_table_that_fails_keeps_no_other_one_from_its_deal(people: People) -> None:
    first, second, deal = closed_table(people), closed_table(people), Games.open

    def fail(games: Games, command: OpenGame, **more: Any) -> Commit:
        if command.game == first:
            raise RuntimeError("a fault of the program")
        return deal(games, command, **more)

    for game, is_broken in ((second, True), (first, False)):
        with pytest.MonkeyPatch.context() as patch:
            if is_broken:
                patch.setattr(Games, "open", fail)
            assert Worker(services_of(people.app)).finish_tables() == 1
        assert people.nobody.get(f"/games/{game}").get_json()["status"] == "active"


def test_players_who_ask_for_a_rematch_at_once_at_two_servers_get_one_game(servers: list[People]) -> None:
    game = play_out(servers[0], "ann", "bob")
    callers = [replace(servers[0][name], client=people.app.test_client()) for name, people in zip(
        ("ann", "bob"), servers, strict=True)]  # fmt: skip
    for _ in range(5):
        asked = at_once(*(partial(caller.post, f"/games/{game}/rematch", {}) for caller in callers))
        (game,) = {answer.get_json()["id"] for answer in asked}
        for caller in callers:
            caller.post(f"/games/{game}/moves", {"type": "resign"})
        assert callers[0].get(f"/games/{game}").get_json()["status"] == "finished"
