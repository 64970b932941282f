"""How every seat plays inside a world: simple rules on its own cards and the trick, fast enough to play thousands."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.cards import JOKERS, RANK, Card, Suit
from domain.engine.tricks import strengths, trumps
from domain.memo import memoize_by_identity
from domain.rules.choices import Award, Tally
from domain.rules.model import Point, Rules
from projections.bots.pitched_trump import best_suit, card_count
from projections.bots.strong.playout import CardPlay

_EXACT = Tally.EXACT
_TOP = 3
"""How many of the highest trumps count as likely to take a trick."""
_TRUMP_COST = 0.3
"""The worth of a trump besides its points: it can take a trick."""
_LOW = (0.6, 0.3)
"""How likely the lowest trump is the lowest in play, and the one above it."""
_WORTH_TAKING, _WORTH_MOST = 0.25, 0.6
"""The points in a trick from which it's worth a cheap card, and the best one."""


class Values(NamedTuple):
    """The worth of cards under one trump suit."""

    stake: dict[Card, float]
    """The points on each card, on average."""
    cost: dict[Card, float]
    """The cost of losing the card, a little more for a higher one."""
    top: frozenset[Card]
    """The highest trumps."""


@memoize_by_identity
def _values_by_trump(rules: Rules) -> dict[Suit | None, Values]:
    return {}


def values(rules: Rules, trump: Suit | None) -> Values:
    """Return what each card is worth with `trump`."""
    known = _values_by_trump(rules)
    if trump not in known:
        known[trump] = _values(rules, trump)
    return known[trump]


def _values(rules: Rules, trump: Suit | None) -> Values:
    stake = dict.fromkeys(rules.deck, 0.0)
    order = trumps(rules, trump) if trump else ()
    for point in rules.points if trump else ():
        for card, worth in _worths(rules, trump, order, point):
            if card in stake:  # it may be out of the deck
                stake[card] += worth * point.worth
    strength = strengths(rules, trump, None, None)
    cost = {card: stake[card] + _TRUMP_COST * (card in order) + strength.get(card, 0) / 10_000 for card in stake}
    return Values(stake, cost, frozenset(order[-_TOP:]))


def _worths(rules: Rules, trump: Suit | None, order: Sequence[Card], point: Point) -> Iterable[tuple[Card, float]]:
    """Return the cards that bring a point, and how likely each does."""
    match point.award:
        case Award.CARD if trump:
            return [(point.card(trump), 1.0)]
        case Award.JOKERS | Award.FIRST_JOKER:
            return [(joker, 1.0) for joker in JOKERS]
        case Award.HIGHEST:
            return [(order[-1], 1.0)]
        case Award.LOWEST if rules.dirty:
            return zip([card for card in order if RANK[card] != "X"], _LOW, strict=False)
        case Award.COUNT:
            return [(card, card_count(rules, card) / 20) for card in rules.deck]
        case _:
            return ()


def choose_card(play: CardPlay, seat: int, legal: Sequence[Card]) -> Card:
    """Choose a card for `seat`, which knows its own cards, the trick, and the sides."""
    if play.rules.tally is _EXACT:
        return _exact(play, seat, legal)
    return _follow(play, seat, legal) if play.plays else _lead(play, seat, legal)


def _lead(play: CardPlay, seat: int, legal: Sequence[Card]) -> Card:
    """Lead a top trump, else an ace, else the cheapest card; the first lead is the best suit's highest card."""
    strength = play.strength()
    if play.trump is None and not play.gathered:
        suit = best_suit(legal)
        return max((card for card in legal if card.endswith(suit or "")), key=strength.__getitem__)
    best = max(legal, key=strength.__getitem__)
    worth = values(play.rules, play.trump)
    if best in worth.top:
        return best
    aces = [card for card in legal if RANK[card] == "A"]
    return aces[0] if aces else min(legal, key=worth.cost.__getitem__)


def _follow(play: CardPlay, seat: int, legal: Sequence[Card]) -> Card:
    """Take a valuable trick, give a partner's trick points, else lose the cheapest card."""
    strength, worth = play.strength(), values(play.rules, play.trump)
    cost = worth.cost.__getitem__
    best = max(play.plays, key=lambda each: strength[each.card])
    own = next((side for side in play.sides if seat in side), (seat,))
    rivals = _rivals_to_come(play, seat, own)
    if best.seat in own and (not rivals or best.card in worth.top):
        return max(legal, key=lambda card: -1.0 if card in worth.top else worth.stake[card])
    takers = [card for card in legal if strength[card] > strength[best.card]]
    if not takers or best.seat in own:
        return min(legal, key=cost)
    if not rivals:
        return max(takers, key=cost)
    stake = sum([worth.stake[each.card] for each in play.plays])
    if stake >= _WORTH_MOST:
        return max(takers, key=strength.__getitem__)
    if stake >= _WORTH_TAKING or seat == play.hand.pitcher:
        return min(takers, key=cost)
    return min(legal, key=cost)


def _rivals_to_come(play: CardPlay, seat: int, own: Sequence[int]) -> bool:
    """Return whether another side still plays to this trick."""
    seats = len(play.cards)
    to_come = (play.lead - seat - 1) % seats
    return any((seat + turn) % seats not in own and play.cards[(seat + turn) % seats] for turn in range(1, to_come + 1))


def _exact(play: CardPlay, seat: int, legal: Sequence[Card]) -> Card:
    """Take tricks while the bid needs them, then avoid them with the highest card that loses."""
    strength = play.strength().__getitem__
    needs = (play.hand.bids[seat] or 0) - play.tricks[seat]
    if not play.plays:
        return max(legal, key=strength) if needs > 0 else min(legal, key=strength)
    best = max([strength(each.card) for each in play.plays])
    takers = [card for card in legal if strength(card) > best]
    last = len(play.plays) == len(play.cards) - 1
    if needs > 0:
        if not takers:
            return min(legal, key=strength)
        return min(takers, key=strength) if last else max(takers, key=strength)
    losers = [card for card in legal if strength(card) <= best]
    if losers:
        return max(losers, key=strength)
    return max(takers, key=strength) if last else min(takers, key=strength)
