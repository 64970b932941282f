"""A hand and its tricks: one deal's worth of play. Tuples "by seat" have one element for each seat."""

from domain.cards import Card, Suit
from domain.events import Play, RulesChangeDeferred, Seats, TrickTaken
from domain.rules.choices import Partners
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
