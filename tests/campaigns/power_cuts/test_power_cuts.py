"""After a power cut at any point, an SQLite store has every acknowledged move; `make powercuts` tries more points."""

import sys
from pathlib import Path

import pytest

from tests.campaigns.power_cuts.campaign import compiler, cut

pytestmark = [
    pytest.mark.timeout(900),  # processes start slowly on a busy machine
    pytest.mark.skipif(compiler() is None or sys.platform != "linux", reason="there is no C compiler, or no Linux"),
]


def test_canary_without_a_sync_cuts_lose_acknowledged_moves(tmp_path: Path) -> None:
    report = cut(tmp_path, moves=30, images=20, safe=False)
    assert "is lost, or another" in str(report.faults)


@pytest.mark.slow
def test_after_a_cut_at_any_point_every_acknowledged_move_is_there_and_verifies(tmp_path: Path) -> None:
    report = cut(tmp_path, moves=60, images=100)
    assert report.faults == []
    assert report.images == 100
    assert report.moves > 50
    assert report.unsynced > 30, "too few cuts came between a write and its sync"
