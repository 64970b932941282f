"""Rules as a value: everything that a table plays by, in named choices that small functions elsewhere read.

Each fact that holds a `Rules` value stores it whole. A variant is another value, never another class.
"""

from dataclasses import dataclass
from functools import cache

from domain.cards import DECK_52, DECK_54, OFF_SUIT, Card, Rank, Suit
from domain.memo import memoize_by_identity
from domain.rules.choices import (
    AllPass,
    Award,
    BiddingDirection,
    Bids,
    Call,
    Credit,
    DealerBids,
    Double,
    Ending,
    Fill,
    FirstDealer,
    Follow,
    Hold,
    Jokers,
    Miss,
    Moon,
    OpeningLead,
    Partners,
    Quirk,
    Scaling,
    Seating,
    Settle,
    Sight,
    Stop,
    Tally,
    Throw,
    Trump,
    Worth,
)

RULES_VERSION = 2


@dataclass(frozen=True)
class Point:
    """One point of a hand: its name in pegs, its worth in points, and how it is won; `off` means the off suit."""

    name: str
    award: Award
    worth: int = 1
    rank: Rank | None = None
    off: bool = False
    needs: tuple[str, ...] = ()

    def card(self, trump: Suit) -> Card:
        """Return the card that scores this point by name."""
        return Card(f"{self.rank}{OFF_SUIT[trump] if self.off else trump}")

    @property
    def offers(self) -> int:
        """How many points it can bring in one hand: a side can win both jokers."""
        return self.worth * (2 if self.award is Award.JOKERS else 1)


@memoize_by_identity
def total_worth(points: tuple[Point, ...]) -> int:
    """Return all the points that a hand can bring."""
    return sum(point.offers for point in points)


@cache
def _deck(jokers: bool, removed: tuple[Card, ...]) -> tuple[Card, ...]:
    whole = DECK_54 if jokers else DECK_52
    return tuple(card for card in whole if card not in removed) if removed else whole


@dataclass(frozen=True)
class Version:
    """Points that a table can change to, and the ranks whose off card is then a trump (R-C11)."""

    name: str
    points: tuple[Point, ...]
    off: tuple[Rank, ...]


@dataclass(frozen=True)
class RulesSummary:
    """The part of the rules that can change during a game (R-C47)."""

    points: str
    dirty: bool
    reverse: bool
    partners: Partners


@dataclass(frozen=True)
class Auction:
    """The bids, lowest first and without the pass, and the order of the bidding."""

    bids: tuple[int, ...] = ()
    of: Bids = Bids.LISTED
    least: int = 0
    """the lowest bid of a version with ten points or more, proportionally less in smaller ones (R-C6)"""
    contract: bool = True
    """whether the highest bid makes a pitcher; if not, each seat's bid is its own promise"""
    rising: bool = True
    """whether a bid must be higher than the highest so far (S13)"""
    passing: bool = True
    hook: bool = False
    """whether the last bid must not make the bids add up to the tricks (B14)"""
    zero_passes: bool = False
    """whether a bid of 0 is another way to pass (S11)"""
    around: BiddingDirection = BiddingDirection.LEFT
    dealer: DealerBids = DealerBids.AS_OTHERS
    all_pass: AllPass = AllPass.THROW_IN
    moon: Moon = Moon.NONE


@dataclass(frozen=True)
class Randomizer:
    """How often a rule changes and the session ends: `a` times in `b` turns (R-C44, R-C46)."""

    when: tuple[int, int]
    end: tuple[int, int] | None = None


@dataclass(frozen=True)
class Changes:
    """Which rules can change during the game, who changes them, and what a change does.

    `menu` holds single changes such as "points:7", "dirty:on", or "partners:call", in the order in which a draw counts
    them.
    """

    menu: tuple[str, ...] = ()
    versions: tuple[Version, ...] = ()
    randomizer: Randomizer | None = None
    host: bool = False
    scaling: Scaling = Scaling.STANDING
    hold: Hold = Hold.HAND


