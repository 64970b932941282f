"""Golden hands of Blackout."""

from tests.games.tables import Table
from tests.golden import Golden


def hand_1() -> Table:
    """Each seat sees the others' cards; after the fourth bid the table plays the cards and deals hand 2."""
    return Table(variant="blackout", seed=1).plays_out(hands=1)


def hand_13() -> Table:
    """The whole deck is dealt without a trump; then a coin decides between the three that are still tied."""
    return Table(variant="blackout", seed=6).plays_out()


HANDS = (
    Golden("blackout_hand_1", "Blackout: hand 1, seen from outside and played by itself (B18, B19, R-B8)", hand_1),
    Golden(
        "blackout_hand_13",
        "Blackout: hand 13 without a trump, and the coin (B11, B26, R-B7, R-B12)",
        hand_13,
        "deal hand 13",
    ),
)
