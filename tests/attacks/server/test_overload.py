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

from domain.events import Player
from domain.store import Games
from tests.api.given_http import store_events
from tests.api.http.test_wire import BODY, IMPATIENT, POST, send_bytes
from tests.api.live_server import last_move
from tests.api.remote_server import RemoteCaller, RemoteServer
from tests.api.server_process import ServerProcess, start_server
from tests.api.worlds import play_random_game
from tests.attacks.playing import AttackedGame, open_game, ready_server
from tests.conftest import Database
from tests.values import replace

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
HALF_HEADERS = b"GET /health/live HTTP/1.1\r\nHost: x\r\nX-Half: "
HALF_BODY = POST + b"Content-Length: 41\r\n\r\n" + BODY[:20]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RemoteServer]:
    """A server with the limits that every server has."""
    with start_server(Database(None, tmp_path)) as started:
        yield ready_server(started.url)


def finished_game(server: RemoteServer) -> AttackedGame:
    """Play a long game of one person and three bots to its end."""
    game = open_game(server, ("ann", "bot:simple", "bot:simple", "bot:simple"), options={"win": 21})
    seat = next(line["seat"] for line in game.view()["seats"] if line["kind"] == "human")
    while True:
        view = game.server["ann"].get(f"{game.path}/seats/{seat}").get_json()
        if view["status"] == "finished":
            return game
        assert game.server["ann"].post(game.moves, last_move(view)).status_code == 201


def test_attack_110_moves_go_on_while_strangers_loop_the_audit_of_a_long_game(server: RemoteServer) -> None:
    audited = finished_game(server)
    games = [open_game(server, (f"a{number}", f"b{number}")) for number in range(4)]
    stop, statuses = Event(), set[int]()

    def audit(number: int) -> None:
        stranger = RemoteCaller(server.url, source=f"127.0.2.{number + 1}")
        while not stop.is_set():
            statuses.add(stranger.get(f"{audited.path}/audit").status_code)

    def play(game: AttackedGame) -> float:
        longest = 0.0
        for _ in range(12):
            seat = game.turn()
            move = last_move(game.view(seat))
            began = time.monotonic()
            assert game.post(seat, move).status_code == 201
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
    with closing(Games(data)) as games:
        for number in range(size // (700 * len(events)) + 1):
            game = f"00000000-0000-4000-8000-{number:012x}"
            first = replace(events[0], data=replace(events[0].data, board=number + 1))
            store_events(games, [replace(event, game=game) for event in (first, *events[1:])])


def test_attack_114_bulk_exports_that_are_read_slowly_give_their_places_back(tmp_path: Path) -> None:
    with start_server(Database(None, tmp_path)) as started:
        assert started.stop() == 0
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
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        with suppress(IncompleteRead):  # on a slow machine, this client can be the slow one
            answer = caller.get("/exports/games")
            if answer.status_code == 200 and answer.data:
                return len(answer.data)
        time.sleep(0.2)
    return 0


def test_attack_115_a_new_connection_is_answered_beside_a_thousand_unfinished_requests(server: RemoteServer) -> None:
    address = urlsplit(server.url)
    with ExitStack() as stack:
        for number in range(1000):
            connection = stack.enter_context(socket.create_connection((address.hostname, address.port), timeout=60))
            connection.sendall(HALF_HEADERS if number % 2 else HALF_BODY)
        for path in ("/games", "/variants"):
            began = time.monotonic()
            assert server.nobody.get(path).status_code == 200
            assert time.monotonic() - began < HANG_S


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that waits a second for headers and bodies."""
    program = [sys.executable, "-c", IMPATIENT]
    with start_server(Database(None, tmp_path_factory.mktemp("impatient")), program=program) as started:
        yield started


CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"29\r\n" + BODY + b"\r\n0\r\n\r\n"
LENGTH = b"Content-Length: 41\r\n"
AMBIGUOUS = {
    "expect without a body": (POST + b"Expect: 100-continue\r\n" + LENGTH + b"\r\n", 408),
    "length and encoding": (POST + LENGTH + b"Transfer-Encoding: chunked\r\n\r\n29\r\n" + BODY + b"\r\n0\r\n\r\n", 411),
    "encoding and length": (
        POST + b"Transfer-Encoding: chunked\r\n" + LENGTH + b"\r\n29\r\n" + BODY + b"\r\n0\r\n\r\n",
        411,
    ),
    "two lengths": (POST + LENGTH + b"Content-Length: 40\r\n\r\n" + BODY, 400),
    "a list of lengths": (POST + b"Content-Length: 41, 41\r\n\r\n" + BODY, 400),
}


@pytest.mark.parametrize(("request_", "status"), list(AMBIGUOUS.values()), ids=list(AMBIGUOUS))
def test_attack_116_a_request_of_unclear_length_is_answered_and_closed(
    impatient: ServerProcess, request_: bytes, status: int
) -> None:
    answer = send_bytes(impatient, request_)
    assert (answer.status, answer.headers["connection"]) == (status, "close")


def test_attack_116_one_length_twice_is_that_length(impatient: ServerProcess) -> None:
    """RFC 9110, 8.6 allows this; nothing can be hidden between the two."""
    assert send_bytes(impatient, POST + LENGTH + LENGTH + b"\r\n" + BODY).status == 201
