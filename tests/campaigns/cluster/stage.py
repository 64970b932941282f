"""Two nodes of trickbook on a group of PostgreSQL nodes or two, under load, while something fails or moves."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import UUID

from domain.store.log import shard_of
from tests import postgres
from tests.api.server_process import run_program
from tests.campaigns.cluster.checks import faults_of_lists, has_caught_up
from tests.campaigns.cluster.etcd import Etcd, running_etcd
from tests.campaigns.cluster.group import Group, Node, running_group
from tests.campaigns.cluster.programs import Programs
from tests.campaigns.traffic.load import NO_LIMITS, Load, Report
from tests.conftest import Database
from tests.waiting import wait_until

SEED, SHARDS = 20261127, 8
HOME_NODES, EAST_NODES = 3, 1
MOVES_BETWEEN = 15
"""The number of moves between two failures."""
RECOVERY_S = 300.0
ROUND = ("postgres", "node", "hang", "etcd")
STEPS = (*ROUND, "shard", *ROUND, "shard", *ROUND, "switch")
"""The failures in `make cluster`: 9 kills, 3 nodes that hang, two moves of a shard, a planned switch of the primary."""


class Stage(Load):
    """Everything that runs: etcd, two groups, two nodes of trickbook, and players.

    Each failure is a method, which waits until all is whole again, and says which node it was.
    """

    def __init__(self, etcd: Etcd, home: Group, east: Group | None, folder: Path, seed: int) -> None:
        super().__init__(Database(home.url, folder / "data"), folder, seed)
        self.etcd, self.home = etcd, home
        self.settings = NO_LIMITS | ({} if east is None else {"SERVERS": f"east={east.url}"})

    def take_step(self, kind: str) -> None:
        """Let something fail, wait until games go on and everything is whole again, and note what players noticed."""
        self._watch(self.have_moved(MOVES_BETWEEN))
        time.sleep(self.chance.uniform(0, 1))
        moves, repeated = self.ledger.moves, self.repeated
        with ThreadPoolExecutor(1) as pool:
            failing = pool.submit(FAILURES[kind], self)
            longest_s = max(self._watch(failing.done), self._watch(self.have_moved(MOVES_BETWEEN)))
        moves, repeated = self.ledger.moves - moves, self.repeated - repeated
        self.report.kills[kind] += 1
        noticed = f"no move for {longest_s:.1f} s, {moves} moves meanwhile, {repeated} requests repeated"
        self.report.summaries.append(f"{kind}: {failing.result()}: {noticed}")

    def _watch(self, is_over: Callable[[], bool]) -> float:
        """Wait until something is over, and return the longest time without an acknowledged move."""
        moves, since = self.ledger.moves, time.monotonic()
        longest_s, until = 0.0, since + RECOVERY_S
        while not is_over():
            now = time.monotonic()
            assert now < until, "the games don't go on, or something isn't whole again"
            longest_s = max(longest_s, now - since)
            if self.ledger.moves != moves:
                moves, since = self.ledger.moves, now
            time.sleep(0.01)
        return longest_s

    def check(self) -> list[str]:
        try:
            wait_until(lambda: all(has_caught_up(each) for each in self.urls), "the lists are behind")
        except AssertionError as error:  # a fault like others: the control loses commits on purpose
            return [str(error)]
        code, said = self.run("shards", "check")
        found = [f"trickbook shards check: {said}"] if code else []
        listed, wrong = faults_of_lists(self.database, dict(self.settings))
        self.report.summaries.append(f"{listed} rows of lists")
        return found + wrong

    def run(self, *words: str) -> tuple[int, str]:
        """Run a command of trickbook, and return its exit code and all that it printed."""
        words = (*words, "--data", str(self.database.data))
        done = run_program(*words, url=self.database.url, within_s=RECOVERY_S, **self.settings)
        return done.returncode, done.stdout + done.stderr

    def kill_postgres(self) -> str:
        """Kill -9 of the primary's PostgreSQL."""
        node = self.home.primary()
        node.kill_postgres()
        return self._succeeded(node)

    def kill_node(self) -> str:
        """Kill -9 of the primary's node: PostgreSQL and Patroni; it starts again once another node is primary."""
        node = self.home.primary()
        node.kill()
        return self._succeeded(node, lambda: self.home.start(node))

    def freeze_node(self) -> str:
        """The primary's node hangs, with its connections, until games have gone on without it."""
        node = self.home.primary()
        node.freeze()

        def thaw() -> None:
            self.wait_for_moves(MOVES_BETWEEN, "the games don't go on while a node hangs")
            node.thaw()

        return self._succeeded(node, thaw)

    def switch_over(self) -> str:
        """A planned switch of the primary, which goes on as a standby."""
        node = self.home.primary()
        self.home.switch_over(node, next(each for each in self.home.nodes if each is not node))
        return self._succeeded(node)

    def _succeeded(self, node: Node, bring_back: Callable[[], None] = lambda: None) -> str:
        successor = self.home.successor_of(node)
        bring_back()
        self.home.wait_until_whole()
        return f"{node.name}, then {successor.name}"

    def kill_etcd(self) -> str:
        """Kill -9 of etcd's leader, which starts again once games have gone on without it."""
        member = self.etcd.leader()
        self.etcd.kill(member)
        leader = self.etcd.leader()
        self.wait_for_moves(MOVES_BETWEEN, "the games don't go on without a member of etcd")
        self.etcd.start(member)
        wait_until(self.etcd.is_whole, "etcd isn't whole again")
        self.home.wait_until_whole()
        return f"{member.name}, then {leader.name}"

    def kill_with_unsent_commits(self) -> str:
        """The primary's node dies with commits that no standby got; players go on before as far as they can."""
        node = self.home.primary()
        assert node.pause_senders() == len(self.home.nodes) - 1
        have_moved, repeated = self.have_moved(MOVES_BETWEEN), self.repeated
        wait_until(lambda: have_moved() or self.repeated >= repeated + 6, "nobody got an answer or repeats a request")
        node.kill()
        return f"{node.name}, then {self.home.successor_of(node).name}"

    def move_shard(self) -> str:
        """A shard that is at home moves to the other group, one of a game that is played if there's one."""
        playing = [shard_of(UUID(game), SHARDS) for game in self.ledger.playing]
        shown = self.run("shards", "show")[1]
        moved = {int(each) for each in re.findall(r"^ +(\d+)  east", shown, flags=re.MULTILINE)}
        shard = min(set(range(SHARDS)) - moved, key=lambda shard: (shard not in playing, shard))
        code, said = self.run("shards", "move", str(shard), "--to", "east")
        assert code == 0, said
        (pause,) = re.findall(r"paused for ([\d.]+) seconds", said)
        return f"shard {shard}, which refused moves for {pause} s"


