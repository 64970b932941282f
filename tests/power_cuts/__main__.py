"""`make powercuts`: 5,000 images of the disk after power cuts in 2,000 moves on SQLite, and a control."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import click

from api.cli.common.progress import progress
from tests.power_cuts.campaign import SEED, Report, cut


def main() -> None:
    """Run the campaign and its control. Return exit code 1 if something is wrong, or the control loses nothing."""
    asked = argparse.ArgumentParser(prog="python -m tests.power_cuts", description=__doc__)
    asked.add_argument("--moves", type=int, default=2000)
    asked.add_argument("--images", type=int, default=5000)
    asked.add_argument("--seed", type=int, default=SEED)
    given = asked.parse_args()
    wrong = 0
    for name, images, safe in (("as it is", given.images, True), ("without fsync", max(1, given.images // 50), False)):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, progress(name, images) as told:
            report = cut(Path(folder), given.moves, images, seed=given.seed, safe=safe, told=told)
        wrong += show(f"SQLite, {name}, {time.monotonic() - began:.0f} s", report, loses=not safe)
    sys.exit(1 if wrong else 0)


def show(title: str, report: Report, *, loses: bool) -> int:
    """Print a report, and return 1 if it isn't as expected."""
    click.echo(
        f"{title}: {report.images} images, {report.unsynced} of them with changes that weren't synced,"
        f" {report.moves} moves acknowledged, {len(report.faults)} faults in {report.wrong} images"
    )
    for fault in report.faults[:5]:
        click.echo(f"  {'lost, as it must' if loses else 'wrong'}: {fault[:300]}")
    return int(bool(report.faults) is not loses)


if __name__ == "__main__":
    main()
