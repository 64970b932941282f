"""Play the presets, and rulebooks drawn at random from every choice, and let every verifier read each game.

Bots play each preset, with each number of players and under each option. A random rulebook is refused with a reason,
or two games by it end. The program's audit and today's rules read the games again, and the verifiers in JavaScript
(node) and Go read the exports.
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from api.cli.common.processes import progress
from domain.events import GameEnded
from domain.rules.consistency import faults
from domain.rules.variants import VARIANTS
from domain.store.aggregate import Entry
from projections.bots import STRATEGIES
from replay.history import export_bytes, from_entries
from tests.campaigns.agreement.campaign import BATCH, ProgramMissing, Readers, judge, open_readers
from tests.campaigns.options import campaign_parser
from tests.campaigns.results import Results
from tests.games.random_rules import drawn_rules, play
from tests.games.whole_games import FIRST
from tests.projections.bots.bot_table import bot_table
from tests.web.example import with_receipt

EXAMPLES = {
    "--rulebooks 100 --presets 1": "a short run",
    "--rulebooks 0 --presets 300": "many games of the presets, and nothing else",
    "--seed 'another text'": "other rulebooks",
}
GAMES = 2
"""How many games are played by each rulebook that can be played."""
TABLES = [(name, players) for name, each in VARIANTS.items() if name not in FIRST for players in each.rules.seats]
"""Each preset with each number of players."""
UNREST = 0.04
"""How often seats act out of turn in every other game; in every fourth one, a seat leaves after some moves."""


class Campaign:
    """How the games end, why rulebooks were refused, and what went wrong."""

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
            name = f"rulebook {seed!r}, game {game}"
            if not self._add(name, lambda: list(chain.from_iterable(play(rules, f"{seed} {game}").commits))):  # noqa: B023  called here
                return

    def play_preset(self, preset: str, players: int, number: int) -> None:
        """Let bots play a game of a preset: with an even number under all defaults, else with another value of one."""
        options = VARIANTS[preset].options
        others = [{each.name: value} for each in options for value in each.values if value != each.default]
        chosen = others[number // 2 % len(others)] if others and number % 2 else {}
        name = f"{preset}, {players} players, {chosen or 'no options'}, seed {self.seed!r}, game {number}"
        self._add(name, lambda: bots_play(f"{self.seed} {number}", preset, players, chosen, number))

    def play_presets(self, number: int) -> None:
        """Play one game of each preset with each number of players."""
        for preset, players in TABLES:
            self.play_preset(preset, players, number)

    def _add(self, name: str, played: Callable[[], list[Entry]]) -> bool:
        """Play a game for the readers, and return whether that worked."""
        try:
            entries = played()
        except Exception as error:  # noqa: BLE001  whatever fails is what the campaign looks for
            self.faults.append(f"{name}: {type(error).__name__}: {error}")
            return False
        last = entries[-1].event.data
        self.ends[last.reason if isinstance(last, GameEnded) else "none"] += 1
        self.unread[name] = export_bytes(with_receipt(from_entries(entries, {})))
        return True

    def read(self, readers: Readers, least: int = 1) -> None:
        """Let each reader judge the games that it hasn't read, if they are at least `least`."""
        if len(self.unread) < least:
            return
        judge(readers, self.unread, self.faults)
        self.unread = {}

    def show(self, results: Results, title: str) -> None:
        """Print what was found."""
        reasons = ", ".join(f"{key} {times}" for key, times in self.refused.most_common())
        lines = [
            f"{self.refused.total()} reasons to refuse one: {reasons}" if reasons else "",
            *(f"{count} games end by {reason}" for reason, count in self.ends.most_common()),
        ]
        results.show(title, lines, self.faults)


def bots_play(seed: str, preset: str, players: int, options: Mapping[str, Any], number: int) -> list[Entry]:
    """Return the log of a game that bots play to its end."""
    strategies = [tuple(STRATEGIES)[(seat + number) % len(STRATEGIES)] for seat in range(players)]
    table = bot_table(seed, preset, strategies, **options)
    unrest = UNREST * (number % 4 // 2)
    if number % 4 == 3 and not table.play(unrest, most=20, also=unrest).over:
        table.resign(number % players)
    table.play(unrest, also=unrest)
    return table.entries


def main() -> None:
    """Run the campaign."""
    numbers = {"presets": (20, "games of each preset and number of players"), "rulebooks": (5000, "rulebooks")}
    parser = campaign_parser("tests.campaigns.house_rules", __doc__, EXAMPLES, seed="house rules", numbers=numbers)
    given = parser.parse_args()
    results = Results("house_rules", given.seed)
    rounds: dict[str, tuple[int, Callable[[Campaign, int], None]]] = {
        f"games at each of {len(TABLES)} tables of presets": (given.presets, Campaign.play_presets),
        "rulebooks": (given.rulebooks, Campaign.draw),
    }
    try:
        with open_readers() as readers:
            for title, (many, play_round) in rounds.items():
                campaign = Campaign(str(given.seed))
                with progress(title, many) as told:
                    for number in range(many):
                        play_round(campaign, number)
                        campaign.read(readers, BATCH)
                        told(number + 1)
                campaign.read(readers)
                campaign.show(results, f"{many} {title}")
    except ProgramMissing as error:
        sys.exit(str(error))
    results.end()


if __name__ == "__main__":
    main()
