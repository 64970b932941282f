"""`python -m tests.campaigns.two_nodes`: kill a node every few seconds for ten minutes while eight clients race."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import click

from tests import postgres
from tests.campaigns.kills.campaign import SEED
from tests.campaigns.options import DEFAULT, add_seed, campaign_parser
from tests.campaigns.two_nodes.campaign import Report, run_kills
from tests.conftest import Database

PAUSES_S = 1.0, 4.0


EXAMPLES = {
    "--minutes 1": "a short run",
    "--minutes 30 --seed 7": "half an hour, with other games and other moments of the kills",
}


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    parser = campaign_parser("tests.campaigns.two_nodes", __doc__, EXAMPLES)
    parser.add_argument("--minutes", type=float, default=10, help=f"how long the kills go on {DEFAULT}")
    add_seed(parser, SEED)
    return parser


def main() -> None:
    """Run the campaign and print its report. Return exit code 1 if something is wrong."""
    arguments = options().parse_args()
    with tempfile.TemporaryDirectory() as folder, postgres.cluster() as cluster:
        place, until = Path(folder), time.monotonic() + 60 * arguments.minutes
        database = Database(cluster.server.dsn, place / "data")
        report = run_kills(database, place, arguments.seed, lambda _: time.monotonic() < until, PAUSES_S)
    click.echo("\n".join(describe(report, arguments.minutes)))
    sys.exit(1 if report.faults else 0)


def describe(report: Report, minutes: float, store: str = "PostgreSQL") -> list[str]:
    """Return the lines of a report."""
    return [
        f"two nodes on {store}, {minutes:g} minutes: {report.kills} kills of a node",
        f"  {report.games} games, {report.moves} moves acknowledged, {report.refused} refused",
        f"  {report.repeated} requests repeated, streams began {report.resumed} times",
        f"  {report.entries} entries in 4 inboxes, each read by a stream and by waiting",
        f"  {report.messages} messages to a webhook, {report.again} of them again, with the same id",
        f"  {len(report.refused_s)} tokens revoked at one node",
        f"  the other accepted one for at most {max(report.refused_s, default=0):.2f} s",
        f"  streams there ended after at most {max(report.ended_s, default=0):.2f} s",
        f"  {report.opened} games opened by somebody who may open that many; {report.guesses} guesses of a password",
        *(f"  wrong: {fault[:500]}" for fault in report.faults),
    ]


if __name__ == "__main__":
    main()
