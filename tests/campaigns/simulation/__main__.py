"""`make simulate`: run worlds of clients, two servers and faults, each from a seed, and check them after every step.

With --planted, search for the planted bugs instead, each until a world violates a rule.
"""

import argparse
from contextlib import ExitStack, nullcontext
from itertools import count

from api.cli.common.progress import progress
from tests import postgres
from tests.campaigns.options import DEFAULT, add_seed, at_least, campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.simulation.campaign import MOST_GAMES, STEPS, NewStore, hunt, run_campaign
from tests.campaigns.simulation.planted import BUGS

NAMES = "\n".join(f"  {name}" for name in BUGS)
"""The planted bugs, one a line."""
EXAMPLES = {
    "--seed 7 --worlds 1": "one world; run it again to see the same story",
    "--postgres --worlds 20 --seed 1": "20 worlds on PostgreSQL, which take longer",
    "--planted 'show the view of before' 'tell each player twice'": "search for two planted bugs",
    "--planted": "search for all of them",
}


def name_of_bug(text: str) -> str:
    """Return the name of a planted bug. Raise ArgumentTypeError for another name."""
    if text not in BUGS:
        raise argparse.ArgumentTypeError(f"no planted bug is called {text!r}. These are, each in quotes:\n{NAMES}")
    return text


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    parser = campaign_parser("tests.campaigns.simulation", __doc__, EXAMPLES, f"planted bugs:\n{NAMES}")
    add_seed(parser, 1)
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
    """Run the worlds, or search for planted bugs."""
    given = options().parse_args()
    results = Results("simulation", given.seed)
    with ExitStack() as stack:
        new_store: NewStore = nullcontext
        if given.postgres:
            new_store = stack.enter_context(postgres.server(postgres.memory_folder())).fresh
        if given.planted is not None:
            for name in given.planted or BUGS:
                games, violation = hunt(name, given.seed, given.steps, new_store)
                results.show(f"{name}: {games} games", [], [str(violation)] if violation else [], loses=True)
            results.end()
        done, told = count(1), stack.enter_context(progress("worlds", given.worlds))
        seeds = [str(given.seed + number) for number in range(given.worlds)]
        tally, failure = run_campaign(seeds, given.steps, lambda _: told(next(done)), new_store)
    results.show(f"seeds {seeds[0]} to {seeds[tally.worlds - 1]}", tally.lines(), failure.lines() if failure else [])
    results.end()


if __name__ == "__main__":
    main()
