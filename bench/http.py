"""Durable moves a second over HTTP at tables of people, beside a raw INSERT behind the same Flask and server.

    python -m bench.http [--seconds 10] [--clients 16] [--postgres URL]

Each client drives a table of four people of its own, one move after another, on one connection; the peer is asked by
the same clients with bodies of the same size, and commits one row of an event's size for each.
"""

import argparse
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from typing import Any

from domain.engine.tricks import legal_cards
from domain.rules.variants import PITCH

PASSWORD = "correct-horse-battery"
PROCESSES = 2


class Client:
    """One keep-alive connection that speaks JSON."""

    def __init__(self, address: str) -> None:
        self.connection = http.client.HTTPConnection(address, timeout=30)

    def post(self, path: str, body: Any, token: str | None = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self.connection.request("POST", path, json.dumps(body), headers)
        answer = self.connection.getresponse()
        read = answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{path}: {answer.status} {read[:300]!r}")
        return json.loads(read)


class Table:
    """Four people at a table who keep playing."""

    def __init__(self, address: str, number: int) -> None:
        self.client, self.random = Client(address), random.Random(number)
        self.names = [f"t{number}s{seat}" for seat in range(4)]
        self.tokens = [self._join(name) for name in self.names]
        self._open()

    def _join(self, name: str) -> str:
        self.client.post("/api/v1/users", {"name": name, "password": PASSWORD})
        token: str = self.client.post("/api/v1/tokens", {"name": name, "password": PASSWORD})["token"]
        return token

    def _open(self) -> None:
        body = {"variant": "pitch", "options": {"win": 21}, "seats": self.names}
        opened = self.client.post("/api/v1/games", body, self.tokens[0])
        self.path, self.dealt = f"/api/v1/games/{opened['id']}", 0
        self.view = self._look(0)

    def _look(self, seat: int) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        self.client.connection.request("GET", f"{self.path}/seats/{seat}", headers=headers)
        return json.loads(self.client.connection.getresponse().read())

    def prepare(self) -> None:
        """Open a new game if the last one ended. Read every seat's cards after a deal."""
        if self.view["status"] != "active":
            self._open()
        if self.view["hand"]["number"] != self.dealt:
            self.dealt = self.view["hand"]["number"]
            self.cards = [self._look(seat)["you"]["cards"] for seat in range(4)]

    def _chosen(self, seat: int) -> dict[str, Any]:
        hand = self.view["hand"]
        if self.view["phase"] == "auction":
            over = [bid for bid in (2, 3, 4, 5) if bid > max((bid or 0) for bid in hand["bids"])]
            return {"type": "bid", "bid": over[0]} if over and self.random.random() < 0.25 else {"type": "pass"}
        plays = hand["trick"]["plays"]
        led = plays[0]["card"] if plays else None
        legal = legal_cards(PITCH, self.cards[seat], hand["trump"], led)
        return {"type": "play", "card": self.random.choice(legal)}

    def move(self) -> None:
        """Make one move for the seat to move."""
        seat = self.view["turn"]["seats"][0]
        body = self._chosen(seat)
        self.view = self.client.post(f"{self.path}/moves", body, self.tokens[seat])["view"]
        if "card" in body:
            self.cards[seat].remove(body["card"])


class Peer:
    """The same requests to a server that only commits one row for each."""

    def __init__(self, address: str, number: int) -> None:
        self.client, self.token = Client(address), f"tb_{number:043d}"

    def prepare(self) -> None:
        """Do nothing: a row needs no preparation."""

    def move(self) -> None:
        """Post one row."""
        self.client.post("/insert", {"type": "play", "card": "10C"}, self.token)


def _drive(make: Callable[[str, int], Table | Peer], address: str, numbers: list[int], until: float, out: Any) -> None:
    tables = [make(address, number) for number in numbers]
    times: list[list[float]] = [[] for _ in tables]

    def play(table: Table | Peer, into: list[float]) -> None:
        while time.time() < until:
            table.prepare()
            began = time.perf_counter()
            table.move()
            into.append(time.perf_counter() - began)

    out.send("ready")
    until += out.recv()
    threads = [Thread(target=play, args=pair) for pair in zip(tables, times, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    out.send([each for one in times for each in one])


def measure(
    make: Callable[[str, int], Table | Peer], address: str, clients: int, seconds: float
) -> tuple[float, float, float]:
    """Return moves a second, and the median and 99th percentile of one move in milliseconds."""
    context, pipes, processes = get_context("fork"), [], []
    for process in range(PROCESSES):
        ours, theirs = context.Pipe()
        numbers = list(range(process, clients, PROCESSES))
        processes.append(context.Process(target=_drive, args=(make, address, numbers, 0.0, theirs)))
        processes[-1].start()
        pipes.append(ours)
    for pipe in pipes:
        pipe.recv()
    for pipe in pipes:
        pipe.send(time.time() + seconds)
    times = [each for pipe in pipes for each in pipe.recv()]
    for each in processes:
        each.join()
    cut = statistics.quantiles(times, n=100)
    return len(times) / seconds, 1000 * cut[49], 1000 * cut[98]


@contextmanager
def serving(command: list[str], env: dict[str, str]) -> Iterator[str]:
    """Start a server with `command`. Yield its address, from the line with `listening on`."""
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ | env
    )
    try:
        assert server.stdout is not None
        line = next(line for line in server.stdout if "listening on http://" in line)
        Thread(target=server.stdout.read, daemon=True).start()
        yield line.split("http://")[1].split()[0].rstrip("/")
    finally:
        server.terminate()
        server.wait()


def compare(clients: int, seconds: float, url: str | None) -> None:
    """Print one row of the table for trickbook and one for the peer, on one store."""
    store = "PostgreSQL" if url else "SQLite"
    with tempfile.TemporaryDirectory() as data:
        env = {"TRICKBOOK_LIMITS": "off", "TRICKBOOK_LOG": "error"} | ({"TRICKBOOK_DATABASE_URL": url} if url else {})
        program = [str(Path(sys.executable).with_name("trickbook")), "serve", "--port", "0", "--data", f"{data}/t"]
        peer = [sys.executable, "-m", "bench.peer", f"{data}/peer.db", *([url] if url else [])]
        with serving(program, env) as address:
            ours = measure(Table, address, clients, seconds)
        with serving(peer, env) as address:
            theirs = measure(Peer, address, clients, seconds)
    for name, (rate, middle, high) in (("trickbook, a move", ours), ("raw INSERT", theirs)):
        print(f"| {store} | {name} | {rate:,.0f}/s | {middle:.1f} ms | {high:.1f} ms |", flush=True)
    print(f"| {store} | ratio | {ours[0] / theirs[0]:.2f} | | |", flush=True)


def main() -> None:
    """Measure SQLite, and PostgreSQL if a URL is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--postgres", default=None, metavar="URL")
    asked = parser.parse_args()
    print("| store | what | rate | median | p99 |\n|---|---|---:|---:|---:|")
    compare(asked.clients, asked.seconds, None)
    if asked.postgres:
        compare(asked.clients, asked.seconds, asked.postgres)


if __name__ == "__main__":
    main()
