"""`make tamper`: change 10,000 random bytes of a store's file and 10,000 of exports, and print what noticed each.

Then cut every stored file after each of its events, and verify what is left.
"""

import tempfile
from pathlib import Path

from api.cli.common.processes import progress
from replay.history import read_export
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.tamper.cuts import STORED, Cuts, verify_cuts
from tests.campaigns.tamper.flips import flip_export, flip_store
from tests.campaigns.tamper.places import exports, finished

SEED = 20261121
EXAMPLES = {"--changes 100": "a short run", "--changes 10000 --seed 7": "other bytes"}


def main() -> None:
    """Run the changes."""
    changes = (10_000, "changes of the file of a store, and as many of exports together")
    given = campaign_parser(
        "tests.campaigns.tamper", __doc__, EXAMPLES, seed=SEED, numbers={"changes": changes}
    ).parse_args()
    results = Results("tamper", given.seed)
    with tempfile.TemporaryDirectory() as store, tempfile.TemporaryDirectory() as other:
        with progress("the file of a store", given.changes) as told:
            flips = flip_store(finished(Path(store)), given.changes, given.seed, told)
        results.show(f"{given.changes} changes of the file of a store", flips.lines(), flips.silent)
        half = given.changes // 2
        for name, data in exports(Path(other)).items():
            with progress(name, half) as told:
                flips = flip_export(data, half, given.seed, told)
            results.show(f"{half} changes of {name}", flips.lines(), flips.silent)
    cuts = Cuts()
    with progress("stored files, cut after each event", len(STORED)) as told:
        for number, path in enumerate(STORED, 1):
            verify_cuts(path.name, read_export(path.read_bytes()), cuts)
            told(number)
    results.show("stored files, cut after each event", cuts.lines(), cuts.faults)
    results.end()


if __name__ == "__main__":
    main()
