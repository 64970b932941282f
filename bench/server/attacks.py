"""Latency of moves alone and under each of 14 attacks, with the limits of production, all from one address.

    python -m bench.server.attacks [--moves 300] [--attackers 16] [--postgres URL] [ATTACK ...]

Three tables of four people play as fast as they can, while the attackers, in processes of their own, repeat one kind of
request without a pause. Attackers run at a lower priority, since they would have a machine of their own.
"""

import argparse
import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from threading import Thread

from bench.server.attackers import ATTACKS, Prey, attack
from bench.server.tables import PASSWORD, Client, Table

TABLES = 3
PROCESSES = 4
NICENESS = 5
LEAD_S = 2.0
"""How long an attack runs before the moves are timed."""
ATTACKER_TABLE = 90


@dataclass
class Timing:
    """The seconds of each move, the seconds of all, and how many requests of players failed."""

    seconds: list[float]
    elapsed_s: float
    failed: int

    @property
    def rate(self) -> float:
        """Moves a second."""
        return len(self.seconds) / self.elapsed_s

    def columns(self) -> str:
        """Return the median, the 95th and 99th percentile and the maximum in milliseconds, and the rate."""
        cuts = statistics.quantiles(self.seconds, n=100)
        figures = (cuts[49], cuts[94], cuts[98], max(self.seconds))
        return " | ".join(f"{1000 * figure:.0f}" for figure in figures) + f" | {self.rate:.0f}"


@contextmanager
def running(data: str, url: str | None) -> Iterator[str]:
    """Start a server with its usual settings, and yield its address."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith("TRICKBOOK_")}
    env = (
        usual
        | {"TRICKBOOK_LOG": "error", "TRICKBOOK_SEATING": "at-once"}
        | ({"TRICKBOOK_DATABASE_URL": url} if url else {})
    )
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0", "--data", data]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as server:
        try:
            assert server.stdout is not None
            line = next(line for line in server.stdout if line.startswith("listening on http://"))
            Thread(target=server.stdout.read, daemon=True).start()
            yield line.split("http://")[1].strip()
        finally:
            server.terminate()


def time_moves(tables: Sequence[Table], moves: int) -> Timing:
    """Let the tables play at the same time, `moves` in all."""
    timing = Timing([], 0.0, 0)

    def play(table: Table) -> None:
        made = 0
        while made < moves // len(tables):
            began = None
            try:
                table.prepare()
                began = time.perf_counter()
                table.move()
                made += 1
            except (OSError, RuntimeError, http.client.HTTPException) as error:
                timing.failed += 1
                print(f"a player's request failed: {error!r}", file=sys.stderr)
                time.sleep(0.1)
                with suppress(OSError, RuntimeError, http.client.HTTPException):
                    table.resume()
            if began is not None:
                timing.seconds.append(time.perf_counter() - began)

    began = time.perf_counter()
    threads = [Thread(target=play, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    timing.elapsed_s = time.perf_counter() - began
    return timing


def finished_game(address: str) -> Table:
    """Play a game of the attackers to its end."""
    table = Table(address, ATTACKER_TABLE)
    while table.view["status"] == "active":
        table.prepare()
        table.move()
    return table


def under_attack(name: str, prey: Prey, tables: Sequence[Table], moves: int, attackers: int) -> tuple[Timing, float]:
    """Return the timing under an attack, and how many requests the attackers sent a second."""
    context = get_context("fork")
    stop, sent = context.Event(), context.Value("L", 0)
    each = max(1, attackers // PROCESSES)
    processes = [
        context.Process(target=attack, args=(name, prey, range(n * each, n * each + each), NICENESS, stop, sent))
        for n in range(min(PROCESSES, attackers))
    ]
    began = time.perf_counter()
    for process in processes:
        process.start()
    time.sleep(LEAD_S)
    timing = time_moves(tables, moves)
    rate = sent.value / (time.perf_counter() - began)
    stop.set()
    for process in processes:
        process.join(10)
        process.kill()
    return timing, rate


def measure(url: str | None, names: Sequence[str], moves: int, attackers: int) -> None:
    """Print the table for one store."""
    with tempfile.TemporaryDirectory() as data, running(data, url) as address:
        tables = [Table(address, number) for number in range(TABLES)]
        done = finished_game(address)
        client = Client(address)
        accounts = [f"attacker{number}" for number in range(attackers)]
        tokens = []
        for name in accounts:
            client.post("/api/v1/users", {"name": name, "password": PASSWORD})
            tokens.append(client.post("/api/v1/tokens", {"name": name, "password": PASSWORD})["token"])
        prey = Prey(address, done.path, tables[0].path, tuple(accounts), tuple(tokens), tuple(done.tokens))
        time_moves(tables, moves)
        alone = time_moves(tables, moves)
        print(f"| {'PostgreSQL' if url else 'SQLite'}: alone | | {alone.columns()} | 1.00 | |", flush=True)
        for name in names:
            timing, rate = under_attack(name, prey, tables, moves, attackers)
            again = time_moves(tables, moves)
            share = timing.rate / statistics.mean((alone.rate, again.rate))
            alone = again
            print(f"| {name} | {rate:,.0f} | {timing.columns()} | {share:.2f} | {timing.failed or ''} |", flush=True)
        print(f"| alone again | | {alone.columns()} | | |", flush=True)


def main() -> None:
    """Measure SQLite, and PostgreSQL if a URL is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--attackers", type=int, default=16)
    parser.add_argument("--postgres", default=None, metavar="URL")
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help="all by default: " + ", ".join(ATTACKS))
    asked = parser.parse_args()
    print(f"load average: {os.getloadavg()[0]:.1f}")
    print("| attack | requests/s of it | p50, ms | p95 | p99 | max | moves/s | of alone | failed |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    names = asked.attacks or list(ATTACKS)
    for url in [asked.postgres] if asked.postgres else [None]:
        measure(url, names, asked.moves, asked.attackers)


if __name__ == "__main__":
    main()
