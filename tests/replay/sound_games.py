"""Small sound games that together have each kind of fact."""

from collections.abc import Callable
from functools import cache, partial

from replay.history import History
from tests.handover.games import history_of, lent_and_returned
from tests.replay.audit.test_turn_clocks import with_pauses
from tests.replay.disputing import settled_game
from tests.replay.practising import practised
from tests.replay.variety import VARIETY, of

AUTOPILOTS = ("forfeit", "claim", "bot:simple")
"""The fate of a seat that is out of time, by table."""


def one_hand(name: str, seed: int) -> History:
    """Return a hand of a game of that kind, with undos, calls and changes in between."""
    return of(name, seed).hands(1, also=0.2, often=0.05).history


def timed(seed: int, kind: str, autopilot: str) -> History:
    """Return 30 moves with clocks of that kind."""
    return with_pauses(seed, kind, autopilot, 30).history


MADE: dict[str, Callable[[], History]] = {
    **{name: partial(one_hand, name, seed) for seed, name in enumerate(VARIETY)},
    "Disputes": lambda: settled_game().history,
    "Seats that change hands": lambda: history_of(lent_and_returned()),
    "Practice": lambda: practised("Pitch", 3, 1).history,
    **{
        f"{kind} clocks, {autopilot}": partial(timed, seed, kind, autopilot)
        for seed, kind in enumerate(("live", "daily", "bank"), 10)
        for autopilot in AUTOPILOTS
    },
}
GAMES: dict[str, Callable[[], History]] = {name: cache(make) for name, make in MADE.items()}
"""Makes each game once, by its name."""
