"""`make clocks`: clocks jump by days, hours and decades for ten minutes on each store, beside all kinds of work."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.campaigns.clock_jumps.campaign import STORES, open_machines, run_jumps
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.traffic.load import SEED
from tests.conftest import Database

EXAMPLES = {
    "--minutes 2 --store sqlite": "a short run of two servers on one SQLite file and one machine",
    "--store postgres --seed 7": "three clocks: those of two servers, and PostgreSQL's",
}


def main() -> None:
    """Run the campaign on one store after the other."""
    minutes = {"minutes": (10.0, "how long clocks jump on each store")}
    parser = campaign_parser("tests.campaigns.clock_jumps", __doc__, EXAMPLES, seed=SEED, numbers=minutes)
    parser.add_argument("--store", choices=(*STORES, "both"), default="both", help="on which store (default: both)")
    given = parser.parse_args()
    results = Results("clock_jumps", given.seed)
    for store in STORES:
        if given.store in (store, "both"):
            with ExitStack() as stack:
                place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                url, machines = stack.enter_context(open_machines(store, place))
                report = run_jumps(Database(url, place / "data"), place, given.seed, 60 * given.minutes, machines)
            results.show(f"jumps on {store}", report.lines(), report.faults)
    results.end()


if __name__ == "__main__":
    main()
