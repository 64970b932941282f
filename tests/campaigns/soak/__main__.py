"""`make soak HOURS=1`: two nodes under a bounded load of all kinds, with kills, and what they hold all that time.

The samples and the report go to build/soak. With --read, a file of samples is read again.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path

import click

from tests import postgres
from tests.campaigns.kills.campaign import SEED
from tests.campaigns.options import DEFAULT, add_seed, campaign_parser
from tests.campaigns.soak.analysis import read_records
from tests.campaigns.soak.campaign import Activity, Plan, run_soak
from tests.campaigns.soak.report import leaks_of, table_of
from tests.campaigns.soak.samples import Record
from tests.campaigns.two_nodes.__main__ import describe
from tests.conftest import Database

STORES = {True: "SQLite", False: "PostgreSQL"}
FOLDER = Path(__file__).parents[3] / "build" / "soak"


EXAMPLES = {
    "--hours 0.5": "half an hour on PostgreSQL; less than 20 minutes can't tell what leaks",
    "--sqlite --hours 1": "two servers on one SQLite file",
    "--leak 1000 --hours 0.5": "a control: 1,000 bytes stay behind with each request, and the report must say so",
    "--read build/soak/samples.ndjson": "print the report of the last soak again",
}


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    parser = campaign_parser("tests.campaigns.soak", __doc__, EXAMPLES)
    parser.add_argument("--hours", type=float, default=1.0, help=f"how long the soak takes {DEFAULT}")
    parser.add_argument("--sqlite", action="store_true", help="two servers on one SQLite file instead of PostgreSQL")
    parser.add_argument("--kill-minutes", type=float, default=4.0, metavar="MINUTES",
                       help=f"the time between two kills of the second node {DEFAULT}")  # fmt: skip
    parser.add_argument("--pause", type=float, default=0.5, metavar="SECONDS",
                       help=f"how long each client rests after a turn {DEFAULT}")  # fmt: skip
    parser.add_argument("--leak", type=int, default=0, metavar="BYTES",
                       help=f"a control: each request leaves that many bytes behind {DEFAULT}")  # fmt: skip
    add_seed(parser, SEED)
    parser.add_argument("--folder", type=Path, default=FOLDER,
                       help="where the samples and the report go (default: build/soak)")  # fmt: skip
    parser.add_argument("--read", type=Path, metavar="FILE",
                       help="report a file of samples again; without it, a soak runs")  # fmt: skip
    return parser


def main() -> None:
    """Run the soak and print its report. Return exit code 1 if something is wrong, or something leaks."""
    arguments = options().parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.read is not None:
        sys.exit(publish(arguments.folder, [], read_records(arguments.read), leaks=False))
    plan = Plan(3600 * arguments.hours, 60 * arguments.kill_minutes, pause_s=arguments.pause, leak_bytes=arguments.leak)
    samples = arguments.folder / "samples.ndjson"
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = None if arguments.sqlite else stack.enter_context(postgres.cluster()).server.dsn
        report, activity = run_soak(Database(url, place / "data"), place, arguments.seed, plan, samples)
    lines = [*describe(report, 60 * arguments.hours, STORES[arguments.sqlite]), *describe_activity(activity)]
    leaks = publish(arguments.folder, lines, read_records(samples), leaks=arguments.leak > 0)
    sys.exit(1 if report.faults or leaks else 0)


def describe_activity(activity: Activity) -> list[str]:
    """Return the lines about what happened beside the moves of the racers."""
    names = [f"{getattr(activity, each.name)} {each.name.replace('_', ' ')}" for each in fields(activity)]
    return ["  " + ", ".join(names)]


def publish(folder: Path, lines: Sequence[str], records: Sequence[Record], *, leaks: bool) -> int:
    """Print and write the report. Return 1 if something leaks, or the control doesn't."""
    found = leaks_of(records)
    text = "\n".join([*lines, *table_of(records), f"leaks: {', '.join(found) or 'none'}"])
    click.echo(text)
    (folder / "report.txt").write_text(text + "\n", encoding="utf-8")
    return int(bool(found) is not leaks)


if __name__ == "__main__":
    main()
