"""The rating of pbmserv: provisional for 20 games, then established (docs/ratings.md#the-rating).

The formula is for two players. In a game of more, each pair of opponents is rated from the ratings before the game, and
the pairs share the weight of one game. Means are exact, and rounded to millionths, halves to the even digit.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from projections.ratings.places import CountedGame

START = 1600.0
GAMES = 20
"""The number of games after which a rating is established."""
MILLION = 1_000_000
MEAN, DRIFT = 1720 * MILLION, 5
MOST = 32.0


class PbmservRating(NamedTuple):
    """A player's rating. `total` is the sum of the values of the games while provisional, `halves` that of weights.

    Both are in halves: a game of full weight counts two. The values are in millionths.
    """

    value: float = START
    played: int = 0
    total: int = 0
    halves: int = 0
    spread: None = None

    @property
    def established(self) -> bool:
        return self.played >= GAMES


NEW = PbmservRating()


def rate_pbmserv(
    game: CountedGame, before: Mapping[str, PbmservRating], weight: float, mean: Fraction | None
) -> dict[str, PbmservRating]:
    """Return the ratings after a game.

    `mean` is that of the active established players before it in millionths, if there are any.
    """
    after = {}
    for player, side, place in game.entries:
        against = [
            (before[other], (theirs > place) - (theirs < place))
            for other, their_side, theirs in game.entries
            if their_side != side
        ]
        own = before[player]
        after[player] = _change(own, against, weight) if own.established else _average(own, against, weight, mean)
    return after


def _change(own: PbmservRating, against: Sequence[tuple[PbmservRating, int]], weight: float) -> PbmservRating:
    """Return an established rating after a game: moved by what was scored beyond what was expected."""
    change = 0.0
    for other, outcome in against:
        most = MOST if other.established else MOST * other.played / GAMES
        change += most * ((outcome + 1) / 2 - 1 / (1 + 10 ** ((other.value - own.value) / 400)))
    return own._replace(value=round(own.value + weight * change / len(against), 6), played=own.played + 1)


def _average(
    own: PbmservRating, against: Sequence[tuple[PbmservRating, int]], weight: float, mean: Fraction | None
) -> PbmservRating:
    """Return a provisional rating after a game: the mean of the games' values, and a fifth of the way to 1720."""
    own_value, doubles = millionths(own.value), 0
    for other, outcome in against:
        theirs = millionths(other.value)
        doubles += 400 * MILLION * outcome
        doubles += 2 * theirs + 400 * MILLION * outcome if other.established else own_value + theirs
    halves = round(2 * weight)
    total = own.total + halves * round(Fraction(doubles, 2 * len(against)))
    drift = 0 if mean is None else round((MEAN - mean) / DRIFT)
    value = round(Fraction(total, own.halves + halves)) + drift
    return PbmservRating(value / MILLION, own.played + 1, total, own.halves + halves)


def millionths(value: float) -> int:
    """Return a value that is rounded to a millionth as a whole number of them."""
    return round(value * MILLION)
