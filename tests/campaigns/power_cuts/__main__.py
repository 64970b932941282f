"""`make powercuts`: 5,000 images of the disk after power cuts in 2,000 moves on SQLite, and a control."""

import tempfile
from pathlib import Path

from api.cli.common.processes import progress
from tests.campaigns.options import campaign_parser
from tests.campaigns.power_cuts.campaign import SEED, cut
from tests.campaigns.results import Results

CONTROL_SHARE, CONTROL_AT_LEAST = 50, 20
"""The control gets one image for that many of the campaign, and at least that many."""
EXAMPLES = {
    "--moves 60 --images 100": "a short run, of about a minute",
    "--images 20000 --seed 7": "more images, of cuts at other moments of other games",
}


def main() -> None:
    """Run the campaign and its control."""
    images = f"images of the disk to open; the control gets one of {CONTROL_SHARE}, at least {CONTROL_AT_LEAST}"
    counts = {"moves": (2000, "moves to play while recording"), "images": (5000, images)}
    given = campaign_parser("tests.campaigns.power_cuts", __doc__, EXAMPLES, seed=SEED, numbers=counts).parse_args()
    results, control = Results("power_cuts", given.seed), max(CONTROL_AT_LEAST, given.images // CONTROL_SHARE)
    for name, images, safe in (("as it is", given.images, True), ("without fsync", control, False)):
        with tempfile.TemporaryDirectory() as folder, progress(name, images) as told:
            report = cut(Path(folder), given.moves, images, seed=given.seed, safe=safe, set_progress=told)
        results.show(f"SQLite, {name}", report.lines(), report.faults, loses=not safe)
    results.end()


if __name__ == "__main__":
    main()
