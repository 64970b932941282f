"""Stories: random games up to a random moment, with who may watch, who lent a seat and who disputes a hand."""

import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from domain.commands import OpenDispute, Resign
from domain.events import Player, Watch
from domain.rejections import Rejected
from tests.api.worlds import Events, RandomGame
from tests.values import replace

OFTEN = {"when": [1, 3], "end": None}
CALLS = {"when": [1, 4], "end": None, "points": [], "dirty": False, "reverse": False, "partners": ["call"]}
VARIANTS: dict[str, tuple[tuple[int, ...], tuple[dict[str, Any], ...]]] = {
    "pitch": ((2, 3, 4), ({}, {"around": "right", "fifth": "bid"})),
    "setback": ((3, 4), ({}, {"low": 2, "dealer": "ties_or_raises", "stick": "any"})),
    "blackout": ((4,), ({}, {"hook": False, "inorder": True})),
    "corellian": (
        (4,),
        (
            {"randomizer": OFTEN},
            {"randomizer": OFTEN, "deal": "all", "follow": "suit_or_trump", "call": "secret"},
            {"randomizer": None, "host_changes": True, "call": "secret", "deal": "all"},
            {"randomizer": CALLS, "call": "secret"},
        ),
    ),
}
"""Numbers of players and options of each variant."""
MOST_MOVES = {"pitch": 70, "setback": 70, "blackout": 90, "corellian": 80}
WATCHES = (Watch(), Watch(), Watch(), Watch(delay=1), Watch(delay=6), Watch(delay=30), Watch(public=False),
           Watch(public=False, delay=5))  # fmt: skip
LENT = 1
"""The seat that changes hands."""
TRIES = 12
NOTE = "ab" * 32


@dataclass(frozen=True)
class Story:
    """A game up to a moment. `seed` makes it again, and the last of `people` gets the seat that is lent."""

    seed: str
    variant: str
    people: Sequence[Player]
    options: dict[str, Any]
    watch: Watch
    reveal: str
    moves: int
    is_lent: bool
    is_disputed: bool
    is_over: bool

    def events(self, tail: str = "") -> Events:
        """Return the events; `tail` chooses the last moves, which those who see the game late don't see yet."""
        game = RandomGame(random.Random(self.seed), self.people[:-1], self.variant, self.reveal, **self.options)
        for number in range(self.moves):
            if self.is_lent and number >= self.moves // 2:
                self._lend(game)
            _move(game)
        if self.is_disputed:
            with suppress(Rejected):
                game.send(OpenDispute(0, 1, game.state.version, "conduct", NOTE), self.people[0].player)
        if self.watch.delay:
            game.chance = random.Random(f"{self.seed} tail {tail}")
            for _ in range(game.chance.randint(1, 6)):
                _move(game)
        if self.is_over:
            _end(game)
        return [replace(game.events[0], data=replace(game.events[0].data, watch=self.watch)), *game.events[1:]]

    def _lend(self, game: RandomGame) -> None:
        if game.state.result is None and not game.state.seats[LENT].earlier:
            with suppress(Rejected):
                game.hand_over(LENT, self.people[-1])

    def other_tail(self, events: Events) -> Events:
        """Return events that those who see the game late can't tell from `events`, other ones if there are any."""
        head = late_head(events, self.watch.delay)
        for number in range(TRIES):
            other = self.events(f"other {number}")
            if late_head(other, self.watch.delay) == head and other[:head] == events[:head] and not is_over(other):
                return other
        return events


def _move(game: RandomGame) -> None:
    if game.state.result is None:
        game.move()


def _end(game: RandomGame) -> None:
    """Let one seat after another resign, until the game is over."""
    for seat, each in enumerate(game.state.seats):
        with suppress(Rejected):
            game.send(Resign(seat), each.player)


def is_over(events: Events) -> bool:
    """Return whether the game has ended."""
    return any(event.fact == "GameEnded" for event in events)


def late_head(events: Events, delay: int) -> int:
    """Return the version that everybody sees of a game: the last end of a commit at least `delay` facts back."""
    if not delay or is_over(events):
        return len(events)
    ends = [one.version for one, after in pairwise(events) if (one.at, one.command) != (after.at, after.command)]
    return max((end for end in ends if end <= len(events) - delay), default=0)


def random_story(seed: str, variant: str, people: Sequence[Player]) -> Story:
    """Return a story of this variant; the last of `people` is the one who may come to a seat."""
    chance = random.Random(f"story {seed}")
    players, options = VARIANTS[variant]
    number = chance.choice(players)
    return Story(
        seed,
        variant,
        (*people[:number], people[-1]),
        chance.choice(options),
        chance.choice(WATCHES),
        chance.choice(["hand", "hand", "game"]),
        chance.randrange(MOST_MOVES[variant]),
        is_lent=chance.random() < 0.4,
        is_disputed=chance.random() < 0.3,
        is_over=chance.random() < 0.06,
    )
