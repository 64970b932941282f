"""`make fuzz`: send 40,000 fuzzed requests and 10,000 cases of fuzzed bytes to a real server, and count the answers."""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click

from api.cli.common.progress import progress
from tests import postgres
from tests.campaigns.fuzz.campaign import SEED, Report, fuzz_target, harm_done, send_raw_cases, send_requests
from tests.campaigns.options import DEFAULT, add_seed, campaign_parser
from tests.conftest import Database

EXAMPLES = {"--requests 400 --raw 100": "a short run", "--postgres --seed 7": "other requests, on PostgreSQL"}


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    asked = campaign_parser("tests.campaigns.fuzz", __doc__, EXAMPLES)
    asked.add_argument("--requests", type=int, default=40_000, metavar="N", help=f"fuzzed requests {DEFAULT}")
    asked.add_argument("--raw", type=int, default=10_000, metavar="N", help=f"cases of fuzzed bytes {DEFAULT}")
    add_seed(asked, SEED)
    asked.add_argument("--postgres", action="store_true", help="on a PostgreSQL started for this, instead of SQLite")
    return asked


def main() -> None:
    """Run the campaign. Return exit code 1 if a request wasn't answered as it should be, or something was harmed."""
    given = options().parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if not given.postgres:
            sys.exit(_run(Database(None, place / "data"), place / "log", given.requests, given.raw, given.seed))
        with postgres.server() as server, server.fresh() as url:
            code = _run(Database(url, place / "data"), place / "log", given.requests, given.raw, given.seed)
        sys.exit(code)


def _run(database: Database, log: Path, requests: int, raw: int, seed: int) -> int:
    with fuzz_target(database, log) as target:
        before = target.unharmed_log()
        faults = _send("requests", requests, lambda tick: send_requests(target, requests, seed, tick))
        faults += _send("cases of bytes", raw, lambda tick: send_raw_cases(target, raw, seed, tick))
        faults += harm_done(target, before)
    for fault in faults:
        click.echo(f"  wrong: {fault}")
    click.echo("nothing is wrong" if not faults else f"{len(faults)} things are wrong, with --seed {seed}")
    return 1 if faults else 0


def _send(name: str, many: int, send: Callable[[Callable[[], None]], Report]) -> list[str]:
    """Run one part, print its counts by status, and return its faults."""
    began, sent = time.monotonic(), 0
    with progress(name, many) as told:

        def tick() -> None:
            nonlocal sent
            sent += 1
            told(sent)

        report = send(tick)
    click.echo(f"{name}: {many} in {time.monotonic() - began:.0f} s")
    for status, count in sorted(report.statuses.items()):
        click.echo(f"  {count:6}  {status or 'closed without an answer'}")
    return report.faults


if __name__ == "__main__":
    main()
