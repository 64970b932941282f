"""A crash of a PostgreSQL that commits in memory loses acknowledged moves, unless the program asks for durable commits.

Nothing here depends on time: PostgreSQL's processes that write in the background are stopped before the moves, so that
only a commit that waits for the disk reaches it.
"""

import os
import signal
from contextlib import closing
from pathlib import Path
from random import Random

import psycopg
import pytest

from domain.store import Games
from domain.store.sql import postgres_pool
from tests.campaigns.kills.victims import kill_cluster
from tests.campaigns.power_cuts.campaign import missing
from tests.conftest import Database
from tests.domain.store.storing import any_move, at, command_id, open_game
from tests.postgres import Cluster

MOVES = 12
SETTINGS = ("synchronous_commit = off", "autovacuum = off")
BACKGROUND = "backend_type IN ('walwriter', 'background writer', 'checkpointer')"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # processes start slowly on a busy machine


def prepare(cluster: Cluster) -> None:
    """Let every commit of this PostgreSQL stay in memory unless its connection says otherwise."""
    with psycopg.connect(cluster.server.dsn, autocommit=True) as connection:
        for setting in SETTINGS:
            connection.execute(f"ALTER SYSTEM SET {setting}".encode())
        connection.execute("SELECT pg_reload_conf()")


def stop_writers(cluster: Cluster) -> None:
    """Write everything to the disk, then stop the processes that write in the background."""
    with psycopg.connect(cluster.server.dsn, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        found = connection.execute(f"SELECT pid FROM pg_stat_activity WHERE {BACKGROUND}".encode()).fetchall()
        assert len(found) == 3
        for (pid,) in found:
            os.kill(pid, signal.SIGSTOP)


def lost_moves(cluster: Cluster, folder: Path) -> list[str]:
    """Play, crash PostgreSQL, and return the acknowledged moves that it doesn't have after its start."""
    prepare(cluster)
    database, chance, acknowledged = Database(cluster.server.dsn, folder), Random(1), list[str]()
    with closing(at(database)) as games:
        game = open_game(games)
        stop_writers(cluster)
        for _ in range(MOVES):
            move = any_move(games.state(game), chance)
            commit = games.act(game, move, by=f"p{move.seat}", command_id=command_id(chance.getrandbits(64)))
            acknowledged.append(f"{game} {commit.state.version} {commit.root}")
    kill_cluster(cluster)
    cluster.start()
    with closing(Games(folder, database.url)) as games:
        return missing(games, acknowledged)


def test_no_acknowledged_move_is_lost_even_if_postgres_commits_in_memory(
    postgres_cluster: Cluster, tmp_path: Path
) -> None:
    assert lost_moves(postgres_cluster, tmp_path) == []


def test_without_durable_commits_every_acknowledged_move_is_lost(
    postgres_cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_pool, "RAISE_DURABILITY", "SELECT 1")
    assert len(lost_moves(postgres_cluster, tmp_path)) == MOVES
