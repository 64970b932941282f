"""Play games by rules that are drawn at random from every choice: each ends, and no move makes the rules fail."""

from collections import Counter

from api.cli.common.processes import progress
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.games.random_rules import play, sound_rules

EXAMPLES = {"--games 100": "a short run", "--seed 'another text'": "games by other rules"}


def main() -> None:
    """Run the campaign."""
    counts = {"games": (2000, "games, each by rules of its own")}
    given = campaign_parser(
        "tests.campaigns.house_rules", __doc__, EXAMPLES, seed="house rules", numbers=counts
    ).parse_args()
    results, ends, faults = Results("house_rules", given.seed), Counter[str](), list[str]()
    with progress("games", given.games) as told:
        for game in range(given.games):
            seed = f"{given.seed} {game}"
            try:
                result = play(sound_rules(seed), seed).state.result
                ends[result.reason if result else "none"] += 1
            except Exception as error:  # noqa: BLE001  whatever fails is what the campaign looks for
                faults.append(f"seed {seed!r}: {type(error).__name__}: {error}")
            told(game + 1)
    results.show(f"{given.games} games", [f"{count} end by {reason}" for reason, count in ends.most_common()], faults)
    results.end()


if __name__ == "__main__":
    main()
