"""The author and the audience of each fact, in one row for every fact (docs/events.md).

A fact without a row can't be put into an envelope, so that a new one is never shown to everybody by mistake.
"""

from enum import Enum, auto
from typing import Any

from domain.events import (
    AuctionWon,
    BeaconRecorded,
    BidMade,
    BidPassed,
    BidScaled,
    CardPlayed,
    CardsBuried,
    CardsDealt,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    CoinFlipped,
    CutOpened,
    DealerDrawn,
    DelayCalled,
    DelayDropped,
    DelayJudged,
    DelayVoted,
    DisputeOpened,
    DrawAnswered,
    DrawProposed,
    Fact,
    GameEnded,
    GameOpened,
    HandDealt,
    HandoverAnswered,
    HandoverAsked,
    HandScored,
    HandThrownIn,
    MisdealDeclared,
    MovesTakenBack,
    PartnerCalled,
    PartnerRevealed,
    PartnersChanged,
    RulesChanged,
    RulesChangeDeferred,
    RulingAppealed,
    RulingDecided,
    RulingGiven,
    SeatForfeited,
    SeatHandedOver,
    SeatResigned,
    SeatReturned,
    Seats,
    SeatsDrawn,
    SeedKept,
    StockLaid,
    StockTaken,
    TimeClaimed,
    TrickTaken,
    TrumpNamed,
    TrumpPitched,
    TrumpTurnedUp,
    TurnReminded,
    TurnTimed,
    UndoAnswered,
    UndoAsked,
    require_every_fact,
)
from domain.rules.choices import Sight
from domain.state import SERVER, Seat, State, current_hand


class Author(Enum):
    """The author of a fact."""

    OPENER = auto()
    SEAT = auto()
    """its seat's player, or the table if the seat has left or the cards play automatically (B19)"""
    TABLE = auto()
    PARTY = auto()
    """its seat's player, even after the seat has left"""
    ARBITER = auto()
    """the arbiter who decides a dispute"""
    LENDER = auto()
    """the player who gets the seat back"""
    BRINGER = auto()
    """the player who brought it, or the server"""
    CAUSE = auto()
    """the host if they changed the rules, else the table"""


class Audience(Enum):
    """The audience of a fact from the start."""

    EVERYBODY = auto()
    NOBODY = auto()
    SIGHT = auto()
    """the seats that see the seat's cards in this hand"""


