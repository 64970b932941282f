"""After a power cut at any point, an SQLite store has every acknowledged move; `make powercuts` tries more points."""

import sys
from pathlib import Path
from random import Random

import pytest

from tests.campaigns.power_cuts.__main__ import show
from tests.campaigns.power_cuts.campaign import Report, compiler, cut
from tests.campaigns.power_cuts.disk import SECTOR, Disk, File, Operation, sectors

pytestmark = [
    pytest.mark.timeout(900),  # processes start slowly on a busy machine
    pytest.mark.skipif(compiler() is None or sys.platform != "linux", reason="there is no C compiler, or no Linux"),
]


@pytest.mark.slow
def test_after_a_cut_at_any_point_every_acknowledged_move_is_there_and_verifies(tmp_path: Path) -> None:
    report = cut(tmp_path, moves=60, images=100)
    assert report.faults == []
    assert report.images == 100
    assert report.moves > 50
    assert report.unsynced > 30, "too few cuts came between a write and its sync"


def test_without_a_sync_cuts_lose_acknowledged_moves(tmp_path: Path) -> None:
    assert cut(tmp_path, moves=30, images=20, safe=False).faults


def test_a_control_that_loses_nothing_fails_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert show("the control", Report(images=3), loses=True) == 1
    assert "must lose moves, and lost nothing in 3 images" in capsys.readouterr().out
    assert show("the campaign", Report(images=3), loses=False) == 0
    assert "wrong:" not in capsys.readouterr().out


def test_what_is_synced_stays_and_what_is_not_may_be_lost_or_torn() -> None:
    file = File()
    file.change(Operation("w", "f", 0, b"a" * 4 * SECTOR))
    file.change(Operation("s", "f", 0, b""))
    file.change(Operation("w", "f", SECTOR, b"b" * 2 * SECTOR))
    after = {file.after_cut(Random(seed)) for seed in range(200)}
    places = [b"a" * SECTOR, b"b" * SECTOR]
    assert after == {places[0] + one + two + places[0] for one in places for two in places}


def test_a_write_is_divided_at_the_borders_of_sectors() -> None:
    parts = list(sectors(Operation("w", "f", SECTOR - 2, b"ab" + b"c" * SECTOR + b"d")))
    assert [(part.offset, part.data) for part in parts] == [
        (SECTOR - 2, b"ab"),
        (SECTOR, b"c" * SECTOR),
        (2 * SECTOR, b"d"),
    ]


def test_a_file_that_is_cut_short_and_written_behind_its_end_has_zeros_between(tmp_path: Path) -> None:
    disk = Disk({"f": b"abcdef"})
    for operation in (Operation("t", "f", 2, b""), Operation("w", "f", 4, b"x"), Operation("s", "f", 0, b"")):
        disk.change(operation)
    disk.after_cut(tmp_path, Random(1))
    assert (tmp_path / "f").read_bytes() == b"ab\0\0x"
