"""`make kills`: 60 times kill -9 on SQLite and 30 times on PostgreSQL, under load, and a control that must lose."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import click

from api.cli.common.progress import progress
from tests import postgres
from tests.api.server_process import PROGRAM
from tests.campaigns.kills.campaign import SEED, UNSAFE_PROGRAM, Report, crash_postgres, run_kills
from tests.campaigns.options import DEFAULT, add_seed, campaign_parser
from tests.conftest import Database

EXAMPLES = {
    "--sqlite 10 --postgres 10 --seed 7": "ten kills on each store",
    "--sqlite 60 --postgres 1": "nearly all on SQLite; a control on PostgreSQL runs each time",
}


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    asked = campaign_parser("tests.campaigns.kills", __doc__, EXAMPLES)
    asked.add_argument("--sqlite", type=int, default=60, metavar="N", help=f"kills on SQLite, or 0 {DEFAULT}")
    asked.add_argument("--postgres", type=int, default=30, metavar="N", help=f"kills on PostgreSQL {DEFAULT}")
    add_seed(asked, SEED)
    return asked


def main() -> None:
    """Run both campaigns and the control. Return exit code 1 if something is wrong, or the control loses nothing."""
    given = options().parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        wrong = 0
        if given.sqlite:
            wrong += _run("SQLite", Database(None, place / "sqlite"), given.sqlite, given.seed, None)
        with postgres.cluster() as cluster:
            database = Database(cluster.server.dsn, place / "postgres")
            wrong += _run("PostgreSQL", database, given.postgres, given.seed, cluster)
        for name, program, loses in (("as it is", PROGRAM, False), ("control", UNSAFE_PROGRAM, True)):
            with postgres.cluster() as cluster:
                database = Database(cluster.server.dsn, place / name)
                report = crash_postgres(database, cluster, given.seed, program)
            wrong += _show(f"PostgreSQL with commits in memory, {name}", report, loses=loses)
    sys.exit(1 if wrong else 0)


def _run(store: str, database: Database, kills: int, seed: int, cluster: postgres.Cluster | None) -> int:
    began = time.monotonic()
    with progress(f"kills on {store}", kills) as told:
        report = run_kills(database, kills, seed, cluster, told)
    return _show(f"{store}: {kills} kills in {time.monotonic() - began:.0f} s", report, loses=False)


def _show(title: str, report: Report, *, loses: bool) -> int:
    """Print a report, and return 1 if it isn't as expected."""
    click.echo(f"{title}")
    click.echo("  " + ", ".join(f"{name} {times}" for name, times in sorted(report.kills.items())))
    click.echo(
        f"  {report.games} games, {report.moves} moves acknowledged, {report.refused} refused,"
        f" {report.repeated} requests repeated, streams resumed {report.resumed} times"
    )
    for fault in report.faults:
        click.echo(f"  {'lost, as it must' if loses else 'wrong'}: {fault[:300]}")
    if loses and not report.faults:
        click.echo("  wrong: the control lost nothing")
    return int(bool(report.faults) is not loses)


if __name__ == "__main__":
    main()
