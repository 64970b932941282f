"""A few kills of one of two nodes; `make kills` goes on for ten minutes."""

from pathlib import Path

import pytest

from tests.campaigns.kills.campaign import SEED
from tests.campaigns.two_nodes.campaign import run_kills
from tests.conftest import Database

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),  # processes start slowly on a busy machine
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc"),
]


def test_two_nodes_that_are_killed_lose_nothing_and_do_nothing_twice(fresh_postgres: str, tmp_path: Path) -> None:
    """Neither moves nor entries of inboxes nor messages; limits and revocations hold at both."""
    kills = 2
    report = run_kills(Database(fresh_postgres, tmp_path / "data"), tmp_path, SEED, lambda done: done < kills, (0, 0.5))
    assert report.faults == []
    assert (report.kills, report.games >= 2) == (kills, True)
    assert min(report.moves, report.refused, report.entries, report.resumed, report.messages) > kills
    assert report.refused_s
