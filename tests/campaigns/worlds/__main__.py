"""`make worlds`: compare 10,000 worlds with the ones that viewers may not be able to tell from them, and count."""

import argparse
import sys
import time

import click

from api.cli.common.progress import progress
from tests.campaigns.options import DEFAULT, campaign_parser
from tests.campaigns.worlds.campaign import SEED, Tally, open_stage, run_campaign, run_forming

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
    """Run the campaign. Return exit code 1 if a viewer could see a difference."""
    given = options().parse_args()
    began = time.monotonic()
    with open_stage() as stage:
        with progress("worlds", given.worlds) as told:
            games = run_campaign(stage, given.worlds, given.seed, tick=told)
        with progress("tables", given.tables) as told:
            tables = run_forming(stage, given.tables, given.seed, tick=told)
    for name, tally in (("worlds of games", games), ("worlds of tables before the deal", tables)):
        _print_tally(name, tally)
    click.echo(f"{time.monotonic() - began:.0f} s")
    sys.exit(1 if games.differences or tables.differences else 0)


def _print_tally(name: str, tally: Tally) -> None:
    click.echo(f"{tally.worlds} {name}, {tally.requests} requests, {len(tally.differences)} differences")
    for kind, counts in tally.by.items():
        click.echo(f"  by {kind}: " + ", ".join(f"{value} {count}" for value, count in counts.most_common()))
    statuses = ", ".join(f"{status}: {count}" for status, count in sorted(tally.statuses.items()))
    click.echo(f"  {len(tally.routes)} kinds of requests; answers {statuses}")
    for difference in tally.differences[:20]:
        click.echo(f"  differs: {difference}")


if __name__ == "__main__":
    main()
