"""`make tamper`: change 10,000 random bytes of a store's file and 10,000 of exports, and print what noticed each."""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from api.cli.common.progress import progress
from api.ops.progress import SetProgress
from tests.campaigns.options import DEFAULT, add_seed, at_least, campaign_parser
from tests.campaigns.tamper.flips import HARMLESS, Flips, flip_export, flip_store
from tests.campaigns.tamper.places import exports, finished

SEED = 20261121
EXAMPLES = {"--changes 100": "a short run", "--changes 10000 --seed 7": "other bytes"}


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    asked = campaign_parser("tests.campaigns.tamper", __doc__, EXAMPLES)
    asked.add_argument("--changes", type=at_least(2), default=10_000, metavar="N",
                       help=f"changes of the file of a store, and as many of exports together {DEFAULT}")  # fmt: skip
    add_seed(asked, SEED)
    return asked


def main() -> None:
    """Run the changes. Return exit code 1 if one wasn't noticed."""
    given = options().parse_args()
    with tempfile.TemporaryDirectory() as store, tempfile.TemporaryDirectory() as other:
        made = finished(Path(store))
        silent = _run(
            "the file of a store", given.changes, lambda told: flip_store(made, given.changes, given.seed, told)
        )
        half = given.changes // 2
        for name, data in exports(Path(other)).items():
            silent += _run(name, half, partial(flip_export, data, half, given.seed))
    sys.exit(1 if silent else 0)


def _run(name: str, many: int, flip: Callable[[SetProgress], Flips]) -> int:
    """Run one kind and print the result. Return the number of unnoticed changes."""
    began = time.monotonic()
    with progress(name, many) as told:
        flips = flip(told)
    took = time.monotonic() - began
    click.echo(f"{name}: {many} changes in {took:.0f} s, {1000 * took / many:.1f} ms each")
    for by, times, places in flips.counted():
        click.echo(f"  {times:6}  {by}")
        within = places if by == HARMLESS else []
        for where, there in within:
            click.echo(f"          {there:6}  {where}")
    for flip_made in flips.silent:
        click.echo(f"  silent: byte {flip_made.offset}, {flip_made.before} to {flip_made.after}, {flip_made.where}")
    return len(flips.silent)


if __name__ == "__main__":
    main()
