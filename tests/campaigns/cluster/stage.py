"""Two nodes of trickbook on a group of PostgreSQL nodes or two, and the players whose moves are counted."""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.api.server_process import ServerProcess, run_program, start_server
from tests.campaigns.cluster.checks import faults_of_lists, has_caught_up
from tests.campaigns.cluster.etcd import Etcd
from tests.campaigns.cluster.group import Group
from tests.campaigns.kills.checks import faults_of, traces_in
from tests.campaigns.kills.load import Places, Reader, Table
from tests.conftest import Database
from tests.waiting import wait_until

SERVERS, TABLES, SHARDS = 2, 3, 8
RECOVERY_S = 300.0


@dataclass
class Step:
    """A failure or a move, and what the players noticed of it."""

    kind: str
    which: str
    longest_wait_s: float
    moves: int
    repeated: int


@dataclass
class Report:
    """What was done, what was played, and what is wrong."""

    steps: list[Step] = field(default_factory=list)
    games: int = 0
    moves: int = 0
    refused: int = 0
    repeated: int = 0
    resumed: int = 0
    listed: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def kills(self) -> Counter[str]:
        """The number of kills of each kind."""
        return Counter(step.kind for step in self.steps if step.kind in ("postgres", "node", "etcd", "unsent"))


class Stage:
    """Everything that runs: etcd, two groups, two nodes of trickbook, tables and readers."""

    def __init__(self, etcd: Etcd, home: Group, east: Group | None, folder: Path, seed: int) -> None:
        self.etcd, self.home, self.east = etcd, home, east
        self.database = Database(home.url, folder / "data")
        self.settings = {"SHARDS": str(SHARDS)} | ({} if east is None else {"SERVERS": f"east={east.url}"})
        self.report, self.log = Report(), folder / "servers.log"
        self.chance, self._stack, self._seed = Random(f"cluster {seed}"), ExitStack(), seed
        self._servers: list[ServerProcess] = []
        self.places = Places([])
        self.tables: list[Table] = []
        self.readers: list[Reader] = []

    def begin(self) -> None:
        """Start the nodes of trickbook, open a game at each table, and play."""
        for _ in range(SERVERS):
            log = self._stack.enter_context(self.log.open("ab"))
            starting = start_server(self.database, stderr=log, LIMITS="off", LOG="warning", **self.settings)
            self._servers.append(self._stack.enter_context(starting))
            self.places.urls.append(self._servers[-1].url)
        with ThreadPoolExecutor(TABLES) as pool:
            self.tables = list(pool.map(lambda number: Table(number, self.places, self._seed), range(TABLES)))
        self.readers = [Reader(table.notes[0].game, self.places, self._seed) for table in self.tables]
        for table in self.tables:
            table.start()

    def watch(self, is_over: Callable[[], bool]) -> float:
        """Wait until something is over, and return the longest time that a table waited for its next answer."""
        now = time.monotonic()
        last, longest_s, until = [(table.moves, now) for table in self.tables], 0.0, now + RECOVERY_S
        while not is_over():
            now = time.monotonic()
            assert now < until, "the games don't go on, or something isn't whole again"
            for number, table in enumerate(self.tables):
                moves, since = last[number]
                if table.moves != moves:
                    longest_s, last[number] = max(longest_s, now - since), (table.moves, now)
            time.sleep(0.01)
        return max(longest_s, *(time.monotonic() - since for _, since in last))

    def end(self) -> Report:
        """Stop the tables, and check all games, the shards, and the lists."""
        report = self.report
        for table in self.tables:
            table.end()
            report.games += len(table.notes)
            report.refused += table.refused
        report.moves, report.repeated = self.count()
        url = self.places.urls[0]
        if not any(table.faults for table in self.tables):
            wait_until(lambda: all(reader.is_complete(url) for reader in self.readers), "a stream is behind")
        wait_until(lambda: all(has_caught_up(each) for each in self.places.urls), "the lists are behind")
        report.resumed = sum(reader.resumed for reader in self.readers)
        report.faults = faults_of(self.tables, self.readers, url) + traces_in(self.log)
        code, said = self.run("shards", "check")
        report.faults += [f"trickbook shards check: {said}"] if code else []
        report.listed, wrong = faults_of_lists(self.database, self.settings)
        report.faults += wrong
        return report

    def close(self) -> None:
        """Stop the tables and kill the nodes of trickbook."""
        for table in self.tables:
            table.stop.set()
        self._stack.close()
        for reader in self.readers:
            reader.end()

    def run(self, *words: str) -> tuple[int, str]:
        """Run a command of trickbook, and return its exit code and all that it printed."""
        words = (*words, "--data", str(self.database.data))
        done = run_program(*words, url=self.database.url, within_s=RECOVERY_S, **self.settings)
        return done.returncode, done.stdout + done.stderr

    def count(self) -> tuple[int, int]:
        """Return how many moves were acknowledged, and how many requests repeated."""
        return sum(table.moves for table in self.tables), sum(table.repeated for table in self.tables)

    def have_played(self, moves: int) -> Callable[[], bool]:
        """Return what says whether each table has got that many more answers from now on, or reports a fault."""
        before = [table.moves for table in self.tables]
        return lambda: all(
            table.faults or table.moves >= at + moves for table, at in zip(self.tables, before, strict=True)
        )
