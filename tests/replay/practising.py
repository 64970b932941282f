"""Tables of one person and bots, at which the person takes moves back as in practice."""

from random import Random
from typing import Any

from tests.replay.playing import Table, table
from tests.replay.variety import randomizer

GAMES: dict[str, dict[str, Any]] = {
    "Pitch": {"players": 3, "bots": (1, 2)},
    "Setback": {"variant": "setback", "bots": (0, 1, 3)},
    "Blackout": {"variant": "blackout", "bots": (0, 2, 3)},
    "Corellian Pitch": {"variant": "corellian", **randomizer((1, 30)), "bots": (1, 2, 3)},
}


def practice(name: str, seed: int = 1) -> Table:
    """Open a table of one person who practises."""
    return table(seed, undo="practice", **GAMES[name])


def practised(name: str, seed: int, hands: int = 2) -> Table:
    """Play hands in which the person takes back some moves in a row, as far as the rules let them."""
    made, chance = practice(name, seed), Random(seed)
    while not made.over and made.scored < hands:
        made.move()
        while made.game.state.undo_point is not None and chance.random() < 0.3:
            made.undo()
    return made