FAILURES: dict[str, Callable[[Stage], str]] = {
    "postgres": Stage.kill_postgres, "node": Stage.kill_node, "hang": Stage.freeze_node, "etcd": Stage.kill_etcd,
    "switch": Stage.switch_over, "shard": Stage.move_shard, "unsent": Stage.kill_with_unsent_commits,
}  # fmt: skip


@contextmanager
def running_stage(folder: Path, seed: int, *, east: bool) -> Iterator[Stage]:
    """Run everything, and end it all, also after Ctrl+C."""
    with ExitStack() as stack:
        programs = Programs(stack.enter_context(postgres.new_folder(folder)))
        etcd = stack.enter_context(running_etcd(programs))
        home = stack.enter_context(running_group(programs, etcd, "home", HOME_NODES))
        other = stack.enter_context(running_group(programs, etcd, "east", EAST_NODES)) if east else None
        yield stack.enter_context(Stage(etcd, home, other, stack.enter_context(postgres.new_folder(folder)), seed))


def run_failures(folder: Path, seed: int, steps: Sequence[str], tick: Callable[[int], None] = lambda _: None) -> Report:
    """Do these steps while players race, and return what was found."""
    with running_stage(folder, seed, east="shard" in steps) as stage:
        for number, kind in enumerate(steps):
            stage.take_step(kind)
            tick(number + 1)
        return stage.end()


def lose_unsent(folder: Path, seed: int, *, synchronous: bool) -> Report:
    """Kill a primary that couldn't send its last commits to a standby, with or without synchronous replication."""
    with running_stage(folder, seed, east=False) as stage:
        if not synchronous:
            stage.home.use_asynchronous_replication()
        stage.take_step("unsent")
        return stage.end()
