"""Games in which the first card led makes trump: high, low, jack and game (Pitch, Setback)."""

from collections.abc import Sequence

from domain.cards import RANK, RANKS, SUIT, Card, Suit
from domain.engine.points import GAME_COUNT
from projections.bots.bot_view import BotView, Move

PARTNER = 0.8
"""What a partner's cards add to the own, in points."""


def bid(outlook: BotView) -> Move:
    """The least bid there is, as long as the cards are worth it."""
    suit = _best_suit(outlook.cards)
    worth = 0.0 if suit is None else _worth(outlook.cards, suit)
    worth += PARTNER * len(outlook.partners)
    good = [move for move in outlook.bids if move["bid"] <= worth + 0.2]
    return good[0] if good else outlook.legal[0]


def card(outlook: BotView) -> Card:
    """Takes what counts and keeps out of what does not."""
    return _follow(outlook) if outlook.plays else _lead(outlook)


def _worth(cards: Sequence[Card], suit: Suit) -> float:
    """About how many points the cards win with `suit` as trump."""
    ranks = [RANK[card] for card in cards if SUIT[card] == suit]
    top = sum({"A": 1.2, "K": 0.8, "Q": 0.4, "J": 0.5}.get(rank, 0.0) for rank in ranks)
    sides = sum({"A": 0.25, "K": 0.1}.get(RANK[card], 0.0) for card in cards if SUIT[card] != suit)
    return top + sides + 0.25 * (len(ranks) - 1) + 0.2 * ("10" in ranks)


def _best_suit(cards: Sequence[Card]) -> Suit | None:
    suits = sorted({suit for card in cards if (suit := SUIT[card]) is not None})
    return max(suits, key=lambda suit: _worth(cards, suit), default=None)


def _lead(outlook: BotView) -> Card:
    """High trumps first, which bring home what is smaller; then a high card, else the least one."""
    cards = outlook.playable
    trump = outlook.trump or _best_suit(cards)
    trumps = sorted((card for card in cards if SUIT[card] == trump), key=_place)
    if trumps and (outlook.trump is None or RANK[trumps[-1]] in ("A", "K", "Q")):
        return trumps[-1]
    aces = [card for card in cards if RANK[card] == "A"]
    return aces[0] if aces else min(cards, key=lambda card: _cost(outlook, card, trump))


def _place(card: Card) -> int:
    return RANKS.index(RANK[card])


def _cost(outlook: BotView, card: Card, trump: Suit | None) -> tuple[int, int]:
    """How unwilling it is to lose `card`: what it counts, more for a trump, the jack and the lowest above all.

    Where low goes to who held it (T28), the lowest is a trump like others.
    """
    counts = GAME_COUNT.get(RANK[card], 0)
    if SUIT[card] == trump:
        low = {"2": 8, "3": 6} if outlook.rules.dirty else {}
        counts += ({"J": 14} | low).get(RANK[card], 5)
    return counts, _place(card)


def _follow(outlook: BotView) -> Card:
    """The cheapest card that takes a trick worth taking, the dearest that is safe when last; else the least card.

    A partner's trick that is safe gets what it can use.
    """
    cards, trump = outlook.playable, outlook.trump
    takers = [card for card in cards if outlook.takes(card)]
    if outlook.winning in outlook.partners and _safe(outlook):
        return max(cards, key=lambda card: _gift(outlook, card))
    if takers and not outlook.to_come:
        return max(takers, key=lambda card: _cost(outlook, card, trump))
    at_stake = sum(_cost(outlook, play.card, trump)[0] for play in outlook.plays)
    if takers and (at_stake >= 4 or outlook.hand["pitcher"] == outlook.seat):
        return max(takers, key=_place) if at_stake >= 8 else min(takers, key=lambda card: _cost(outlook, card, trump))
    return min(cards, key=lambda card: _cost(outlook, card, trump))


def _safe(outlook: BotView) -> bool:
    """Whether nobody is likely to take the trick from the partner."""
    best = next(play.card for play in outlook.plays if play.seat == outlook.winning)
    return not outlook.to_come or (SUIT[best] == outlook.trump and RANK[best] in ("A", "K", "Q"))


def _gift(outlook: BotView, card: Card) -> tuple[int, int]:
    """What `card` brings in a partner's trick; high trumps can take tricks of their own."""
    counts, place = _cost(outlook, card, outlook.trump)
    high = SUIT[card] == outlook.trump and RANK[card] in ("A", "K", "Q")
    return 0 if high else counts + (RANK[card] == "J"), -place
