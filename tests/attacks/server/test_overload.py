"""Attacks that hold connections, places and processors: others are served."""

import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import IncompleteRead
from pathlib import Path
from random import Random
from threading import Event, Thread
from urllib.parse import urlsplit

import pytest

from api.config import Config
from api.container import open_services
from api.server import front
from domain.events import Player
from tests.api.given_http import store_events
from tests.api.live_server import ServedGame, last_move, open_game
from tests.api.remote_server import RemoteCaller, RemoteServer
from tests.api.server_process import start_server
from tests.api.thread_server import serve_in_thread
from tests.api.worlds import play_random_game
from tests.attacks.running import send_raw
from tests.conftest import Database
from tests.step_limit import steps
from tests.values import replace
from tests.waiting import wait_for

HANG_S = 5
"""An answer that takes longer counts as none."""
MEGABYTE = 1_000_000
SLOW_READERS_LEAVE = """
import api.server.sender as sender
from api.cli.main import main
sender.WRITE_TIMEOUT_S = 5.0
sender.Pace.__init__.__defaults__ = (20 * 1024, 5.0, 3600.0)
main()
"""
BODY = b'{"name":"ann","password":"correct-horse"}'
POST = b"POST /api/v1/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
HALF_HEADERS = b"GET /health/live HTTP/1.1\r\nHost: x\r\nX-Half: "
HALF_BODY = POST + b"Content-Length: 41\r\n\r\n" + BODY[:20]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RemoteServer]:
    """A server with the limits that every server has."""
    with start_server(Database(None, tmp_path)) as started:
        server = RemoteServer(started.url)
        wait_for(lambda: server.nobody.get("/games?limit=500").status_code, lambda status: status != 503)
        yield server


def finished_game(server: RemoteServer) -> ServedGame:
    """Play a long game of one person and three bots to its end."""
    game = open_game(server, ("ann", "bot:simple", "bot:simple", "bot:simple"), options={"win": 21})
    seat = next(line["seat"] for line in game.public["seats"] if line["kind"] == "human")
    for _ in steps(2000):
        view = game.server["ann"].get(f"{game.path}/seats/{seat}").get_json()
        if view["status"] == "finished":
            break
        assert game.server["ann"].post(game.moves, last_move(view)).status_code == 201
    return game


@pytest.mark.slow
def test_attack_110_moves_go_on_while_strangers_loop_the_audit_of_a_long_game(server: RemoteServer) -> None:
    audited = finished_game(server)
    games = [open_game(server, (f"a{number}", f"b{number}")) for number in range(4)]
    stop, statuses = Event(), set[int]()

    def audit(number: int) -> None:
        stranger = RemoteCaller(server.url, source=f"127.0.2.{number + 1}")
        while not stop.is_set():
            statuses.add(stranger.get(f"{audited.path}/audit").status_code)

    def play(game: ServedGame) -> float:
        longest = 0.0
        for _ in range(12):
            seat = game.turn
            move = last_move(game.view(seat))
            began = time.monotonic()
            assert game.move(seat, move).status_code == 201
            longest = max(longest, time.monotonic() - began)
        return longest

    with ThreadPoolExecutor(20) as pool:
        attackers = [pool.submit(audit, number) for number in range(16)]
        try:
            waits = list(pool.map(play, games))
        finally:
            stop.set()
        for each in attackers:
            each.result()
    assert max(waits) < HANG_S
    assert statuses <= {200, 429, 503}


def begin_export(url: str, source: str) -> socket.socket:
    """Ask for all games on a connection with a small buffer."""
    address, connection = urlsplit(url), socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.bind((source, 0))
    connection.connect((address.hostname, address.port))
    connection.sendall(b"GET /api/v1/exports/games HTTP/1.1\r\nHost: x\r\n\r\n")
    return connection


@contextmanager
def slow_export(url: str, source: str) -> Iterator[socket.socket]:
    """Ask for all games and read 200 bytes a second, until the block ends."""
    stop, connection = Event(), begin_export(url, source)
    while not (line := connection.recv(20)).startswith(b"HTTP/1.1 200"):
        connection.close()
        assert line.startswith(b"HTTP/1.1 503"), line
        time.sleep(0.2)
        connection = begin_export(url, source)

    def read() -> None:
        with suppress(OSError):
            while not stop.wait(0.1) and connection.recv(20):
                pass

    reader = Thread(target=read)
    reader.start()
    try:
        yield connection
    finally:
        stop.set()
        reader.join()
        connection.close()


