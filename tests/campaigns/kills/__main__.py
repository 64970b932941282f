"""`make kills`: 60 times kill -9 on SQLite and 30 times on PostgreSQL, under load."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from api.cli.common.progress import progress
from tests import postgres
from tests.campaigns.kills.campaign import run_kills
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.traffic.load import SEED
from tests.conftest import Database

EXAMPLES = {
    "--sqlite 10 --postgres 10 --seed 7": "ten kills on each store",
    "--sqlite 60 --postgres 0": "on SQLite alone",
}


def main() -> None:
    """Run the campaign on both stores."""
    kills = {"sqlite": (60, "kills on SQLite"), "postgres": (30, "kills on PostgreSQL")}
    given = campaign_parser("tests.campaigns.kills", __doc__, EXAMPLES, seed=SEED, numbers=kills).parse_args()
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
