"""The state of a game: what `domain.evolve` folds from its events. Holds no rule of play.

A field is None if the viewer hasn't seen its value. Public numbers, such as how many cards a seat holds, are stored as
counts, so they're known even if the cards aren't. Tuples "by seat" have one element for each seat.
"""

from itertools import count
from typing import TypeVar

from domain.events import GameEnded, GameOpened, HandScored, Ruled, Seats
from domain.rules.choices import DISCARDS, Fill, Phase, Trump
from domain.rules.model import Rules
from domain.state.hand import (
    GatheredTrick,
    Hand,
    Trick,
    add_to_trick,
    is_call_due,
    is_call_in_effect,
    trick_to_play,
)
from domain.state.table import (
    Ceremony,
    DelayCall,
    Dispute,
    Handover,
    Holder,
    PastDeal,
    Proposal,
    Seat,
    TurnClock,
    UndoPoint,
)
from domain.struct import Value

__all__ = [
    "EMPTY_STATE",
    "NAMED_TRUMP",
    "PLAY_PHASE",
    "SERVER",
    "Ceremony",
    "DelayCall",
    "Dispute",
    "GatheredTrick",
    "Hand",
    "Handover",
    "Holder",
    "PastDeal",
    "Proposal",
    "Seat",
    "State",
    "Trick",
    "TurnClock",
    "UndoPoint",
    "add_to_trick",
    "clockwise",
    "current_hand",
    "free_bot_id",
    "is_call_due",
    "is_call_in_effect",
    "is_in_hand",
    "require",
    "trick_to_play",
]

T = TypeVar("T")
PLAY_PHASE, NAMED_TRUMP = Phase.PLAY, Trump.NAMED
"""Enum members that are read at every card: reading a member off its class takes as long as a function call."""
_AUCTION, _DISCARDING, _WAITING = Phase.AUCTION, Phase.DISCARDING, Phase.WAITING
_KITTY = Fill.KITTY
SERVER = "server"
"""The author of facts that the table itself records."""


