"""`make soak HOURS=1`: two nodes under a bounded load of all kinds, with kills, and what they hold all that time.

The samples go to build/soak/samples.ndjson.
"""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests import postgres
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.soak.analysis import findings_of, leaks_of, read_records
from tests.campaigns.soak.campaign import Plan, run_soak
from tests.campaigns.traffic.load import SEED
from tests.conftest import Database

SAMPLES = Path(__file__).parents[3] / "build" / "soak" / "samples.ndjson"
EXAMPLES = {
    "--hours 0.5": "half an hour on PostgreSQL; less than 20 minutes can't tell what leaks",
    "--sqlite --hours 1": "two servers on one SQLite file",
    "--leak 1000 --hours 0.5": "a control: 1,000 bytes stay behind with each request, and the report must say so",
}


def main() -> None:
    """Run the soak, and judge what went wrong and what leaks."""
    numbers = {
        "hours": (1.0, "how long the soak takes"),
        "kill_minutes": (4.0, "the time between two kills of the second node"),
        "leak": (0, "a control: each request leaves that many bytes behind"),
    }
    parser = campaign_parser("tests.campaigns.soak", __doc__, EXAMPLES, seed=SEED, numbers=numbers)
    parser.add_argument("--sqlite", action="store_true", help="two servers on one SQLite file instead of PostgreSQL")
    given = parser.parse_args()
    SAMPLES.parent.mkdir(parents=True, exist_ok=True)
    plan = Plan(3600 * given.hours, 60 * given.kill_minutes, leak_bytes=given.leak)
    results = Results("soak", given.seed)
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = None if given.sqlite else stack.enter_context(postgres.cluster()).server.dsn
        report = run_soak(Database(url, place / "data"), place, given.seed, plan, SAMPLES)
    results.show(f"two nodes on {'SQLite' if given.sqlite else 'PostgreSQL'}", report.lines(), report.faults)
    records = read_records(SAMPLES)
    results.show("leaks", map(str, findings_of(records)), leaks_of(records), loses=given.leak > 0)
    results.end()


if __name__ == "__main__":
    main()
