"""Draw rulebooks at random from every choice: each is refused with a reason, or two games by it end, and are right.

The program plays, its audit and today's rules read the games again, and the verifiers in JavaScript (node) and Go read
the exports.
"""

import sys
from collections import Counter
from itertools import chain

from api.cli.common.processes import progress
from domain.rules.consistency import faults
from replay.history import export_bytes, from_entries
from tests.campaigns.agreement.campaign import BATCH, ProgramMissing, Readers, judge, open_readers
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.games.random_rules import drawn_rules, play
from tests.web.example import with_receipt

EXAMPLES = {"--rulebooks 100": "a short run", "--seed 'another text'": "other rulebooks"}
GAMES = 2
"""How many games are played by each rulebook that can be played."""


class Campaign:
    """How many rulebooks were drawn, why they were refused, how games by the others end, and what went wrong."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.refused, self.ends, self.faults = Counter[str](), Counter[str](), list[str]()
        self.unread = dict[str, bytes]()

    def draw(self, number: int) -> None:
        """Draw a rulebook, and play by it unless it's refused."""
        seed = f"{self.seed} {number}"
        rules = drawn_rules(seed)
        if found := list(faults(rules)):
            self.refused.update(key for key, _ in found)
            self.faults += [f"rulebook {seed!r} is refused without a reason" for _, says in found if not says]
            return
        for game in range(GAMES):
            try:
                table = play(rules, f"{seed} {game}")
            except Exception as error:  # noqa: BLE001  whatever fails is what the campaign looks for
                self.faults.append(f"rulebook {seed!r}, game {game}: {type(error).__name__}: {error}")
                return
            self.ends[table.state.result.reason if table.state.result else "none"] += 1
            history = from_entries(list(chain.from_iterable(table.commits)), {})
            self.unread[f"rulebook {seed!r}, game {game}"] = export_bytes(with_receipt(history))

    def read(self, readers: Readers, least: int = 1) -> None:
        """Let each reader judge the games that it hasn't read, if they are at least `least`."""
        if len(self.unread) < least:
            return
        judge(readers, self.unread, self.faults)
        self.unread = {}


def main() -> None:
    """Run the campaign."""
    numbers = {"rulebooks": (5000, "rulebooks")}
    parser = campaign_parser("tests.campaigns.house_rules", __doc__, EXAMPLES, seed="house rules", numbers=numbers)
    given = parser.parse_args()
    results = Results("house_rules", given.seed)
    try:
        with open_readers() as readers, progress("rulebooks", given.rulebooks) as told:
            campaign = Campaign(str(given.seed))
            for number in range(given.rulebooks):
                campaign.draw(number)
                campaign.read(readers, BATCH)
                told(number + 1)
            campaign.read(readers)
    except ProgramMissing as error:
        sys.exit(str(error))
    reasons = ", ".join(f"{key} {times}" for key, times in campaign.refused.most_common())
    lines = [
        f"{campaign.refused.total()} reasons to refuse one: {reasons}",
        *(f"{count} games end by {reason}" for reason, count in campaign.ends.most_common()),
    ]
    results.show(f"{given.rulebooks} rulebooks", lines, campaign.faults)
    results.end()


if __name__ == "__main__":
    main()
