"""`make kills`: 60 times kill -9 on SQLite and 30 times on PostgreSQL, and every damage to a log, under load."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from api.cli.common.processes import progress
from tests import postgres
from tests.campaigns.kills.campaign import run_kills
from tests.campaigns.kills.damages import DAMAGES, judge
from tests.campaigns.kills.hurt import run_damages
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.traffic.load import SEED
from tests.conftest import Database

EXAMPLES = {
    "--sqlite 10 --postgres 10 --seed 7": "ten kills on each store",
    "--sqlite 60 --postgres 0 --damages 0": "on SQLite alone",
    "--sqlite 0 --postgres 0 --damages 3": "the log of SQLite hurt in each way three times",
}


def main() -> None:
    """Run the campaign on both stores."""
    hurts = "times that a log of SQLite is hurt in each way; a full disk needs root's rights"
    kills = {"sqlite": (60, "kills on SQLite"), "postgres": (30, "kills on PostgreSQL"), "damages": (1, hurts)}
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
    for damage in DAMAGES if given.damages else ():
        with tempfile.TemporaryDirectory() as folder, progress(damage.name, given.damages) as told:
            outcomes = run_damages(damage, Path(folder), given.damages, given.seed, told)
        faults = [fault for outcome in outcomes for fault in judge(outcome)]
        results.show(damage.name, [outcome.line() for outcome in outcomes], faults)
    results.end()


if __name__ == "__main__":
    main()
