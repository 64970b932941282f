"""Non-interference on real servers: two stores whose games differ only in what a seat can't see."""

import random
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from api.accounts.accounts import open_accounts
from api.app import create_app
from api.config import NO_LIMITS, Config
from domain.events import Player
from domain.store import Games
from tests.api.conftest import PASSWORD, services_of
from tests.api.given_http import store_events
from tests.api.past_times import time_ago
from tests.api.remote_server import RemoteCaller, RemoteResponse, wait_until_lists_follow
from tests.api.secrecy.test_secrecy import HASHES, OFFERS, TABLES, read_paths
from tests.api.server_process import start_server
from tests.api.worlds import Events, play_random_game, state_of, vary_hidden_facts
from tests.conftest import Database
from tests.given import GAME
from tests.values import replace
from tests.waiting import wait_for

Told = tuple[int, list[tuple[str, str]], bytes]
VARYING = {"x-request-id", "date"}
SEAT = 1


@contextmanager
def serving(data: Path) -> Iterator[RemoteCaller]:
    """Serve a store."""
    with start_server(Database(None, data), LIMITS="off") as started:
        nobody = RemoteCaller(started.url)
        wait_for(lambda: nobody.get("/games?limit=500").status_code, lambda status: status != 503)
        yield nobody
        assert started.stop() == 0


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Player], list[str]]:
    """A store with four registered players, their ids and their tokens."""
    data, players, tokens = tmp_path_factory.mktemp("people"), list[Player](), list[str]()
    with serving(data) as nobody:
        for name in ("p0", "p1", "p2", "p3"):
            body = {"name": name, "password": PASSWORD}
            players.append(Player(nobody.post("/users", body).get_json()["id"], "human"))
            tokens.append(nobody.post("/tokens", body).get_json()["token"])
    with closing(open_accounts(Config(data=data, limits=NO_LIMITS, seating="at-once"))) as accounts:
        accounts.boards.reserve(GAME, players[0].player)
    return data, players, tokens


def visible(answer: RemoteResponse) -> Told:
    """Return the whole answer without hashes of hidden data and without headers that always differ."""
    headers = [(name, text) for name, text in answer.headers.items() if name.lower() not in VARYING]
    return answer.status_code, headers, HASHES.sub(rb"\1\2\3\4\5?", answer.data)


def issue_receipts(data: Path) -> None:
    """Issue the receipts of the hands that ended, which the server's worker would otherwise do at some moment."""
    services = services_of(create_app(Config(data=data, limits=NO_LIMITS, seating="at-once")))
    services.receipts.issue_missing(services.games.log.last_numbers())
    services.close()


def responses(people: Path, data: Path, events: Events, token: str, paths: list[str]) -> list[Told]:
    """Return all that the seat receives in one world."""
    shutil.copytree(people, data, ignore=shutil.ignore_patterns("log.db*", "views.db*"))
    with closing(Games(data)) as games:
        store_events(games, events)
    issue_receipts(data)
    with serving(data) as nobody:
        wait_until_lists_follow(nobody.url)
        caller = replace(nobody, token=token)
        told = [visible(caller.get(path)) for path in paths]
        told += [visible(caller.get(path, Accept="text/plain")) for path in paths if "audit" in path]
        return told + [visible(caller.post("/games/1/moves", offer)) for offer in out_of_turn()]


def out_of_turn() -> list[dict[str, Any]]:
    """Return moves that are refused whatever anybody holds, since it's another seat's turn."""
    return [offer for offer in OFFERS if offer.get("type") in {"play", "bid", "pass", "name_trump", "discard"}]


@pytest.mark.slow
@pytest.mark.parametrize("table", ["pitch", "blackout"])
def test_attack_58_two_games_that_differ_only_in_hidden_cards_give_a_seat_the_same_bytes(
    people: tuple[Path, list[Player], list[str]], tmp_path: Path, table: str
) -> None:
    office, players, tokens = people
    chance = random.Random(f"58 {table}")
    variant, _, options = TABLES[table]
    for moves in range(40, 80):
        events = play_random_game(chance, players, variant, moves, **options[0])
        state = state_of(events)
        if state.result is None and state.hand is not None and state.turn and SEAT not in state.turn:
            break
    else:
        pytest.fail("no game in which it's another seat's turn")
    yesterday = time_ago(days=1)
    events = [replace(event, at=yesterday) for event in events]
    other = vary_hidden_facts(events, SEAT, chance)
    assert other != events
    app = create_app(Config(data=tmp_path / "app", hashing="cheapest", limits=NO_LIMITS, seating="at-once"))
    paths = read_paths(app, state)
    services_of(app).close()
    token = next(tokens[i] for i, player in enumerate(players) if player.player == state.seats[SEAT].player)
    worlds = [responses(office, tmp_path / name, world, token, paths) for name, world in (("a", events), ("b", other))]
    for path, one, two in zip(paths, *worlds, strict=False):
        assert one == two, path
    assert worlds[0] == worlds[1]
    assert {status for status, _, _ in worlds[0]} >= {200, 404, 409}
