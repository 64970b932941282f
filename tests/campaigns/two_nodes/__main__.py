"""`python -m tests.campaigns.two_nodes`: kill a node every few seconds for ten minutes while eight clients race."""

import tempfile
import time
from pathlib import Path

from tests import postgres
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.traffic.load import SEED
from tests.campaigns.two_nodes.campaign import run_kills
from tests.conftest import Database

PAUSES_S = 1.0, 4.0
EXAMPLES = {
    "--minutes 1": "a short run",
    "--minutes 30 --seed 7": "half an hour, with other games and other moments of the kills",
}


def main() -> None:
    """Run the campaign."""
    minutes = (10.0, "how long the kills go on")
    given = campaign_parser(
        "tests.campaigns.two_nodes", __doc__, EXAMPLES, seed=SEED, numbers={"minutes": minutes}
    ).parse_args()
    results = Results("two_nodes", given.seed)
    with tempfile.TemporaryDirectory() as folder, postgres.cluster() as cluster:
        place, until = Path(folder), time.monotonic() + 60 * given.minutes
        database = Database(cluster.server.dsn, place / "data")
        report = run_kills(database, place, given.seed, lambda _: time.monotonic() < until, PAUSES_S)
    results.show("two nodes on PostgreSQL", report.lines(), report.faults)
    results.end()


if __name__ == "__main__":
    main()
