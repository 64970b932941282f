"""A campaign of kills: servers on one store, tables that play, and a process killed again and again."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from random import Random

import psycopg

from tests.api.server_process import PROGRAM, ServerProcess, start_server
from tests.campaigns.kills.checks import faults_of, faults_of_store, traces_in
from tests.campaigns.kills.load import Played, Players
from tests.campaigns.kills.victims import kill, kill_backend, kill_cluster, process_ids
from tests.conftest import Database
from tests.postgres import Cluster
from tests.waiting import wait_until

SEED = 20261123
SERVERS, TABLES = 2, 3
MOVES_BETWEEN = 2
"""The number of answers that each table gets between two kills."""
MAX_PAUSE_S = 0.3
"""A kill comes at a random moment in this time after those answers."""
VICTIMS = ("requests",) * 5 + ("supervisor",) * 3 + ("worker", "heavy")
POSTGRES_VICTIMS = (*VICTIMS, *("postmaster",) * 4, *("backend",) * 3)
UNSAFE_PROGRAM = (*PROGRAM[:-1], "tests.campaigns.kills.unsafe_program")
UNSAFE_SETTINGS = {
    "synchronous_commit": "off", "wal_writer_delay": "10s", "wal_writer_flush_after": "1GB", "autovacuum": "off",
}  # fmt: skip
"""Settings of PostgreSQL with which a crash loses what the program doesn't make durable itself."""


@dataclass
class Report(Played):
    """What was killed, what was played, and what is wrong."""

    kills: Counter[str] = field(default_factory=Counter)


class Campaign(Players):
    """Servers, tables and readers on one store, which a cluster may hold."""

    def __init__(self, database: Database, cluster: Cluster | None, seed: int, program: Sequence[str]) -> None:
        super().__init__()
        self._database, self._cluster, self._program = database, cluster, program
        self._chance = Random(f"kills {seed}")
        self._stack, self._seed = ExitStack(), seed
        self._servers: list[ServerProcess] = []
        self.report = Report()
        self.log = database.data.parent / f"{database.data.name}.log"

    def start(self, servers: int) -> None:
        """Start the servers, one after the other, and open a game at each table."""
        for _ in range(servers):
            self._servers.append(self.start_server())
            self.places.urls.append(self._servers[-1].url)
        self.open_tables(TABLES, self._seed)

    def wait_for_moves(self, moves: int) -> None:
        """Wait until each table has got that many more answers, or reports a fault."""
        wait_until(self.have_played(moves), "the tables don't play on after a kill")

    def kill_one(self) -> None:
        """Kill a process at a random moment, and start again what nobody else starts."""
        victim = self._chance.choice(POSTGRES_VICTIMS if self._cluster else VICTIMS)
        at = self._chance.randrange(len(self._servers))
        time.sleep(self._chance.uniform(0, MAX_PAUSE_S))
        self.report.kills[victim] += 1
        if self._cluster is not None and victim == "postmaster":
            kill_cluster(self._cluster)
            self._cluster.start()
        elif self._cluster is not None and victim == "backend":
            kill_backend(self._cluster)
        elif victim == "supervisor":
            self._servers[at].kill()
            self._servers[at] = self.start_server()
            self.places.urls[at] = self._servers[at].url
        else:
            wait_until(lambda: victim in process_ids(self._servers[at]), f"there is no {victim} process")
            kill(process_ids(self._servers[at])[victim])

    def end(self, serving: ServerProcess) -> Report:
        """Stop the tables, and check all games as `serving` shows them."""
        self.end_tables(self.report, serving.url)
        self.report.faults = faults_of(self.tables, self.readers, serving.url)
        self.report.faults += traces_in(self.log) + faults_of_store(self._database)
        return self.report

    def close(self) -> None:
        """Stop the tables, kill the servers, and stop the readers."""
        self.stop_tables()
        self._stack.close()
        self.end_readers()

    def kill_everything(self) -> ServerProcess:
        """Kill every process of PostgreSQL, then the servers, and start PostgreSQL and one server again."""
        assert self._cluster is not None
        kill_cluster(self._cluster)
        self.stop_tables()
        for server in self._servers:
            server.kill()
        self._cluster.start()
        started = self.start_server()
        self.places.urls[:] = [started.url]
        return started

    def start_server(self) -> ServerProcess:
        """Start one more server, which runs until the end."""
        log = self._stack.enter_context(self.log.open("ab"))
        starting = start_server(self._database, stderr=log, program=self._program, LIMITS="off", LOG="warning")
        return self._stack.enter_context(starting)


@contextmanager
def _running(campaign: Campaign, servers: int) -> Iterator[Campaign]:
    try:
        campaign.start(servers)
        campaign.play()
        yield campaign
    finally:
        campaign.close()


def run_kills(
    database: Database,
    kills: int,
    seed: int,
    cluster: Cluster | None = None,
    tick: Callable[[int], None] = lambda _: None,
) -> Report:
    """Kill a process `kills` times while tables play, and return what was found."""
    with _running(Campaign(database, cluster, seed, PROGRAM), SERVERS) as campaign:
        for number in range(kills):
            campaign.wait_for_moves(MOVES_BETWEEN)
            campaign.kill_one()
            tick(number + 1)
        campaign.wait_for_moves(MOVES_BETWEEN)
        return campaign.end(campaign.start_server())


def crash_postgres(database: Database, cluster: Cluster, seed: int, program: Sequence[str]) -> Report:
    """Kill all of a PostgreSQL that keeps commits in memory, once, and return what was found."""
    with psycopg.connect(cluster.server.dsn, autocommit=True) as connection:
        for name, value in UNSAFE_SETTINGS.items():
            connection.execute(f"ALTER SYSTEM SET {name} = '{value}'".encode())
        connection.execute("SELECT pg_reload_conf()")
    with _running(Campaign(database, cluster, seed, program), 1) as campaign:
        with psycopg.connect(cluster.server.dsn, autocommit=True) as connection:
            connection.execute("CHECKPOINT")
        campaign.wait_for_moves(5)
        return campaign.end(campaign.kill_everything())
