"""Latency of one table's moves alone and beside each of 25 attacks, with the limits of production.

    python -m bench.server.attacks [--seconds 4] [--rounds 3] [--attackers 16] [--same-address] [--postgres URL]
        [--data FOLDER] [ATTACK ...]

Four people play as fast as they can. Attackers, in processes of their own, repeat one kind of request without a pause,
from another address or from that of the players. Slices of time with and without the attack take turns, so that other
work on the machine weighs on both. Attackers run at a lower priority, since they would have a machine of their own. The
games that they aim at are the longest that the server allows. With `--data`, a folder is used again, and games in it.
"""

import argparse
import http.client
import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from typing import Any

from api.config import Config
from bench.server.attackers import ATTACKS, Prey, attack
from bench.server.long_games import LongGame, long_game
from bench.server.tables import PASSWORD, Client, Table

PROCESSES = 4
NICENESS = 5
LEAD_S = 1.0
"""How long an attack runs before the moves are timed, and how long its end may take."""
EVENTS = 20_000
"""How many events a game may have."""
ELSEWHERE = "127.0.2.1"
STRONG = {"strong-tables", "choices"}
"""Attacks beside which strong bots are timed, too."""
STRONG_MOVES = 6
STRONG_TIMEOUT_S = 60.0


@dataclass
class Timing:
    """The seconds of each move, and how many requests of players failed."""

    seconds: list[float] = field(default_factory=list)
    failed: int = 0

    def columns(self) -> str:
        """Return the median, the 99th percentile and the maximum in milliseconds."""
        cuts = statistics.quantiles((self.seconds or [0.0]) * 2, n=100)
        return " | ".join(f"{1000 * figure:.1f}" for figure in (cuts[49], cuts[98], max(self.seconds, default=0.0)))


@contextmanager
def running(data: Path, url: str | None) -> Iterator[str]:
    """Start a server with its usual settings, and yield its address."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith("TRICKBOOK_")}
    env = (
        usual
        | {"TRICKBOOK_LOG": "error", "TRICKBOOK_SEATING": "at-once"}
        | ({"TRICKBOOK_DATABASE_URL": url} if url else {})
    )
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as server:
        try:
            assert server.stdout is not None
            line = next(line for line in server.stdout if line.startswith("listening on http://"))
            Thread(target=server.stdout.read, daemon=True).start()
            yield line.split("http://")[1].strip()
        finally:
            server.terminate()


def play(table: Table, seconds: float, timing: Timing) -> None:
    """Make one move after another for a time; one that fails counts for as long as it took."""
    until, failed = time.perf_counter() + seconds, False
    while (began := time.perf_counter()) < until:
        try:
            if failed:
                table.resume()
            table.prepare()
            failed, began = False, time.perf_counter()
            table.move()
            timing.seconds.append(time.perf_counter() - began)
        except (OSError, RuntimeError, http.client.HTTPException) as error:
            failed = True
            timing.failed += 1
            timing.seconds.append(time.perf_counter() - began)
            print(f"a player's request failed: {error!r}", file=sys.stderr)
            time.sleep(0.1)


class StrongTable:
    """A person who plays a game of Pitch with three strong bots, and waits for them."""

    def __init__(self, address: str) -> None:
        self.client = Client(address)
        guest = self.client.post("/api/v1/guests", {})
        self.token: str = guest["token"]
        body = {"variant": "pitch", "seats": [guest["name"], *["bot:strong"] * 3], "options": {"win": 21}}
        opened = self.client.post("/api/v1/games", body, self.token)
        self.path = f"/api/v1/games/{opened['id']}"
        self.seat: int = opened["view"]["you"]["seat"]

    def look(self) -> Any:
        """Return the person's view."""
        self.client.connection.request(
            "GET", f"{self.path}/seats/{self.seat}", headers={"Authorization": f"Bearer {self.token}"}
        )
        return json.loads(self.client.connection.getresponse().read())

    def wait(self) -> float:
        """Return how many seconds the person waits for their turn."""
        began = time.perf_counter()
        while time.perf_counter() - began < STRONG_TIMEOUT_S:
            view = self.look()
            if self.seat in view["turn"]["seats"] or view["status"] != "active":
                break
            time.sleep(0.05)
        return time.perf_counter() - began

    def move(self) -> None:
        """Make the last move that the server offers, or bid as little as possible."""
        view = self.look()
        legal, bids = view["you"]["legal"], view["phase"] == "auction"
        lowest = 0 if view["hand"]["bid"] else min(1, len(legal) - 1)
        self.client.post(f"{self.path}/moves", legal[lowest if bids else -1], self.token)


def wait_for_bots(address: str) -> float:
    """Return the median of the seconds that a person waits for three strong bots between two moves."""
    table, waits = StrongTable(address), list[float]()
    table.wait()
    while len(waits) < STRONG_MOVES and sum(waits) < STRONG_TIMEOUT_S:
        table.move()
        waits.append(table.wait())
    return statistics.median(waits or [0.0])


