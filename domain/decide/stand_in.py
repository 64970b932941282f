"""What the table plays for a seat that left (R-P9, R-C66; docs/rules/common.md)."""

from domain.cards import RANK, RANKS, SUIT, SUITS, Card
from domain.commands import CallPartner, Discard, NameTrump, PlayCard
from domain.engine.legal_moves import Move, legal_moves, may_throw
from domain.engine.tricks import trumps
from domain.rules.choices import Phase
from domain.state import State, come_to, dealt_hand

LEAVING_ORDER = (*RANKS[:9], "X", *RANKS[9:])
"""A seat that left plays its lowest card by this order alone: 2 to 10, jokers, J, Q, K, A."""


def stand_in(state: State, seat: int) -> Move:
    """Its longest suit as trump, the highest trump it lacks as the called card, as few and low cards thrown as may be;

    else a pass or the lowest bid, and the lowest legal card.
    """
    match state.phase:
        case Phase.NAMING:
            return _longest_suit(state, seat)
        case Phase.CALLING | Phase.WAITING:
            return _highest_missing(state, seat)
        case Phase.DISCARDING:
            return _lowest_thrown(state, seat)
    moves = legal_moves(state, seat)
    cards = [move for move in moves if isinstance(move, PlayCard)]
    return min(cards, key=lambda move: _lowest(move.card)) if cards else moves[0]


def _lowest(card: Card) -> tuple[int, int, Card]:
    suit = SUIT[card]
    return LEAVING_ORDER.index(RANK[card]), SUITS.index(suit) if suit else 0, card


def _held(state: State, seat: int) -> tuple[Card, ...]:
    return dealt_hand(state).cards[seat] or ()


def _longest_suit(state: State, seat: int) -> NameTrump:
    held = [SUIT[card] for card in _held(state, seat)]
    return NameTrump(seat, max(SUITS, key=held.count))


def _highest_missing(state: State, seat: int) -> CallPartner:
    hand, held = dealt_hand(state), _held(state, seat)
    order = () if hand.trump is None else trumps(state.rules, hand.trump, hand.first_joker)
    lacking = [card for card in order if card not in held]
    return CallPartner(seat, lacking[-1] if lacking else held[-1])


def _lowest_thrown(state: State, seat: int) -> Discard:
    may = come_to(may_throw(state, seat))
    others = sorted((card for card in may.of if card not in may.must), key=_lowest)
    return Discard(seat, (*may.must, *others[: may.least - len(may.must)]))
