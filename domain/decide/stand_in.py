"""The table's play for a seat that left (R-P9, R-C66)."""

from domain.cards import RANK, RANKS, SUIT, SUITS, Card
from domain.commands import CallPartner, Discard, NameTrump, PlayCard
from domain.engine.legal_moves import Move, legal_discards, legal_moves
from domain.engine.tricks import trumps
from domain.rules.choices import Phase
from domain.state import State, current_hand, require

STAND_IN_ORDER = (*RANKS[:9], "X", *RANKS[9:])
"""Ranks from the lowest, for the cards of a seat that left: 2 to 10, jokers, J, Q, K, A."""


def stand_in_move(state: State, seat: int) -> Move:
    """Return the table's move for a seat that left.

    It names the longest suit, calls the highest trump that it lacks, and discards as few and as low cards as possible;
    otherwise it passes or makes the lowest bid, and plays the lowest legal card.
    """
    match state.phase:
        case Phase.NAMING:
            return _longest_suit(state, seat)
        case Phase.CALLING | Phase.WAITING:
            return _highest_missing(state, seat)
        case Phase.DISCARDING:
            return _lowest_discards(state, seat)
    moves = legal_moves(state, seat)
    cards = [move for move in moves if isinstance(move, PlayCard)]
    return min(cards, key=lambda move: _rank_key(move.card)) if cards else moves[0]


def _rank_key(card: Card) -> tuple[int, int, Card]:
    suit = SUIT[card]
    return STAND_IN_ORDER.index(RANK[card]), SUITS.index(suit) if suit else 0, card


def _cards_of(state: State, seat: int) -> tuple[Card, ...]:
    return current_hand(state).cards[seat] or ()


def _longest_suit(state: State, seat: int) -> NameTrump:
    held = [SUIT[card] for card in _cards_of(state, seat)]
    return NameTrump(seat, max(SUITS, key=held.count))


def _highest_missing(state: State, seat: int) -> CallPartner:
    hand, held = current_hand(state), _cards_of(state, seat)
    order = () if hand.trump is None else trumps(state.rules, hand.trump, hand.first_joker)
    lacking = [card for card in order if card not in held]
    return CallPartner(seat, lacking[-1] if lacking else held[-1])


def _lowest_discards(state: State, seat: int) -> Discard:
    options = require(legal_discards(state, seat))
    others = sorted((card for card in options.optional if card not in options.required), key=_rank_key)
    return Discard(seat, (*options.required, *others[: options.minimum - len(options.required)]))
