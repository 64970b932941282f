"""The moves worth a thought in each phase. Cards, suits and most bids are few; discards would be thousands."""

from collections.abc import Sequence

from domain.cards import Card
from domain.commands import CallPartner, Discard, MakeBid, PassBid
from domain.engine.discards import discard_options
from domain.engine.legal_moves import Move, can_call_partner, legal_discards, legal_moves
from domain.engine.tricks import is_trump, trumps
from domain.rules.choices import Tally
from domain.rules.model import Rules
from domain.state import Hand, State, current_hand
from projections.bots.strong import auction
from projections.bots.strong.policy import values

MAX_BIDS = 4
"""How many bids are tried if only an exact bid scores: those nearest to the tricks that the cards should take."""
MAX_CALLS = 5
STEPS = (0, -1, 1, -2, 2)
"""How many cards more than the useless ones are discarded."""


def candidates(state: State, seat: int) -> list[Move]:
    """Return the moves of `seat` that are worth a thought, in a fixed order; empty if it has nothing to do."""
    if moves := legal_moves(state, seat):
        return _bids(state, seat, moves) if isinstance(moves[0], MakeBid | PassBid) else list(moves)
    hand = current_hand(state)
    if legal_discards(state, seat) is not None:
        return [Discard(seat, cards) for cards in discards(state.rules, hand, seat)]
    if can_call_partner(state, seat):
        return [CallPartner(seat, card) for card in calls(state.rules, hand, seat)]
    return []


def _bids(state: State, seat: int, moves: Sequence[Move]) -> list[Move]:
    hand = current_hand(state)
    if state.rules.tally is not Tally.EXACT or hand.cards[seat] is None:
        return list(moves)
    expects = auction.estimate(state.rules, hand, hand.cards[seat] or (), None)
    bids = [move for move in moves if isinstance(move, MakeBid)]
    nearest = sorted(bids, key=lambda move: abs(move.bid - expects))[:MAX_BIDS]
    return [move for move in bids if move in nearest]


def discards(rules: Rules, hand: Hand, seat: int) -> list[tuple[Card, ...]]:
    """Return discards, the plain one first: the cards without use; then a few more or fewer, the cheapest first."""
    options = discard_options(rules, hand, seat)
    if options is None:
        return []
    cost = values(rules, hand.trump).cost
    cheapest = sorted(options.optional, key=cost.__getitem__)
    useless = len(options.required) + sum(not is_trump(rules, hand.trump, card) for card in options.optional)
    plain = max(options.minimum, min(options.maximum, useless))
    numbers = [plain + step for step in STEPS if options.minimum <= plain + step <= options.maximum]
    return [(*options.required, *cheapest[: number - len(options.required)]) for number in numbers]


def calls(rules: Rules, hand: Hand, seat: int) -> list[Card]:
    """Return the highest trumps that may be in other hands, or without any, the last other cards of the deck."""
    order = trumps(rules, hand.trump, hand.first_joker) if hand.trump else rules.deck
    seen = {*(hand.cards[seat] or ()), *(play.card for each in hand.gathered for play in each.trick.plays)}
    found = [card for card in reversed(order) if card not in seen]
    return (found or [card for card in reversed(rules.deck) if card not in seen])[:MAX_CALLS]
