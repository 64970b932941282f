"""`make soak HOURS=1`: two nodes under a bounded load of all kinds, with kills, and what they hold all that time.

The samples, the report and the picture go to build/soak. With --read, a file of samples is read again.
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
from tests.conftest import Database
from tests.kills.campaign import SEED
from tests.soak.analysis import read_records
from tests.soak.campaign import Activity, Plan, run_soak
from tests.soak.report import leaks_of, picture_of, table_of
from tests.soak.samples import Record
from tests.two_nodes.__main__ import describe

STORES = {True: "SQLite", False: "PostgreSQL"}
FOLDER = Path(__file__).parents[2] / "build" / "soak"


def main() -> None:
    """Run the soak and print its report. Return exit code 1 if something is wrong, or something leaks."""
    asked = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    asked.add_argument("--hours", type=float, default=1.0)
    asked.add_argument("--sqlite", action="store_true", help="two servers on one SQLite file instead of PostgreSQL")
    asked.add_argument("--kill-minutes", type=float, default=4.0, help="how often the second node is killed (4)")
    asked.add_argument("--pause", type=float, default=0.5, help="how many seconds each client rests after a turn (0.5)")
    asked.add_argument(
        "--leak", type=int, default=0, metavar="BYTES", help="a control: each request leaves them behind"
    )
    asked.add_argument("--seed", type=int, default=SEED)
    asked.add_argument("--folder", type=Path, default=FOLDER)
    asked.add_argument("--read", type=Path, metavar="FILE", help="a file of samples to report again")
    given = asked.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.read is not None:
        sys.exit(publish(given.folder, [], read_records(given.read), leaks=False))
    plan = Plan(3600 * given.hours, 60 * given.kill_minutes, pause_s=given.pause, leak_bytes=given.leak)
    samples = given.folder / "samples.ndjson"
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = None if given.sqlite else stack.enter_context(postgres.cluster()).server.dsn
        report, activity = run_soak(Database(url, place / "data"), place, given.seed, plan, samples)
    lines = [*describe(report, 60 * given.hours, STORES[given.sqlite]), *describe_activity(activity)]
    leaks = publish(given.folder, lines, read_records(samples), leaks=given.leak > 0)
    sys.exit(1 if report.faults or leaks else 0)


def describe_activity(activity: Activity) -> list[str]:
    """Return the lines about what happened beside the moves of the racers."""
    names = [f"{getattr(activity, each.name)} {each.name.replace('_', ' ')}" for each in fields(activity)]
    return ["  " + ", ".join(names)]


def publish(folder: Path, lines: Sequence[str], records: Sequence[Record], *, leaks: bool) -> int:
    """Print and write the report and the picture. Return 1 if something leaks, or the control doesn't."""
    found = leaks_of(records)
    text = "\n".join([*lines, *table_of(records), f"leaks: {', '.join(found) or 'none'}"])
    click.echo(text)
    (folder / "report.txt").write_text(text + "\n", encoding="utf-8")
    (folder / "soak.svg").write_text(picture_of(records), encoding="utf-8")
    return int(bool(found) is not leaks)


if __name__ == "__main__":
    main()