ENVELOPES: dict[type[Any], tuple[Author, Audience]] = {
    GameOpened: (Author.OPENER, Audience.EVERYBODY),
    CeremonyOpened: (Author.TABLE, Audience.EVERYBODY),
    SeedKept: (Author.TABLE, Audience.NOBODY),
    HandDealt: (Author.TABLE, Audience.EVERYBODY),
    CardsDealt: (Author.TABLE, Audience.SIGHT),
    StockLaid: (Author.TABLE, Audience.NOBODY),
    BidMade: (Author.SEAT, Audience.EVERYBODY),
    BidPassed: (Author.SEAT, Audience.EVERYBODY),
    HandThrownIn: (Author.TABLE, Audience.EVERYBODY),
    AuctionWon: (Author.TABLE, Audience.EVERYBODY),
    TrumpPitched: (Author.SEAT, Audience.EVERYBODY),
    CardPlayed: (Author.SEAT, Audience.EVERYBODY),
    TrickTaken: (Author.TABLE, Audience.EVERYBODY),
    HandScored: (Author.TABLE, Audience.EVERYBODY),
    CeremonyRevealed: (Author.TABLE, Audience.EVERYBODY),
    CeremonyVoided: (Author.TABLE, Audience.EVERYBODY),
    UndoAsked: (Author.SEAT, Audience.EVERYBODY),
    UndoAnswered: (Author.SEAT, Audience.EVERYBODY),
    MovesTakenBack: (Author.TABLE, Audience.EVERYBODY),
    DrawProposed: (Author.SEAT, Audience.EVERYBODY),
    DrawAnswered: (Author.SEAT, Audience.EVERYBODY),
    SeatResigned: (Author.SEAT, Audience.EVERYBODY),
    GameEnded: (Author.TABLE, Audience.EVERYBODY),
    SeatsDrawn: (Author.TABLE, Audience.EVERYBODY),
    DealerDrawn: (Author.TABLE, Audience.EVERYBODY),
    MisdealDeclared: (Author.TABLE, Audience.EVERYBODY),
    TrumpTurnedUp: (Author.TABLE, Audience.EVERYBODY),
    CoinFlipped: (Author.TABLE, Audience.EVERYBODY),
    TrumpNamed: (Author.SEAT, Audience.EVERYBODY),
    PartnerCalled: (Author.SEAT, Audience.EVERYBODY),
    PartnerRevealed: (Author.TABLE, Audience.EVERYBODY),
    CardsDiscarded: (Author.SEAT, Audience.EVERYBODY),
    CardsBuried: (Author.SEAT, Audience.SIGHT),
    CardsDrawn: (Author.SEAT, Audience.EVERYBODY),
    StockTaken: (Author.SEAT, Audience.EVERYBODY),
    CardsTaken: (Author.SEAT, Audience.SIGHT),
    RulesChanged: (Author.CAUSE, Audience.EVERYBODY),
    RulesChangeDeferred: (Author.CAUSE, Audience.EVERYBODY),
    BidScaled: (Author.TABLE, Audience.EVERYBODY),
    PartnersChanged: (Author.TABLE, Audience.EVERYBODY),
    DelayCalled: (Author.SEAT, Audience.EVERYBODY),
    DelayVoted: (Author.SEAT, Audience.EVERYBODY),
    DelayJudged: (Author.TABLE, Audience.EVERYBODY),
    DelayDropped: (Author.TABLE, Audience.EVERYBODY),
    CutOpened: (Author.SEAT, Audience.EVERYBODY),
    BeaconRecorded: (Author.BRINGER, Audience.EVERYBODY),
    SeatForfeited: (Author.TABLE, Audience.EVERYBODY),
    TurnReminded: (Author.TABLE, Audience.EVERYBODY),
    TimeClaimed: (Author.SEAT, Audience.EVERYBODY),
    TurnTimed: (Author.TABLE, Audience.EVERYBODY),
    DisputeOpened: (Author.PARTY, Audience.EVERYBODY),
    RulingGiven: (Author.ARBITER, Audience.EVERYBODY),
    RulingAppealed: (Author.PARTY, Audience.EVERYBODY),
    RulingDecided: (Author.ARBITER, Audience.EVERYBODY),
    HandoverAsked: (Author.SEAT, Audience.EVERYBODY),
    HandoverAnswered: (Author.SEAT, Audience.EVERYBODY),
    SeatHandedOver: (Author.TABLE, Audience.EVERYBODY),
    SeatReturned: (Author.LENDER, Audience.EVERYBODY),
}
require_every_fact(ENVELOPES, __name__)


def fact_author(fact: Any, state: State, asker: str) -> str:
    """Return the id of the player that a fact is by, or "server"; `asker` is the player whose command caused it."""
    match ENVELOPES[type(fact)][0]:
        case Author.OPENER | Author.ARBITER | Author.BRINGER:
            return asker
        case Author.LENDER:
            lender: str = fact.to
            return lender
        case Author.PARTY:
            party: Seat = state.seats[fact.seat]
            return party.player
        case Author.SEAT if state.seats[fact.seat].state == "in" and not _is_automatic_play(fact, state):
            sitting: Seat = state.seats[fact.seat]
            return sitting.player
        case Author.CAUSE if fact.cause == "host":
            return asker
        case _:
            return SERVER


def _is_automatic_play(fact: Any, state: State) -> bool:
    if not isinstance(fact, CardPlayed) or state.hand is None:
        return False
    return state.rules.sight(state.hand.number) is Sight.OTHERS


def fact_audience(fact: Fact, state: State) -> Seats | None:
    """Return the seats that see a fact, None for everybody; each fact has one audience."""
    match ENVELOPES[type(fact)][1]:
        case Audience.EVERYBODY:
            return None
        case Audience.SIGHT if isinstance(fact, CardsDealt | CardsBuried | CardsTaken):
            return _seats_in_sight(fact.seat, state)
        case _:
            return ()


def _seats_in_sight(seat: int, state: State) -> Seats:
    if state.rules.sight(current_hand(state).number) is Sight.OWN:
        return (seat,)
    return tuple(other for other in range(len(state.seats)) if other != seat)
