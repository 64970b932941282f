"""The attacks of `bench.server.attacks`: each function sends requests until told to stop, and counts them."""

import http.client
import json
import os
import select
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from threading import Thread
from typing import Any

from bench.server.tables import PASSWORD

IDLE_EACH, SLOW_EACH, STREAMS_EACH = 60, 20, 12
MANY_EACH, FEW_EACH, PASSWORDS_EACH = 12, 4, 2
"""Connections of each attacker."""
STRONG_EACH = 8
"""Tables of each guest."""
TICK_S = 0.25
BOMB = "a" + " " * 20_000 + "b"
BODY_BYTES = 60_000


@dataclass(frozen=True)
class Prey:
    """The targets of attackers, and the accounts that they have.

    `finished` is a short game that is over and `live` that of the players. `long` has as many events as a game can
    have, `delayed` too, and strangers see it late; `board` is the number of the first of these. `thought` is a revealed
    hand with three strong bots. `seats` are tokens of the finished game. Attackers connect from `source`.
    """

    address: str
    source: str
    finished: str
    live: str
    long: str
    delayed: str
    board: int
    thought: str
    names: tuple[str, ...]
    tokens: tuple[str, ...]
    seats: tuple[str, ...]


class Attacker:
    """One attacker with a connection. It works while `go` is set, until `stop` is."""

    def __init__(self, prey: Prey, number: int, go: Event, stop: Event, sent: "Synchronized[int]") -> None:
        self.prey, self.number, self.go, self._stop, self._sent = prey, number, go, stop, sent
        self.connection = http.client.HTTPConnection(prey.address, timeout=10, source_address=(prey.source, 0))
        self.name, self.token = prey.names[number % len(prey.names)], prey.tokens[number % len(prey.tokens)]

    def is_on(self) -> bool:
        """Wait until the attack goes on, and return whether it does."""
        while not (self.go.is_set() or self._stop.is_set()):
            self.connection.close()
            self.go.wait(TICK_S)
        return not self._stop.is_set()

    def tell(self, requests: int = 1) -> None:
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
        while self.is_on():
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
    one.repeat("POST", "/api/v1/tokens", {"name": one.name, "password": PASSWORD})


def registrations(one: Attacker) -> None:
    """Register one user after another."""
    for number in count():
        if not one.is_on():
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
        made = socket.create_connection((host, int(port)), timeout=10, source_address=(one.prey.source, 0))
        made.sendall(first)
        made.setblocking(False)
        one.tell()
        return made
    return None


def _hold(one: Attacker, connections: int, first: bytes, tick: Callable[[socket.socket], bool]) -> None:
    """Keep connections open that began with the same bytes; `tick` returns whether one is still open."""
    held: list[socket.socket] = []
    while one.is_on():
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
    body = {"variant": "pitch", "seats": [one.name, one.prey.names[other]], "options": {"win": 21}}
    game = None
    while game is None and one.is_on():
        game = one.ask("POST", "/api/v1/games", body, one.token)
    while game is not None and one.is_on():
        one.ask("POST", f"/api/v1/games/{game['id']}/moves", {"type": "propose_draw"}, one.token)
        one.ask("POST", f"/api/v1/games/{game['id']}/moves", {"type": "reject"}, one.prey.tokens[other])


def disputes(one: Attacker) -> None:
    """Dispute a hand of a finished game."""
    body = {"hand": 1, "kind": "score", "text": "not so"}
    one.repeat("POST", f"{one.prey.finished}/disputes", body, one.prey.seats[one.number % len(one.prey.seats)])


def receipts(one: Attacker) -> None:
    """Ask for receipts, which the server signs and keeps."""
    one.repeat("POST", f"{one.prey.finished}/receipts", {}, one.prey.seats[one.number % len(one.prey.seats)])


def _flood(one: Attacker, requests: Sequence[bytes], connections: int) -> None:
    """Send requests on many connections, each as soon as the one before it is answered, without parsing answers."""
    host, _, port = one.prey.address.rpartition(":")
    at, held, poll, turn = (host, int(port)), dict[int, tuple[socket.socket, bytearray]](), select.epoll(), count()

    def close_all() -> None:
        while held:
            held.popitem()[1][0].close()

    while one.is_on():
        while len(held) < connections:
            with suppress(OSError):
                made = socket.create_connection(at, timeout=10, source_address=(one.prey.source, 0))
                made.sendall(requests[next(turn) % len(requests)])
                held[made.fileno()] = made, bytearray()
                poll.register(made, select.EPOLLIN)
        for file, _ in poll.poll(TICK_S):
            connection, read = held[file]
            with suppress(OSError):
                part = connection.recv(1 << 18)
                read += part
                if part and not _is_whole(read):
                    continue
                if part and b"\nconnection: close" not in read[:2000].lower():
                    one.tell()
                    read.clear()
                    connection.sendall(requests[next(turn) % len(requests)])
                    continue
            one.tell()
            poll.unregister(file)
            held.pop(file)[0].close()
        if not one.go.is_set():
            close_all()
    close_all()


