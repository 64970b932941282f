"""A few kills on each store, with a control that must lose; `make kills` runs many."""

from pathlib import Path

import pytest

from tests.api.server_process import PROGRAM, ServerProcess
from tests.campaigns.kills.campaign import SEED, UNSAFE_PROGRAM, Report, crash_postgres, run_kills
from tests.campaigns.kills.checks import faults_of
from tests.campaigns.kills.load import Places, Table
from tests.conftest import Database
from tests.postgres import Cluster
from tests.waiting import wait_until

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
pytestmark = pytest.mark.timeout(900)  # processes start slowly on a busy machine


def check(report: Report, kills: int) -> None:
    assert report.faults == []
    assert report.kills.total() == kills
    assert report.moves > kills
    assert report.refused


def test_canary_an_acknowledged_move_that_the_log_lacks_is_reported(shared_server: ServerProcess) -> None:
    table = Table(9001, Places([shared_server.url]), SEED)
    table.start()
    wait_until(lambda: table.faults or table.moves >= 3)
    table.end()
    assert faults_of([table], [], shared_server.url) == []
    game, first = table.notes[0].game, table.notes[0].commands[0]
    table.notes[0].commands.append("lost")
    assert faults_of([table], [], shared_server.url) == [f"game {game}: commands are missing: ['lost']"]
    table.notes[0].commands.remove(first)
    assert f"game {game}: commands were refused or never sent: ['{first}']" in faults_of([table], [], shared_server.url)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("kills", [3, 60])
def test_sqlite_keeps_every_acknowledged_move_once_across_kills_of_two_servers(tmp_path: Path, kills: int) -> None:
    check(run_kills(Database(None, tmp_path), kills, SEED), kills)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("kills", [2, 30])
def test_postgres_keeps_every_acknowledged_move_once_across_kills_of_it_and_two_servers(
    postgres_cluster: Cluster, tmp_path: Path, kills: int
) -> None:
    database = Database(postgres_cluster.server.dsn, tmp_path)
    check(run_kills(database, kills, SEED, postgres_cluster), kills)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize(("program", "loses"), [(PROGRAM, False), (UNSAFE_PROGRAM, True)], ids=["as it is", "control"])
def test_a_crash_of_postgres_loses_only_what_the_program_does_not_make_durable(
    postgres_cluster: Cluster, tmp_path: Path, program: tuple[str, ...], loses: bool
) -> None:
    database = Database(postgres_cluster.server.dsn, tmp_path)
    assert bool(crash_postgres(database, postgres_cluster, SEED, program).faults) is loses
