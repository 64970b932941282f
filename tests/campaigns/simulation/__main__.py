"""`make simulate`: run worlds of clients, two servers and faults, each from a seed, and check them after every step.

With --planted, search for the planted bugs instead, each until a world violates a rule.
"""

from contextlib import ExitStack, nullcontext
from itertools import count

from api.cli.common.processes import progress
from tests import postgres
from tests.campaigns.options import campaign_parser
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


def main() -> None:
    """Run the worlds, or search for planted bugs."""
    counts = {"worlds": (100, "how many seeds, each a world"), "steps": (STEPS, "the steps of each world")}
    parser = campaign_parser(
        "tests.campaigns.simulation", __doc__, EXAMPLES, f"planted bugs:\n{NAMES}", 1, numbers=counts
    )
    parser.add_argument("--postgres", action="store_true", help="run the worlds on PostgreSQL instead of SQLite")
    parser.add_argument("--planted", nargs="*", metavar="BUG",
                       help=f"search for these planted bugs, or for all, in up to {MOST_GAMES} games each")  # fmt: skip
    given = parser.parse_args()
    if unknown := set(given.planted or ()) - set(BUGS):
        parser.error(f"no planted bug is called {', '.join(sorted(unknown))}. These are, each in quotes:\n{NAMES}")
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