@dataclass(frozen=True)
class Delay:
    """Delay of game: how long a turn to play can last, in milliseconds, and the cost of a longer one (C28, C29)."""

    after_ms: int
    costs: int


@dataclass(frozen=True)
class Rules:
    """Everything that decide reads about a variant; a list with an entry for each hand repeats its last entry.

    `goal` is None if the game isn't played to a score. Every seat must be dealt a card of a rank in `misdeal` (C4).
    `keeps` says whether the lowest trump and its off card stay with the seat that plays them while the table isn't
    `dirty` (R-C56). `kept_cards` is the number of cards that a seat keeps before the play. `won_face_down` says whether
    tricks are turned over after they are gathered (T16). `removed` cards are out of the deck. The pitcher takes `kitty`
    cards of the stock before they name trump, if `fill` says so. A seat that doesn't take the stock throws at most
    `most_thrown` cards. A joker counts `joker_count` for game. `fixed_trump` is the suit that is always trump, if any.
    """

    variant: str
    seats: tuple[int, ...]
    jokers: bool
    hand_sizes: tuple[int, ...]
    ranks: tuple[Rank, ...]
    first_dealer: FirstDealer
    partners: Partners
    auction: Auction
    trump: Trump
    follow: Follow
    points: tuple[Point, ...]
    settle: Settle
    ending: Ending
    goal: int | None = None
    sights: tuple[Sight, ...] = (Sight.OWN,)
    seating: Seating = Seating.AS_GIVEN
    misdeal: tuple[Rank, ...] = ()
    fill: Fill = Fill.NOTHING
    kept_cards: int = 0
    version: str = ""
    off: tuple[Rank, ...] = ()
    dirty: bool = True
    reverse: bool = False
    keeps: bool = False
    joker_order: Jokers = Jokers.FIRST_HIGH
    call: Call = Call.ANNOUNCED
    won_face_down: bool = False
    tally: Tally = Tally.POINTS
    worth: Worth = Worth.AT_END
    credit: Credit = Credit.FULL
    defenders: Credit = Credit.FULL
    double: Double = Double.NEVER
    changes: Changes = Changes()
    delay: Delay | None = None
    stop: Stop = Stop.AT_ONCE
    removed: tuple[Card, ...] = ()
    kitty: int = 0
    throw: Throw = Throw.POINTS_STAY
    most_thrown: int | None = None
    opening_lead: OpeningLead = OpeningLead.TRUMP_IF_HELD
    miss: Miss = Miss.NOTHING
    fixed_trump: Suit | None = None
    joker_count: int = 0
    quirks: tuple[Quirk, ...] = ()
    rules_v: int = RULES_VERSION

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """Return the sides at a table of `seats` before there is a pitcher; sides and seats ascending."""
        if self.partners is Partners.PAIRS and seats % 2 == 0:
            return tuple((seat, seat + seats // 2) for seat in range(seats // 2))
        if self.partners is Partners.TEAMS and seats % 2 == 0:
            return tuple(range(0, seats, 2)), tuple(range(1, seats, 2))
        return tuple((seat,) for seat in range(seats))

    @property
    def deck(self) -> tuple[Card, ...]:
        """The deck in canonical order."""
        return _deck(self.jokers, self.removed)

    @property
    def total(self) -> int:
        """All the points of a hand."""
        return total_worth(self.points)

    @property
    def setting(self) -> RulesSummary:
        """The part of the rules that can change."""
        return RulesSummary(self.version, self.dirty, self.reverse, self.partners)

    def points_of(self, version: str) -> tuple[Point, ...]:
        """Return the points of a version that this table has played by."""
        if version == self.version:
            return self.points
        return next(each.points for each in self.changes.versions if each.name == version)

    def hand_size(self, hand: int) -> int:
        """Return the number of cards dealt to each seat in hand `hand`, counted from 1."""
        return self.hand_sizes[hand - 1] if hand < len(self.hand_sizes) else self.hand_sizes[-1]

    def sight(self, hand: int) -> Sight:
        """Return which cards a seat sees in hand `hand`, counted from 1."""
        return self.sights[hand - 1] if hand < len(self.sights) else self.sights[-1]
