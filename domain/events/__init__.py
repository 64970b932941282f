"""The facts: their names and fields are the storage format (docs/events.md).

Seats are 0..n-1 in the order of play. A field called `next` names the seats that must move now; it is empty where a
later fact of the same commit says so or ends the hand. Secret fields stay out of every `repr`.
"""

from typing import Any, Generic, TypeVar

from domain.events.dealing import (
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    CoinFlipped,
    CutOpened,
    DealerDrawn,
    Fairness,
    GameOpened,
    HandDealt,
    MisdealDeclared,
    Player,
    Seats,
    SeatsDrawn,
    SeedKept,
    StockLaid,
    Timing,
    TrumpTurnedUp,
)
from domain.events.disputes import DisputeOpened, Evidence, Ruled, RulingAppealed, RulingDecided, RulingGiven
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
    DelayJudged,
    DelayVoted,
    DrawAnswered,
    DrawProposed,
    GameEnded,
    MovesTakenBack,
    PartnersChanged,
    RulesChanged,
    RulesChangeDeferred,
    SeatForfeited,
    SeatResigned,
    TurnReminded,
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
    | UndoAsked
    | UndoAnswered
    | MovesTakenBack
    | DrawProposed
    | DrawAnswered
    | SeatResigned
    | SeatForfeited
    | TurnReminded
    | DisputeOpened
    | RulingGiven
    | RulingAppealed
    | RulingDecided
    | GameEnded
)

F_co = TypeVar("F_co", covariant=True)


class Event(Value, Generic[F_co], frozen=True):
    """A fact in its envelope, field for field as it is stored (docs/events.md).

    `at` is UTC with six decimals; `by` a player id or "server"; `seen_by` the seats that see it, None for everybody.
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
FACT_VERSIONS: dict[str, int] = dict.fromkeys(FACTS, 1)
"""The version of each fact's fields that is written today; older ones are read through upcasts."""

__all__ = [
    "FACTS",
    "FACT_VERSIONS",
    "AuctionWon",
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
    "DelayJudged",
    "DelayVoted",
    "DisputeOpened",
    "DrawAnswered",
    "DrawProposed",
    "Event",
    "Evidence",
    "Fact",
    "Fairness",
    "GameEnded",
    "GameOpened",
    "HandDealt",
    "HandScored",
    "HandThrownIn",
    "MisdealDeclared",
    "MovesTakenBack",
    "PartnerCalled",
    "PartnerRevealed",
    "PartnersChanged",
    "Peg",
    "Play",
    "Player",
    "Ruled",
    "RulesChangeDeferred",
    "RulesChanged",
    "RulingAppealed",
    "RulingDecided",
    "RulingGiven",
    "SeatForfeited",
    "SeatResigned",
    "Seats",
    "SeatsDrawn",
    "SeedKept",
    "StockLaid",
    "StockTaken",
    "Timing",
    "TrickTaken",
    "TrumpNamed",
    "TrumpPitched",
    "TrumpTurnedUp",
    "TurnReminded",
    "UndoAnswered",
    "UndoAsked",
]
