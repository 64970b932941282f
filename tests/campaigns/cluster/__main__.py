"""`make cluster`: kill primaries, nodes and etcd's leaders under load, move shards, and run a control that must lose.

Everything runs on this machine and its loopback addresses, and is gone afterwards.
"""

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

import click

from api.cli.common.progress import progress
from tests.campaigns.cluster.campaign import EAST_NODES, HOME_NODES, SEED, STEPS, lose_unsent, run_failures
from tests.campaigns.cluster.failures import FAILURES
from tests.campaigns.cluster.programs import CannotRun
from tests.campaigns.cluster.stage import Report
from tests.campaigns.options import DEFAULT, add_seed, campaign_parser

KINDS = "\n".join(f"  {name:9}{says}" for name, (says, _) in FAILURES.items())
"""The kinds of steps, one a line."""
EXAMPLES = {
    "--steps postgres --no-control": "the shortest run: one kill of the primary's PostgreSQL",
    "--steps etcd,shard,switch --seed 7": "three steps, and the control",
}


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    parser = campaign_parser("tests.campaigns.cluster", __doc__, EXAMPLES, f"steps:\n{KINDS}")
    parser.add_argument("--steps", default=",".join(STEPS),
                       help=f"what fails or moves, in this order, with commas; listed below {DEFAULT}")  # fmt: skip
    parser.add_argument("--no-control", action="store_true", help="leave out the control")
    add_seed(parser, SEED)
    return parser


def main() -> None:
    """Run the campaign and the control, and print tables. Return exit code 1 if something is wrong."""
    parser = options()
    arguments = parser.parse_args()
    steps = arguments.steps.split(",")
    if unknown := set(steps) - set(FAILURES):
        parser.error(f"no step is called {', '.join(sorted(unknown))}. These are:\n{KINDS}")
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        sys.exit(_run(Path(tempfile.gettempdir()), arguments.seed, steps, controls=not arguments.no_control))
    except CannotRun as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; everything is stopped")


def _run(folder: Path, seed: int, steps: list[str], *, controls: bool) -> int:
    began = time.monotonic()
    with progress("failures and moves", len(steps)) as set_progress:
        report = run_failures(folder, seed, steps, set_progress)
    title = f"{HOME_NODES} PostgreSQL nodes at home, {EAST_NODES} in the east, 3 of etcd, 2 of trickbook"
    wrong = _show(f"{title}: {time.monotonic() - began:.0f} s", report, loses=False)
    for name, synchronous in (
        (("as it is", True), ("control, with asynchronous replication", False)) if controls else ()
    ):
        report = lose_unsent(folder, seed, synchronous=synchronous)
        wrong += _show(f"commits that no standby got, {name}", report, loses=not synchronous)
    return 1 if wrong else 0


def _show(title: str, report: Report, *, loses: bool) -> int:
    """Print a report, and return 1 if it isn't as expected."""
    click.echo(f"{title}\n")
    click.echo("| what | which | longest wait of a table, s | moves meanwhile | requests repeated |")
    click.echo("|---|---|---:|---:|---:|")
    for step in report.steps:
        cells = FAILURES[step.kind][0], step.which, f"{step.longest_wait_s:.1f}", step.moves, step.repeated
        click.echo(f"| {' | '.join(map(str, cells))} |")
    click.echo(
        f"\n  {report.kills.total()} kills; {report.games} games, {report.moves} moves acknowledged, {report.refused}"
        f" refused, {report.repeated} requests repeated, streams resumed {report.resumed} times,"
        f" {report.listed} rows of lists"
    )
    if not report.faults:
        click.echo("  lost: 0, twice: 0, missed by lists and streams: 0")
    for fault in report.faults:
        click.echo(f"  {'lost, as it must' if loses else 'wrong'}: {fault[:300]}")
    if loses and not report.faults:
        click.echo("  wrong: the control lost nothing")
    click.echo()
    return int(bool(report.faults) is not loses)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
