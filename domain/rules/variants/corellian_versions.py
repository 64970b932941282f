"""The versions of Corellian Pitch: which points a hand has (docs/rules/corellian.md)."""

from dataclasses import replace

from domain.cards import Rank
from domain.rules.choices import Award
from domain.rules.model import Point, Version

HIGH, LOW = Point("high", Award.HIGHEST), Point("low", Award.LOWEST)
JACK, OFF_JACK = Point("jack", Award.CARD, rank="J"), Point("off_jack", Award.CARD, rank="J", off=True)
GAME = Point("game", Award.COUNT)
FIRST_JOKER, JOKERS = Point("joker", Award.FIRST_JOKER), Point("joker", Award.JOKERS)
TEN, OFF_TEN = Point("ten", Award.CARD, rank="10"), Point("off_ten", Award.CARD, rank="10", off=True)
THREE = Point("three", Award.CARD, 3, rank="3")
OFF_THREE = Point("off_three", Award.CARD, 3, rank="3", off=True)
TWO, OFF_TWO = Point("two", Award.CARD, rank="2"), Point("off_two", Award.CARD, rank="2", off=True)
ACE, OFF_ACE = Point("ace", Award.CARD, rank="A"), Point("off_ace", Award.CARD, rank="A", off=True)
FIVE = Point("five", Award.CARD, 5, rank="5")
OFF_FIVE = Point("off_five", Award.CARD, 5, rank="5", off=True)

FOUR = (HIGH, LOW, JACK, GAME)
STANDARD = (JACK, OFF_JACK, JOKERS, TEN, THREE, TWO, ACE)


def version(name: str, *points: Point) -> Version:
    """Return a version of these points in pegging order; an off card that scores is a trump (R-C11)."""
    off: tuple[Rank, ...] = tuple(point.rank for point in points if point.off and point.rank is not None)
    return Version(name, points, off)


VERSIONS = {
    each.name: each
    for each in (
        version("4", *FOUR),
        version("5", *FOUR, OFF_JACK),
        version("6", *FOUR, OFF_JACK, FIRST_JOKER),
        version("7", JACK, OFF_JACK, JOKERS, TEN, TWO, ACE),
        version("8", JACK, OFF_JACK, TEN, THREE, TWO, ACE),
        version("9", *FOUR, FIVE),
        version("10", *STANDARD),
        version("11", *STANDARD, OFF_ACE),
        version("11b", *STANDARD, OFF_TWO),
        version("13", *STANDARD, OFF_THREE),
        version("14", *STANDARD, OFF_TWO, OFF_THREE),
        version("16", *STANDARD, OFF_ACE, OFF_TWO, OFF_THREE, OFF_TEN),
    )
}
"""Every version by name. The name is the total of its points; 11b also has eleven."""


def with_game(version: Version) -> Version:
    """Return the version with game in place of the ten, if it holds the ten standard points (R-C1, other answer)."""
    if not set(STANDARD) <= set(version.points):
        return version
    rest = [point for point in version.points if point not in (TEN, JACK)]
    return replace(version, points=(JACK, GAME, *rest))
