"""The skill of players by openskill: Bradley-Terry with partial pairing (docs/ratings.md#the-skill)."""

from collections.abc import Mapping
from typing import NamedTuple

import openskill
from openskill.models import BradleyTerryPart

from projections.ratings.places import CountedGame

MODEL = BradleyTerryPart(limit_sigma=True)
"""The model. `limit_sigma` is set here alone: given to `rate`, it would change the model for all later games."""
LIBRARY = str(openskill.__version__)
GAMES = 20
"""The number of games after which a skill is no longer provisional."""
MIDDLE, SCALE = 1600, 48
"""How a skill is shown: 25 as 1600, and each unit of openskill's as 48 points."""


class Skill(NamedTuple):
    """A player's skill, and how uncertain it is, in openskill's units."""

    value: float = 25.0
    spread: float = round(25.0 / 3, 6)
    played: int = 0

    @property
    def established(self) -> bool:
        """Whether the skill is no longer provisional."""
        return self.played >= GAMES


NEW = Skill()


def rate_skill(game: CountedGame, before: Mapping[str, Skill], weight: float) -> dict[str, Skill]:
    """Return the skills after a game; with half the weight they move half the way."""
    teams = game.teams
    ratings = [[MODEL.rating(before[each].value, before[each].spread) for each in team] for team in teams.values()]
    moved = MODEL.rate(ratings, ranks=[place for place, _ in teams])
    after = {}
    for team, results in zip(teams.values(), moved, strict=True):
        for player, result in zip(team, results, strict=True):
            own = before[player]
            value = own.value + weight * (result.mu - own.value)
            spread = own.spread + weight * (result.sigma - own.spread)
            after[player] = Skill(round(value, 6), round(spread, 6), own.played + 1)
    return after
