"""How ratings are shown: `1623 ± 140`, and `provisional (7 of 20)` until they are established."""

from typing import Annotated, TypedDict

from domain.json_fields import says
from projections.ratings import pbmserv, skill
from projections.ratings.places import EVERY_KIND

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
