"""The state of a game: what `domain.evolve` folds from its events. Holds no rule of play.

A field is None if the viewer hasn't seen its value. Public numbers, such as how many cards a seat holds, are stored as
counts, so they're known even if the cards aren't. Tuples "by seat" have one element for each seat.
"""

from itertools import count
from typing import NamedTuple, TypeVar

from domain.cards import Card, Suit
from domain.events import (
    GameEnded,
    GameOpened,
    HandScored,
    Play,
    Ruled,
    RulesChangeDeferred,
    RulingGiven,
    Seats,
    TrickTaken,
)
from domain.events.table_talk import Intervals
from domain.rules.choices import DISCARDS, Fill, Partners, Phase, Trump
from domain.rules.model import Rules
from domain.struct import Value, redacted_repr


class Trick(Value, frozen=True):
    """The cards on the table."""

    number: int
    """The number of the trick, from 1 within the hand."""
    leader: int
    """The seat that leads."""
    plays: tuple[Play, ...] = ()
    """The cards in the order played."""


class GatheredTrick(Value, frozen=True):
    """A trick and the rules in force when it was gathered."""

    trick: TrickTaken
    clean: bool
    """Whether low cards stayed with their players."""
    version: str
    """The version of the rules, such as "10" points."""


class Hand(Value, frozen=True, kw_only=True):
    """One deal's worth of play. Fields that change with every card come first, since msgspec finds them fastest."""

    counts: tuple[int, ...]
    """How many cards each seat holds, by seat."""
    cards: tuple[tuple[Card, ...] | None, ...]
    """Each seat's cards in canonical order, by seat. None if the viewer hasn't seen them."""
    trick: Trick | None = None
    """The trick on the table, or None before its first card."""
    turns: int = 0
    """How many turns were taken and not taken back."""
    first_joker: Card | None = None
    """The joker that was played first."""
    lead: int
    """The seat with the right to lead."""
    taken: tuple[tuple[Card, ...], ...]
    """The cards each seat has won, by seat."""
    tricks: tuple[int, ...]
    """How many tricks each seat has taken, by seat."""
    last_trick: TrickTaken | None = None
    """The trick gathered last."""
    gathered: tuple[GatheredTrick, ...] = ()
    """The tricks gathered so far."""
    bids: tuple[int | None, ...]
    """Each seat's bid as it's worth now, by seat. None for a seat that passed or hasn't bid."""
    passed: Seats = ()
    """The seats that passed, in order."""
    first_bids: tuple[tuple[int, str] | None, ...]
    """Each seat's bid as it was made, with the version of the rules at that time, by seat."""
    number: int
    """The number of the hand, from 1 within the game."""
    redeal: int
    """How many times the hand was dealt before."""
    n: int
    """The number of the ceremony that the deal rests on."""
    commit: str
    """The commitment of that ceremony, in hex."""
    grade: str
    """How far the players' cuts protect the deal, as recorded in HandDealt."""
    dealer: int
    """The seat that deals."""
    eldest: int
    """The eldest hand: the seat at the dealer's left."""
    stock_left: int
    """How many cards the stock still has."""
    ceremony_version: int
    """The version of the event that opened the ceremony."""
    beacon: str | None = None
    """The round of a beacon that the ceremony named, or None."""
    has_beacon: bool = False
    """Whether the deal rests on that round, too."""
    stock: tuple[Card, ...] | None = None
    """The cards left in the stock, in order. None if the viewer hasn't seen them."""
    auction_turns: int = 0
    """How many bids and passes were made."""
    high: int | None = None
    """The seat that bid last. In an auction that rises, its bid is the highest."""
    pitcher: int | None = None
    """The seat that won the auction."""
    bid: int | None = None
    """The pitcher's bid as it's worth now."""
    max: bool = False
    """Whether the pitcher bid every point there was."""
    sides: tuple[Seats, ...] | None = None
    """The sides of this hand, the pitcher's first. None until they're known."""
    trump: Suit | None = None
    """The trump suit."""
    marker: Card | None = None
    """The card whose lead made its suit trump."""
    upcard: Card | None = None
    """The card that was turned up and made its suit trump."""
    called: Card | None = None
    """The card that the pitcher called; its holder is the partner."""
    counts_from: int | None = None
    """The number of the first trick in which the call counts."""
    call_settled: bool = False
    """Whether the call has taken effect."""
    mid_hand: bool = False
    """Whether the pitcher has to call because of a rule change after trump was named."""
    discarded: Seats = ()
    """The seats that have discarded, in order."""
    last_draw_turn: int | None = None
    """The value of `turns` when the randomizer last changed a rule."""
    defers_changes: bool = False
    """Whether rule changes wait for the end of the hand, because delay of game was called."""
    acquitted: bool = False
    """Whether the last delay call ended in a verdict of not guilty."""
    deferred: tuple[RulesChangeDeferred, ...] = ()
    """The rule changes that wait for the end of the hand, oldest first."""
    over: bool = False
    """Whether the hand has ended."""
    misdealt: bool = False
    """Whether the hand ended in a misdeal or a ruling made it void."""

    __repr__ = redacted_repr("cards", "stock")


