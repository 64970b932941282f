"""The load during kills: tables whose players note every answer, and readers that follow their event streams."""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from threading import Event, Thread
from typing import Any

import httpx

from api.client import NoAnswer, Refusal, Server, UnexpectedAnswer
from tests.api.conftest import PASSWORD
from tests.api.live_server import first_move
from tests.api.remote_server import RemoteServer
from tests.api.stream_client import EVENT_STREAM, StreamReader
from tests.waiting import wait_until

PATIENCE_S = 90.0
"""How long a request is repeated until the server answers."""
PAUSE_S = 0.05
STREAM_TIMEOUT_S = 30.0
GAME = {"variant": "pitch", "options": {"win": 21}}
PASSING = (502, 503, 504)
REFUSED_SHARE = 0.2
"""The share of moves before which another seat sends one that is refused."""


class Gone(Exception):
    """The server didn't answer for a long time."""


@dataclass
class Played:
    """What tables and readers did, and what is wrong."""

    games: int = 0
    moves: int = 0
    refused: int = 0
    repeated: int = 0
    resumed: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Places:
    """The URLs of the running servers. They change when a server is started again."""

    urls: list[str]

    def pick(self, chance: Random) -> str:
        """Return one of the servers."""
        return chance.choice(self.urls)


@dataclass
class Notes:
    """What the players of one game know: leaves by version, and the commands that were acknowledged, in order."""

    game: str
    leaves: dict[int, str] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)

    def add(self, answer: dict[str, Any]) -> None:
        """Note an acknowledged move."""
        self.leaves |= {line["version"]: line["leaf"] for line in answer["events"]}
        self.commands.append(next(line["event"]["command"] for line in answer["events"] if "event" in line))


