"""The attacks of `bench.server.attacks`: each function sends requests until told to stop, and counts them."""

import http.client
import json
import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from threading import Thread
from typing import Any

from bench.server.tables import PASSWORD

IDLE_EACH, SLOW_EACH, STREAMS_EACH = 60, 20, 12
"""Connections of each attacker."""
TICK_S = 0.25
BOMB = "a" + " " * 20_000 + "b"
BODY_BYTES = 60_000


@dataclass(frozen=True)
class Prey:
    """The server's address, a finished game, a game of players, and accounts; `seats` are tokens of the first game."""

    address: str
    finished: str
    live: str
    names: tuple[str, ...]
    tokens: tuple[str, ...]
    seats: tuple[str, ...]


class Attacker:
    """One attacker with a connection."""

    def __init__(self, prey: Prey, number: int, stop: Event, sent: "Synchronized[int]") -> None:
        self.prey, self.number, self.stop, self._sent = prey, number, stop, sent
        self.connection = http.client.HTTPConnection(prey.address, timeout=10)
        self.token = prey.tokens[number]

    def tell(self, requests: int = 1) -> None:
        """Count requests."""
        with self._sent.get_lock():
            self._sent.value += requests

    def ask(self, method: str, path: str, body: object = None, token: str | None = None, **headers: str) -> Any:
        """Send a request and return the status and the JSON answer, or None."""
        named = headers | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        named |= {"Content-Type": "application/json"} if data is not None else {}
        try:
            self.connection.request(method, path, data, named)
            answer = self.connection.getresponse()
            read = answer.read()
            self.tell()
            return json.loads(read) if answer.status in (200, 201) and read.startswith(b"{") else None
        except (OSError, http.client.HTTPException, ValueError):
            self.connection.close()
            return None

    def repeat(self, method: str, path: str, body: object = None, token: str | None = None, **headers: str) -> None:
        """Send the same request again and again."""
        while not self.stop.is_set():
            self.ask(method, path, body, token, **headers)


def accept_bombs(one: Attacker) -> None:
    """Send a long Accept, which a quadratic parser would read for seconds."""
    one.repeat("GET", "/api/v1/exports/games", Accept=BOMB)


def audits(one: Attacker) -> None:
    """Ask for the audit of a long game."""
    one.repeat("GET", f"{one.prey.finished}/audit")


def lists(one: Attacker) -> None:
    """Ask for the longest page of games."""
    one.repeat("GET", "/api/v1/games?limit=500")


def log_ins(one: Attacker) -> None:
    """Log in with the right password, which the server must hash."""
    one.repeat("POST", "/api/v1/tokens", {"name": one.prey.names[one.number], "password": PASSWORD})


def registrations(one: Attacker) -> None:
    """Register one user after another."""
    for number in count():
        if one.stop.is_set():
            return
        name = f"new{os.getpid()}x{one.number}x{number}"
        one.ask("POST", "/api/v1/users", {"name": name, "password": PASSWORD})


def exports(one: Attacker) -> None:
    """Download every game."""
    one.repeat("GET", "/api/v1/exports/games")


def branches(one: Attacker) -> None:
    """Let bots play on in a sandbox."""
    one.repeat("POST", f"{one.prey.finished}/branches", {"at": 12, "bots": "simple", "hands": 3}, one.token)


def _connect(one: Attacker, first: bytes) -> socket.socket | None:
    host, _, port = one.prey.address.rpartition(":")
    with suppress(OSError):
        made = socket.create_connection((host, int(port)), timeout=10)
        made.sendall(first)
        made.setblocking(False)
        one.tell()
        return made
    return None


def _hold(one: Attacker, connections: int, first: bytes, tick: Callable[[socket.socket], bool]) -> None:
    """Keep connections open that began with the same bytes; `tick` returns whether one is still open."""
    held: list[socket.socket] = []
    while not one.stop.is_set():
        held = [each for each in held if _alive(each, tick)]
        for _ in range(connections - len(held)):
            made = _connect(one, first)
            held += [made] if made else []
        time.sleep(TICK_S)
    for each in held:
        each.close()


def _alive(connection: socket.socket, tick: Callable[[socket.socket], bool]) -> bool:
    try:
        if tick(connection):
            return True
    except BlockingIOError:
        return True
    except OSError:
        pass
    connection.close()
    return False


def idle_connections(one: Attacker) -> None:
    """Begin requests and never finish them."""
    _hold(one, IDLE_EACH, b"GET / HTTP/1.1\r\nHost: x\r\n", lambda held: bool(held.recv(1)))


def slow_readers(one: Attacker) -> None:
    """Ask for long answers and read 100 bytes at a time."""
    request = f"GET {one.prey.finished}/export HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    _hold(one, SLOW_EACH, request, lambda held: bool(held.recv(100)))


def slow_writers(one: Attacker) -> None:
    """Send a long body, 10 bytes at a time."""
    lines = (f"POST {one.prey.live}/moves HTTP/1.1", "Host: x", "Content-Type: application/json",
             f"Content-Length: {BODY_BYTES}", "", "")  # fmt: skip
    _hold(one, SLOW_EACH, "\r\n".join(lines).encode(), lambda held: bool(held.send(b" " * 10)))


def streams(one: Attacker) -> None:
    """Follow the players' game on many connections, and read them slowly."""
    request = f"GET {one.prey.live}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()
    _hold(one, STREAMS_EACH, request, lambda held: bool(held.recv(4096)))


def proposals(one: Attacker) -> None:
    """Propose a draw and reject it, again and again, in a game of two accounts of this attacker's."""
    other = (one.number + 1) % len(one.prey.names)
    body = {"variant": "pitch", "seats": [one.prey.names[one.number], one.prey.names[other]], "options": {"win": 21}}
    game = None
    while game is None and not one.stop.is_set():
        game = one.ask("POST", "/api/v1/games", body, one.token)
    while game is not None and not one.stop.is_set():
        one.ask("POST", f"/api/v1/games/{game['id']}/moves", {"type": "propose_draw"}, one.token)
        one.ask("POST", f"/api/v1/games/{game['id']}/moves", {"type": "reject"}, one.prey.tokens[other])


def disputes(one: Attacker) -> None:
    """Dispute a hand of a finished game."""
    body = {"hand": 1, "kind": "score", "text": "not so"}
    one.repeat("POST", f"{one.prey.finished}/disputes", body, one.prey.seats[one.number % len(one.prey.seats)])


def receipts(one: Attacker) -> None:
    """Ask for receipts, which the server signs and keeps."""
    one.repeat("POST", f"{one.prey.finished}/receipts", {}, one.prey.seats[one.number % len(one.prey.seats)])


ATTACKS: Mapping[str, Callable[[Attacker], None]] = {
    "accept-bombs": accept_bombs, "audits": audits, "lists": lists, "log-ins": log_ins, "registrations": registrations,
    "exports": exports, "branches": branches, "idle-connections": idle_connections, "slow-readers": slow_readers,
    "slow-writers": slow_writers, "proposals": proposals, "disputes": disputes, "receipts": receipts,
    "streams": streams,
}  # fmt: skip


def attack(name: str, prey: Prey, numbers: range, niceness: int, stop: Event, sent: "Synchronized[int]") -> None:
    """Run attackers in threads of this process until `stop`."""
    os.nice(niceness)
    threads = [Thread(target=ATTACKS[name], args=(Attacker(prey, n, stop, sent),), daemon=True) for n in numbers]
    for thread in threads:
        thread.start()
    stop.wait()
