"""A few kills on each store, and each damage to a log once; `make kills` runs many."""

from dataclasses import replace
from pathlib import Path

import pytest

from api.config import Config
from api.container import open_services
from domain.store import LogDamaged
from tests.api.conftest import services_of
from tests.api.live_server import open_server
from tests.campaigns.kills.campaign import run_kills
from tests.campaigns.kills.damages import (
    DAMAGES,
    Damage,
    Outcome,
    copy_log,
    count_lost,
    judge,
    put_back,
    stored_commands,
)
from tests.campaigns.kills.hurt import hurt_once
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


@pytest.mark.parametrize("forgets", [False, True], ids=["noticed", "forgotten"])
def test_canary_an_older_log_that_is_served_as_a_whole_one_is_reported(tmp_path: Path, forgets: bool) -> None:
    data, older, outcome = tmp_path / "data", tmp_path / "older", Outcome(DAMAGES[1])
    with open_server(data) as server:
        game, watch = server.open(["ann", "bob"]), services_of(server.app).log_watch
        copy_log(data, older)
        answers = [line["event"]["command"] for answer in game.play_hand() for line in answer["events"][:1]]
        watch.look()
        if forgets:  # the planted fault: the accounts don't know what was stored
            services_of(server.app).accounts.log_positions.forget()
    assert count_lost(answers, stored_commands(data, tmp_path / "copy")) == 0
    put_back(data, older)
    outcome.lost = count_lost(answers, stored_commands(data, tmp_path / "copy"))
    try:
        open_services(Config(data=data)).close()
    except LogDamaged as refused:
        outcome.said = str(refused)
    assert [each.partition(": ")[2] for each in judge(outcome)] == [
        f"{len(answers)} acknowledged moves are lost, and the server starts as if nothing had happened"
    ] * forgets


def test_canary_damages_that_are_not_seen_or_are_imagined_are_reported() -> None:
    named = {damage.name: damage for damage in DAMAGES}
    seen = Outcome(named["the log is removed"], 0.5, "put it back, or restore your last backup", lost=9)
    assert judge(seen) == []
    for wrong, says in (
        (replace(seen, noticed_s=None), "it isn't noticed within 10 s"),
        (replace(seen, said="no"), "the server doesn't say what to do: no"),
        (
            replace(seen, damage=named["one of two servers is killed"], lost=0, said=None),
            "a false alarm stops the moves",
        ),
        (replace(seen, damage=named["the disk is full"]), "nothing had to be lost"),
    ):
        assert any(says in each for each in judge(wrong)), says


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_a_damaged_log_is_noticed_before_an_acknowledged_move_is_lost(tmp_path: Path, damage: Damage) -> None:
    assert judge(hurt_once(damage, tmp_path, SEED)) == []


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
