"""Games go on while primaries die and shards move, and nothing that was acknowledged is lost."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests import postgres
from tests.campaigns.cluster.etcd import running_etcd
from tests.campaigns.cluster.failures import FAILURES, MOVES_BETWEEN
from tests.campaigns.cluster.group import running_group
from tests.campaigns.cluster.programs import Programs
from tests.campaigns.cluster.stage import Report, Stage, Step

SEED = 20261127
HOME_NODES, EAST_NODES = 3, 1
ROUND = ("postgres", "node", "hang", "etcd")
STEPS = (*ROUND, "shard", *ROUND, "shard", *ROUND, "switch")
"""What `make cluster` does: 9 kills, 3 nodes that hang, two moves of a shard, and a planned switch of the primary."""


@contextmanager
def running_stage(folder: Path, seed: int = SEED, *, east: bool = True) -> Iterator[Stage]:
    """Run everything, and end it all, also after Ctrl+C."""
    with ExitStack() as stack:
        programs = Programs(stack.enter_context(postgres.new_folder(folder)))
        etcd = stack.enter_context(running_etcd(programs))
        home = stack.enter_context(running_group(programs, etcd, "home", HOME_NODES))
        other = stack.enter_context(running_group(programs, etcd, "east", EAST_NODES)) if east else None
        stage = Stage(etcd, home, other, stack.enter_context(postgres.new_folder(folder)), seed)
        stack.callback(stage.close)
        stage.begin()
        yield stage


def take_step(stage: Stage, kind: str) -> None:
    """Let something fail, wait until games go on and everything is whole again, and note what players noticed."""
    stage.watch(stage.have_played(MOVES_BETWEEN))
    time.sleep(stage.chance.uniform(0, 1))
    moves, repeated = stage.count()
    with ThreadPoolExecutor(1) as pool:
        failing = pool.submit(FAILURES[kind][1], stage)
        longest_s = stage.watch(failing.done)
        longest_s = max(longest_s, stage.watch(stage.have_played(MOVES_BETWEEN)))
        which = failing.result()
    now = stage.count()
    stage.report.steps.append(Step(kind, which, longest_s, now[0] - moves, now[1] - repeated))


def run_failures(folder: Path, seed: int, steps: Sequence[str], tick: Callable[[int], None] = lambda _: None) -> Report:
    """Do these steps while tables play, and return what was found."""
    with running_stage(folder, seed, east="shard" in steps) as stage:
        for number, kind in enumerate(steps):
            take_step(stage, kind)
            tick(number + 1)
        return stage.end()


def lose_unsent(folder: Path, seed: int, *, synchronous: bool) -> Report:
    """Kill a primary that couldn't send its last commits to a standby, with or without synchronous replication."""
    with running_stage(folder, seed, east=False) as stage:
        if not synchronous:
            stage.home.use_asynchronous_replication()
        take_step(stage, "unsent")
        return stage.end()
