"""The simple bot in games of exact bids: only the exact number of tricks scores (Blackout)."""

from collections.abc import Iterable, Mapping, Sequence

from domain.cards import Card, Suit
from domain.engine.tricks import suit_by_card, taker
from domain.events import Play
from domain.memo import memoize_by_identity
from domain.rules.model import Rules
from domain.state import clockwise
from projections.bots.bot_view import BotView, Move


@memoize_by_identity
def _suits_by_trump(rules: Rules) -> dict[Suit | None, dict[Card, list[Card]]]:
    return {}


def suits_in_play(rules: Rules, trump: Suit | None) -> dict[Card, list[Card]]:
    """Return for each card of the deck the cards of its suit; off cards and jokers are trumps."""
    known = _suits_by_trump(rules)
    if trump not in known:
        suits = suit_by_card(rules.off, trump)
        known[trump] = {card: [each for each in rules.deck if suits[each] == suits[card]] for card in rules.deck}
    return known[trump]


def bid(view: BotView) -> Move:
    """Return the legal bid nearest to the number of tricks that the cards should take."""
    tricks = _hidden_card_chance(view) if view.json["you"]["cards"] is None else expected_tricks(view, view.cards)
    return min(view.bids, key=lambda move: (abs(move["bid"] - tricks), -move["bid"]))


def expected_tricks(view: BotView, cards: Iterable[Card]) -> float:
    """Estimate how many tricks these cards take."""
    return sum(_chance(view, card) for card in cards)


def _chance(view: BotView, card: Card) -> float:
    return trick_chance(view.rules, card, view.cards, view.strengths, view.trump)


def trick_chance(
    rules: Rules, card: Card, own: Sequence[Card], strengths: Mapping[Card, int], trump: Suit | None
) -> float:
    """Estimate the probability that `card` takes a trick, fitted to 400 games of this bot (bench/results.md).

    A trump becomes weaker with each higher trump that may be out, and with the number of cards dealt. A card of another
    suit must be led and must not be trumped.
    """
    suit, strength = suits_in_play(rules, trump)[card], strengths[card]
    higher = sum([strengths[each] > strength and each not in own for each in suit])
    if trump is not None and suit_by_card(rules.off, trump)[card] == trump:
        return max(0.0, 1 - 0.02 * len(own) - 0.075 * higher) if higher else 1.0
    if higher:
        return float(0.42 * (0.67 if trump else 0.76) ** (higher - 1))
    if trump is None:
        return 1.0
    length = sum([each in own for each in suit])
    return min(1.0, 0.4 + 0.06 * len(own) - 0.08 * length)


def _hidden_card_chance(view: BotView) -> float:
    """Return the probability that the one hidden card takes the trick, given the others' cards (B18).

    Of several hidden cards, count on an even share.
    """
    sees: dict[str, list[Card]] = view.json["you"]["sees"]
    count: int = view.json["seats"][view.seat]["count"]
    if count != 1:
        return count / len(view.json["seats"])
    known = {card for cards in sees.values() for card in cards} | {view.hand["upcard"]}
    unseen = [card for card in view.rules.deck if card not in known]
    return sum(_would_take(view, card, sees) for card in unseen) / len(unseen)


def _would_take(view: BotView, card: Card, sees: dict[str, list[Card]]) -> bool:
    order = clockwise(view.hand["eldest"], len(view.json["seats"]))
    plays = [Play(seat, card if seat == view.seat else sees[str(seat)][0]) for seat in order]
    return taker(view.rules, plays, view.trump) == view.seat


def card(view: BotView) -> Card:
    """Take tricks while the bid needs them, then avoid them."""
    cards = sorted(view.playable, key=lambda card: (_chance(view, card), view.strengths[card]))
    promised = view.hand["bids"][view.seat]
    needs = promised - view.json["seats"][view.seat]["tricks"]
    if not view.plays:
        return cards[-1] if needs > 0 else cards[0]
    takers = [card for card in cards if view.would_take(card)]
    losers = [card for card in cards if card not in takers]
    if needs > 0:
        return _take(view, needs, takers) if takers else _throw_away(view, needs, cards)
    if losers:
        return losers[-1]
    return takers[0] if view.seats_to_come else takers[-1]


def _take(view: BotView, needs: int, takers: list[Card]) -> Card:
    """Take with the highest card; if last to play, with the lowest, unless there are too many strong cards."""
    if view.seats_to_come:
        return max(takers, key=view.strengths.__getitem__)
    return takers[-1] if expected_tricks(view, view.cards) > needs + 1 else takers[0]


def _throw_away(view: BotView, needs: int, cards: list[Card]) -> Card:
    """Throw away the card least likely to take a trick, or the most likely if there are too many of those."""
    return cards[-1] if expected_tricks(view, view.cards) > needs + 1 else cards[0]
