"""A few kills on each store, with a control that must lose; `make kills` runs many."""

from pathlib import Path

import pytest

from tests.api.server_process import PROGRAM
from tests.campaigns.kills.campaign import SEED, UNSAFE_PROGRAM, Report, crash_postgres, run_kills
from tests.conftest import Database
from tests.postgres import Cluster

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),  # processes start slowly on a busy machine
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc"),
]


def check(report: Report, kills: int) -> None:
    assert report.faults == []
    assert report.kills.total() == kills
    assert report.moves > kills
    assert report.refused


@pytest.mark.parametrize("kills", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_sqlite_keeps_every_acknowledged_move_once_across_kills_of_two_servers(tmp_path: Path, kills: int) -> None:
    check(run_kills(Database(None, tmp_path), kills, SEED), kills)


@pytest.mark.parametrize("kills", [2, pytest.param(30, marks=pytest.mark.slow)])
def test_postgres_keeps_every_acknowledged_move_once_across_kills_of_it_and_two_servers(
    postgres_cluster: Cluster, tmp_path: Path, kills: int
) -> None:
    database = Database(postgres_cluster.server.dsn, tmp_path)
    check(run_kills(database, kills, SEED, postgres_cluster), kills)


@pytest.mark.parametrize(
    ("program", "loses"),
    [
        pytest.param(PROGRAM, False, id="as it is", marks=pytest.mark.slow),
        pytest.param(UNSAFE_PROGRAM, True, id="control"),
    ],
)
def test_a_crash_of_postgres_loses_only_what_the_program_does_not_make_durable(
    postgres_cluster: Cluster, tmp_path: Path, program: tuple[str, ...], loses: bool
) -> None:
    database = Database(postgres_cluster.server.dsn, tmp_path)
    assert bool(crash_postgres(database, postgres_cluster, SEED, program).faults) is loses
