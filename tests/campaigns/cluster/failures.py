"""What fails or moves while games go on. Each function waits until all is whole again, and says which node it was."""

import re
from collections.abc import Callable
from uuid import UUID

from domain.store.positions import shard_of
from tests.campaigns.cluster.stage import SHARDS, TABLES, Stage
from tests.waiting import wait_until

MOVES_BETWEEN = 5
"""The number of answers that each table gets between two failures."""


def kill_postgres(stage: Stage) -> str:
    """Kill the primary's PostgreSQL."""
    node = stage.home.primary()
    node.kill_postgres()
    successor = stage.home.successor_of(node)
    stage.home.wait_until_whole()
    return f"{node.name}, then {successor.name}"


def kill_node(stage: Stage) -> str:
    """Kill PostgreSQL and Patroni of the primary's node, and start them again once another node is primary."""
    node = stage.home.primary()
    node.kill()
    successor = stage.home.successor_of(node)
    stage.home.start(node)
    stage.home.wait_until_whole()
    return f"{node.name}, then {successor.name}"


def freeze_node(stage: Stage) -> str:
    """Let the primary's node hang, with its connections, until games have gone on without it."""
    node = stage.home.primary()
    node.freeze()
    successor = stage.home.successor_of(node)
    wait_until(stage.have_played(MOVES_BETWEEN), "the games don't go on while a node hangs")
    node.thaw()
    stage.home.wait_until_whole()
    return f"{node.name}, then {successor.name}"


def switch_over(stage: Stage) -> str:
    """Let a standby take over from the primary, which goes on as a standby."""
    node = stage.home.primary()
    successor = next(each for each in stage.home.nodes if each is not node)
    stage.home.switch_over(node, successor)
    stage.home.wait_until_whole()
    return f"{node.name}, then {successor.name}"


def kill_etcd(stage: Stage) -> str:
    """Kill etcd's leader, and start it again once games have gone on without it."""
    member = stage.etcd.leader()
    stage.etcd.kill(member)
    leader = stage.etcd.leader()
    wait_until(stage.have_played(MOVES_BETWEEN), "the games don't go on without a member of etcd")
    stage.etcd.start(member)
    wait_until(stage.etcd.is_whole, "etcd isn't whole again")
    stage.home.wait_until_whole()
    return f"{member.name}, then {leader.name}"


def kill_with_unsent_commits(stage: Stage) -> str:
    """Stop what sends the log to standbys, let players go on as far as they can, and kill the node."""
    node = stage.home.primary()
    assert node.pause_senders() == len(stage.home.nodes) - 1
    moves, repeated = stage.count()

    def have_tried() -> bool:
        now = stage.count()
        return now[0] >= moves + 5 * TABLES or now[1] >= repeated + 2 * TABLES

    wait_until(have_tried, "no table got an answer, and none repeats a request")
    node.kill()
    return f"{node.name}, then {stage.home.successor_of(node).name}"


def move_shard(stage: Stage) -> str:
    """Move the shard of a game that is played now to the other group."""
    shard = shard_of_a_game(stage)
    code, said = stage.run("shards", "move", str(shard), "--to", "east")
    assert code == 0, said
    (pause,) = re.findall(r"paused for ([\d.]+) seconds", said)
    return f"shard {shard}, which refused moves for {pause} s"


def shard_of_a_game(stage: Stage) -> int:
    """Return a shard that is at home, of a game that is played now if there's one."""
    playing: list[int] = [shard_of(UUID(table.notes[-1].game), SHARDS) for table in stage.tables]
    shown = stage.run("shards", "show")[1]
    moved = {int(each) for each in re.findall(r"^ +(\d+)  east", shown, flags=re.MULTILINE)}
    return min(set(range(SHARDS)) - moved, key=lambda shard: (shard not in playing, shard))


FAILURES: dict[str, tuple[str, Callable[[Stage], str]]] = {
    "postgres": ("kill -9 of the primary's PostgreSQL", kill_postgres),
    "node": ("kill -9 of the primary's node: PostgreSQL and Patroni", kill_node),
    "hang": ("the primary's node hangs until games have gone on without it", freeze_node),
    "etcd": ("kill -9 of etcd's leader", kill_etcd),
    "switch": ("a planned switch of the primary", switch_over),
    "shard": ("a shard moves to the other group", move_shard),
    "unsent": ("the primary's node dies with commits that no standby got", kill_with_unsent_commits),
}
"""What each is called in the report, and the function."""