def is_call_due(rules: Rules, hand: Hand) -> bool:
    """Return whether the pitcher has to call a partner (C13)."""
    return rules.partners is Partners.CALL and hand.called is None and hand.trump is not None and not hand.over


def is_call_in_effect(hand: Hand, trick: int) -> bool:
    """Return whether, in trick number `trick`, the holder of the called card is the pitcher's partner (C11, R-C61)."""
    return hand.counts_from is not None and trick >= hand.counts_from


def trick_to_play(hand: Hand, seat: int) -> Trick:
    """Return the trick on the table, or the trick that `seat` leads to if there isn't one."""
    return hand.trick or Trick(len(hand.gathered) + 1, seat)


def add_to_trick(hand: Hand, seat: int, card: Card) -> Trick:
    """Return the trick on the table with a card that `seat` plays or leads."""
    trick = hand.trick
    if trick is None:
        return Trick(len(hand.gathered) + 1, seat, (Play(seat, card),))
    return Trick(trick.number, trick.leader, (*trick.plays, Play(seat, card)))


class Holder(NamedTuple):
    """An earlier player of a seat, and the versions of their own time, both included."""

    player: str
    """The player id."""
    kind: str
    """`human` or `bot`."""
    from_version: int
    to_version: int


class Seat(Value, frozen=True):
    """The player at a seat."""

    player: str
    """The player id."""
    kind: str
    """`human` or `bot`."""
    bot: str | None
    """The bot's strategy, or None for a person."""
    state: str = "in"
    """`in`, `resigned` or `forfeited`."""
    since: int = 1
    """The version at which the player got the seat."""
    earlier: tuple[Holder, ...] = ()
    """The players before this one, oldest first. Somebody who came back is there too."""
    lenders: tuple[str, ...] = ()
    """The player ids of those who can take the seat back, the first to lend it first."""
    back_at: str = ""
    """When a bot last gave the seat back to a person, or empty."""


class Handover(Value, frozen=True):
    """An open question about a seat: may it be handed over?"""

    seat: int
    """The seat to hand over."""
    to: str
    """The player id of the one who gets the seat."""
    kind: str
    """`human` or `bot`."""
    bot: str | None
    """The bot's strategy, or None for a person."""
    accepted: Seats
    """The seats that have agreed, the asking one first."""


