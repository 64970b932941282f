"""Draws worlds: the unseen cards dealt to the other seats as the bot can't rule out."""

from collections.abc import Callable, Iterable, Sequence

from domain.cards import Card, sort_cards
from domain.engine.discards import point_cards
from domain.engine.tricks import is_trump
from domain.state import State
from domain.struct import replace
from projections.bots.strong.knowledge import Knowledge

Draws = Callable[[range], list[int]]
"""Returns for each bound m of a range a random number from 0 to m - 1."""


def draw_world(known: Knowledge, draws: Draws) -> State:
    """Return the seat's state with the unseen cards dealt at random to the places that they can have.

    The number of cards of each seat is right, and no seat holds a card that it showed it doesn't have.
    """
    hand, pool = known.hand, shuffle(known.unseen, draws)
    pool = _without_buried(known, pool)
    dealt = _deal(known, pool)
    held = [sort_cards(dealt[seat]) if cards is None else cards for seat, cards in enumerate(hand.cards)]
    given = {card for cards in dealt.values() for card in cards}
    upcard = () if hand.upcard is None else (hand.upcard,)
    stock = (*upcard, *(card for card in pool if card not in given))[: hand.stock_left]
    return replace(known.state, hand=replace(hand, cards=tuple(held), stock=stock))


def shuffle(cards: Sequence[Card], draws: Draws) -> list[Card]:
    """Return `cards` in a random order."""
    order = list(cards)
    for at, other in zip(range(len(order) - 1, 0, -1), draws(range(len(order), 1, -1)), strict=True):
        order[at], order[other] = order[other], order[at]
    return order


def _without_buried(known: Knowledge, pool: list[Card]) -> list[Card]:
    """Return `pool` without the cards discarded face down: of no use as trumps or points, as far as there are any."""
    if not known.buried:
        return pool
    trump = known.hand.trump
    points = point_cards(known.rules, trump) if trump else frozenset[Card]()
    by_use = sorted(pool, key=lambda card: (card in points, is_trump(known.rules, trump, card)))
    buried = set(by_use[: known.buried])
    return [card for card in pool if card not in buried]


def _deal(known: Knowledge, pool: list[Card]) -> dict[int, list[Card]]:
    """Deal from `pool` to each seat whose cards are unknown. If a seat can't be dealt a card, others pass one on."""
    hand, impossible = known.hand, known.impossible
    places = [seat for seat, cards in enumerate(hand.cards) if cards is None for _ in range(hand.counts[seat])]
    places.sort(key=lambda seat: -len(impossible[seat]))
    taken: dict[Card, int] = {}
    _give_called(known, places, taken)
    for seat in places:
        card = next((card for card in pool if card not in taken and card not in impossible[seat]), None)
        if card is not None:
            taken[card] = seat
        elif not _pass_on(seat, pool, impossible, taken, set()):
            taken[next(card for card in pool if card not in taken)] = seat
    dealt: dict[int, list[Card]] = {seat: [] for seat, cards in enumerate(hand.cards) if cards is None}
    for card, seat in taken.items():
        dealt[seat].append(card)
    return dealt


def _give_called(known: Knowledge, places: list[int], taken: dict[Card, int]) -> None:
    """Give the called card to the partner that everybody knows."""
    partner, called = known.partner_with_called, known.hand.called
    if partner is not None and called is not None and partner in places:
        taken[called] = partner
        places.remove(partner)


def _pass_on(
    seat: int,
    pool: Iterable[Card],
    impossible: Sequence[frozenset[Card]],
    taken: dict[Card, int],
    tried: set[Card],
) -> bool:
    """Give `seat` a card that another seat was dealt, if that seat can be dealt another one; return whether it can."""
    for card in pool:
        if card in impossible[seat] or card in tried:
            continue
        tried.add(card)
        holder = taken.get(card)
        if holder is None or _pass_on(holder, pool, impossible, taken, tried):
            taken[card] = seat
            return True
    return False
