"""Two servers on one PostgreSQL, killed in turn: no acknowledged move is lost; limits and revocations hold."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.api.log_reference import check_export, roots
from tests.api.remote_server import RemoteServer
from tests.api.server_process import ServerProcess, run_program, start_server
from tests.conftest import Database

PATIENCE_S = 120.0
KILLS = 3


@dataclass
class Pair:
    """Two servers, of which one may be down."""

    database: Database
    stack: ExitStack
    servers: list[ServerProcess] = field(default_factory=list)

    def start(self) -> ServerProcess:
        """Start one more server."""
        return self.stack.enter_context(start_server(self.database, TRUSTED_PROXIES="0"))


@pytest.fixture
def pair(fresh_postgres: str, tmp_path: Path) -> Iterator[Pair]:
    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
        made = Pair(Database(fresh_postgres, tmp_path), stack)
        made.servers = list(pool.map(lambda _: made.start(), range(2)))
        yield made


def send_until_answered(pair: Pair, token: str, path: str, body: object) -> Any:
    """Repeat a request with one key on the servers in turn until one answers it; return status and body."""
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": uuid4().hex}
    until, turn = time.monotonic() + PATIENCE_S, 0
    while time.monotonic() < until:
        turn += 1
        url = pair.servers[turn % 2].url
        with suppress(httpx.TransportError):
            answer = httpx.post(f"{url}/api/v1{path}", json=body, headers=headers, timeout=20)
            if answer.status_code != 503:
                return answer
        time.sleep(0.02)
    raise AssertionError("no server answers")


def test_two_servers_are_killed_in_turn_while_a_game_is_played(pair: Pair) -> None:
    """The log of both begins with the log that each answer acknowledged; the audit is green."""
    remote = RemoteServer(pair.servers[0].url)
    ann, token = remote["ann"], remote.tokens["ann"]
    table = {"variant": "pitch", "seats": ["ann", "bot:random"], "options": {"win": 21}}
    game = ann.post("/games", table).get_json()["id"]
    acknowledged: dict[int, str] = {}
    with ThreadPoolExecutor(1) as pool:
        for kill in range(KILLS):
            victim = kill % 2
            playing = pool.submit(play, pair, token, game, 12, acknowledged)
            time.sleep(0.3 * (kill + 1))
            pair.servers[victim].kill()
            playing.result()
            pair.servers[victim] = pair.start()
    assert send_until_answered(pair, token, f"/games/{game}/moves", {"type": "resign"}).status_code in (201, 409)
    until = time.monotonic() + PATIENCE_S
    while len(exports := set(exports_of(pair, game))) > 1:  # the server may make a receipt between two exports
        assert time.monotonic() < until
    tops = roots(check_export(exports.pop()).leaves)
    assert len(acknowledged) > KILLS
    assert {size: tops[size].hex() for size in acknowledged} == acknowledged
    audited = run_program("game", "audit", game, url=pair.database.url)
    assert audited.returncode == 0, audited.stdout


def exports_of(pair: Pair, game: str) -> list[bytes]:
    """Return the export of a game by each server."""
    return [httpx.get(f"{server.url}/api/v1/games/{game}/export", timeout=60).content for server in pair.servers]


def play(pair: Pair, token: str, game: str, moves: int, acknowledged: dict[int, str]) -> None:
    """Make up to `moves` moves, and note the size and the root of the log in each answer."""
    for _ in range(moves):
        view = view_of(pair, token, game)
        if view["result"] is not None:
            return
        if not view["you"]["legal"]:
            time.sleep(0.05)
            continue
        answer = send_until_answered(pair, token, f"/games/{game}/moves", view["you"]["legal"][-1])
        if answer.status_code == 201:
            acknowledged[answer.json()["version"]] = answer.json()["root"]


def view_of(pair: Pair, token: str, game: str) -> Any:
    """Return the view of seat 0 at a server that answers."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        for server in pair.servers:
            with suppress(httpx.TransportError):
                headers = {"Authorization": f"Bearer {token}"}
                answer = httpx.get(f"{server.url}/api/v1/games/{game}/seats/0", headers=headers, timeout=20)
                if answer.status_code == 200:
                    return answer.json()
        time.sleep(0.02)
    raise AssertionError("no server answers")


def test_limits_and_revocations_hold_on_both_servers_also_after_a_kill(pair: Pair) -> None:
    one, two = (RemoteServer(server.url) for server in pair.servers)
    ann, token = one["ann"], one.tokens["ann"]
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{two.url}/api/v1/games", headers=headers, timeout=60).status_code == 200
    wrong = {"name": "ann", "password": "not-the-password"}
    statuses = [(one, two)[number % 2].nobody.post("/tokens", wrong).status_code for number in range(10)]
    assert statuses == [401] * 10
    assert two.nobody.post("/tokens", wrong).status_code == 429
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]}).get_json()["id"]
    stream_headers = headers | {"Accept": "text/event-stream"}
    with httpx.stream("GET", f"{two.url}/api/v1/games/{game}/events", headers=stream_headers, timeout=60) as stream:
        chunks = stream.iter_bytes()
        next(chunks)
        assert ann.ask("DELETE", "/tokens/current").status_code == 204
        for _ in chunks:  # it ends, since the token doesn't count any more
            continue
    assert httpx.get(f"{two.url}/api/v1/games", headers=headers, timeout=60).status_code == 401
    pair.servers[0].kill()
    again = RemoteServer(pair.start().url)
    for url in (two.url, again.url):
        assert httpx.get(f"{url}/api/v1/games", headers=headers, timeout=60).status_code == 401
    while_waiting = [again.nobody.post("/tokens", wrong).status_code for _ in range(2)]
    assert 429 in while_waiting, "the server that started again counts on"
