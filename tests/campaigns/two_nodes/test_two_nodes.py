"""A few kills of one of two nodes, and a rolling upgrade of both, under load; `make kills` goes on for ten minutes."""

from collections import Counter
from pathlib import Path

import pytest

from tests.campaigns.kills.campaign import SEED
from tests.campaigns.two_nodes.campaign import run_kills
from tests.campaigns.two_nodes.checks import faults_of_entries
from tests.campaigns.two_nodes.upgrade import run_upgrade
from tests.conftest import Database

pytestmark = pytest.mark.timeout(900)  # processes start slowly on a busy machine


def test_canary_an_entry_of_an_inbox_that_is_missed_or_comes_twice_is_reported() -> None:
    items = [{"id": f"1.{at}", "kind": "turn", "game": "g", "version": at} for at in (1, 2, 3)]
    expected = Counter(("turn", "g", at) for at in (1, 2, 3))
    assert faults_of_entries(0, items, expected) == []
    assert faults_of_entries(0, items[1:], expected) == ["ann never got [(('turn', 'g', 1), 1)]"]
    assert faults_of_entries(1, [*items, items[2]], expected) == ["bob got, for no reason, [(('turn', 'g', 3), 1)]"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
def test_two_nodes_that_are_killed_lose_nothing_and_do_nothing_twice(fresh_postgres: str, tmp_path: Path) -> None:
    """Neither moves nor entries of inboxes nor messages; limits and revocations hold at both."""
    kills = 2
    report = run_kills(Database(fresh_postgres, tmp_path / "data"), tmp_path, SEED, lambda done: done < kills, (0, 0.5))
    assert report.faults == []
    assert (report.kills, report.games >= 2) == (kills, True)
    assert min(report.moves, report.refused, report.entries, report.resumed, report.messages) > kills
    assert report.refused_s


@pytest.mark.slow
def test_two_nodes_are_upgraded_one_after_the_other_while_clients_race(fresh_postgres: str, tmp_path: Path) -> None:
    """Nothing is lost or doubled, and the new release writes its own fact only once the old one is gone."""
    upgrade = run_upgrade(Database(fresh_postgres, tmp_path / "data"), tmp_path, SEED)
    assert upgrade.report.faults == []
    assert (upgrade.refused.status, upgrade.refused.problem) == (503, "not-ready")
    assert "still runs release" in upgrade.refused.body["detail"]
    assert upgrade.accepted.status == 201
    assert upgrade.versions == [1, 2]
