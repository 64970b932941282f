"""`make simulate`: run worlds of clients, two servers and faults, each from a seed, and check them after every step.

With --planted, search for the planted bugs instead, each until a world violates a rule.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from itertools import count, islice

import click

from api.cli.common.progress import progress
from tests import postgres
from tests.campaigns.options import DEFAULT, at_least, campaign_parser
from tests.campaigns.simulation.campaign import STEPS, Failure, NewStore, Tally, run_campaign
from tests.campaigns.simulation.hunt import MOST_GAMES, header_of_table, hunt, row_of_table
from tests.campaigns.simulation.planted import BUGS

NAMES = "\n".join(f"  {bug.name}" for bug in BUGS)
"""The planted bugs, one a line."""
EXAMPLES = {
    "--seed 7 --worlds 1": "one world; run it again to see the same story",
    "--postgres --worlds 20 --seed 1": "20 worlds on PostgreSQL, which take longer",
    "--planted 'show the view of before' 'tell each player twice'": "search for two planted bugs",
    "--planted": "search for all of them",
}


def name_of_bug(text: str) -> str:
    """Return the name of a planted bug. Raise ArgumentTypeError for another name."""
    if text not in {bug.name for bug in BUGS}:
        raise argparse.ArgumentTypeError(f"no planted bug is called {text!r}. These are, each in quotes:\n{NAMES}")
    return text


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    parser = campaign_parser("tests.campaigns.simulation", __doc__, EXAMPLES, f"planted bugs:\n{NAMES}")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=f"the first seed {DEFAULT}")
    parser.add_argument("--worlds", type=at_least(1), default=100, metavar="N",
                       help=f"how many seeds, one after the other, each a world {DEFAULT}")  # fmt: skip
    parser.add_argument(
        "--steps", type=at_least(1), default=STEPS, metavar="N", help=f"the steps of each world {DEFAULT}"
    )
    parser.add_argument("--postgres", action="store_true", help="run the worlds on PostgreSQL instead of SQLite")
    parser.add_argument("--planted", nargs="*", metavar="BUG", type=name_of_bug,
                       help=f"search for these planted bugs, listed below, or for all, in up to {MOST_GAMES} games"
                            " each; without it, no bug is planted")  # fmt: skip
    return parser


def main() -> None:
    """Run the campaign. Return exit code 1 if a rule was violated, or a planted bug wasn't found."""
    arguments = options().parse_args()
    with ExitStack() as stack:
        new_store: NewStore = nullcontext
        if arguments.postgres:
            new_store = stack.enter_context(postgres.server(postgres.memory_folder())).fresh
        if arguments.planted is not None:
            sys.exit(search(arguments.planted, arguments.seed, arguments.steps, new_store))
        again = f"--worlds 1 --steps {arguments.steps}{' --postgres' if arguments.postgres else ''}"
        sys.exit(simulate(arguments.seed, arguments.worlds, arguments.steps, new_store, again))


def simulate(first: int, worlds: int, steps: int, new_store: NewStore, again: str) -> int:
    """Run worlds and print what happened. Return 1, with the shortest story, if a rule was violated.

    `again` has the options that repeat one world, but its seed.
    """
    seeds, done, began = [str(seed) for seed in islice(count(first), worlds)], count(1), time.monotonic()
    with progress("worlds", worlds) as set_progress:
        tally, failure = run_campaign(seeds, steps, lambda _: set_progress(next(done)), new_store)
    click.echo("\n".join(describe(tally, first)))
    click.echo(f"{time.monotonic() - began:.0f} s")
    if failure is not None:
        _print_failure(failure, steps)
    else:
        click.echo("0 violations: all is well")
    seed = first if failure is None else failure.seed
    which = "the first world" if failure is None else "this world"
    click.echo(f"to repeat {which}: python -m tests.campaigns.simulation --seed {seed} {again}")
    return int(failure is not None)


def describe(tally: Tally, first: int) -> Iterator[str]:
    """Yield the lines about what happened in worlds."""
    last = first + tally.worlds - 1
    yield f"seeds {first} to {last}: {tally.worlds} worlds, {tally.games} games, {tally.steps} steps"
    yield f"games: {_counts(tally.variants, tally.games)}"
    places = sorted({name.partition(": ")[0] for name in tally.faults})
    for place in places:
        faults = {name.partition(": ")[2]: times for name, times in tally.faults.items() if name.startswith(place)}
        yield f"faults met, {place}: {_counts(Counter(faults))}"


def _counts(counts: Counter[str], total: int | None = None) -> str:
    shares = {name: "" if not total else f" ({times / total:.0%})" for name, times in counts.items()}
    return ", ".join(f"{name} {counts[name]}{shares[name]}" for name in sorted(counts))


def search(names: Sequence[str], first: int, steps: int, new_store: NewStore) -> int:
    """Search for planted bugs and print a table. Return 1 if one of them wasn't found."""
    click.echo("\n".join(header_of_table()))
    missed = 0
    for bug in BUGS:
        if bug.name in names or not names:
            found = hunt(bug, first, steps=steps, new_store=new_store)
            missed += found.violation is None
            click.echo(row_of_table(found))
    click.echo(f"{missed} weren't found" if missed else "each was found")
    return int(missed > 0)


def _print_failure(failure: Failure, steps: int) -> None:
    click.echo(f"seed {failure.seed} violates: {failure.violation}")
    click.echo(f"after {len(failure.steps)} of its {steps} steps:")
    for line in failure.story:
        click.echo(f"  {line}")


if __name__ == "__main__":
    main()
