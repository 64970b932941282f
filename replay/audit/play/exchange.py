"""Checks between auction and play: naming trump, calling and revealing a partner, discarding and drawing cards."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.cards import JOKERS, SUITS, Card, Suit
from domain.events import (
    CardsBuried,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    Event,
    PartnerCalled,
    PartnerRevealed,
    StockTaken,
    TrumpNamed,
)
from domain.events.declaring import add_to
from domain.memo import memoize_by_identity
from domain.rules.choices import Award, Call, Fill, Quirk, Throw
from domain.rules.model import Rules
from replay.audit.play.auction import check_turn, side_lists, split_sides
from replay.audit.play.checking import CHECKS, checks
from replay.audit.play.trumps import is_trump, scoring_card, trump_cards
from replay.audit.play.turns import stock_taker
from replay.fold import HandRead, Position
from replay.fold.position import EVERYBODY_DISCARDS

KITTIES = (Fill.KITTY, Fill.KITTY_AND_DRAW)
"""The uses of the stock for which the pitcher takes a kitty before they name trump."""
_NOTHING: frozenset[str] = frozenset()
_BURIED, _TAKEN, _DRAWN, _STOCK = (
    frozenset({name}) for name in ("CardsBuried", "CardsTaken", "CardsDrawn", "StockTaken")
)


def _pitcher(hand: HandRead) -> int | None:
    return hand.won.seat if hand.won else None


@checks(TrumpNamed)
def check_trump_named(position: Position, fact: TrumpNamed) -> Iterator[str]:
    """Check that the pitcher names trump, and only once (R-C2)."""
    yield from check_turn(position, fact.seat)
    if fact.seat != _pitcher(position.live):
        yield f"seat {fact.seat} names trump, but is not the pitcher"
    if position.live.trump is not None:
        yield f"trump is named, but {position.live.trump} is trump already"


@add_to(CHECKS, PartnerCalled)
def _check_call(position: Position, event: Event[Any], _: object) -> Iterator[str]:
    yield from check_partner_called(position, event.data)
    if event.v > 1:
        yield from check_turn_after_call(position, event.data)


def check_partner_called(position: Position, fact: PartnerCalled) -> Iterator[str]:
    """Check that the pitcher calls a card when a call is due, during play also out of turn (C13, R-C31)."""
    if fact.seat != _pitcher(position.live):
        yield f"seat {fact.seat} calls a partner, but is not the pitcher"
    if not position.call_due:
        yield "a partner is called, but no call is due"


def check_turn_after_call(position: Position, fact: PartnerCalled) -> Iterator[str]:
    """Check, from version 2 on, that the call ends the pitcher's turn exactly if the table waited for it (R-C31)."""
    awaited = position.phase in {"calling", "waiting"}
    if fact.begins_turn != awaited:
        says = "does not end" if awaited else "ends"
        yield f"the call {says} the turn, but the table {'waited' if awaited else 'did not wait'} for it"


@checks(PartnerRevealed)
def check_partner_revealed(position: Position, fact: PartnerRevealed) -> Iterator[str]:
    """Check that the partner holds the called card or has just played it, and isn't the pitcher (R-C30)."""
    hand, pitcher = position.live, _pitcher(position.live)
    if (fact.bidder, fact.card) != (pitcher, hand.called):
        call = f"{_seat(pitcher)} called {hand.called or 'no card'}"
        yield f"the holder of {fact.card} is revealed for seat {fact.bidder}, but {call}"
    if fact.seat == fact.bidder:
        yield "the pitcher becomes their own partner"
    side = (fact.bidder,) if fact.seat is None else (fact.bidder, fact.seat)
    if fact.sides != (sides := split_sides(side, position.seats)):
        yield f"the sides are {side_lists(fact.sides)}, but should be {side_lists(sides)}"
    holder = _holder(position, hand, fact.card)
    if len(hand.cards) == position.seats and fact.seat != (holder if holder != pitcher else None):
        yield f"{_seat(fact.seat)} is named as the holder of {fact.card}, but {_seat(holder)} holds it"


def _holder(position: Position, hand: HandRead, card: Card) -> int | None:
    """Return the seat that holds the card, or for a secret call also the seat that played it to the open trick."""
    on_table = hand.table if position.rules.call is Call.SECRET else ()
    players = [play.seat for play in on_table if play.card == card]
    return next((seat for seat, held in hand.cards.items() if card in held), players[0] if players else None)


def _seat(seat: int | None) -> str:
    return "nobody" if seat is None else f"seat {seat}"


