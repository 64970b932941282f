"""Checks between auction and play: naming trump, calling and revealing a partner, discarding and drawing cards."""

from collections.abc import Iterator

from domain.cards import JOKERS, SUITS, Card, Suit
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
from domain.memo import memoize_by_identity
from domain.rules.choices import Award, Call
from domain.rules.model import Rules
from replay.audit.play.auction import check_turn, side_lists, split_sides
from replay.audit.play.checking import checks
from replay.audit.play.trumps import is_trump, scoring_card
from replay.fold import HandRead, Position


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
    """Check the number of discards, and that the only face-up ones are trumps of the pitcher (R-C48)."""
    hand, rules, is_pitcher = position.live, position.rules, fact.seat == _pitcher(position.live)
    yield from check_turn(position, fact.seat)
    if fact.seat in hand.discarded:
        yield f"seat {fact.seat} discards for the second time"
    left, most = hand.counts[fact.seat] - fact.count, min(rules.kept_cards, hand.counts[fact.seat])
    if not 0 <= left <= most or fact.count < len(fact.shown) or (is_pitcher and left != most):
        may_keep = f"must keep {most}" if is_pitcher else f"may keep at most {most}"
        discards = f"discards {fact.count} of {hand.counts[fact.seat]} cards, {len(fact.shown)} face up"
        yield f"seat {fact.seat} {discards}, but {may_keep}"
    if any(card not in hand.cards.get(fact.seat, fact.shown) for card in fact.shown):
        yield f"seat {fact.seat} discards a card that it does not hold"
    if fact.shown and (not is_pitcher or any(not is_trump(rules, hand.trump, card) for card in fact.shown)):
        yield "cards are discarded face up that are not trumps of the pitcher"
    yield from _check_point_cards_kept(position, hand, fact.seat, fact.shown)


@checks(CardsBuried)
def check_cards_buried(position: Position, fact: CardsBuried) -> Iterator[str]:
    """Check that the face-down discards come from the seat's hand, and aren't trumps of the pitcher."""
    hand = position.live
    if fact.n != hand.dealt.n or (hand.discarded[-1:] != (fact.seat,)):
        yield f"seat {fact.seat} buries cards of ceremony {fact.n}, but it has not just discarded from that deal"
    if len(fact.cards) != hand.unburied or len(set(fact.cards)) < len(fact.cards):
        yield f"seat {fact.seat} buries {len(fact.cards)} cards, but discarded {hand.unburied} different ones face down"
    if any(card not in hand.cards.get(fact.seat, fact.cards) for card in fact.cards):
        yield f"seat {fact.seat} buries a card that it does not hold"
    if fact.seat == _pitcher(hand) and any(is_trump(position.rules, hand.trump, card) for card in fact.cards):
        yield "the pitcher buries a trump, which must be discarded face up"
    yield from _check_point_cards_kept(position, hand, fact.seat, fact.cards)


def _check_point_cards_kept(position: Position, hand: HandRead, seat: int, discards: tuple[Card, ...]) -> Iterator[str]:
    """Check that no point card is discarded that could be kept (R-C3, R-C48)."""
    held = hand.cards.get(seat)
    if held is None or hand.trump is None:
        return
    points = point_cards(position.rules, hand.trump)
    lost, kept = points & set(discards), [card for card in held if card in points and card not in discards]
    if lost and len(kept) < min(position.rules.kept_cards, len(lost) + len(kept)):
        yield f"seat {seat} discards {' '.join(sorted(lost))}, which scores and could be kept"


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
    """Check that a seat that has just discarded draws up to a full hand (R-C48)."""
    hand = position.live
    due = min(position.rules.kept_cards - hand.counts[fact.seat], hand.stock_left)
    if fact.seat == _pitcher(hand) or hand.discarded[-1:] != (fact.seat,):
        yield f"seat {fact.seat} draws, but is the pitcher or has not just discarded"
    if fact.count != due:
        yield f"seat {fact.seat} draws {fact.count} cards, but should draw {due}"


@checks(StockTaken)
def check_stock_taken(position: Position, fact: StockTaken) -> Iterator[str]:
    """Check that the pitcher takes the whole rest of the stock (R-C2)."""
    hand = position.live
    if fact.seat != _pitcher(hand):
        yield f"seat {fact.seat} takes the stock, but is not the pitcher"
    if fact.count != hand.stock_left:
        yield f"{fact.count} cards are taken, but {hand.stock_left} are left in the stock"


@checks(CardsTaken)
def check_cards_taken(position: Position, fact: CardsTaken) -> Iterator[str]:
    """Check that the cards taken are the first of the stock."""
    hand = position.live
    if fact.n != hand.dealt.n or len(fact.cards) != hand.untaken:
        due = f"{hand.untaken} cards of ceremony {hand.dealt.n} are due from the stock"
        yield f"{len(fact.cards)} cards of ceremony {fact.n} are taken, but {due}"
    if hand.stock is not None and fact.cards != hand.stock[: len(fact.cards)]:
        yield f"seat {fact.seat} takes cards that are not the first of the stock"
