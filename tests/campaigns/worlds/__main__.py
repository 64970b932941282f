"""`make worlds`: compare 10,000 worlds with the ones that viewers may not be able to tell from them, and count."""

import argparse

from api.cli.common.progress import progress
from tests.campaigns.options import DEFAULT, campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.worlds.campaign import SEED, open_stage, run_campaign, run_forming

EXAMPLES = {"--worlds 90 --tables 10": "a short run", "--seed 'another text'": "10,000 other worlds"}


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    asked = campaign_parser("tests.campaigns.worlds", __doc__, EXAMPLES)
    asked.add_argument("--worlds", type=int, default=9_000, metavar="N", help=f"worlds of games {DEFAULT}")
    asked.add_argument("--tables", type=int, default=1_000, metavar="N",
                       help=f"worlds of tables before the deal {DEFAULT}")  # fmt: skip
    asked.add_argument("--seed", default=SEED, metavar="TEXT",
                       help=f"what draws the worlds; the same text draws the same ones {DEFAULT}")  # fmt: skip
    return asked


def main() -> None:
    """Run the campaign."""
    given = options().parse_args()
    results = Results("worlds", given.seed)
    with open_stage() as stage:
        for name, worlds, compare in (("worlds", given.worlds, run_campaign), ("tables", given.tables, run_forming)):
            with progress(name, worlds) as told:
                tally = compare(stage, worlds, given.seed, tick=told)
            results.show(f"{worlds} {name}", tally.lines(), tally.differences)
    results.end()


if __name__ == "__main__":
    main()