class Ceremony(Value, frozen=True):
    """A draw or shuffle whose seed isn't public yet."""

    n: int
    """The ceremony's number, from 0 within the game."""
    subject: str
    """The subject of the ceremony."""
    commit: str
    """The table's commitment to the seed, in hex."""
    seed: str | None = None
    """The seed in hex. Only the table knows it."""
    dealt: bool = False
    """Whether the seed has been used, by a deal or a coin."""
    at: str = ""
    """When the ceremony was opened."""
    seals: tuple[tuple[int, str], ...] = ()
    """The seats that promised a cut, each with its seal."""
    cuts: tuple[tuple[int, str], ...] = ()
    """The cuts made since, as (seat, cut), in the order they arrived."""
    beacon: str | None = None
    """The round of a beacon that the ceremony named, or None."""
    beacon_cut: str | None = None
    """The cut that the signature of that round makes, once it's recorded."""
    version: int = 0
    """The version of the event that opened the ceremony."""

    __repr__ = redacted_repr("seed")


class PastDeal(NamedTuple):
    """A deal that is over."""

    hand: int
    """The number of the hand."""
    ceremony_version: int
    """The version of the event that opened its ceremony."""
    changes: tuple[int, ...] | None
    """How the scores changed, by seat. None if the hand wasn't scored."""


class TurnClock(Value, frozen=True):
    """The clock of a turn, as `TurnTimed` says, and when the turn ended."""

    seat: int
    """The awaited seat."""
    turn: int
    """The `turn_version` of the turn."""
    since: str
    """When the clock began to run."""
    left_ms: int
    """The seat's time then."""
    closed: Intervals
    """Times in which the clock doesn't run."""
    held_ms: int
    """How long the clock was held in this turn."""
    deadline: str
    """When the seat is out of time."""
    stopped_at: str | None = None
    """When the turn ended. None while it lasts."""


class UndoPoint(Value, frozen=True):
    """The play before the last move of a person: what an undo restores."""

    seat: int
    """The seat that moved."""
    version: int
    """The version before the move."""
    hand: Hand
    """The hand before the move."""
    turn: Seats
    """The seats that had to move."""
    earlier: "UndoPoint | None" = None
    """The play before this person's move before that one, if it can be taken back next; only in practice."""
    clocks: "tuple[TurnClock | None, ...]" = ()
    """The last clock of each seat when the seat moved. Empty at a table without such clocks."""


class Proposal(Value, frozen=True):
    """An open proposal to undo a move or to end in a draw."""

    kind: str
    """`undo` or `draw`."""
    accepted: Seats
    """The seats that have agreed, the proposer first."""
    to_version: int | None = None
    """The version that an undo restores."""


class DelayCall(Value, frozen=True):
    """An open call of delay of game."""

    seat: int
    """The seat that called."""
    accused: int
    """The seat whose delay is called."""
    waited_ms: int
    """How long the accused seat had been awaited, in milliseconds."""
    votes: tuple[tuple[int, bool], ...]
    """The votes so far, as (seat, guilty), the caller's first."""
    n: int = 0
    """The number of the ceremony that dealt the hand in which the call was made."""


class Dispute(Value, frozen=True):
    """A dispute of a hand, its ruling and the appeal."""

    number: int
    """The number of the dispute, from 1 within the game."""
    seat: int
    """The seat that opened the dispute."""
    hand: int
    """The number of the disputed hand."""
    at_version: int
    """The version up to which the hand is disputed."""
    kind: str
    """A value of `domain.events.disputes.DisputeKind`."""
    at: str
    """When the dispute was opened."""
    opened_by: str
    """The player id of who opened the dispute."""
    withdrawn: bool = False
    """Whether that player has taken it back."""
    ruling: RulingGiven | None = None
    """The ruling, also if it was reversed."""
    ruled_by: str | None = None
    """The player id of the arbiter who gave the ruling."""
    appealed_by: int | None = None
    """The seat that appealed."""
    decision: str | None = None
    """The decision on the appeal: `upheld` or `reversed`."""
    decided_by: str | None = None
    """The player id of the arbiter who decided the appeal."""

    @property
    def in_force(self) -> RulingGiven | None:
        """The ruling, or None if it was reversed."""
        return None if self.decision == "reversed" else self.ruling


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
