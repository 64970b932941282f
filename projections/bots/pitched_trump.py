"""The simple bot in games in which the first card led makes trump (Pitch, Setback)."""

from collections.abc import Sequence

from domain.cards import JOKERS, RANK, RANKS, SUIT, Card, Suit
from domain.engine.points import GAME_COUNT
from domain.rules.model import Rules
from projections.bots.bot_view import BotView, Move

PARTNER_POINTS = 0.8
"""How many points a partner's cards add to the estimate."""
USUAL_POINTS = 5
"""The most points of the games that the estimates were made for."""


def bid(view: BotView) -> Move:
    """Make the minimum bid if the cards are worth it, else pass."""
    suit = best_suit(view.cards)
    estimate = 0.0 if suit is None else worth(view.cards, suit)
    estimate += PARTNER_POINTS * len(view.partners)
    estimate *= scale(view.rules)
    good = [move for move in view.bids if move["bid"] <= estimate + 0.2]
    return good[0] if good else view.legal[0]


def scale(rules: Rules) -> float:
    """Return by how much a hand brings more points than the four or five that the estimates are of."""
    return max(1.0, rules.total / USUAL_POINTS)


def card(view: BotView) -> Card:
    """Take valuable tricks and avoid the others."""
    return _follow(view) if view.plays else _lead(view)


def worth(cards: Sequence[Card], suit: Suit) -> float:
    """Estimate how many points the cards win with `suit` as trump."""
    ranks = [RANK[card] for card in cards if SUIT[card] == suit]
    top = sum({"A": 1.2, "K": 0.8, "Q": 0.4, "J": 0.5}.get(rank, 0.0) for rank in ranks)
    sides = sum({"A": 0.25, "K": 0.1}.get(RANK[card], 0.0) for card in cards if SUIT[card] != suit)
    return top + sides + 0.25 * (len(ranks) - 1) + 0.2 * ("10" in ranks)


def best_suit(cards: Sequence[Card]) -> Suit | None:
    """Return the suit that is worth most as trump."""
    suits = sorted({suit for card in cards if (suit := SUIT[card]) is not None})
    return max(suits, key=lambda suit: worth(cards, suit), default=None)


def card_count(rules: Rules, card: Card) -> int:
    """Return what a card counts for game."""
    return rules.joker_count if card in JOKERS else GAME_COUNT.get(RANK[card], 0)


def _lead(view: BotView) -> Card:
    """Lead a high trump, to win the smaller trumps; else an ace; else the cheapest card."""
    cards = view.playable
    trump = view.trump or best_suit(cards)
    trumps = sorted((card for card in cards if SUIT[card] == trump), key=_place)
    if trumps and (view.trump is None or RANK[trumps[-1]] in ("A", "K", "Q")):
        return trumps[-1]
    aces = [card for card in cards if RANK[card] == "A"]
    return aces[0] if aces else min(cards, key=lambda card: _cost(view, card, trump))


def _place(card: Card) -> int:
    return RANKS.index(RANK[card])


def _cost(view: BotView, card: Card, trump: Suit | None) -> tuple[int, int]:
    """Return the cost of losing `card`: its game count, more for a trump, most for the jack and the lowest trumps.

    If low goes to the player it was dealt to (T28), the lowest trumps cost no more than others.
    """
    counts = GAME_COUNT.get(RANK[card], 0)
    if SUIT[card] == trump:
        low = {"2": 8, "3": 6} if view.rules.dirty else {}
        counts += ({"J": 14} | low).get(RANK[card], 5)
    return counts, _place(card)


def _follow(view: BotView) -> Card:
    """Take a valuable trick with the cheapest card, or with the most valuable one if last to play; else throw away.

    Give a valuable card to a trick that a partner is sure to win.
    """
    cards, trump = view.playable, view.trump
    takers = [card for card in cards if view.would_take(card)]
    if view.winning_seat in view.partners and _is_safe(view):
        return max(cards, key=lambda card: _gift(view, card))
    if takers and not view.seats_to_come:
        return max(takers, key=lambda card: _cost(view, card, trump))
    at_stake = sum(_cost(view, play.card, trump)[0] for play in view.plays)
    if takers and (at_stake >= 4 or view.hand["pitcher"] == view.seat):
        return max(takers, key=_place) if at_stake >= 8 else min(takers, key=lambda card: _cost(view, card, trump))
    return min(cards, key=lambda card: _cost(view, card, trump))


def _is_safe(view: BotView) -> bool:
    """Return whether the partner's card is likely to hold the trick."""
    best = next(play.card for play in view.plays if play.seat == view.winning_seat)
    return not view.seats_to_come or (SUIT[best] == view.trump and RANK[best] in ("A", "K", "Q"))


def _gift(view: BotView, card: Card) -> tuple[int, int]:
    """Return the value of `card` in a partner's trick; high trumps can win tricks of their own."""
    counts, place = _cost(view, card, view.trump)
    high = SUIT[card] == view.trump and RANK[card] in ("A", "K", "Q")
    return 0 if high else counts + (RANK[card] == "J"), -place
