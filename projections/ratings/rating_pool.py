"""Rates the games of one pool in order: all games of a variant, or those at one kind of table."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, NamedTuple, TypedDict

from domain.engine.paces import EVENT_TIME
from domain.json_fields import says
from projections.ratings import pbmserv, skill
from projections.ratings.pbmserv import millionths, rate_pbmserv
from projections.ratings.places import EVERY_KIND, CountedGame
from projections.ratings.skill import rate_skill

HALF_AFTER = 10
"""After that many games of the same people within a week, another one has half the weight."""
WEEK = timedelta(days=7)
ACTIVE_MONTHS = 3
"""A player is active in the month of their last game and in the two after it."""


class PlayerState(NamedTuple):
    """A player in a pool: a PbmservRating or Skill, when the last game ended, and how many opponents were met."""

    rating: Any
    last: str | None = None
    opponents: int = 0


@dataclass(frozen=True)
class RatingStep:
    """The change of a player's rating by a game."""

    game: CountedGame
    player: str
    before: PlayerState
    after: PlayerState
    place: int
    weight: float
    met: tuple[str, ...]
    """The opponents whom the player met for the first time."""


@dataclass
class RatingPool:
    """The players of a pool. Games must come in order: by their end, then by their id.

    `met` has each pair of opponents, in both orders. `months` has the sum and the number of the established ratings of
    players whose last game ended in a month; it stays empty for skills. `recent` has the ends of the games of the same
    people in the last week before the games to come.
    """

    variant: str
    kind: str
    states: dict[str, PlayerState] = field(default_factory=dict)
    met: set[tuple[str, str]] = field(default_factory=set)
    months: dict[str, tuple[int, int]] = field(default_factory=dict)
    recent: dict[str, list[str]] = field(default_factory=dict)

    def state(self, player: str) -> PlayerState:
        """Return a player's state; that of a new player if they aren't known."""
        return self.states.get(player) or PlayerState(pbmserv.NEW if self.kind == EVERY_KIND else skill.NEW)

    def rate(self, game: CountedGame) -> list[RatingStep]:
        """Rate a game and return what it did to each of its people."""
        weight = self._weight(game)
        before = {player: self.state(player) for player, _, _ in game.entries}
        ratings = {player: state.rating for player, state in before.items()}
        after: dict[str, Any]
        if self.kind == EVERY_KIND:
            after = dict(rate_pbmserv(game, ratings, weight, self._mean(game.ended)))
        else:
            after = dict(rate_skill(game, ratings, weight))
        steps = []
        for player, side, place in game.entries:
            met = tuple(
                other for other, theirs, _ in game.entries if theirs != side and (player, other) not in self.met
            )
            opponents = before[player].opponents + len(met)
            state = PlayerState(after[player], game.ended, opponents)
            steps.append(RatingStep(game, player, before[player], state, place, weight, met))
        for step in steps:
            self.met.update((step.player, other) for other in step.met)
            self.put(step.player, step.after)
        return steps

    def put(self, player: str, state: PlayerState | None) -> None:
        """Give a player another state, or none."""
        if self.kind == EVERY_KIND:
            self._count(self.states.get(player), -1)
            self._count(state, 1)
        if state is None:
            self.states.pop(player, None)
        else:
            self.states[player] = state

    def _count(self, state: PlayerState | None, sign: int) -> None:
        if state is not None and state.last is not None and state.rating.established:
            total, count = self.months.get(state.last[:7], (0, 0))
            self.months[state.last[:7]] = total + sign * millionths(state.rating.value), count + sign

    def _mean(self, ended: str) -> Fraction | None:
        """Return the mean rating of the active established players in millionths, or None without any."""
        found = [self.months[month] for month in active_months(ended[:7]) if month in self.months]
        count = sum(each for _, each in found)
        return Fraction(sum(total for total, _ in found), count) if count else None

    def _weight(self, game: CountedGame) -> float:
        since = week_before(game.ended)
        ends = [ended for ended in self.recent.get(game.people, ()) if ended >= since]
        self.recent[game.people] = [*ends, game.ended]
        return 0.5 if len(ends) >= HALF_AFTER else 1.0


def rate_all(variant: str, kind: str, games: Iterable[CountedGame]) -> tuple[RatingPool, list[RatingStep]]:
    """Rate all games of a pool from the first one on."""
    pool, steps = RatingPool(variant, kind), []
    for game in sorted(games, key=lambda each: each.key):
        steps += pool.rate(game)
    return pool, steps


def week_before(ended: str) -> str:
    """Return the time a week before a game's end."""
    return (datetime.fromisoformat(ended) - WEEK).strftime(EVENT_TIME)


@cache
def active_months(month: str) -> tuple[str, ...]:
    """Return the months in which the last game of a player ended who is active in a month, the newest first."""
    year, number = int(month[:4]), int(month[5:7])
    months = [divmod(year * 12 + number - 1 - back, 12) for back in range(ACTIVE_MONTHS)]
    return tuple(f"{each:04}-{number + 1:02}" for each, number in months)


MILLION = 1_000_000


class RatingNumber(TypedDict):
    """A rating by pbmserv's formula, or a skill by openskill."""

    rating: Annotated[int, says("The number to show.")]
    plus_minus: Annotated[int | None, says("How uncertain a skill is, in the same points; null for a rating.")]
    shown: Annotated[str, says("As text, for example `1623 ± 140, provisional (7 of 20)`.")]
    provisional: Annotated[bool, says("Whether fewer than 20 games are counted.")]
    games: Annotated[int, says("The games counted.")]
    value: Annotated[float, says("The exact number, to a millionth: the rating, or openskill's `mu`.")]
    spread: Annotated[float | None, says("openskill's `sigma`, to a millionth; null for a rating.")]


def rating_json(kind: str, value: int, spread: int | None, played: int) -> RatingNumber:
    """Return a rating as the API shows it. `value` and `spread` are in millionths.

    In the pool of every kind of table it's a rating by pbmserv's formula, otherwise a skill by openskill.
    """
    if kind == EVERY_KIND or spread is None:
        points, margin, games = round(value / MILLION), None, pbmserv.GAMES
    else:
        points = round(skill.MIDDLE + skill.SCALE * (value / MILLION - 25))
        margin, games = round(skill.SCALE * spread / MILLION), skill.GAMES
    text = str(points) if margin is None else f"{points} ± {margin}"
    provisional = played < games
    return {
        "rating": points,
        "plus_minus": margin,
        "shown": f"{text}, provisional ({played} of {games})" if provisional else text,
        "provisional": provisional,
        "games": played,
        "value": value / MILLION,
        "spread": None if spread is None else spread / MILLION,
    }