class State(Value, frozen=True):
    """A game after `version` events. Fields that change with every event come first: msgspec finds them fastest."""

    version: int = 0
    """The version of the last event; 0 before the first."""
    at: str = ""
    """The time of the last event."""
    moved: int = 0
    """The version of the last event that changed which moves are open."""
    hand: Hand | None = None
    """The hand on the table, also after it has ended. None before the first deal."""
    turn: Seats = ()
    """The seats that must move now."""
    awaited: Seats = ()
    """The seats of the last turn that wasn't empty."""
    turn_since: str = ""
    """When the turn of the awaited seats began."""
    turn_version: int = 0
    """The version of the event that began the turn of the awaited seats."""
    clock: TurnClock | None = None
    """The clock of the turn. None if it doesn't run, or if the table has none for each turn."""
    undo_point: UndoPoint | None = None
    """The play that an undo would restore. None if no move can be taken back."""
    proposal: Proposal | None = None
    """The open proposal."""
    proposals: tuple[int, ...] = ()
    """How many proposals and changes of the rules each seat made since the hand was first dealt, by seat."""
    handover: Handover | None = None
    """The open question about a hand-over."""
    game: str = ""
    """The game's id."""
    opened: GameOpened | None = None
    """The fact that opened the game."""
    in_force: Rules | None = None
    """The rules in force; None before the game is open."""
    host: str = ""
    """The player id that opened the game."""
    seats: tuple[Seat, ...] = ()
    """The seats, in the order of play once the seats are drawn."""
    still_in: Seats = ()
    """The seats that haven't left, bots included."""
    left: Seats = ()
    """The seats that have left, in the order they did."""
    scores: tuple[int, ...] = ()
    """The scores as played, by seat, whatever arbiters ruled."""
    exact_hands: tuple[int, ...] = ()
    """In how many hands each seat took exactly as many tricks as it bid, by seat."""
    ceremonies: tuple[Ceremony, ...] = ()
    """The ceremonies that are neither revealed nor void."""
    ceremony_count: int = 0
    """The number of the ceremony opened last. Ceremony 0 draws seats and dealer."""
    seats_drawn: bool = False
    """Whether ceremony 0 has drawn the seats."""
    dealer: int | None = None
    """The seat that ceremony 0 drew as the first dealer."""
    coin: int | None = None
    """The seat that won the draw between tied seats."""
    delay_turn: int | None = None
    """The `turn_version` of the turn in which delay of game was last called."""
    delay: DelayCall | None = None
    """The open delay call."""
    last_hand: HandScored | None = None
    """The score of the hand scored last."""
    result: GameEnded | None = None
    """The fact that ended the game."""
    opened_at: str = ""
    """When the game was opened."""
    reminder_turn: int | None = None
    """The `turn_version` of the turn in which a player was last reminded."""
    held_ms: int = 0
    """How long the clock was held in that turn, as the last reminder says, in milliseconds."""
    clocks: tuple[TurnClock | None, ...] = ()
    """The last clock of each seat that ended, by seat. Empty before the first."""
    restored_turn: int = 0
    """The version of the last undo that began a turn: it gives no time for a move."""
    can_be_short: bool = False
    """Whether that turn can begin with less than the least time, as after an undo of version 1."""
    next_seals: tuple[str | None, ...] = ()
    """The seals of the seats' cuts for the next deal, by seat (fairdeal/1)."""
    barred: Seats = ()
    """The seats that withheld a sealed cut, so that their cuts no longer count (fairdeal/1)."""
    past_deals: tuple[PastDeal, ...] = ()
    """The deals that are over, oldest first."""
    disputes: tuple[Dispute, ...] = ()
    """The disputes, by number."""
    ruled: Ruled | None = None
    """The scores with all rulings in force, as recorded with the last ruling. None if no ruling changes a score."""

    @property
    def rules(self) -> Rules:
        """The rules in force. Raise LookupError before the game is open."""
        if self.in_force is None:
            raise LookupError("the game is not open yet")
        return self.in_force

    @property
    def phase(self) -> Phase:
        """The phase of the game."""
        if self.result is not None:
            return Phase.OVER
        hand = self.hand
        if hand is None or hand.over:
            return Phase.UNOPENED if self.opened is None else _WAITING
        if hand.trick is not None:
            return PLAY_PHASE
        rules = self.rules
        if hand.auction_turns < len(self.seats) or (hand.pitcher is None and rules.auction.contract):
            return _AUCTION
        return _phase_before_play(rules, hand) if rules.trump is NAMED_TRUMP else PLAY_PHASE

    @property
    def trick(self) -> Trick | None:
        """The trick on the table, also before its first card. None outside the phase of play."""
        if self.phase is not Phase.PLAY or self.hand is None:
            return None
        return trick_to_play(self.hand, self.turn[0]) if self.turn else self.hand.trick

    @property
    def persons(self) -> Seats:
        """The seats of people that haven't left."""
        return tuple(seat for seat in self.still_in if self.seats[seat].kind == "human")

    @property
    def pending_deal(self) -> Ceremony | None:
        """The open ceremony whose deal is due, or None. Coin, seats, and dealer are drawn without cuts."""
        return next((each for each in self.ceremonies if not each.dealt and each.subject.startswith("deal ")), None)

    def seat_of(self, player: str) -> int | None:
        """Return the seat that the player with id `player` holds now, or None."""
        return next((seat for seat, sitting in enumerate(self.seats) if sitting.player == player), None)

    def former_seat_of(self, player: str) -> int | None:
        """Return the seat that the player held before, even if they hold it again, or None."""
        seats = enumerate(self.seats)
        return next((seat for seat, each in seats if any(past.player == player for past in each.earlier)), None)

    def lent_seat_of(self, player: str) -> int | None:
        """Return the seat that the player lent and can take back, or None."""
        seats = enumerate(self.seats)
        return next((seat for seat, each in seats if player in each.lenders and each.state == "in"), None)

    def has_held(self, player: str) -> bool:
        """Return whether the player holds a seat or has held one."""
        return self.seat_of(player) is not None or self.former_seat_of(player) is not None


def _phase_before_play(rules: Rules, hand: Hand) -> Phase:
    """Return what is left to do after an auction whose winner names trump (R-C2, R-C28, R-C61)."""
    if hand.trump is None:
        return Phase.NAMING
    if is_call_due(rules, hand) and not hand.mid_hand:
        return Phase.CALLING
    if _is_discard_due(rules, hand):
        return _DISCARDING
    return _WAITING if is_call_due(rules, hand) else PLAY_PHASE


def _is_discard_due(rules: Rules, hand: Hand) -> bool:
    """Return whether a seat still has to discard: each seat once, or each that has a surplus if nobody draws."""
    if rules.fill in DISCARDS:
        return len(hand.discarded) < len(hand.counts)
    return rules.fill is _KITTY and 0 < rules.kept_cards < max(hand.counts)


def free_bot_id(state: State, strategy: str) -> str:
    """Return an id for a bot that nobody at this table has had: bots count on from the number of seats."""
    ids = (f"bot:{strategy}:{number}" for number in count(len(state.seats)))
    return next(each for each in ids if not state.has_held(each))


EMPTY_STATE = State()
"""A game before its first event."""


def clockwise(first: int, seats: int) -> Seats:
    """Return every seat once, in the order of play from `first` on."""
    return tuple((first + turn) % seats for turn in range(seats))


def is_in_hand(state: State) -> bool:
    """Return whether a hand is being played."""
    return state.hand is not None and not state.hand.over


def current_hand(state: State) -> Hand:
    """Return the hand on the table. Raise LookupError before the first deal."""
    if state.hand is None:
        raise LookupError("no hand has been dealt yet")
    return state.hand


def require(value: T | None) -> T:
    """Return `value`. Raise LookupError if it's None: not decided yet, or not visible to the viewer."""
    if value is None:
        raise LookupError("the game has no such value yet")
    return value
