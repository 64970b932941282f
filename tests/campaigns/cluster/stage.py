"""Two nodes of trickbook on a group of PostgreSQL nodes or two, and the players whose moves are counted."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.api.server_process import ServerProcess, run_program, start_server
from tests.campaigns.cluster.checks import faults_of_lists, has_caught_up
from tests.campaigns.cluster.etcd import Etcd
from tests.campaigns.cluster.group import Group
from tests.campaigns.kills.checks import faults_of, traces_in
from tests.campaigns.kills.load import Played, Players
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
class Report(Played):
    """What was done, what was played, and what is wrong."""

    steps: list[Step] = field(default_factory=list)
    listed: int = 0

    @property
    def kills(self) -> Counter[str]:
        """The number of kills of each kind."""
        return Counter(step.kind for step in self.steps if step.kind in ("postgres", "node", "etcd", "unsent"))


class Stage(Players):
    """Everything that runs: etcd, two groups, two nodes of trickbook, tables and readers."""

    def __init__(self, etcd: Etcd, home: Group, east: Group | None, folder: Path, seed: int) -> None:
        super().__init__()
        self.etcd, self.home, self.east = etcd, home, east
        self.database = Database(home.url, folder / "data")
        self.settings = {"SHARDS": str(SHARDS)} | ({} if east is None else {"SERVERS": f"east={east.url}"})
        self.report, self.log = Report(), folder / "servers.log"
        self.chance, self._stack, self._seed = Random(f"cluster {seed}"), ExitStack(), seed
        self._servers: list[ServerProcess] = []

    def begin(self) -> None:
        """Start the nodes of trickbook, open a game at each table, and play."""
        for _ in range(SERVERS):
            log = self._stack.enter_context(self.log.open("ab"))
            starting = start_server(self.database, stderr=log, LIMITS="off", LOG="warning", **self.settings)
            self._servers.append(self._stack.enter_context(starting))
            self.places.urls.append(self._servers[-1].url)
        self.open_tables(TABLES, self._seed)
        self.play()

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
        report, url = self.report, self.places.urls[0]
        self.end_tables(report, url)
        wait_until(lambda: all(has_caught_up(each) for each in self.places.urls), "the lists are behind")
        report.faults = faults_of(self.tables, self.readers, url) + traces_in(self.log)
        code, said = self.run("shards", "check")
        report.faults += [f"trickbook shards check: {said}"] if code else []
        report.listed, wrong = faults_of_lists(self.database, self.settings)
        report.faults += wrong
        return report

    def close(self) -> None:
        """Stop the tables and kill the nodes of trickbook."""
        self.stop_tables()
        self._stack.close()
        self.end_readers()

    def run(self, *words: str) -> tuple[int, str]:
        """Run a command of trickbook, and return its exit code and all that it printed."""
        words = (*words, "--data", str(self.database.data))
        done = run_program(*words, url=self.database.url, within_s=RECOVERY_S, **self.settings)
        return done.returncode, done.stdout + done.stderr

    def count(self) -> tuple[int, int]:
        """Return how many moves were acknowledged, and how many requests repeated."""
        return sum(table.moves for table in self.tables), sum(table.repeated for table in self.tables)