@checks(CardsDiscarded)
def check_cards_discarded(position: Position, fact: CardsDiscarded) -> Iterator[str]:
    """Check the number of discards, and that the face-up ones are trumps that must be shown (R-C48)."""
    hand, rules = position.live, position.rules
    yield from check_turn(position, fact.seat)
    if fact.seat in hand.discarded:
        yield f"seat {fact.seat} discards for the second time"
    yield from _check_number(position, hand, fact)
    if any(card not in hand.cards.get(fact.seat, fact.shown) for card in fact.shown):
        yield f"seat {fact.seat} discards a card that it does not hold"
    if fact.shown and not _shows_trumps(position, hand, fact.seat):
        yield f"seat {fact.seat} discards cards face up, but must show none"
    if any(not is_trump(rules, hand.trump, card) for card in fact.shown):
        yield "cards are discarded face up that are not trumps"
    if fact.count == len(fact.shown):
        yield from _check_thrown(position, hand, fact.seat, hand.cards.get(fact.seat), fact.shown)


def _shows_trumps(position: Position, hand: HandRead, seat: int) -> bool:
    """Tell whether a seat shows the trumps that it throws (R-C48)."""
    return position.rules.throw is Throw.TRUMPS_STAY or seat == stock_taker(position, hand)


def _check_number(position: Position, hand: HandRead, fact: CardsDiscarded) -> Iterator[str]:
    """Check that the number is the surplus, or for a seat that may throw more, not less than it nor more than allowed.

    The seat that takes the stock throws its surplus, and so does each seat after a kitty without a draw.
    """
    rules, held = position.rules, hand.counts[fact.seat]
    surplus = max(0, held - rules.kept_cards)
    exact = fact.seat == stock_taker(position, hand) or rules.fill is Fill.KITTY
    limit = held if rules.most_thrown is None else min(held, rules.most_thrown)
    most = surplus if exact else max(surplus, limit)
    if not surplus <= fact.count <= most or fact.count < len(fact.shown):
        may_throw = f"must throw {surplus}" if exact else f"may throw {surplus} to {most}"
        discards = f"discards {fact.count} of {held} cards, {len(fact.shown)} face up"
        yield f"seat {fact.seat} {discards}, but {may_throw}"


@checks(CardsBuried)
def check_cards_buried(position: Position, fact: CardsBuried) -> Iterator[str]:
    """Check that the face-down discards come from the seat's hand, and aren't trumps that must be shown."""
    hand = position.live
    if fact.n != hand.dealt.n or (hand.discarded[-1:] != (fact.seat,)):
        yield f"seat {fact.seat} buries cards of ceremony {fact.n}, but it has not just discarded from that deal"
    if len(fact.cards) != hand.unburied or len(set(fact.cards)) < len(fact.cards):
        yield f"seat {fact.seat} buries {len(fact.cards)} cards, but discarded {hand.unburied} different ones face down"
    held = hand.cards.get(fact.seat)
    if held is not None and any(card not in held for card in fact.cards):
        yield f"seat {fact.seat} buries a card that it does not hold"
    is_open = _shows_trumps(position, hand, fact.seat)
    if is_open and any(is_trump(position.rules, hand.trump, card) for card in fact.cards):
        yield f"seat {fact.seat} buries a trump, which must be discarded face up"
    before = None if held is None else (*hand.shown, *held)
    yield from _check_thrown(position, hand, fact.seat, before, (*hand.shown, *fact.cards))


def _check_thrown(
    position: Position, hand: HandRead, seat: int, held: Sequence[Card] | None, thrown: Sequence[Card]
) -> Iterator[str]:
    """Check a whole discard from the cards `held`: no card is thrown that must stay and could (R-C3, R-C48)."""
    rules = position.rules
    called = {hand.called} if _keeps_called_card(rules, hand, seat) else set[Card | None]()
    if called & set(thrown):
        yield f"seat {seat} discards {hand.called}, the called card"
    if held is None or hand.trump is None:
        return
    trumps, points = trump_cards(rules.off, hand.trump), point_cards(rules, hand.trump)
    stays = points if rules.throw is Throw.POINTS_STAY else trumps
    yield from _check_stay(rules, seat, held, thrown, {card for card in held if card in stays or card in called})
    if rules.throw is Throw.TRUMPS_STAY and sum(card in trumps or card in called for card in held) > rules.kept_cards:
        first = {card for card in held if (card in trumps and card in points) or card in called}
        yield from _check_stay(rules, seat, held, thrown, first)
        if len(held) - len(thrown) != rules.kept_cards:
            yield f"seat {seat} must keep {rules.kept_cards} cards, as it holds more trumps"


def _keeps_called_card(rules: Rules, hand: HandRead, seat: int) -> bool:
    """Tell whether a seat must keep the called card if it holds it."""
    return hand.called is not None and seat != _pitcher(hand) and Quirk.CALLED_CARD_THROWN not in rules.quirks


