"""What the server's own players do, from what their seat sees and nothing else.

`pick(m)` gives a whole number below m and is where all chance comes from.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.cards import RANK, RANKS, SUIT, Card, Suit

Pick = Callable[[int], int]
Move = dict[str, Any]
"""A move as it is posted (contract.md section 4)."""

COUNT = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}


class NothingToDo(LookupError):
    """It is not this seat's turn."""


def choose(strategy: str, view: Mapping[str, Any], pick: Pick) -> Move:
    """One of the moves the view calls legal; NothingToDo where there is none, KeyError for an unknown strategy."""
    legal: list[Move] = view["you"]["legal"]
    if not legal:
        raise NothingToDo("it is not this seat's turn")
    return STRATEGIES[strategy](view, legal, pick)


def _random(view: Mapping[str, Any], legal: Sequence[Move], pick: Pick) -> Move:
    """Passes three times in four where it may, else bids the least it may; plays any legal card."""
    if legal[0]["type"] == "play":
        return legal[pick(len(legal))]
    bids = [move for move in legal if move["type"] == "bid"]
    may_pass = len(bids) < len(legal)
    return legal[0] if not bids or (may_pass and pick(4)) else bids[0]


def _simple(view: Mapping[str, Any], legal: Sequence[Move], pick: Pick) -> Move:
    """Bids what its best suit is worth; then takes what counts and keeps out of what does not."""
    if legal[0]["type"] != "play":
        return _bid(view, legal)
    cards: list[Card] = [move["card"] for move in legal]
    card = _follow(view, cards) if view["hand"]["trick"]["plays"] else _lead(view, cards)
    return {"type": "play", "card": card}


STRATEGIES: dict[str, Callable[[Mapping[str, Any], Sequence[Move], Pick], Move]] = {
    "random": _random,
    "simple": _simple,
}
"""The strategies a table may seat, by name."""


def _place(card: Card) -> int:
    return RANKS.index(RANK[card]) if RANK[card] in RANKS else -1


def _worth(cards: Sequence[Card], suit: Suit) -> float:
    """About how many points the cards win with `suit` as trump."""
    ranks = [RANK[card] for card in cards if SUIT[card] == suit]
    top = sum({"A": 1.2, "K": 0.8, "Q": 0.4, "J": 0.5}.get(rank, 0.0) for rank in ranks)
    sides = sum({"A": 0.25, "K": 0.1}.get(RANK[card], 0.0) for card in cards if SUIT[card] != suit)
    return top + sides + 0.25 * (len(ranks) - 1) + 0.2 * ("10" in ranks)


def _best_suit(cards: Sequence[Card]) -> Suit | None:
    suits = sorted({suit for card in cards if (suit := SUIT[card]) is not None})
    return max(suits, key=lambda suit: _worth(cards, suit), default=None)


def _bid(view: Mapping[str, Any], legal: Sequence[Move]) -> Move:
    """The least bid there is, as long as the cards are worth it."""
    cards: list[Card] = view["you"]["cards"] or []
    suit = _best_suit(cards)
    worth = 0.0 if suit is None else _worth(cards, suit)
    bids = [move for move in legal if move["type"] == "bid"]
    good = [move for move in bids if move["bid"] <= worth + 0.2]
    return good[0] if good else legal[0]


def _lead(view: Mapping[str, Any], cards: Sequence[Card]) -> Card:
    """High trumps first, which bring home what is smaller; then a high card, else the least one."""
    trump: Suit | None = view["hand"]["trump"] or _best_suit(cards)
    trumps = sorted((card for card in cards if SUIT[card] == trump), key=_place)
    pitching = view["hand"]["trump"] is None
    if trumps and (pitching or RANK[trumps[-1]] in ("A", "K", "Q")):
        return trumps[-1]
    aces = [card for card in cards if RANK[card] == "A"]
    return aces[0] if aces else min(cards, key=lambda card: _cost(card, trump))


def _cost(card: Card, trump: Suit | None) -> tuple[int, int]:
    """How unwilling it is to lose `card`: what it counts, more for a trump, the jack and the lowest above all."""
    counts = COUNT.get(RANK[card], 0)
    if SUIT[card] == trump:
        counts += {"J": 14, "2": 8, "3": 6}.get(RANK[card], 5)
    return counts, _place(card)


def _follow(view: Mapping[str, Any], cards: Sequence[Card]) -> Card:
    """The cheapest card that takes a trick worth taking, the dearest that is safe when last; else the least card."""
    trick, trump = view["hand"]["trick"]["plays"], view["hand"]["trump"]
    table: list[Card] = [play["card"] for play in trick]
    best = max(_power(card, trump, SUIT[table[0]]) for card in table)
    takers = [card for card in cards if _power(card, trump, SUIT[table[0]]) > best]
    last = len(table) == len(view["seats"]) - 1
    if takers and last:
        return max(takers, key=lambda card: _cost(card, trump))
    at_stake = sum(_cost(card, trump)[0] for card in table)
    if takers and (at_stake >= 4 or view["hand"]["pitcher"] == view["you"]["seat"]):
        return max(takers, key=_place) if at_stake >= 8 else min(takers, key=lambda card: _cost(card, trump))
    return min(cards, key=lambda card: _cost(card, trump))


def _power(card: Card, trump: Suit | None, led: Suit | None) -> int:
    """How `card` stands in the trick; only comparisons mean anything."""
    suit = SUIT[card]
    return _place(card) + (200 if suit == trump else 100 if suit == led else 0)