def _is_whole(read: bytearray) -> bool:
    """Return whether an answer has arrived with its body; of an event stream, the first bytes are enough."""
    head, found, body = read.partition(b"\r\n\r\n")
    if not found:
        return False
    _, named, after = head.lower().partition(b"\ncontent-length:")
    return len(body) >= int(after.split(b"\r")[0]) if named else b"0\r\n\r\n" in read


def _get(path: str, *headers: str) -> bytes:
    return "\r\n".join((f"GET {path} HTTP/1.1", "Host: x", *headers, "", "")).encode()


def _line(line: str, *below: str) -> bytes:
    body = json.dumps({"line": line, "text": below}).encode()
    head = f"POST /api/v1/commands HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return f"{head}\r\n\r\n".encode() + body


def scoreboards(one: Attacker) -> None:
    """Ask for the scoreboard of the longest game."""
    _flood(one, [_get(f"{one.prey.long}/scoreboard")], MANY_EACH)


def delayed_scoreboards(one: Attacker) -> None:
    """Ask as a stranger for the scoreboard of the longest game that strangers see late."""
    _flood(one, [_get(f"{one.prey.delayed}/scoreboard")], MANY_EACH)


def show_lines(one: Attacker) -> None:
    """Show the longest game by a line."""
    _flood(one, [_line(f"corellian show {one.prey.board}")], 1)


def event_pages(one: Attacker) -> None:
    """Read pages all over the longest game, as large as they may be without being heavy."""
    pages = [_get(f"{one.prey.long}/events?limit=100&after={after}") for after in range(0, 18_000, 531)]
    _flood(one, pages, FEW_EACH)


def headers(one: Attacker) -> None:
    """Send 16 KB of headers with each request."""
    _flood(one, [_get(one.prey.live, *(f"X-Long-{n}: {'a' * 240}" for n in range(60)))], FEW_EACH)


def reconnects(one: Attacker) -> None:
    """Open event streams of the longest game at its beginning, and close each after its first bytes."""
    host, _, port = one.prey.address.rpartition(":")
    request = _get(f"{one.prey.long}/events", "Accept: text/event-stream")

    def reconnect() -> None:
        while one.is_on():
            with suppress(OSError), socket.create_connection((host, int(port)), 10, (one.prey.source, 0)) as made:
                made.sendall(request)
                made.recv(1 << 16)
                one.tell()

    threads = [Thread(target=reconnect, daemon=True) for _ in range(FEW_EACH)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def views(one: Attacker) -> None:
    """Ask for the players' game."""
    _flood(one, [_get(one.prey.live)], FEW_EACH)


def multiple(one: Attacker) -> None:
    """Show the longest game at ten old versions for each of ten lines."""
    boards = [f"{one.prey.board}#{17_000 + n}" for n in range(100)]
    lines = [" ".join(("corellian show", *boards[n : n + 10])) for n in range(0, 100, 10)]
    _flood(one, [_line("multiple", *lines)], 1)


def choices(one: Attacker) -> None:
    """Ask how three strong bots chose in a whole hand."""
    _flood(one, [_get(f"{one.prey.thought}/choices")], 1)


def password_lines(one: Attacker) -> None:
    """Send lines with the right name and password."""
    _flood(one, [_line(f"corellian showas {one.name} {PASSWORD} {one.prey.board}")], PASSWORDS_EACH)


def strong_tables(one: Attacker) -> None:
    """Open tables with strong bots as guests, as many as a guest may, and let them play."""
    while one.is_on():
        guest = one.ask("POST", "/api/v1/guests", {}) or {}
        body = {"variant": "pitch", "seats": [guest.get("name"), *["bot:strong"] * 3], "options": {"win": 21}}
        for _ in range(STRONG_EACH):
            one.ask("POST", "/api/v1/games", body, guest.get("token"))
        while one.go.is_set() and guest:
            time.sleep(TICK_S)


ATTACKS: Mapping[str, Callable[[Attacker], None]] = {
    "accept-bombs": accept_bombs, "audits": audits, "lists": lists, "log-ins": log_ins, "registrations": registrations,
    "exports": exports, "branches": branches, "idle-connections": idle_connections, "slow-readers": slow_readers,
    "slow-writers": slow_writers, "proposals": proposals, "disputes": disputes, "receipts": receipts,
    "streams": streams, "scoreboards": scoreboards, "delayed-scoreboards": delayed_scoreboards,
    "show-lines": show_lines, "event-pages": event_pages, "headers": headers, "reconnects": reconnects, "views": views,
    "multiple": multiple, "choices": choices, "password-lines": password_lines, "strong-tables": strong_tables,
}  # fmt: skip


def attack(
    name: str, prey: Prey, numbers: range, niceness: int, go: Event, stop: Event, sent: "Synchronized[int]"
) -> None:
    """Run attackers in threads of this process while `go` is set, until `stop`."""
    os.nice(niceness)
    threads = [Thread(target=ATTACKS[name], args=(Attacker(prey, n, go, stop, sent),), daemon=True) for n in numbers]
    for thread in threads:
        thread.start()
    stop.wait()
