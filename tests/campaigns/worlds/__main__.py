"""`make worlds`: compare 10,000 worlds with the ones that viewers may not be able to tell from them, and count."""

from api.cli.common.processes import progress
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.campaigns.worlds.campaign import SEED, open_stage, run_campaign, run_forming

EXAMPLES = {"--worlds 90 --tables 10": "a short run", "--seed 'another text'": "10,000 other worlds"}


def main() -> None:
    """Run the campaign."""
    counts = {"worlds": (9_000, "worlds of games"), "tables": (1_000, "worlds of tables before the deal")}
    given = campaign_parser("tests.campaigns.worlds", __doc__, EXAMPLES, seed=SEED, numbers=counts).parse_args()
    results = Results("worlds", given.seed)
    with open_stage() as stage:
        for name, worlds, compare in (("worlds", given.worlds, run_campaign), ("tables", given.tables, run_forming)):
            with progress(name, worlds) as told:
                tally = compare(stage, worlds, given.seed, tick=told)
            results.show(f"{worlds} {name}", tally.lines(), tally.differences)
    results.end()


if __name__ == "__main__":
    main()
