"""How the other seats bid, as far as the bot knows: by the estimates of the simple bot."""

from collections.abc import Sequence

from domain.cards import SUITS, Card, Suit
from domain.commands import MakeBid, PassBid
from domain.engine.auction import bid_options, next_bidder, possible_bids
from domain.engine.tricks import strengths, trumps
from domain.rules.choices import Tally, Trump
from domain.rules.model import Rules
from domain.state import Hand, State, current_hand
from projections.bots.exact_tricks import trick_chance
from projections.bots.named_trump import worth_as_trump
from projections.bots.pitched_trump import PARTNER_POINTS, best_suit, scale, worth

_PITCHED, _NAMED, _EXACT = Trump.PITCHED, Trump.NAMED, Tally.EXACT
_MARGIN = 0.2
"""How much more than its estimate a seat bids."""


def estimate(rules: Rules, hand: Hand, cards: Sequence[Card], trump: Suit | None) -> float:
    """Estimate the points or tricks that these cards bring, with `trump`, or with the suit that is best for them."""
    if rules.tally is _EXACT:
        strength = strengths(rules, hand.trump, None, None)
        return sum([trick_chance(rules, card, cards, strength, hand.trump) for card in cards])
    if rules.trump is _PITCHED:
        suit = trump or best_suit(cards)
        partners = len(hand.counts) // len(rules.sides(len(hand.counts))) - 1
        return scale(rules) * (PARTNER_POINTS * partners + (worth(cards, suit) if suit and cards else 0.0))
    if rules.trump is not _NAMED:
        trump = hand.trump
    return max(_named_worth(rules, cards, suit) for suit in ([trump] if trump else SUITS))


def _named_worth(rules: Rules, cards: Sequence[Card], suit: Suit) -> float:
    return worth_as_trump(cards, trumps(rules, suit), rules.total)


def best_trump(rules: Rules, cards: Sequence[Card]) -> Suit:
    """Return the suit that a pitcher names."""
    return max(SUITS, key=lambda suit: _named_worth(rules, cards, suit))


def choose_bid(state: State, seat: int) -> MakeBid | PassBid:
    """Return a seat's bid in a world: the lowest if its cards are worth that, else a pass; of tricks, the nearest."""
    rules, hand = state.rules, current_hand(state)
    can_pass, bids = bid_options(rules, hand)
    expects = estimate(rules, hand, hand.cards[seat] or (), None)
    if rules.tally is _EXACT:
        return MakeBid(seat, min(bids, key=lambda bid: abs(bid - expects)))
    if bids and (not can_pass or bids[0] <= expects + _MARGIN):
        return MakeBid(seat, bids[0])
    return PassBid(seat)


def misfit(state: State, seat: int, played: Sequence[Sequence[Card]]) -> float:
    """Return how badly the bids of the others fit the cards of a world; 0 if each could have bid so.

    `played` are the cards that each seat has played, by seat.
    """
    rules, hand = state.rules, current_hand(state)
    if hand.discarded:
        return 0.0
    off, high = 0.0, None
    for turn in range(hand.auction_turns):
        other = next_bidder(rules.auction, hand.eldest, len(hand.counts), turn)
        first = hand.first_bids[other]
        bid = None if other in hand.passed or first is None else first[0]
        if other != seat:
            cards = (*(hand.cards[other] or ()), *played[other])
            expects = estimate(rules, hand, cards, hand.trump if other == hand.pitcher else None)
            off += _surprise(rules, hand, expects, bid, high)
        high = high if bid is None else bid
    return off


def _surprise(rules: Rules, hand: Hand, expects: float, bid: int | None, high: int | None) -> float:
    if rules.tally is _EXACT:
        return max(0.0, abs((bid or 0) - expects) - 1.0)
    if bid is not None:
        return max(0.0, bid - expects - 1.0)
    needed = next((each for each in possible_bids(rules, hand.number) if high is None or each > high), None)
    return 0.0 if needed is None else max(0.0, expects - needed - 0.5)
