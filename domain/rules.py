"""Rules as a value: what a table plays by, in named choices that small functions elsewhere read.

A `Rules` value is stored whole in the game's first fact, so the choices' codes below are part of the storage format:
a code once stored keeps its meaning. A variant is another value, never another class.
"""

from dataclasses import dataclass
from enum import StrEnum

from domain.cards import DECK_52, DECK_54, Card, Rank

RULES_VERSION = 1


class Phase(StrEnum):
    """What a table is doing, as the views call it; no view shows a game that is not open yet."""

    UNOPENED = "unopened"
    WAITING = "waiting"
    AUCTION = "auction"
    PLAY = "play"
    OVER = "over"


class Around(StrEnum):
    """Which way the bidding goes from the eldest hand (R-S1, contentious)."""

    LEFT = "left"
    RIGHT = "right"


class AllPass(StrEnum):
    """What becomes of a hand nobody bid on."""

    THROW_IN = "throw_in"


class Trump(StrEnum):
    """How the trump suit is made."""

    PITCHED = "pitched"


class Follow(StrEnum):
    """What may be played to a trick by who holds the suit led."""

    SUIT_OR_TRUMP = "suit_or_trump"
    """the suit led, or a trump even when able to follow"""
    SUIT = "suit"
    """the suit led"""


class Award(StrEnum):
    """Who wins a point."""

    HIGHEST = "highest"
    """the taker of the highest trump in play"""
    LOWEST = "lowest"
    """the taker of the lowest trump in play"""
    CARD = "card"
    """the taker of one card, named by its rank in the trump suit"""
    COUNT = "count"
    """the side with the highest game count"""
    SWEEP = "sweep"
    """who takes every trick and the points named in `needs`, whatever was bid"""
    SWEEP_BID = "sweep_bid"
    """the same, but only for the pitcher who bid all there was (R-S12's other answer)"""


class Settle(StrEnum):
    """When it is decided that the pitcher is set (R-S13, contentious)."""

    BID_FIRST = "bid_first"
    """on the whole hand, before any point is credited"""
    POINTS_FIRST = "points_first"
    """after crediting: a pitcher who reaches the goal on the way has won"""


class Partners(StrEnum):
    """Who plays together."""

    ALONE = "alone"
    ACROSS = "across"
    """with an even number of seats, the seat opposite"""


class Sight(StrEnum):
    """Whose cards a seat sees in a hand."""

    OWN = "own"
    OTHERS = "others"
    """all but its own"""


class FirstDealer(StrEnum):
    """Who deals hand 1."""

    LAST_SEAT = "last_seat"


class Ending(StrEnum):
    """How a game is won."""

    FIRST_TO_GOAL = "first_to_goal"
    """the first to reach the goal while points are credited in order (S44, S45)"""


@dataclass(frozen=True)
class Point:
    """One point of a hand: its name in pegs, its worth in points, and who wins it."""

    name: str
    award: Award
    worth: int = 1
    rank: Rank | None = None
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Auction:
    """The bids there are, lowest first (a pass is none of them), and how they go round."""

    bids: tuple[int, ...]
    zero_passes: bool = True
    """a bid of 0 is another way to pass (S11)"""
    around: Around = Around.LEFT
    all_pass: AllPass = AllPass.THROW_IN

    @property
    def highest(self) -> int:
        """All there is to bid."""
        return self.bids[-1]


@dataclass(frozen=True)
class Rules:
    """Everything decide reads about a variant; lists that go hand by hand repeat their last entry."""

    variant: str
    seats: tuple[int, ...]
    jokers: bool
    hand_sizes: tuple[int, ...]
    sights: tuple[Sight, ...]
    ranks: tuple[Rank, ...]
    first_dealer: FirstDealer
    partners: Partners
    auction: Auction
    trump: Trump
    follow: Follow
    points: tuple[Point, ...]
    settle: Settle
    ending: Ending
    goal: int
    rules_v: int = RULES_VERSION

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """Who plays together at a table of `seats`, before there is a pitcher; sides and seats ascending."""
        if self.partners is Partners.ACROSS and seats % 2 == 0:
            return tuple((seat, seat + seats // 2) for seat in range(seats // 2))
        return tuple((seat,) for seat in range(seats))

    @property
    def deck(self) -> tuple[Card, ...]:
        """The deck in canonical order."""
        return DECK_54 if self.jokers else DECK_52

    def hand_size(self, hand: int) -> int:
        """Cards dealt to each seat in hand `hand`, counted from 1."""
        return self.hand_sizes[min(hand, len(self.hand_sizes)) - 1]

    def sight(self, hand: int) -> Sight:
        """Whose cards a seat sees in hand `hand`, counted from 1."""
        return self.sights[min(hand, len(self.sights)) - 1]