def _check_stay(
    rules: Rules, seat: int, held: Sequence[Card], thrown: Sequence[Card], stay: set[Card]
) -> Iterator[str]:
    """Check that as many cards of `stay` are kept as the seat can keep."""
    kept = [card for card in held if card in stay and card not in thrown]
    lost = stay.intersection(thrown)
    if lost and len(kept) < min(rules.kept_cards, len(stay)):
        why = "scores and" if rules.throw is Throw.POINTS_STAY else "must stay or be thrown last and"
        yield f"seat {seat} discards {' '.join(sorted(lost))}, which {why} could be kept"


def point_cards(rules: Rules, trump: Suit) -> frozenset[Card]:
    """Return the cards that the points of the version in force name; high, low and game name no card (R-C48)."""
    return _point_cards_by_trump(rules)[trump]


@memoize_by_identity
def _point_cards_by_trump(rules: Rules) -> dict[Suit, frozenset[Card]]:
    jokers = JOKERS if any(point.award in (Award.JOKERS, Award.FIRST_JOKER) for point in rules.points) else ()
    named = [point for point in rules.points if point.award is Award.CARD]
    return {trump: frozenset([*jokers, *(scoring_card(point, trump) for point in named)]) for trump in SUITS}


@checks(CardsDrawn)
def check_cards_drawn(position: Position, fact: CardsDrawn) -> Iterator[str]:
    """Check that a seat that has just discarded draws up to a full hand, or what is left (R-C48)."""
    hand = position.live
    due = min(position.rules.kept_cards - hand.counts[fact.seat], hand.stock_left)
    if fact.seat == stock_taker(position, hand) or hand.discarded[-1:] != (fact.seat,):
        yield f"seat {fact.seat} draws, but takes the stock or has not just discarded"
    if fact.count != due:
        yield f"seat {fact.seat} draws {fact.count} cards, but should draw {due}"


@checks(StockTaken)
def check_stock_taken(position: Position, fact: StockTaken) -> Iterator[str]:
    """Check that the right seat takes the kitty, or the whole rest of the stock (R-C2)."""
    hand, rules = position.live, position.rules
    if fact.seat != (seat := stock_taker(position, hand)):
        yield f"seat {fact.seat} takes the stock, but seat {seat} must"
    due = min(rules.kitty, hand.stock_left) if rules.fill in KITTIES else hand.stock_left
    if fact.count != due:
        yield f"{fact.count} cards are taken from the {hand.stock_left} left in the stock, but {due} must be"


def exchange_facts_due(position: Position, hand: HandRead) -> frozenset[str]:
    """Return the fact due in the exchange: cards named, drawn by the thrower, or taken from the stock (R-C2)."""
    if hand.unburied:
        return _BURIED
    if hand.untaken is not None:
        return _TAKEN
    if hand.table or hand.takers or not hand.won:
        return _NOTHING
    if _draws(position, hand):
        return _DRAWN
    return _STOCK if hand.stock_left and _takes_stock(position, hand) else _NOTHING


def _draws(position: Position, hand: HandRead) -> bool:
    """Tell whether the seat that has just discarded draws: up to a full hand, but not the one that takes the stock."""
    rules = position.rules
    if rules.fill not in EVERYBODY_DISCARDS or not hand.discarded or hand.filled:
        return False
    seat, may_be_empty = hand.discarded[-1], hand.dealt.stock > 0 and Quirk.EMPTY_DRAWS in rules.quirks
    if seat == stock_taker(position, hand) or hand.counts[seat] >= rules.kept_cards:
        return False
    return may_be_empty or hand.stock_left > 0


def _takes_stock(position: Position, hand: HandRead) -> bool:
    """Tell whether the stock, or its kitty, is taken now."""
    match position.rules.fill:
        case Fill.KITTY | Fill.KITTY_AND_DRAW:
            return position.rules.kitty > 0 and hand.trump is None and hand.stock_left == hand.dealt.stock
        case Fill.PITCHER_TAKES:
            return position.phase in {"waiting", "play"}
        case Fill.DISCARD | Fill.DEALER:
            return set(range(position.seats)) - set(hand.discarded) == {stock_taker(position, hand)}
        case _:
            return False


@checks(CardsTaken)
def check_cards_taken(position: Position, fact: CardsTaken) -> Iterator[str]:
    """Check that the cards taken are the first of the stock."""
    hand = position.live
    if fact.n != hand.dealt.n or len(fact.cards) != hand.untaken:
        due = f"{hand.untaken or 0} cards of ceremony {hand.dealt.n} are due from the stock"
        yield f"{len(fact.cards)} cards of ceremony {fact.n} are taken, but {due}"
    if hand.stock is not None and fact.cards != hand.stock[: len(fact.cards)]:
        yield f"seat {fact.seat} takes cards that are not the first of the stock"
