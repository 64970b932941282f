"""`make fuzz`: send 40,000 fuzzed requests and 10,000 cases of fuzzed bytes to a real server, and count the answers."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from api.cli.common.processes import progress
from tests import postgres
from tests.campaigns.fuzz.campaign import SEED, fuzz_target, harm_done, send_raw_cases, send_requests
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.conftest import Database

EXAMPLES = {"--requests 400 --raw 100": "a short run", "--postgres --seed 7": "other requests, on PostgreSQL"}


def main() -> None:
    """Run the campaign."""
    counts = {"requests": (40_000, "fuzzed requests"), "raw": (10_000, "cases of fuzzed bytes")}
    parser = campaign_parser("tests.campaigns.fuzz", __doc__, EXAMPLES, seed=SEED, numbers=counts)
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL started for this, instead of SQLite")
    given = parser.parse_args()
    results = Results("fuzz", given.seed)
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(postgres.cluster()).server.dsn if given.postgres else None
        target = stack.enter_context(fuzz_target(Database(url, place / "data"), place / "log"))
        before = target.unharmed_log()
        for name, many, send in (("requests", given.requests, send_requests), ("raw", given.raw, send_raw_cases)):
            with progress(name, many) as told:
                report = send(target, many, given.seed, told)
            results.show(f"{many} {name}", report.lines(), report.faults)
        results.show("harm", [], harm_done(target, before))
    results.end()


if __name__ == "__main__":
    main()