def store_large_games(data: Path, size: int) -> None:
    """Store copies of one game until their export has about `size` bytes."""
    people = [Player(f"p_{seat:024x}", "human") for seat in range(4)]
    events = play_random_game(Random(1), people, "blackout", 300)
    with closing(open_services(Config(data=data))) as here:
        for number in range(size // (700 * len(events)) + 1):
            game = f"00000000-0000-4000-8000-{number:012x}"
            board = here.accounts.boards.reserve(game, people[0].player)
            first = replace(events[0], data=replace(events[0].data, board=board))
            store_events(here.games, [replace(event, game=game) for event in (first, *events[1:])])


@pytest.mark.slow
def test_attack_114_bulk_exports_that_are_read_slowly_give_their_places_back(tmp_path: Path) -> None:
    store_large_games(tmp_path, 12 * MEGABYTE)
    program = [sys.executable, "-c", SLOW_READERS_LEAVE]
    with start_server(Database(None, tmp_path), program=program) as started, ExitStack() as stack:
        caller = RemoteCaller(started.url, source="127.0.3.3")
        assert wait_for_export(caller, 120) > 6 * MEGABYTE
        for source in ("127.0.3.1", "127.0.3.2"):
            stack.enter_context(slow_export(started.url, source))
        assert caller.get("/exports/games").status_code == 503
        assert wait_for_export(caller, 120) > 6 * MEGABYTE


def wait_for_export(caller: RemoteCaller, within_s: float) -> int:
    """Ask for all games until the answer is whole and has games, and return its size."""

    def size() -> int:
        with suppress(IncompleteRead):  # on a slow machine, this client can be the slow one
            answer = caller.get("/exports/games")
            return len(answer.data) if answer.status_code == 200 else 0
        return 0

    return wait_for(size, bool, within_s=within_s, pause_s=0.2)


def check_answers_beside(url: str, unfinished: int) -> None:
    """Check that a new connection is answered while that many requests are unfinished."""
    address, nobody = urlsplit(url), RemoteCaller(url)
    with ExitStack() as stack:
        for number in range(unfinished):
            connection = stack.enter_context(socket.create_connection((address.hostname, address.port), timeout=60))
            connection.sendall(HALF_HEADERS if number % 2 else HALF_BODY)
        for path in ("/games", "/variants"):
            assert nobody.get(path).status_code == 200


@pytest.fixture
def impatient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a server that waits half a second for bodies."""
    monkeypatch.setattr(front, "BODY_TIMEOUT_S", 0.5)
    with serve_in_thread(Config(data=tmp_path, hashing="cheapest")) as started:
        yield started.url


def test_attack_115_a_new_connection_is_answered_beside_unfinished_requests(impatient: str) -> None:
    check_answers_beside(impatient, 150)


LENGTH, CHUNKED = b"Content-Length: 41\r\n", b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"\r\n29\r\n" + BODY + b"\r\n0\r\n\r\n"
AMBIGUOUS = {
    "expect without a body": (POST + b"Expect: 100-continue\r\n" + LENGTH + b"\r\n", 408),
    "length and encoding": (POST + LENGTH + CHUNKED + CHUNKS, 411),
    "encoding and length": (POST + CHUNKED + LENGTH + CHUNKS, 411),
    "two lengths": (POST + LENGTH + b"Content-Length: 40\r\n\r\n" + BODY, 400),
    "a list of lengths": (POST + b"Content-Length: 41, 41\r\n\r\n" + BODY, 400),
}


def test_attack_116_a_request_of_unclear_length_is_answered_and_closed(impatient: str) -> None:
    for name, (request, status) in AMBIGUOUS.items():
        head = send_raw(impatient, request).removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n").partition(b"\r\n\r\n")[0]
        assert (int(head.split()[1]), b"connection: close" in head.lower()) == (status, True), name
    # RFC 9110, 8.6 allows one length twice; nothing can be hidden between the two
    twice = send_raw(impatient, POST + b"Connection: close\r\n" + LENGTH + LENGTH + b"\r\n" + BODY)
    assert twice.startswith(b"HTTP/1.1 201 ")
