"""`make simulate`: run worlds of clients, two servers and faults, each from a seed, and check them after every step."""

import argparse
import sys
import time
from contextlib import ExitStack, nullcontext
from itertools import count, islice

import click

from api.cli.common.progress import progress
from tests import postgres
from tests.simulation.campaign import STEPS, Failure, NewStore, run_campaign


def main() -> None:
    """Run the campaign. Return exit code 1, with the shortest story, if a rule was violated."""
    asked = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    asked.add_argument("--seed", type=int, default=1, help="the first seed")
    asked.add_argument("--worlds", type=int, default=100, help="how many seeds, one after the other")
    asked.add_argument("--steps", type=int, default=STEPS, help="the steps of each world")
    asked.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    given = asked.parse_args()
    first, done = given.seed, count(1)
    seeds = [str(seed) for seed in islice(count(first), given.worlds)]
    began = time.monotonic()
    with ExitStack() as stack:
        new_store: NewStore = nullcontext
        if given.postgres:
            new_store = stack.enter_context(postgres.server(postgres.memory_folder())).fresh
        told = stack.enter_context(progress("worlds", given.worlds))
        worlds, games, failure = run_campaign(seeds, given.steps, lambda _: told(next(done)), new_store)
    click.echo(f"seeds {first} to {first + worlds - 1}: {worlds} worlds, {games} games, {worlds * given.steps} steps")
    click.echo(f"{time.monotonic() - began:.0f} s")
    if failure is not None:
        _print_failure(failure, given.steps)
        sys.exit(1)
    click.echo("0 violations")


def _print_failure(failure: Failure, steps: int) -> None:
    click.echo(f"seed {failure.seed} violates: {failure.violation}")
    click.echo(f"after {len(failure.steps)} of its {steps} steps:")
    for line in failure.story:
        click.echo(f"  {line}")


if __name__ == "__main__":
    main()
