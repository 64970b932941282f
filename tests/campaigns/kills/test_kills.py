"""A few kills on each store; `make kills` runs many."""

from pathlib import Path

import pytest

from tests.api.live_server import open_server
from tests.campaigns.kills.campaign import run_kills
from tests.campaigns.traffic.checks import faults_of_game
from tests.campaigns.traffic.load import SEED, Report
from tests.campaigns.traffic.racers import Notes
from tests.conftest import Database
from tests.postgres import Cluster

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
pytestmark = pytest.mark.timeout(900)  # processes start slowly on a busy machine


def check(report: Report, kills: int) -> None:
    assert report.faults == []
    assert report.kills.total() == kills
    assert report.moves > kills
    assert min(report.refused, report.began) > 0


def test_canary_an_acknowledged_move_that_the_log_lacks_is_reported(tmp_path: Path) -> None:
    with open_server(tmp_path) as server:
        game = server.open(["ann", "bob"])
        answers, export = game.play_hand(), game.read()
    first, notes = export.events[0]["command"], Notes()
    notes.commands.append(first)
    for answer in answers:
        notes.add(answer)
    assert faults_of_game("g", notes, export) == []
    notes.commands.append("lost")
    assert faults_of_game("g", notes, export) == ["game g: commands are missing: ['lost']"]
    notes.commands.remove(first)
    assert f"game g: commands were refused or never sent: ['{first}']" in faults_of_game("g", notes, export)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("kills", [3, 60])
def test_sqlite_keeps_every_acknowledged_move_once_across_kills_of_two_servers(tmp_path: Path, kills: int) -> None:
    check(run_kills(Database(None, tmp_path / "data"), tmp_path, kills, SEED), kills)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("kills", [2, 30])
def test_postgres_keeps_every_acknowledged_move_once_across_kills_of_it_and_two_servers(
    postgres_cluster: Cluster, tmp_path: Path, kills: int
) -> None:
    database = Database(postgres_cluster.server.dsn, tmp_path / "data")
    check(run_kills(database, tmp_path, kills, SEED, postgres_cluster), kills)
