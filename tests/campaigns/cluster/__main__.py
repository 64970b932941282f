"""`make cluster`: kill primaries, nodes and etcd's leaders under load, move shards, and run a control that must lose.

Everything runs on this machine and its loopback addresses, and is gone afterwards.
"""

import signal
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

from api.cli.common.processes import progress
from tests.campaigns.cluster.programs import CannotRun
from tests.campaigns.cluster.stage import FAILURES, SEED, STEPS, lose_unsent, run_failures
from tests.campaigns.options import DEFAULT, campaign_parser
from tests.campaigns.results import Results

KINDS = "\n".join(f"  {name:9}{failure.__doc__}" for name, failure in FAILURES.items())
"""The kinds of steps, one a line."""
EXAMPLES = {
    "--steps postgres --no-control": "the shortest run: one kill of the primary's PostgreSQL",
    "--steps etcd,shard,switch --seed 7": "three steps, and the control",
}


def main() -> None:
    """Run the campaign and the control."""
    parser = campaign_parser("tests.campaigns.cluster", __doc__, EXAMPLES, f"steps:\n{KINDS}", SEED)
    parser.add_argument("--steps", default=",".join(STEPS),
                       help=f"what fails or moves, in this order, with commas; listed below {DEFAULT}")  # fmt: skip
    parser.add_argument("--no-control", action="store_true", help="leave out the control")
    given = parser.parse_args()
    steps = given.steps.split(",")
    if unknown := set(steps) - set(FAILURES):
        parser.error(f"no step is called {', '.join(sorted(unknown))}. These are:\n{KINDS}")
    signal.signal(signal.SIGTERM, _interrupt)
    folder, results = Path(tempfile.gettempdir()), Results("cluster", given.seed)
    try:
        with progress("failures and moves", len(steps)) as set_progress:
            report = run_failures(folder, given.seed, steps, set_progress)
        results.show("failures and moves", report.lines(), report.faults)
        for name, synchronous in () if given.no_control else (("as it is", True), ("asynchronous replication", False)):
            report = lose_unsent(folder, given.seed, synchronous=synchronous)
            results.show(f"commits that no standby got, {name}", report.lines(), report.faults, loses=not synchronous)
    except CannotRun as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; everything is stopped")
    results.end()


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
