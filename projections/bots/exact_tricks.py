"""Games in which each seat promises tricks and only the exact number scores (Blackout)."""

from collections.abc import Iterable

from domain.cards import SUIT, SUITS, Card, Suit
from domain.engine.tricks import taker
from domain.events import Play
from domain.state import clockwise
from projections.bots.bot_view import BotView, Move

_SUITS: dict[Suit | None, list[Card]] = {suit: [card for card in SUIT if SUIT[card] == suit] for suit in SUITS}


def bid(outlook: BotView) -> Move:
    """The legal bid nearest to what the cards should take."""
    tricks = _blind(outlook) if outlook.view["you"]["cards"] is None else expected(outlook, outlook.cards)
    return min(outlook.bids, key=lambda move: (abs(move["bid"] - tricks), -move["bid"]))


def expected(outlook: BotView, cards: Iterable[Card]) -> float:
    """About how many tricks these of the own cards take."""
    return sum(_chance(outlook, card) for card in cards)


def _chance(outlook: BotView, card: Card) -> float:
    """About how likely `card` is to take a trick: fitted to 400 games played so (bench/results.md).

    A trump loses by each higher one that may be out, the more so the more cards are dealt. A plain card has to be led,
    and not be trumped.
    """
    own, suit = outlook.cards, _SUITS[SUIT[card]]
    higher = sum(outlook.places[each] > outlook.places[card] and each not in own for each in suit)
    if SUIT[card] == outlook.trump:
        return max(0.0, 1 - 0.02 * len(own) - 0.075 * higher) if higher else 1.0
    if higher:
        return float(0.42 * (0.67 if outlook.trump else 0.76) ** (higher - 1))
    if outlook.trump is None:
        return 1.0
    length = sum(each in own for each in suit)
    return min(1.0, 0.4 + 0.06 * len(own) - 0.08 * length)


def _blind(outlook: BotView) -> float:
    """The chance of the one card it does not see, each of the unseen as likely, given the cards of the others (B18)."""
    sees: dict[str, list[Card]] = outlook.view["you"]["sees"]
    known = {card for cards in sees.values() for card in cards} | {outlook.hand["upcard"]}
    unseen = [card for card in outlook.rules.deck if card not in known]
    return sum(_would_take(outlook, card, sees) for card in unseen) / len(unseen)


def _would_take(outlook: BotView, card: Card, sees: dict[str, list[Card]]) -> bool:
    order = clockwise(outlook.hand["eldest"], len(outlook.view["seats"]))
    plays = [Play(seat, card if seat == outlook.seat else sees[str(seat)][0]) for seat in order]
    return taker(outlook.rules, plays, outlook.trump) == outlook.seat


def card(outlook: BotView) -> Card:
    """Takes tricks while it needs some, and keeps out of them when it has them."""
    cards = sorted(outlook.playable, key=lambda card: (_chance(outlook, card), outlook.places[card]))
    promised = outlook.hand["bids"][outlook.seat]
    needs = promised - outlook.view["seats"][outlook.seat]["tricks"]
    if not outlook.plays:
        return cards[-1] if needs > 0 else cards[0]
    takers = [card for card in cards if outlook.takes(card)]
    losers = [card for card in cards if card not in takers]
    if needs > 0:
        return _taking(outlook, needs, takers) if takers else _thrown(outlook, needs, cards)
    if losers:
        return losers[-1]
    return takers[0] if outlook.to_come else takers[-1]


def _taking(outlook: BotView, needs: int, takers: list[Card]) -> Card:
    """The highest unless nobody plays after it; then the least that takes, or the best where it has too many."""
    if outlook.to_come:
        return max(takers, key=outlook.places.__getitem__)
    return takers[-1] if expected(outlook, outlook.cards) > needs + 1 else takers[0]


def _thrown(outlook: BotView, needs: int, cards: list[Card]) -> Card:
    """The least likely to take a trick, or the most where it has more of those than it needs."""
    return cards[-1] if expected(outlook, outlook.cards) > needs + 1 else cards[0]
