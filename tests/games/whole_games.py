"""The kinds of tables that whole games are played at, a clock, and the moves of random players.

Players mostly pass, otherwise make the least bid, and play any legal card: uniform bidding would take thousands of
hands.
"""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any, NamedTuple

from domain.commands import CallPartner, Discard, PassBid, SeatCommand
from domain.engine.legal_moves import legal_discards, legal_moves
from domain.rules.variants import VARIANTS
from domain.rules.variants.corellian_versions import VERSIONS
from domain.state import State

OFTEN: dict[str, Any] = {"when": [1, 3], "end": [1, 60]}
"""A randomizer of short sessions with many changes."""
EVERYTHING: dict[str, Any] = OFTEN | {"points": list(VERSIONS)}
BEGUN = datetime(2026, 11, 21, 8, tzinfo=UTC)
TIMED: dict[str, Any] = {"randomizer": None, "host_changes": True, "ends_at": "2026-11-21T08:20:00Z"}


class Kind(NamedTuple):
    """A variant, a number of players and the options of a table."""

    variant: str
    players: int
    options: dict[str, Any]

    def __str__(self) -> str:
        options = ", ".join(f"{name} {value}" for name, value in self.options.items() if name != "randomizer")
        return f"{self.variant}, {self.players} players" + (f", {options}" if options else "")


SHORT: dict[str, dict[str, Any]] = {"pitch": {"win": 7}, "corellian": {"randomizer": OFTEN}}
"""Options of tables whose games are short."""


FIRST = ("pitch", "setback", "blackout", "corellian")
"""The first four variants, for tests of what doesn't depend on the rules: they have each phase and fact."""
OTHER_WAYS = ("ten-point-five", "ten-point-teams", "pedro", "four-point-kitty", "smear")
"""Presets that bid, draw or find partners as none of these do."""


def kinds(name: str) -> Iterator[Kind]:
    """Yield every number of players, then each option's other values (if `values` lists them), usually with four."""
    always, seats = SHORT.get(name, {}), VARIANTS[name].rules.seats
    for players in seats:
        yield Kind(name, players, dict(always))
    for option in VARIANTS[name].options:
        for value in option.values:
            if value not in (option.default, always.get(option.name)) and option.parse is None:
                yield Kind(name, 4 if 4 in seats else seats[0], always | {option.name: value})


KINDS = (
    *(kind for name in FIRST for kind in kinds(name)),
    Kind("corellian", 4, {"randomizer": EVERYTHING, "ten": "card"}),
    Kind("corellian", 4, TIMED),
    Kind("corellian", 4, TIMED | {"stop": "after_hand"}),
)
"""The first four variants at every number of players and under every option, one at a time."""
SCORING = {"fifth", "settle", "low", "worth", "scaling", "credit", "defenders", "double"}
"""Options that change only what a hand scores."""
PRESETS = tuple(kind for name in VARIANTS if name not in FIRST for kind in kinds(name))
"""The presets at every number of players and under every option, one at a time."""
COMBINATIONS = tuple(Kind("pitch", players, {"win": goal}) for players, goal in product(range(2, 8), (7, 11, 21)))
"""Every number of players and goal of gamerz Pitch."""
ALL = (*COMBINATIONS, *(kind for kind in (*KINDS, *PRESETS) if kind not in COMBINATIONS))


def looks_like_others(kind: Kind) -> bool:
    """Return whether a view of a table of that kind holds nothing that the view of another kind in KINDS lacks."""
    return not SCORING.isdisjoint(kind.options) or (kind.variant == "pitch" and kind.players in (3, 5, 6))


class Clock:
    """A clock that advances by a second at each reading, and by more if a player waits."""

    def __init__(self) -> None:
        self.seconds = 0

    def __call__(self) -> str:
        self.seconds += 1
        return (BEGUN + timedelta(seconds=self.seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def chosen(state: State, seat: int, rng: random.Random) -> SeatCommand:
    """Return the move of a random player."""
    moves = legal_moves(state, seat)
    if moves and isinstance(moves[0], PassBid):
        return moves[1] if len(moves) > 1 and rng.random() < 0.25 else moves[0]
    if moves:
        return rng.choice(moves)
    may = legal_discards(state, seat)
    if may is None:
        return CallPartner(seat, rng.choice(state.rules.deck))
    others = [card for card in may.optional if card not in may.required]
    more = rng.randint(may.minimum, may.maximum) - len(may.required)
    return Discard(seat, (*may.required, *rng.sample(others, more)))
