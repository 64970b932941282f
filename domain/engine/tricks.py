"""Playing to a trick: which cards are trumps, how cards rank, which cards can be played, and who takes it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from domain.cards import JOKERS, OFF_SUIT, RANK, SUIT, Card, Rank, Suit
from domain.events import Play
from domain.memo import memoize_by_identity
from domain.rules.choices import Follow, Jokers, OpeningLead, Quirk
from domain.rules.model import Rules

SUIT_LED, TRUMPS_ONLY = Follow.SUIT, Follow.TRUMPS_ONLY
ANY_LEAD, TRUMP_LEAD = OpeningLead.ANY, OpeningLead.TRUMP
"""Read off the enums once, because every card needs them and an enum lookup is slow."""


@lru_cache(maxsize=256)
def suit_by_card(off: tuple[Rank, ...], trump: Suit | None) -> dict[Card, Suit | None]:
    """Return the suit of each card in play: jokers and off cards that count are trumps (R-C11, R-C52)."""
    if trump is None:
        return SUIT
    offs = {Card(rank + OFF_SUIT[trump]) for rank in off}
    return {card: trump if card in offs or suit is None else suit for card, suit in SUIT.items()}


def is_trump(rules: Rules, trump: Suit | None, card: Card) -> bool:
    """Return whether `card` is a trump in the version in force; without a trump suit no card is."""
    return trump is not None and suit_by_card(rules.off, trump)[card] == trump


class Ranking(NamedTuple):
    """Everything that the order of cards depends on."""

    ranks: tuple[Rank, ...]
    off: tuple[Rank, ...]
    reverse: bool
    joker_order: Jokers
    removed: tuple[Card, ...]
    trump: Suit | None
    first_joker: Card | None


def _ranking(rules: Rules, trump: Suit | None, first_joker: Card | None) -> Ranking:
    return Ranking(rules.ranks, rules.off, rules.reverse, rules.joker_order, rules.removed, trump, first_joker)


def trumps(rules: Rules, trump: Suit, first_joker: Card | None = None) -> tuple[Card, ...]:
    """Return every trump in the deck, the lowest first (R-C11, R-C13, R-C15)."""
    return _trumps_in_order(_ranking(rules, trump, first_joker))


@lru_cache(maxsize=512)
def _trumps_in_order(order: Ranking) -> tuple[Card, ...]:
    cards = (card for rank in _low_to_high(order) for card in _trumps_of_rank(order, rank))
    return tuple(card for card in cards if card not in order.removed)


def _low_to_high(order: Ranking) -> tuple[Rank, ...]:
    return order.ranks[::-1] if order.reverse else order.ranks


def _trumps_of_rank(order: Ranking, rank: Rank) -> Iterator[Card]:
    """Yield the trumps of one rank, the lower first: an off card ranks below its on card, reversed or not (C27)."""
    if order.trump is None:
        return
    if rank == "X":
        first = order.first_joker or JOKERS[0]
        yield from sorted(JOKERS, key=lambda joker: (joker == first) is _is_first_high(order))
        return
    if rank in order.off:
        yield Card(rank + OFF_SUIT[order.trump])
    yield Card(rank + order.trump)


def _is_first_high(order: Ranking) -> bool:
    """Return whether the first joker on the table is the higher one (R-C15)."""
    if order.joker_order is Jokers.MARKED:
        return order.first_joker != JOKERS[1]
    if order.joker_order is Jokers.SECOND_HIGH:
        return False
    return order.joker_order is Jokers.FIRST_HIGH or not order.reverse


@lru_cache(maxsize=1024)
def _strengths(order: Ranking, led: Suit | None) -> dict[Card, int]:
    """Return each card's strength in a trick, only for comparison: trumps above the suit led above the rest."""
    place = {rank: at for at, rank in enumerate(_low_to_high(order))}
    strength = {card: place[RANK[card]] + 100 * (suit == led) for card, suit in SUIT.items() if RANK[card] in place}
    return strength | {card: 200 + at for at, card in enumerate(_trumps_in_order(order))}


@memoize_by_identity
def _strengths_by_lead(rules: Rules) -> dict[tuple[Suit | None, Card | None, Suit | None], dict[Card, int]]:
    """Cache the strengths used under these rules by trump suit, first joker, and suit led."""
    return {}


def strengths(rules: Rules, trump: Suit | None, first_joker: Card | None, led: Suit | None) -> dict[Card, int]:
    """Return each card's strength in a trick to which a card of the suit `led` was led; the strongest takes it."""
    cache, key = _strengths_by_lead(rules), (trump, first_joker, led)
    strength = cache.get(key)
    if strength is None:
        strength = cache[key] = _strengths(_ranking(rules, trump, first_joker), led)
    return strength


def taker(rules: Rules, plays: Sequence[Play], trump: Suit | None, first_joker: Card | None = None) -> int:
    """Return the seat that takes the trick: highest trump, else highest of the suit led (S37, B22, R-C55)."""
    strength = strengths(rules, trump, first_joker, SUIT[plays[0].card])
    best, seat = -1, plays[0].seat
    for play in plays:
        if strength[play.card] > best:
            best, seat = strength[play.card], play.seat
    return seat


def legal_cards(rules: Rules, cards: Sequence[Card], trump: Suit | None, led: Card | None) -> tuple[Card, ...]:
    """Return the `cards` that can be played: any to lead (R-S7, R-S9), else the suit led, or a trump if rules allow.

    If trump is led, a seat follows if it can (S34, R-S8). If a plain suit is led, it can play a trump even if it could
    follow (S35). A seat that can't follow plays any card (S36). If only trumps are played, the result can be () (R-C9).
    """
    suits = suit_by_card(rules.off, trump)
    if rules.follow is TRUMPS_ONLY:
        return tuple([card for card in cards if suits[card] == trump])
    if led is None:
        return tuple(cards)
    suit = suits[led]
    following = [card for card in cards if suits[card] == suit]
    if not following:
        return tuple(cards)
    if rules.follow is SUIT_LED or suit == trump:
        return tuple(following)
    return tuple([card for card in cards if suits[card] in (suit, trump)])


def cards_to_lead(rules: Rules, cards: Sequence[Card], trump: Suit | None, *, opening: bool) -> tuple[Card, ...]:
    """Return the `cards` that can be led; the `opening` lead after trump was named may have to be a trump (R-C10)."""
    if opening and rules.opening_lead is not ANY_LEAD:
        led = tuple([card for card in cards if is_trump(rules, trump, card)])
        if led or rules.opening_lead is TRUMP_LEAD:
            return led
    return legal_cards(rules, cards, trump, None)


def kept_plays(rules: Rules, plays: Sequence[Play], trump: Suit | None) -> tuple[Play, ...]:
    """Return the plays of a trick whose cards stay with the seats that played them (C23, C26, R-C56)."""
    if rules.dirty or not rules.keeps or trump is None:
        return ()
    rank = _kept_rank(rules)
    low = {Card(rank + trump)} | ({Card(rank + OFF_SUIT[trump])} if rank in rules.off else set())
    return tuple(play for play in plays if play.card in low)


@memoize_by_identity
def _kept_rank(rules: Rules) -> Rank:
    """Return the lowest rank, in reverse the highest: not the joker's, which has no off card (H6)."""
    ranks = rules.ranks if Quirk.LOW_JOKER in rules.quirks else [rank for rank in rules.ranks if rank != "X"]
    return ranks[-1] if rules.reverse else ranks[0]