def revealed_hand(address: str) -> str:
    """Play a hand against three strong bots to its end, and return its path."""
    table = StrongTable(address)
    table.wait()
    while table.look()["hand"]["number"] == 1:
        table.move()
        table.wait()
    return f"{table.path}/hands/1"


def finished_game(address: str, tag: str) -> Table:
    """Play a game of the attackers to its end."""
    table = Table(address, tag)
    while table.view["status"] == "active":
        table.prepare()
        table.move()
    return table


@contextmanager
def attackers(name: str, prey: Prey, number: int) -> Iterator[Any]:
    """Start attackers, and yield the event that lets them attack and the count of their requests."""
    context = get_context("fork")
    go, stop, sent = context.Event(), context.Event(), context.Value("L", 0)
    each = max(1, number // PROCESSES)
    processes = [
        context.Process(target=attack, args=(name, prey, range(n * each, n * each + each), NICENESS, go, stop, sent))
        for n in range(min(PROCESSES, number))
    ]
    for process in processes:
        process.start()
    try:
        yield go, sent
    finally:
        stop.set()
        for process in processes:
            process.join(3)
            process.kill()


def measure_attack(name: str, prey: Prey, table: Table, asked: argparse.Namespace) -> str:
    alone, beside, requests, waits = Timing(), Timing(), 0, list[str]()
    with attackers(name, prey, asked.attackers) as (go, sent):
        for _ in range(asked.rounds):
            play(table, asked.seconds, alone)
            before = sent.value
            go.set()
            time.sleep(LEAD_S)
            play(table, asked.seconds, beside)
            requests += sent.value - before
            if name in STRONG:
                waits.append(f"{wait_for_bots(prey.address):.1f}")
            go.clear()
            time.sleep(LEAD_S)
    rate = requests / (asked.rounds * (asked.seconds + LEAD_S))
    noted = f" bots after {', '.join(waits)} s" if waits else ""
    return f"| {name} | {rate:,.0f} | {alone.columns()} | {beside.columns()} | {beside.failed or ''} |{noted}"


def prepared(data: Path, url: str | None, events: int) -> tuple[LongGame, LongGame]:
    """Return the longest games in a store; make them first in a new one."""
    data.mkdir(parents=True, exist_ok=True)
    kept = data / "long-games.pickle"
    if not kept.exists():
        config = Config(data=data, database_url=url, seating="at-once")
        kept.write_bytes(pickle.dumps((long_game(config, events), long_game(config, events, {"delay": 1}))))
    games: tuple[LongGame, LongGame] = pickle.loads(kept.read_bytes())
    return games


def measure(data: Path, asked: argparse.Namespace) -> None:
    """Print the table for one store."""
    long, delayed = prepared(data, asked.postgres, EVENTS)
    print(f"games of {long.events:,} and {delayed.events:,} events on {'PostgreSQL' if asked.postgres else 'SQLite'}")
    with running(data, asked.postgres) as address, suppress(KeyboardInterrupt):
        names = asked.attacks or list(ATTACKS)
        tag = f"{time.time_ns() // 10**6 % 10**8:x}"
        table, done = Table(address, f"p{tag}"), finished_game(address, f"q{tag}")
        client, accounts, tokens = Client(address), [f"attacker{tag}x{number}" for number in range(asked.attackers)], []
        for name in accounts:
            client.post("/api/v1/users", {"name": name, "password": PASSWORD})
            tokens.append(client.post("/api/v1/tokens", {"name": name, "password": PASSWORD})["token"])
        source = "127.0.0.1" if asked.same_address else ELSEWHERE
        prey = Prey(
            address,
            source,
            done.path,
            table.path,
            long.path,
            delayed.path,
            long.board,
            revealed_hand(address) if "choices" in names else "",
            tuple(accounts),
            tuple(tokens),
            tuple(done.tokens),
        )
        if STRONG & set(names):
            print(f"strong bots move alone after {wait_for_bots(address):.1f} s")
        print("| attack | requests/s of it | alone: p50, ms | p99 | max | beside: p50 | p99 | max | failed |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
        for name in names:
            print(measure_attack(name, prey, table, asked), flush=True)


def main() -> None:
    """Measure SQLite, or PostgreSQL if a URL is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--attackers", type=int, default=16)
    parser.add_argument("--same-address", action="store_true")
    parser.add_argument("--postgres", default=None, metavar="URL")
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help="all by default: " + ", ".join(ATTACKS))
    asked = parser.parse_args()
    print(f"load average: {os.getloadavg()[0]:.1f}")
    if asked.data is not None:
        measure(asked.data, asked)
        return
    with tempfile.TemporaryDirectory() as data:
        measure(Path(data), asked)


if __name__ == "__main__":
    main()
