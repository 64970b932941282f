"""A lean load client: one thread, raw sockets, prepared requests, and only the fields read that the next move needs.

Each `Player` decides its next request from the last answer. A `Driver` drives all players at once, as fast as they are
answered or at a fixed rate over all of them.
"""

import random
import select
import socket
import time
from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

MOVE_BODIES = {card: b'{"type":"play","card":"%s"}' % card.encode() for card in (
    rank + suit for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A") for suit in "CDHS"
)}  # fmt: skip
PASS = b'{"type":"pass"}'
PEER_BODY = b'{"type":"play","card":"10C"}'
BID_CHANCE = 0.25
TIMEOUT_S = 30.0


class Request(NamedTuple):
    """The bytes of a request. Only moves are counted; a fixed rate paces only moves."""

    data: bytes
    is_move: bool


Player = Generator[Request, bytes, None]
"""Yields requests and gets the body of each answer. It never ends."""


class _Play(msgspec.Struct):
    card: str


class _Trick(msgspec.Struct):
    plays: list[_Play]


class _Hand(msgspec.Struct):
    number: int
    redeal: int
    bids: list[int | None]
    passed: list[int]
    trump: str | None
    trick: _Trick | None


class _Turn(msgspec.Struct):
    seats: list[int]


class _You(msgspec.Struct):
    seat: int
    cards: list[str]


class View(msgspec.Struct):
    """The part of a seat's view that the next move depends on."""

    status: str
    phase: str
    hand: _Hand
    turn: _Turn
    you: _You


class _Answer(msgspec.Struct):
    view: View


class _Opened(msgspec.Struct):
    id: str


READ_ANSWER, READ_VIEW = msgspec.json.Decoder(_Answer).decode, msgspec.json.Decoder(View).decode
READ_OPENED = msgspec.json.Decoder(_Opened).decode


def post_head(path: str, token: str) -> bytes:
    """Return the head of a POST up to the number of its Content-Length."""
    return (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        "Content-Type: application/json\r\nContent-Length: "
    ).encode()


def with_body(head: bytes, body: bytes) -> bytes:
    """Return a POST with its body."""
    return b"%b%d\r\n\r\n%b" % (head, len(body), body)


