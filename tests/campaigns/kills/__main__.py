"""`make kills`: 60 times kill -9 on SQLite and 30 times on PostgreSQL, under load."""

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path

from api.cli.common.progress import progress
from tests import postgres
from tests.campaigns.kills.campaign import run_kills
from tests.campaigns.options import DEFAULT, add_seed, campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.traffic.load import SEED
from tests.conftest import Database

EXAMPLES = {
    "--sqlite 10 --postgres 10 --seed 7": "ten kills on each store",
    "--sqlite 60 --postgres 0": "on SQLite alone",
}


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    asked = campaign_parser("tests.campaigns.kills", __doc__, EXAMPLES)
    asked.add_argument("--sqlite", type=int, default=60, metavar="N", help=f"kills on SQLite, or 0 {DEFAULT}")
    asked.add_argument("--postgres", type=int, default=30, metavar="N", help=f"kills on PostgreSQL, or 0 {DEFAULT}")
    add_seed(asked, SEED)
    return asked


def main() -> None:
    """Run the campaign on both stores."""
    given = options().parse_args()
    results = Results("kills", given.seed)
    for store, kills in (("SQLite", given.sqlite), ("PostgreSQL", given.postgres)):
        if kills:
            with ExitStack() as stack:
                place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                cluster = stack.enter_context(postgres.cluster()) if store == "PostgreSQL" else None
                told = stack.enter_context(progress(f"kills on {store}", kills))
                database = Database(cluster.server.dsn if cluster else None, place / "data")
                report = run_kills(database, place, kills, given.seed, cluster, told)
            results.show(f"{kills} kills on {store}", report.lines(), report.faults)
    results.end()


if __name__ == "__main__":
    main()
