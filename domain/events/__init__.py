"""The facts: their names and fields are the storage format (docs/events.md).

Seats are numbered 0..n-1 in the order of play. A field `next` holds the seats that must move now. It's empty if a later
fact of the same commit names them or ends the hand. Secret fields stay out of every `repr`.
"""

from collections.abc import Collection
from typing import Any, Generic, TypeVar

from domain.events.dealing import (
    BeaconRecorded,
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    CoinFlipped,
    CutOpened,
    DealerDrawn,
    Fairness,
    GameLimits,
    GameOpened,
    HandDealt,
    MisdealDeclared,
    Player,
    Rating,
    Seats,
    SeatsDrawn,
    SeedKept,
    StockLaid,
    Timing,
    TrumpTurnedUp,
    TurnPace,
    Watch,
)
from domain.events.declaring import DECLARATIONS
from domain.events.disputes import (
    DisputeOpened,
    DisputeWithdrawn,
    Evidence,
    Ruled,
    RulingAppealed,
    RulingDecided,
    RulingGiven,
)
from domain.events.play import (
    AuctionWon,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsBuried,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    HandScored,
    HandThrownIn,
    PartnerCalled,
    PartnerRevealed,
    Peg,
    Play,
    StockTaken,
    TrickTaken,
    TrumpNamed,
    TrumpPitched,
)
from domain.events.table_talk import (
    BidScaled,
    DelayCalled,
    DelayDropped,
    DelayJudged,
    DelayVoted,
    DrawAnswered,
    DrawProposed,
    GameEnded,
    HandoverAnswered,
    HandoverAsked,
    MovesTakenBack,
    PartnersChanged,
    RulesChanged,
    RulesChangeDeferred,
    SeatForfeited,
    SeatHandedOver,
    SeatResigned,
    SeatReturned,
    TimeClaimed,
    TurnReminded,
    TurnTimed,
    UndoAnswered,
    UndoAsked,
)
from domain.struct import Value, redacted_repr

Fact = (
    GameOpened
    | SeatsDrawn
    | DealerDrawn
    | CeremonyOpened
    | SeedKept
    | CutOpened
    | BeaconRecorded
    | HandDealt
    | CardsDealt
    | StockLaid
    | MisdealDeclared
    | TrumpTurnedUp
    | CeremonyRevealed
    | CeremonyVoided
    | CoinFlipped
    | BidMade
    | BidPassed
    | HandThrownIn
    | AuctionWon
    | TrumpNamed
    | PartnerCalled
    | PartnerRevealed
    | CardsDiscarded
    | CardsBuried
    | CardsDrawn
    | StockTaken
    | CardsTaken
    | TrumpPitched
    | CardPlayed
    | TrickTaken
    | HandScored
    | RulesChanged
    | RulesChangeDeferred
    | BidScaled
    | PartnersChanged
    | DelayCalled
    | DelayVoted
    | DelayJudged
    | DelayDropped
    | UndoAsked
    | UndoAnswered
    | MovesTakenBack
    | DrawProposed
    | DrawAnswered
    | SeatResigned
    | SeatForfeited
    | TurnReminded
    | TurnTimed
    | TimeClaimed
    | HandoverAsked
    | HandoverAnswered
    | SeatHandedOver
    | SeatReturned
    | DisputeOpened
    | DisputeWithdrawn
    | RulingGiven
    | RulingAppealed
    | RulingDecided
    | GameEnded
)

F_co = TypeVar("F_co", covariant=True)


class Event(Value, Generic[F_co], frozen=True):
    """A fact in its envelope, field for field as it's stored (docs/events.md).

    `at` is in UTC with six decimals. `by` is a player id or "server". `seen_by` holds the seats that see the fact; it's
    None if everybody sees it.
    """

    at: str
    by: str
    command: str
    data: F_co
    fact: str
    game: str
    salt: str
    seen_by: Seats | None
    v: int
    version: int

    __repr__ = redacted_repr("salt")


FACTS: dict[str, type[Any]] = {fact.__name__: fact for fact in Fact.__args__}
"""Each fact by its stored name."""
PARTS: tuple[type[Any], ...] = (
    Evidence, Fairness, GameLimits, TurnPace, Peg, Play, Player, Rating, Ruled, Timing, Watch
)  # fmt: skip
"""The records that fields of facts hold."""


def require_every_fact(table: Collection[object], place: str) -> None:
    """Raise TypeError if `table`, of types or names, lacks a fact. The module `place` calls it when it's imported."""
    if missing := [name for name, fact in FACTS.items() if fact not in table and name not in table]:
        raise TypeError(f"{place} has no entry for {', '.join(missing)}")


def _require_every_record() -> None:
    """Raise TypeError if a record in this package is neither in `Fact` nor in `PARTS`."""
    records = [each for each in Value.__subclasses__() if each.__module__.startswith(f"{__name__}.")]
    if missing := [each.__name__ for each in records if each not in (*FACTS.values(), *PARTS)]:
        raise TypeError(f"{__name__}.Fact has no entry for {', '.join(missing)}")


_require_every_record()
require_every_fact(DECLARATIONS, "domain.events.declaring")
FACT_VERSIONS = {name: 1 + len(DECLARATIONS[kind].older) for name, kind in FACTS.items()}
"""The version of each fact's fields that is written today. Older versions are read through upcasts."""

__all__ = [
    "FACTS",
    "FACT_VERSIONS",
    "PARTS",
    "AuctionWon",
    "BeaconRecorded",
    "BidMade",
    "BidPassed",
    "BidScaled",
    "CardPlayed",
    "CardsBuried",
    "CardsDealt",
    "CardsDiscarded",
    "CardsDrawn",
    "CardsTaken",
    "CeremonyOpened",
    "CeremonyRevealed",
    "CeremonyVoided",
    "CoinFlipped",
    "CutOpened",
    "DealerDrawn",
    "DelayCalled",
    "DelayDropped",
    "DelayJudged",
    "DelayVoted",
    "DisputeOpened",
    "DisputeWithdrawn",
    "DrawAnswered",
    "DrawProposed",
    "Event",
    "Evidence",
    "Fact",
    "Fairness",
    "GameEnded",
    "GameLimits",
    "GameOpened",
    "HandDealt",
    "HandScored",
    "HandThrownIn",
    "HandoverAnswered",
    "HandoverAsked",
    "MisdealDeclared",
    "MovesTakenBack",
    "PartnerCalled",
    "PartnerRevealed",
    "PartnersChanged",
    "Peg",
    "Play",
    "Player",
    "Rating",
    "Ruled",
    "RulesChangeDeferred",
    "RulesChanged",
    "RulingAppealed",
    "RulingDecided",
    "RulingGiven",
    "SeatForfeited",
    "SeatHandedOver",
    "SeatResigned",
    "SeatReturned",
    "Seats",
    "SeatsDrawn",
    "SeedKept",
    "StockLaid",
    "StockTaken",
    "TimeClaimed",
    "Timing",
    "TrickTaken",
    "TrumpNamed",
    "TrumpPitched",
    "TrumpTurnedUp",
    "TurnPace",
    "TurnReminded",
    "TurnTimed",
    "UndoAnswered",
    "UndoAsked",
    "Watch",
    "require_every_fact",
]