def get(path: str, token: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


def play_games(names: Sequence[str], tokens: Sequence[str], chance: random.Random, paths: list[str]) -> Player:
    """Play games of Pitch, one after another, as all four people of a table. Append the path of each to `paths`."""
    seats = ",".join(f'"{name}"' for name in names)
    opening = f'{{"variant":"pitch","options":{{"win":21}},"seats":[{seats}]}}'.encode()
    while True:
        answer = yield Request(with_body(post_head("/api/v1/games", tokens[0]), opening), is_move=False)
        paths.append(f"/api/v1/games/{READ_OPENED(answer).id}")
        yield from _play_game(paths[-1], tokens, chance)


def _play_game(path: str, tokens: Sequence[str], chance: random.Random) -> Player:
    heads = [post_head(f"{path}/moves", token) for token in tokens]
    view = READ_VIEW((yield Request(get(f"{path}/seats/0", tokens[0]), is_move=False)))
    cards, deal = dict[int, list[str]](), (0, 0)
    while view.status == "active":
        seat = view.turn.seats[0]
        if (view.hand.number, view.hand.redeal) != deal:  # every seat bids before it plays, and so learns its cards
            cards, deal = {}, (view.hand.number, view.hand.redeal)
        if view.phase == "auction":
            body = _bid(view, chance)
        else:
            if seat not in cards:
                look = yield Request(get(f"{path}/seats/{seat}", tokens[seat]), is_move=False)
                cards[seat] = READ_VIEW(look).you.cards
            body = MOVE_BODIES[chance.choice(_legal(view.hand, cards[seat]))]
        view = READ_ANSWER((yield Request(with_body(heads[seat], body), is_move=True))).view
        if (view.hand.number, view.hand.redeal) == deal:
            cards[seat] = view.you.cards


def _bid(view: View, chance: random.Random) -> bytes:
    """Return a bid, or a pass. The last to speak bids two if all others have passed, so that most hands are played."""
    highest = max((bid or 0) for bid in view.hand.bids)
    is_last = len(view.hand.passed) == len(view.hand.bids) - 1
    if highest == 0 and is_last:
        return b'{"type":"bid","bid":2}'
    if highest < 5 and chance.random() < BID_CHANCE:
        return b'{"type":"bid","bid":%d}' % max(2, highest + 1)
    return PASS


def _legal(hand: _Hand, cards: list[str]) -> list[str]:
    """Return the cards that can be played: of the suit led or trumps; any card if none is of the suit led."""
    plays = hand.trick.plays if hand.trick else []
    if not plays:
        return cards
    led = plays[0].card[-1]
    if not any(card[-1] == led for card in cards):
        return cards
    return [card for card in cards if card[-1] in (led, hand.trump)]


def post_rows(number: int) -> Player:
    """Ask the peer for one row after another."""
    request = Request(with_body(post_head("/insert", f"tb_{number:043d}"), PEER_BODY), is_move=True)
    while True:
        yield request


class BadAnswer(Exception):
    """The server refused a request, or closed the connection."""


@dataclass(eq=False)
class Line:
    """A player, its connection, and the request under way."""

    address: tuple[str, int]
    player: Player
    next: Request = field(init=False)
    since: float = 0.0
    buffer: bytes = b""

    def __post_init__(self) -> None:
        self.next = next(self.player)
        self.socket = socket.create_connection(self.address, timeout=TIMEOUT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def fileno(self) -> int:
        """Return the file descriptor for select."""
        return self.socket.fileno()

    def send(self, since: float) -> None:
        """Send the next request; its time counts from `since`."""
        self.since = since
        self.socket.sendall(self.next.data)

    def receive(self) -> bytes | None:
        """Read what has arrived. Return the body of the answer once it is complete."""
        part = self.socket.recv(65536)
        if not part:
            raise BadAnswer(f"The server closed the connection after {self.next.data[:80]!r}.")
        self.buffer += part
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = self.buffer[:end].lower()
        at = head.find(b"\r\ncontent-length:")
        if at < 0:
            raise BadAnswer(f"The answer has no Content-Length: {head!r}")
        size = end + 4 + int(head[at + 17 : at + 30].partition(b"\r\n")[0])
        if len(self.buffer) < size:
            return None
        body, self.buffer = self.buffer[end + 4 : size], self.buffer[size:]
        if head[9:12] not in (b"200", b"201"):
            raise BadAnswer(f"{self.next.data[:120]!r} was answered with {head[:12]!r} {body[:300]!r}")
        return body


@dataclass
class Load:
    """The figures of a run: the seconds of each move and of all, and the client's processor time over all requests."""

    moves: list[float] = field(default_factory=list)
    elapsed_s: float = 0.0
    requests: int = 0
    cpu_s: float = 0.0

    @property
    def rate(self) -> float:
        """Moves a second."""
        return len(self.moves) / self.elapsed_s

    @property
    def client_us(self) -> float:
        """Microseconds of the client's processor time for each request."""
        return 1e6 * self.cpu_s / self.requests

    def quantile_ms(self, share: float) -> float:
        """Return the time in milliseconds that this share of the moves stayed below."""
        ordered = sorted(self.moves)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Driver:
    """Drives lines for a while: as fast as they are answered, or with a move due every 1/rate seconds.

    A move at a fixed rate is timed from when it fell due, whether or not a player was free, so that a slow server can't
    hide its delay.
    """

    def __init__(self, lines: Sequence[Line], rate: float | None = None) -> None:
        self._idle, self._busy, self._rate = deque(lines), set[Line](), rate
        self._due = deque[float]()

    def run(self, seconds: float) -> Load:
        """Play for so long, and wait for the last answers."""
        load, used, began = Load(), time.process_time(), time.perf_counter()
        until, upcoming = began + seconds, began
        while (now := time.perf_counter()) < until or self._busy:
            while self._rate is not None and upcoming <= now and upcoming < until:
                self._due.append(upcoming)
                upcoming += 1 / self._rate
            self._send_moves(now < until)
            for line in self._wait(min(until, upcoming) if self._rate else until, now):
                self._take_answer(line, load, until)
        load.elapsed_s, load.cpu_s = time.perf_counter() - began, time.process_time() - used
        self._due.clear()
        return load

    def _send_moves(self, is_open: bool) -> None:
        while self._idle and is_open and (self._rate is None or self._due):
            self._busy.add(line := self._idle.popleft())
            line.send(self._due.popleft() if self._due else time.perf_counter())

    def _wait(self, event: float, now: float) -> list[Line]:
        """Return the lines that can be read, at the latest at `event`, or if it is past, when an answer is due."""
        timeout = event - now if event > now else TIMEOUT_S
        ready = select.select(self._busy, (), (), timeout)[0]
        if not ready and timeout == TIMEOUT_S:
            raise BadAnswer(f"{len(self._busy)} requests weren't answered within {TIMEOUT_S:.0f} s.")
        return ready

    def _take_answer(self, line: Line, load: Load, until: float) -> None:
        body = line.receive()
        if body is None:
            return
        now = time.perf_counter()
        load.requests += 1
        if line.next.is_move:
            load.moves.append(now - line.since)
        line.next = line.player.send(body)
        if not line.next.is_move or (self._rate is None and now < until):
            line.send(now)
        else:
            self._busy.remove(line)
            self._idle.append(line)


def prepare(lines: Sequence[Line]) -> None:
    """Send what comes before each player's first move."""
    for line in lines:
        while not line.next.is_move:
            line.send(time.perf_counter())
            while (body := line.receive()) is None:
                pass
            line.next = line.player.send(body)
