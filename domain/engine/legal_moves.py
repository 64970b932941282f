"""The moves that a seat can make now, given what that seat knows, and the proposals that it may still make."""

from functools import cache, lru_cache

from domain.cards import DECK_54, SUITS, Card
from domain.commands import CallPartner, Discard, MakeBid, NameTrump, PassBid, PlayCard
from domain.engine.auction import BidOptions, bid_options
from domain.engine.discards import DiscardOptions, discard_options
from domain.engine.tricks import TRUMP_LEAD, TRUMPS_ONLY, cards_to_lead, legal_cards, suit_by_card
from domain.engine.wording import count_of
from domain.rejections import OutOfTurn, TooManyProposals
from domain.rules.choices import Phase
from domain.rules.model import Rules
from domain.state import NAMED_TRUMP, PLAY_PHASE, Hand, State, is_call_due, is_call_in_effect

Move = MakeBid | PassBid | NameTrump | PlayCard | CallPartner | Discard
"""A move in turn: one that `next` waits for."""


def playable_cards(rules: Rules, hand: Hand, seat: int) -> tuple[Card, ...]:
    """Return the cards that `seat` can play to the trick on the table, or lead; () if its cards are hidden.

    Once the call counts, the holder of the called card plays it as soon as they can (R-C29).
    """
    held = hand.cards[seat] or ()
    if hand.trick is not None:
        cards = legal_cards(rules, held, hand.trump, hand.trick.plays[0].card)
    else:
        cards = cards_to_lead(rules, held, hand.trump, opening=is_opening_lead(rules, hand))
    if hand.called is not None and hand.called in cards and seat != hand.pitcher:
        return (hand.called,) if is_call_in_effect(hand, len(hand.gathered) + 1) else cards
    return cards


def can_play(rules: Rules, hand: Hand, seat: int, card: Card) -> bool:
    """Return whether `seat` can play `card` now; a card of the suit led needs no further check."""
    trick, held = hand.trick, hand.cards[seat]
    if held and card in held and trick is not None and hand.called is None and rules.follow is not TRUMPS_ONLY:
        of = suit_by_card(rules.off, hand.trump)
        if of[card] == of[trick.plays[0].card]:
            return True
    return card in playable_cards(rules, hand, seat)


def is_opening_lead(rules: Rules, hand: Hand) -> bool:
    """Return whether the first lead of a hand whose trump was named is to be made (R-C10)."""
    return rules.trump is NAMED_TRUMP and hand.trick is None and not hand.gathered


def can_lead_any_card(rules: Rules, hand: Hand) -> bool:
    """Return whether a seat with cards can always lead one now, unless only trumps are played."""
    return rules.opening_lead is not TRUMP_LEAD or not is_opening_lead(rules, hand)


@cache
def _plays_by_card(seat: int) -> dict[Card, PlayCard]:
    """Cache a seat's PlayCard for each card, so that equal moves are the same objects."""
    return {card: PlayCard(seat, card) for card in DECK_54}


@lru_cache(maxsize=1024)
def _bidding_moves(seat: int, options: BidOptions) -> tuple[Move, ...]:
    """Cache a seat's moves for these options, so that equal moves are the same objects."""
    return (*((PassBid(seat),) if options.can_pass else ()), *(MakeBid(seat, bid) for bid in options.bids))


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Return every move that `seat` can make now and that can be listed; () if it isn't its turn.

    A pass comes first, then bids from the lowest; suits are in the order C D H S, cards in canonical order.
    """
    hand = state.hand
    if hand is None or seat not in state.turn:
        return ()
    phase = state.phase
    if phase is PLAY_PHASE:
        return tuple(map(_plays_by_card(seat).__getitem__, playable_cards(state.rules, hand, seat)))
    if phase is Phase.AUCTION:
        return _bidding_moves(seat, bid_options(state.rules, hand))
    return tuple(NameTrump(seat, suit) for suit in SUITS) if phase is Phase.NAMING else ()


def legal_discards(state: State, seat: int) -> DiscardOptions | None:
    """Return what `seat` can discard now; None if it isn't its turn to discard."""
    if state.hand is None or seat not in state.turn or state.phase is not Phase.DISCARDING:
        return None
    return discard_options(state.rules, state.hand, seat)


def can_call_partner(state: State, seat: int) -> bool:
    """Return whether `seat` can call a partner now; during a hand this needs no turn (R-C31)."""
    hand = state.hand
    return hand is not None and hand.pitcher == seat and is_call_due(state.rules, hand)


def require_turn(state: State, seat: int) -> None:
    """Refuse a move out of turn (S7)."""
    if seat not in state.turn:
        raise out_of_turn_error(state, seat)


def out_of_turn_error(state: State, seat: int) -> OutOfTurn:
    """Make the refusal for a seat that moves out of turn; it names the seat whose turn it is."""
    if not state.turn:
        return OutOfTurn("It isn't your turn. The table acts next.")
    turn = ", ".join(map(str, state.turn))
    return OutOfTurn(f"It's the turn of seat {turn}, not of seat {seat}.")


def has_proposals_left(state: State, seat: int) -> bool:
    """Return whether `seat` may still propose something, or change the rules, in this hand."""
    limits = None if state.opened is None else state.opened.limits
    return limits is None or state.proposals[seat] < limits.proposals


def require_proposals_left(state: State, seat: int) -> None:
    """Refuse a proposal, or a change by the host, beyond the limit of this hand."""
    if not has_proposals_left(state, seat):
        raise TooManyProposals(
            f"You have already made {count_of(state.proposals[seat], 'proposal')} in this hand. This game allows no"
            " more of them. You can make others in the next hand."
        )