class Table:
    """Three players who play one game after another, each move at any of the servers, until told to stop.

    A move without an answer is sent again with its key until it has one. Some moves are refused on purpose.
    """

    def __init__(self, number: int, places: Places, seed: int) -> None:
        self.number, self.places, self.chance = number, places, Random(f"table {seed} {number}")
        self.notes: list[Notes] = []
        self.faults: list[str] = []
        self.moves = self.refused = self.repeated = 0
        self.stop = Event()
        self._asked = 0
        self._client: Server | None = None
        self.names = [f"t{number}s{seat}" for seat in range(3)]
        self.tokens = [self._join(name) for name in self.names]
        self.view: dict[str, Any] = {}
        self._open()
        self._thread = Thread(target=self._run, name=f"table-{number}", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def end(self) -> None:
        """Stop after the current move is answered."""
        self.stop.set()
        self._thread.join(2 * PATIENCE_S)
        assert not self._thread.is_alive(), f"table {self.number} still waits for an answer"
        self._leave()

    def _join(self, name: str) -> str:
        body = {"name": name, "password": PASSWORD}
        self._post(None, "/users", body)
        token: str = self._post(None, "/tokens", body)["token"]
        return token

    def _run(self) -> None:
        try:
            while not self.stop.is_set():
                if self.view["status"] != "active":
                    self._open()
                self._move()
        except (AssertionError, KeyError, Refusal, Gone) as error:
            self.faults.append(f"table {self.number}, game {self.notes[-1].game}: {error!r}")

    def _open(self) -> None:
        opened = self._post(self.tokens[0], "/games", GAME | {"seats": self.names}, self._key())
        self.notes.append(Notes(opened["id"]))
        self.notes[-1].add(opened)
        self.view = opened["view"]

    def _move(self) -> None:
        path, seat = f"/games/{self.notes[-1].game}", self.view["turn"]["seats"][0]
        if self.chance.random() < REFUSED_SHARE:
            self._send_refused_move(path, (seat + 1) % 3)
        seen = self._ask(self.tokens[seat], lambda client: client.get(f"{path}/seats/{seat}"))
        assert seen["version"] == self.view["version"], "the game has moved, or its last moves are lost"
        answer = self._post(self.tokens[seat], f"{path}/moves", first_move(seen), self._key())
        self.notes[-1].add(answer)
        self.view = answer["view"]
        self.moves += 1

    def _send_refused_move(self, path: str, seat: int) -> None:
        try:
            self._post(self.tokens[seat], f"{path}/moves", {"type": "pass"}, self._key())
        except Refusal as refusal:
            assert refusal.status == 409, refusal
            self.refused += 1
        else:
            raise AssertionError("a move out of turn was accepted")

    def _key(self) -> str:
        self._asked += 1
        return f"{self.number}-{self._asked}"

    def _post(self, token: str | None, path: str, body: object, key: str | None = None) -> Any:
        headers = {"Idempotency_Key": key} if key else {}
        return self._ask(token, lambda client: client.post(path, body, **headers))

    def _ask(self, token: str | None, ask: Callable[[Server], Any]) -> Any:
        """Return the answer; ask again if the server gives no answer, or says to ask later."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            self._client = self._client or Server(self.places.pick(self.chance), patience_s=0)
            self._client.token = token
            try:
                answer = ask(self._client)
            except (NoAnswer, UnexpectedAnswer):
                self._leave()
            except Refusal as refusal:
                if refusal.status not in PASSING:
                    raise
                self._leave()
            else:
                if self.chance.random() < 0.1:  # the next request goes to any of the servers
                    self._leave()
                return answer
            self.repeated += 1
            time.sleep(PAUSE_S)
        raise Gone(f"no answer for {PATIENCE_S:.0f} s")

    def _leave(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


class Reader:
    """Follows the event stream of a game, and resumes it after the last version at any of the servers."""

    def __init__(self, game: str, places: Places, seed: int) -> None:
        self.game, self.places, self.chance = game, places, Random(f"reader {seed} {game}")
        self.resumed = 0
        self.faults: list[str] = []
        self._before: list[bytes] = []
        self._reader: StreamReader | None = None
        self._client = httpx.Client(timeout=STREAM_TIMEOUT_S, trust_env=False)
        self._stop = Event()
        self._thread = Thread(target=self._run, name="reader", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop after the servers have ended, with which the stream ends."""
        self._stop.set()
        self._thread.join(2 * STREAM_TIMEOUT_S)
        assert not self._thread.is_alive(), f"the reader of game {self.game} still waits"
        self._client.close()

    @property
    def lines(self) -> list[bytes]:
        """The lines so far, of all connections."""
        return self._before + (self._reader.lines if self._reader else [])

    def is_complete(self, url: str) -> bool:
        """Return whether all events that a server has are read, or something is wrong."""
        view = RemoteServer(url).nobody.get(f"/games/{self.game}").get_json()
        return bool(self.faults) or len(self.lines) >= view["version"]

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                with suppress(httpx.HTTPError):
                    self._follow()
                self.resumed += 1
                self._stop.wait(PAUSE_S)
        except AssertionError as error:
            self.faults.append(f"the stream of game {self.game}: {error}")

    def _follow(self) -> None:
        self._before, self._reader = self.lines, None
        after = json.loads(self._before[-1])["version"] if self._before else 0
        headers = {"Accept": EVENT_STREAM, "Last-Event-ID": str(after)}
        url = f"{self.places.pick(self.chance)}/api/v1/games/{self.game}/events"
        with self._client.stream("GET", url, headers=headers) as response:
            assert response.status_code in (200, *PASSING), response.read()
            if response.status_code == 200:
                self._reader = StreamReader(response, version=after)
                self._reader.read()


class Players:
    """Tables at some servers, and a reader of each one's first game."""

    def __init__(self) -> None:
        self.places = Places([])
        self.tables: list[Table] = []
        self.readers: list[Reader] = []

    def open_tables(self, count: int, seed: int) -> None:
        """Open a game at each table."""
        with ThreadPoolExecutor(count) as pool:
            self.tables = list(pool.map(lambda number: Table(number, self.places, seed), range(count)))
        self.readers = [Reader(table.notes[0].game, self.places, seed) for table in self.tables]

    def play(self) -> None:
        """Let the tables begin."""
        for table in self.tables:
            table.start()

    def have_played(self, moves: int) -> Callable[[], bool]:
        """Return what says whether each table has got that many more answers from now on, or reports a fault."""
        before = [table.moves for table in self.tables]
        return lambda: all(t.faults or t.moves >= at + moves for t, at in zip(self.tables, before, strict=True))

    def end_tables(self, played: Played, url: str) -> None:
        """Stop the tables, count what they did, and wait until the readers have all events that a server has."""
        for table in self.tables:
            table.end()
            played.games += len(table.notes)
            played.moves += table.moves
            played.refused += table.refused
            played.repeated += table.repeated
        if not any(table.faults for table in self.tables):
            wait_until(lambda: all(reader.is_complete(url) for reader in self.readers), "a stream is behind")
        played.resumed = sum(reader.resumed for reader in self.readers)

    def stop_tables(self) -> None:
        """Let the tables stop soon."""
        for table in self.tables:
            table.stop.set()

    def end_readers(self) -> None:
        """Stop the readers after the servers have ended."""
        for reader in self.readers:
            reader.end()
