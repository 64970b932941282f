"""Between the auction and the play: trump named, a partner called and revealed, cards thrown away and drawn."""

from collections.abc import Iterator

from domain.cards import JOKERS, Card, Suit
from domain.events import (
    CardsBuried,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    PartnerCalled,
    PartnerRevealed,
    StockTaken,
    TrumpNamed,
)
from domain.rules.choices import Award, Call
from domain.rules.model import Rules
from replay.audit.play.auction import check_turn, side_lists, split_sides
from replay.audit.play.trumps import is_trump, scoring_card
from replay.fold import HandRead, Position


def _pitcher(hand: HandRead) -> int | None:
    return hand.won.seat if hand.won else None


def check_trump_named(position: Position, fact: TrumpNamed) -> Iterator[str]:
    """The pitcher names trump, once (R-C2)."""
    yield from check_turn(position, fact.seat)
    if fact.seat != _pitcher(position.live):
        yield f"seat {fact.seat} names trump and is not the pitcher"
    if position.live.trump is not None:
        yield f"trump is named although {position.live.trump} is trump already"


def check_partner_called(position: Position, fact: PartnerCalled) -> Iterator[str]:
    """The pitcher calls a card where a call is due, in the middle of a hand also out of turn (C13, R-C31)."""
    if fact.seat != _pitcher(position.live):
        yield f"seat {fact.seat} calls a partner and is not the pitcher"
    if not position.call_due:
        yield "a partner is called where no call is due"


def check_partner_revealed(position: Position, fact: PartnerRevealed) -> Iterator[str]:
    """Who holds the called card, or has just played it, is the partner; nobody else, and not the pitcher (R-C30)."""
    hand, pitcher = position.live, _pitcher(position.live)
    if (fact.bidder, fact.card) != (pitcher, hand.called):
        yield f"it reveals who holds {fact.card} for seat {fact.bidder} where seat {pitcher} called {hand.called}"
    if fact.seat == fact.bidder:
        yield "the pitcher is made his own partner"
    side = (fact.bidder,) if fact.seat is None else (fact.bidder, fact.seat)
    if fact.sides != (sides := split_sides(side, position.seats)):
        yield f"its sides are {side_lists(fact.sides)} and should be {side_lists(sides)}"
    holder = _holder(position, hand, fact.card)
    if len(hand.cards) == position.seats and fact.seat != (holder if holder != pitcher else None):
        yield f"it names {_seat(fact.seat)} as the holder of {fact.card}, which {_seat(holder)} holds"


def _holder(position: Position, hand: HandRead, card: Card) -> int | None:
    """Who has the card in hand; a secret call is told as it falls, or after the last trick."""
    on_table = hand.table if position.rules.call is Call.SECRET else ()
    laid = [play.seat for play in on_table if play.card == card]
    return next((seat for seat, held in hand.cards.items() if card in held), laid[0] if laid else None)


def _seat(seat: int | None) -> str:
    return "nobody" if seat is None else f"seat {seat}"


def check_cards_discarded(position: Position, fact: CardsDiscarded) -> Iterator[str]:
    """As many as must go at least, the pitcher no more; only his trumps lie open (R-C48)."""
    hand, rules, bidding = position.live, position.rules, fact.seat == _pitcher(position.live)
    yield from check_turn(position, fact.seat)
    if fact.seat in hand.discarded:
        yield f"seat {fact.seat} throws cards away for the second time"
    left, most = hand.counts[fact.seat] - fact.count, min(rules.kept_cards, hand.counts[fact.seat])
    if not 0 <= left <= most or fact.count < len(fact.shown) or (bidding and left != most):
        yield f"seat {fact.seat} throws {fact.count} of {hand.counts[fact.seat]} cards away, to come down to {left}"
    if any(card not in hand.cards.get(fact.seat, fact.shown) for card in fact.shown):
        yield f"seat {fact.seat} throws a card away that it does not hold"
    if fact.shown and (not bidding or any(not is_trump(rules, hand.trump, card) for card in fact.shown)):
        yield "cards are thrown openly that are not trumps of the pitcher"
    yield from _points_thrown(position, hand, fact.seat, fact.shown)


def check_cards_buried(position: Position, fact: CardsBuried) -> Iterator[str]:
    """The rest of what was thrown, out of the seat's own hand; none of it a trump of the pitcher."""
    hand = position.live
    if fact.n != hand.dealt.n or (hand.discarded[-1:] != (fact.seat,)):
        yield f"seat {fact.seat} buries cards of ceremony {fact.n} out of its turn"
    if len(fact.cards) != hand.unburied or len(set(fact.cards)) < len(fact.cards):
        yield f"seat {fact.seat} buries {len(fact.cards)} cards where {hand.unburied} were thrown face down"
    if any(card not in hand.cards.get(fact.seat, fact.cards) for card in fact.cards):
        yield f"seat {fact.seat} buries a card that it does not hold"
    if fact.seat == _pitcher(hand) and any(is_trump(position.rules, hand.trump, card) for card in fact.cards):
        yield "the pitcher buries a trump, which must be thrown openly"
    yield from _points_thrown(position, hand, fact.seat, fact.cards)


def _points_thrown(position: Position, hand: HandRead, seat: int, thrown: tuple[Card, ...]) -> Iterator[str]:
    """No point card goes while other cards are kept; more of them than can be kept leave as many (R-C3, R-C48)."""
    held = hand.cards.get(seat)
    if held is None or hand.trump is None:
        return
    points = point_cards(position.rules, hand.trump)
    going, kept = points & set(thrown), [card for card in held if card in points and card not in thrown]
    if going and len(kept) < min(position.rules.kept_cards, len(going) + len(kept)):
        yield f"seat {seat} throws away {' '.join(sorted(going))}, which scores and could be kept"


def point_cards(rules: Rules, trump: Suit) -> set[Card]:
    """The cards that score by name in the version in force; high, low and game name none (R-C48)."""
    cards = set[Card]()
    for point in rules.points:
        if point.award is Award.CARD:
            cards.add(scoring_card(point, trump))
        elif point.award in (Award.JOKERS, Award.FIRST_JOKER):
            cards.update(JOKERS)
    return cards


def check_cards_drawn(position: Position, fact: CardsDrawn) -> Iterator[str]:
    """Who threw cards away fills up to as many as are kept (R-C48)."""
    hand = position.live
    wants = min(position.rules.kept_cards - hand.counts[fact.seat], hand.stock_left)
    if fact.seat == _pitcher(hand) or hand.discarded[-1:] != (fact.seat,):
        yield f"seat {fact.seat} draws and has not just thrown cards away"
    if fact.count != wants:
        yield f"seat {fact.seat} draws {fact.count} cards where {wants} fill it up"


def check_stock_taken(position: Position, fact: StockTaken) -> Iterator[str]:
    """The pitcher takes all the rest (R-C2)."""
    hand = position.live
    if fact.seat != _pitcher(hand):
        yield f"seat {fact.seat} takes the stock and is not the pitcher"
    if fact.count != hand.stock_left:
        yield f"{fact.count} cards are taken where {hand.stock_left} are left in the stock"


def check_cards_taken(position: Position, fact: CardsTaken) -> Iterator[str]:
    """Just those at the front of the stock."""
    hand = position.live
    if fact.n != hand.dealt.n or len(fact.cards) != hand.untaken:
        yield f"{len(fact.cards)} cards of ceremony {fact.n} are taken where {hand.untaken} are due from the stock"
    if hand.stock is not None and fact.cards != hand.stock[: len(fact.cards)]:
        yield f"seat {fact.seat} takes cards that are not the front of the stock"
