"""Tables of all four games, and of each answer to a contested ruling that changes the recorded facts."""

from datetime import datetime, timedelta
from typing import Any

from domain.events import Fairness, Timing
from domain.protocols.beacon import QUICKNET
from tests.beacons.rounds import last_moment_for
from tests.replay.playing import WINDOW_S, Table, table

POINTS = ["4", "5", "6", "7", "8", "9", "10", "11", "11b", "13", "14", "16"]
PARTNERS = ["across", "left", "right", "call"]


def randomizer(when: tuple[int, int] = (1, 3), end: tuple[int, int] | None = None, **menu: Any) -> dict[str, Any]:
    """Return the option for a randomizer with these odds over the whole menu."""
    whole = {"points": POINTS, "dirty": True, "reverse": True, "partners": PARTNERS} | menu
    return {"randomizer": {"when": list(when), "end": None if end is None else list(end), **whole}}


WILD = randomizer()
BY_HOST = randomizer((1, 10)) | {"host_changes": True}
OPEN, SEALED = Fairness("open", WINDOW_S), Fairness("sealed", WINDOW_S)
WITH_BEACON = Fairness("sealed", WINDOW_S, QUICKNET)
AT_ROUND_1000 = datetime.fromisoformat(last_moment_for(1000)) - timedelta(seconds=1)
"""One second before a table is opened whose first deal names round 1000."""
SOON = "2026-11-21T00:00:40.000000Z"

VARIETY: dict[str, dict[str, Any]] = {
    "gamerz Pitch": {"players": 5},
    "Pitch to the right": {"around": "right", "fifth": "bid", "settle": "points_first"},
    "Setback with partners": {"variant": "setback"},
    "Setback with three and low as dealt": {"variant": "setback", "players": 3, "low": 2},
    "Setback with a dealer who may raise": {"variant": "setback", "dealer": "ties_or_raises", "stick": "any"},
    "Blackout": {"variant": "blackout"},
    "Blackout in order without a hook, revealed at the end": {
        "variant": "blackout",
        "hook": False,
        "inorder": True,
        "reveal": "game",
    },
    "Blackout to its end": {"variant": "blackout", "inorder": True, "reveal": "game"},
    "Corellian Pitch": {"variant": "corellian"},
    "Corellian without a randomizer": {"variant": "corellian", "randomizer": None},
    "Corellian that changes all the time": {"variant": "corellian", **WILD},
    "Corellian with a host who changes rules": {"variant": "corellian", **BY_HOST},
    "Corellian of secret partners": {"variant": "corellian", **randomizer((1, 4), partners=PARTNERS), "call": "secret"},
    "Corellian with all cards dealt": {"variant": "corellian", **WILD, "deal": "all", "scaling": "original"},
    "Corellian that follows suit": {"variant": "corellian", **WILD, "follow": "suit_or_trump", "jokers": "first_low"},
    "Corellian held back until a verdict": {"variant": "corellian", **WILD, "hold": "verdict", "worth": "when_taken"},
    "Corellian of halves": {"variant": "corellian", **WILD, "credit": "half", "defenders": "own", "double": "at_end"},
    "Corellian of own points": {"variant": "corellian", **WILD, "credit": "own", "defenders": "none", "ten": "game"},
    "Corellian with bots, revealed at the end": {"variant": "corellian", **WILD, "bots": (1, 2), "reveal": "game"},
    "Corellian ended by a draw": {"variant": "corellian", **randomizer((1, 8), (1, 40))},
    "Corellian ended by a draw after the hand": {
        "variant": "corellian",
        **randomizer((1, 8), (1, 40)),
        "stop": "after_hand",
    },
    "Pitch with open cuts": {"players": 3, "fairness": OPEN},
    "Setback with sealed cuts": {"variant": "setback", "fairness": SEALED},
    "Pitch with a beacon": {"players": 3, "fairness": WITH_BEACON, "start": AT_ROUND_1000},
    "Blackout with sealed cuts, revealed at the end": {"variant": "blackout", "fairness": SEALED, "reveal": "game"},
    "Corellian with sealed cuts": {"variant": "corellian", **WILD, "fairness": SEALED, "bots": (2,)},
}


def of(name: str, seed: int = 1) -> Table:
    """Open a table of that kind."""
    return table(seed, **VARIETY[name])


def timed(variant: str = "corellian", **options: Any) -> Table:
    """Open a table whose time runs out soon."""
    if variant == "corellian":
        return table(4, variant=variant, ends_at=SOON, **options)
    return table(4, variant=variant, timing=Timing(ends_at=SOON), **options)
