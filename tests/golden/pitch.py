"""Golden hands of gamerz Pitch."""

from tests.games.tables import Table
from tests.golden import Golden


def first_hand() -> Table:
    """Three players' first hand of a game to 7, and the deal after it."""
    return Table(3, seed=34, win=7).plays_out(hands=1)


HANDS = (Golden("pitch_hand", "gamerz Pitch: the first hand of a game to 7, and the deal after it", first_hand),)
