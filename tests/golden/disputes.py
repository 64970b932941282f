"""Golden disputes of a hand of gamerz Pitch: one for each thing an arbiter can decide, and one that is reversed."""

from domain.commands import Resign
from tests.games.disputes import appeal, contest, decide, rule, withdraw
from tests.games.tables import Table
from tests.golden import Golden
from tests.golden.pitch import first_hand


def stands() -> Table:
    """The ruling finds nothing wrong with the hand."""
    table = first_hand()
    contest(table, 0, 1, kind="score")
    rule(table, "none", basis="S42")
    return table


def adjusted() -> Table:
    """Two points go from seat 2 to seat 1; then seats 2 and 0 leave, and the end of the game states the rulings."""
    table = first_hand()
    contest(table, 1, 1)
    rule(table, "adjust", 0, 2, -2, standard="likely")
    for seat in (2, 0):
        table.says(Resign(seat))
    return table


def withdrawn() -> Table:
    """The player withdraws the dispute, and contests the hand about something else."""
    table = first_hand()
    contest(table, 1, 1)
    withdraw(table, 1)
    contest(table, 1, 1, kind="score")
    return table


def void_scored() -> Table:
    """The points of the hand are removed."""
    table = first_hand()
    contest(table, 0, 1, kind="deal")
    rule(table, "void", basis="S20")
    return table


def void_live() -> Table:
    """The hand in play is revealed and dealt again by the same dealer."""
    table = first_hand()
    table.moves(1)
    contest(table, 2, 2, kind="turn")
    rule(table, "void", basis=None)
    return table


def reversed_on_appeal() -> Table:
    """A ruling counts until another arbiter reverses it."""
    table = first_hand()
    contest(table, 1, 1)
    rule(table, "adjust", 0, 4, -4)
    appeal(table, 2)
    decide(table, "reversed")
    return table


NEXT = "deal hand 2"
HANDS = (
    Golden("dispute_none", "a dispute: the hand stands as it was scored", stands, NEXT),
    Golden("dispute_adjust", "a dispute: the score is adjusted, and counts at the end of the game", adjusted, NEXT),
    Golden("dispute_withdrawn", "a dispute: it's withdrawn, and the hand contested again", withdrawn, NEXT),
    Golden("dispute_void", "a dispute: a hand that was scored is void", void_scored, NEXT),
    Golden("dispute_void_live", "a dispute: the hand in play is void, and dealt again", void_live, NEXT),
    Golden("dispute_reversed", "a dispute: a ruling is appealed and reversed", reversed_on_appeal, NEXT),
)
