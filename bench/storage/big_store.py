"""The costs of a store of many games.

    python -m bench.storage.big_store [--games 100,10000,1000000] [--stores sqlite,postgresql] [--folder FOLDER]

The games are short and real (bench.storage.short_games): opened, a move or two, and resigned; one in 101 goes on.
Two processes make them, and one inserts them in large transactions. `trickbook store rebuild` fills the lists. Give
17 kB of disk and 1 ms for each game; --folder chooses the disk.
"""

import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psycopg

from api.config import Config
from api.config.limits import NO_LIMITS
from api.container import Services, open_services
from api.delivery.stored.reader_places import ReaderPlace, ReaderPlaces
from api.evidence.services.receipts import READER
from bench.rules.games import chosen
from bench.server.http import SETTINGS, register, serving, store
from bench.server.load import Driver, Line, Player, Request, get, play_games, prepare
from bench.server.processes import cpu_seconds, peak_mb
from bench.storage.short_games import game_uuid, insert_short_games, is_active
from domain.commands import Command
from domain.store import Games

SAMPLE, MOVES = 200, 5
SAMPLE_S = 0.1
CLIENTS, WARM_UP_S, LOAD_S = 16, 1.0, 5.0
LISTS = {
    "GET /games, ms": "limit=50",
    "GET /games?status=active, ms": "status=active&limit=50",
    "GET /games?variant=setback&status=active, ms": "variant=setback&status=active&limit=50",
    "GET /games?player=, ms": "player=n777&limit=50",
}
TRICKBOOK = (sys.executable, "-m", "api.cli")


@dataclass
class BigStore:
    """A store and its figures so far, by name."""

    games: int
    data: Path
    url: str | None
    figures: dict[str, str] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        """The settings of every program that opens the store."""
        return SETTINGS | ({"TRICKBOOK_DATABASE_URL": self.url} if self.url else {})

    def open(self) -> Services:
        return open_services(
            Config(data=self.data, database_url=self.url, limits=NO_LIMITS, seating="at-once", hashing="cheapest")
        )

    def note(self, name: str, figure: float, form: str = ",.1f") -> None:
        """Keep a figure, and show it on stderr at once."""
        self.figures[name] = format(figure, form)
        print(f"{self.games:,} games: {name} {self.figures[name]}", file=sys.stderr, flush=True)


# Building


def build(big: BigStore) -> None:
    """Insert the games, their boards and players."""
    began = time.perf_counter()
    with closing(big.open()) as services:
        facts = insert_short_games(services, big.games)
        reached = services.games.log.heads()
        with services.accounts.database.transaction(writes=True) as transaction:  # as if the worker had issued them
            ReaderPlaces.go_on(transaction, READER, None, ReaderPlace(reached))
    took = time.perf_counter() - began
    big.note("facts", facts, ",")
    big.note("built, s", took)


# Commands


def time_command(big: BigStore, name: str, *words: str) -> None:
    """Run a command of the program and note its seconds, its processor time, and the most memory that it had."""
    began, command = time.perf_counter(), [*TRICKBOOK, *words, "--data", str(big.data)]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, env=os.environ | big.env, stdout=said, stderr=said)
        status, peak, used = None, 0.0, 0.0
        while status is None:
            peak, used = max(peak, peak_mb(process.pid)), max(used, cpu_seconds(process.pid))
            time.sleep(SAMPLE_S)
            status = process.poll()
        if status:
            said.seek(0)
            sys.exit(f"{' '.join(words)} failed:\n{said.read()[-2000:].decode(errors='replace')}")
    big.note(f"{name}, s", time.perf_counter() - began)
    big.note(f"{name}, s of processor time", used)
    big.note(f"{name}, MB", peak, ",.0f")


def measure_commands(big: BigStore, skipped: Sequence[str]) -> None:
    """Measure check and backup."""
    if "check" not in skipped:
        time_command(big, "check", "store", "check")
    if "backup" not in skipped:
        copy = big.data.with_name("backup")
        time_command(big, "backup", "store", "backup", str(copy))
        big.note("backup on disk, MB", size_mb(copy), ",.0f")
        shutil.rmtree(copy)


