"""`make powercuts`: 5,000 images of the disk after power cuts in 2,000 moves on SQLite, and a control."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import click

from api.cli.common.progress import progress
from tests.campaigns.options import DEFAULT, add_seed, at_least, campaign_parser
from tests.campaigns.power_cuts.campaign import SEED, Report, cut

CONTROL_SHARE, CONTROL_AT_LEAST = 50, 20
"""The control gets one image for that many of the campaign, and at least that many."""
EXAMPLES = {
    "--moves 60 --images 100": "a short run, of about a minute",
    "--images 20000 --seed 7": "more images, of cuts at other moments of other games",
}


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    parser = campaign_parser("tests.campaigns.power_cuts", __doc__, EXAMPLES)
    parser.add_argument(
        "--moves", type=at_least(1), default=2000, metavar="N", help=f"moves to play while recording {DEFAULT}"
    )
    parser.add_argument("--images", type=at_least(1), default=5000, metavar="N",
                       help=f"images of the disk to open; the control gets one for {CONTROL_SHARE} of them, at least"
                            f" {CONTROL_AT_LEAST} {DEFAULT}")  # fmt: skip
    add_seed(parser, SEED)
    return parser


def main() -> None:
    """Run the campaign and its control. Return exit code 1 if something is wrong, or the control loses nothing."""
    arguments = options().parse_args()
    failed = []
    control = max(CONTROL_AT_LEAST, arguments.images // CONTROL_SHARE)
    for name, images, safe in (("as it is", arguments.images, True), ("without fsync", control, False)):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, progress(name, images) as set_progress:
            report = cut(
                Path(folder), arguments.moves, images, seed=arguments.seed, safe=safe, set_progress=set_progress
            )
        if show(f"SQLite, {name}, {time.monotonic() - began:.0f} s", report, loses=not safe):
            failed.append(f"SQLite, {name}")
    click.echo(f"failed, with --seed {arguments.seed}: {'; '.join(failed)}" if failed else "nothing is wrong")
    sys.exit(1 if failed else 0)


def show(title: str, report: Report, *, loses: bool) -> int:
    """Print a report, and return 1 if it isn't as expected."""
    click.echo(
        f"{title}: {report.images} images, {report.unsynced} of them with changes that weren't synced,"
        f" {report.moves} moves acknowledged, {len(report.faults)} faults in {report.wrong} images"
    )
    for fault in report.faults[:5]:
        click.echo(f"  {'lost, as it must' if loses else 'wrong'}: {fault[:300]}")
    if loses and not report.faults:
        click.echo(
            f"  wrong: this control must lose moves, and lost nothing in {report.images} images;"
            " if they are too few to judge, use more --moves or more --images"
        )
    return int(bool(report.faults) is not loses)


if __name__ == "__main__":
    main()
