"""Races at two server processes: a hundred claims of the last seat, and a server that is killed before it deals."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPException
from threading import Barrier

import pytest

from tests.api.remote_server import RemoteCaller, RemoteResponse, RemoteServer
from tests.api.server_process import start_server
from tests.conftest import Database
from tests.waiting import wait_until

CLAIMANTS = 100
pytestmark = pytest.mark.slow
TABLE = {"variant": "pitch", "seats": ["ann", "open"], "options": {"win": 7}}
KILLED = """
import os, signal
from api.cli.main import main
from domain.store import Games

Games.open = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
main()
"""
"""The server, whose process for requests dies when it deals."""


@pytest.fixture
def urls(database: Database) -> Iterator[list[str]]:
    """Two server processes on one store, each with its worker."""
    with ExitStack() as running:
        yield [running.enter_context(start_server(database, SEATING="asked", LIMITS="off")).url for _ in range(2)]


def guests(urls: list[str], many: int) -> list[RemoteCaller]:
    """Return guests, each of whom asks one of the servers."""

    def guest(number: int) -> RemoteCaller:
        url = urls[number % len(urls)]
        return RemoteCaller(url, RemoteCaller(url).post("/guests", {}).get_json()["token"])

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(guest, range(many)))


def at_once(callers: list[RemoteCaller], path: str) -> list[RemoteResponse]:
    """Let all claim a seat at the same time, and return the answers."""
    barrier = Barrier(len(callers))

    def claim(caller: RemoteCaller) -> RemoteResponse:
        barrier.wait()
        return caller.post(path, {})

    with ThreadPoolExecutor(len(callers)) as pool:
        return list(pool.map(claim, callers))


def facts_of(caller: RemoteCaller, game: str) -> list[str]:
    """Return the facts of a game that everybody may see."""
    lines = caller.get(f"/games/{game}/export").text.splitlines()[1:-1]
    return [line["event"]["fact"] for line in map(json.loads, lines) if "event" in line]


def test_of_a_hundred_claims_at_two_servers_one_wins_and_one_game_starts(urls: list[str]) -> None:
    ann = RemoteServer(urls[0])["ann"]
    table = ann.post("/games", TABLE).get_json()
    callers = guests(urls, CLAIMANTS)
    answers = at_once(callers, f"/games/{table['id']}/seats")
    statuses = Counter(answer.status_code for answer in answers)
    assert (statuses[201], sum(statuses.values())) == (1, CLAIMANTS)
    refused = {answer.get_json()["type"] for answer in answers if answer.status_code != 201}
    assert refused <= {"/problems/table-closed", "/problems/seat-taken"}, statuses
    won = next(number for number, answer in enumerate(answers) if answer.status_code == 201)
    winner = callers[won].get("/me").get_json()["id"]
    for url in urls:
        view = RemoteCaller(url).get(f"/games/{table['id']}").get_json()
        assert [seat["player"] for seat in view["seats"]][1] == winner
        assert (view["status"], view["board"]) == ("active", table["board"])
        assert facts_of(RemoteCaller(url), table["id"]).count("GameOpened") == 1
    assert [each["id"] for each in ann.get("/games?status=forming").get_json()["items"]] == []


def test_another_servers_worker_deals_for_a_server_that_is_killed_after_the_last_claim(database: Database) -> None:
    program = (sys.executable, "-c", KILLED)
    with (
        start_server(database, "--no-worker", program=program, SEATING="asked", LIMITS="off") as dying,
        start_server(database, SEATING="asked", LIMITS="off") as other,
    ):
        ann = RemoteServer(other.url)["ann"]
        table = ann.post("/games", TABLE).get_json()
        (guest,) = guests([other.url], 1)
        with pytest.raises((HTTPException, ConnectionError)):
            RemoteCaller(dying.url, guest.token).post(f"/games/{table['id']}/seats", {})
        wait_until(lambda: guest.get(f"/games/{table['id']}").get_json()["status"] == "active", "the game")
        assert facts_of(ann, table["id"]).count("GameOpened") == 1
        again = guest.post(f"/games/{table['id']}/seats", {})
        assert (again.status_code, again.get_json()["view"]["you"]["seat"]) == (201, 1)