def size_mb(folder: Path) -> float:
    """Return the size of all files in a folder in MB."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def database_mb(url: str | None) -> float:
    """Return the size of a PostgreSQL database in MB."""
    if url is None:
        return 0.0
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return int(row[0]) / 1e6 if row else 0.0


# In process


def sample(games: int, chance: random.Random, *, active: bool) -> list[str]:
    """Return the ids of random games that go on, or of games that are over."""
    numbers = [number for number in range(games) if is_active(number) == active] if games < 10**5 else None
    found = list[str]()
    while len(found) < min(SAMPLE, games // 101 + 1):
        number = chance.choice(numbers) if numbers else chance.randrange(games)
        if is_active(number) == active:
            found.append(str(game_uuid(number, games)))
    return found


def moves_in_process(big: BigStore) -> None:
    """Measure loading a game, and a move in it: by the clock and in processor time."""
    chance, loads, moves = random.Random(1), list[float](), list[tuple[float, float]]()
    with closing(big.open()) as services:
        games = services.games
        for game in sample(big.games, chance, active=True):
            loads.append(timed(partial(games.state, game))[0])
            for _ in range(MOVES):
                state = games.state(game)
                if state.turn:
                    moves.append(timed(partial(act, games, game, chosen(state, chance), state.turn[0], chance)))
    big.note("load a game, ms", statistics.median(loads), ".2f")
    big.note("a move in process, ms", statistics.median(took for took, _ in moves), ".2f")
    big.note("a move in process, us of processor time", 1e3 * statistics.median(used for _, used in moves), ".0f")


def act(games: Games, game: str, move: Command, seat: int, chance: random.Random) -> None:
    """Make a move for its seat."""
    by = games.state(game).seats[seat].player
    games.act(game, move, by=by, command_id=f"{chance.getrandbits(64):016x}-{chance.getrandbits(64):016x}")


def timed(run: Callable[[], object]) -> tuple[float, float]:
    """Return the milliseconds by the clock and of processor time."""
    began, used = time.perf_counter(), time.process_time()
    run()
    return 1e3 * (time.perf_counter() - began), 1e3 * (time.process_time() - used)


# Over HTTP


def over_http(big: BigStore) -> None:
    """Measure the start, views of random games, pages of the lobby, and moves of 16 clients."""
    people = register(big.data, big.url, CLIENTS)
    began = time.perf_counter()
    with serving([*TRICKBOOK, "serve", "--port", "0", "--data", str(big.data)], big.env) as (address, _):
        big.note("start, s", time.perf_counter() - began)
        token = people[0][1][0]
        for active in (True, False):
            paths = [f"/api/v1/games/{game}" for game in sample(big.games, random.Random(2), active=active)]
            times = time_reads(address, paths, token)
            big.note(f"view of a game that {'goes on' if active else 'is over'}, ms", statistics.median(times), ".1f")
        for name, query in LISTS.items():
            times = time_reads(address, [f"/api/v1/games?{query}"] * 20, token)
            big.note(name, statistics.median(times), ".1f")
        lines = [Line(address, play_games(*table, random.Random(at), [])) for at, table in enumerate(people)]
        prepare(lines)
        driver = Driver(lines)
        driver.run(WARM_UP_S)
        load = driver.run(LOAD_S)
        big.note(f"moves/s over HTTP, {CLIENTS} clients", load.rate, ",.0f")
        big.note("p50 of a move over HTTP, ms", load.quantile_ms(0.5))
        big.note("p99 of a move over HTTP, ms", load.quantile_ms(0.99))


def time_reads(address: tuple[str, int], paths: Sequence[str], token: str) -> list[float]:
    """Return the milliseconds of each of these reads, one after another."""

    def read() -> Player:
        for path in [*paths, paths[0]]:
            yield Request(get(path, token), is_move=False)

    line, times = Line(address, read()), list[float]()
    for _ in paths:
        began = time.perf_counter()
        line.send(began)
        while (body := line.receive()) is None:
            pass
        times.append(1e3 * (time.perf_counter() - began))
        line.next = line.player.send(body)
    return times


@contextmanager
def folder_for(parent: Path | None) -> Iterator[Path]:
    """Yield a temporary folder, and remove it afterwards."""
    with tempfile.TemporaryDirectory(prefix="big-store-", dir=parent) as folder:
        yield Path(folder)


def measure(games: int, name: str, parent: Path | None, skipped: Sequence[str]) -> dict[str, str]:
    """Build one store and measure everything."""
    with folder_for(parent) as folder, store(name, {}) as (url, _):
        big = BigStore(games, folder / "data", url)
        big.data.mkdir()
        build(big)
        time_command(big, "rebuild", "store", "rebuild")
        big.note("on disk, MB", size_mb(big.data) + database_mb(url), ",.0f")
        moves_in_process(big)
        over_http(big)
        measure_commands(big, skipped)
        return big.figures


def main() -> None:
    """Print a table for each database."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=lambda text: [int(part) for part in text.split(",")], default=[100, 10_000])
    parser.add_argument("--stores", default="sqlite,postgresql")
    parser.add_argument("--folder", type=Path, help="where the stores are built; by default the temporary folder")
    parser.add_argument("--skip", default="", help="check and backup, with a comma: they take longest")
    asked = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for name in asked.stores.split(","):
        columns = [measure(games, name, asked.folder, asked.skip.split(",")) for games in asked.games]
        print(f"| {name}, games | {' | '.join(f'{games:,}' for games in asked.games)} |")
        print("|---|" + "---:|" * len(columns))
        for row in columns[-1]:
            print(f"| {row} | {' | '.join(column.get(row, '') for column in columns)} |", flush=True)
        print()


if __name__ == "__main__":
    main()
