"""Golden hands of Setback."""

from domain.rules.choices import Phase
from tests.games.tables import Table
from tests.golden import Golden


def _hand(table: Table, *calls: int) -> Table:
    """Play the first hand: each seat makes the bid with the given index and plays any card."""
    for call in calls:
        table.moves(call)
    while table.state.phase is Phase.PLAY and not table.hands_scored:
        table.moves(table.entropy(1)[0])
    return table


def dealers_tie() -> Table:
    """Of three players the eldest bids two, the next three, and the dealer takes it at three."""
    return _hand(Table(3, variant="setback", seed=3), 1, 1, 1)


def forced_to_two() -> Table:
    """All others pass, and the dealer must bid two; low goes to the seat that was dealt it."""
    return _hand(Table(4, variant="setback", seed=4, low=2), 0, 0, 0, 0)


def below() -> Table:
    """The bidders make their bid and reach eleven; the others, at twelve, have lost."""
    return Table(4, variant="setback", seed=964).plays_out()


HANDS = (
    Golden("setback_dealers_tie", "Setback: the dealer takes the bid at the same number (T9, T11)", dealers_tie),
    Golden(
        "setback_forced",
        "Setback: all others passed, and the dealer bids two (T10); low goes to the seat that was dealt it (T28)",
        forced_to_two,
    ),
    Golden(
        "setback_finish",
        "Setback: the bidders made their bid and win below the other side's score (T41, R-T8)",
        below,
        "deal hand 6",
    ),
)
