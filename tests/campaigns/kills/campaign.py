"""A campaign of kills: servers on one store under load, and a process killed again and again."""

import time
from collections.abc import Callable
from pathlib import Path

from tests.campaigns.kills.victims import kill_backend, kill_cluster, process_ids
from tests.campaigns.traffic.checks import faults_of_store
from tests.campaigns.traffic.load import SERVERS, Load, Report, kill
from tests.conftest import Database
from tests.postgres import Cluster
from tests.waiting import wait_until

MOVES_BETWEEN = 6
"""The number of moves between two kills."""
MAX_PAUSE_S = 0.3
"""A kill comes at a random moment in this time after those moves."""
VICTIMS = ("requests",) * 5 + ("supervisor",) * 3 + ("worker", "heavy")
POSTGRES_VICTIMS = (*VICTIMS, *("postmaster",) * 4, *("backend",) * 3)


def kill_one(load: Load, cluster: Cluster | None) -> None:
    """Kill a process at a random moment, and start again what nobody else starts."""
    victim = load.chance.choice(POSTGRES_VICTIMS if cluster else VICTIMS)
    at = load.chance.randrange(SERVERS)
    time.sleep(load.chance.uniform(0, MAX_PAUSE_S))
    load.report.kills[victim] += 1
    if cluster is not None and victim == "postmaster":
        kill_cluster(cluster)
        cluster.start()
    elif cluster is not None and victim == "backend":
        kill_backend(cluster)
    elif victim == "supervisor":
        load.servers[at].kill()
        load.replace_server(at)
    else:
        wait_until(lambda: victim in process_ids(load.servers[at]), f"there is no {victim} process")
        kill(process_ids(load.servers[at])[victim])


def run_kills(
    database: Database,
    folder: Path,
    kills: int,
    seed: int,
    cluster: Cluster | None = None,
    tick: Callable[[int], None] = lambda _: None,
) -> Report:
    """Kill a process `kills` times while players race, and return what was found."""
    with Load(database, folder, seed) as load:
        for number in range(kills):
            load.wait_for_moves(MOVES_BETWEEN)
            kill_one(load, cluster)
            tick(number + 1)
        load.wait_for_moves(MOVES_BETWEEN)
        report = load.end()
        report.faults += faults_of_store(database)
        return report
