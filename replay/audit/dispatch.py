"""The check of each fact: `@checks` stands above most, and here are those that read more than one subject."""

from collections.abc import Iterator
from typing import Any

from domain.events import (
    BidScaled,
    CardsDealt,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    MisdealDeclared,
    MovesTakenBack,
    PartnerCalled,
    PartnersChanged,
    RulingGiven,
    SeatForfeited,
    StockLaid,
    require_every_fact,
)
from domain.events.declaring import add_to
from replay.audit import disputes
from replay.audit.deals import ceremonies, deal
from replay.audit.deals.deal_ledger import DealLedger
from replay.audit.play import (  # noqa: F401
    auction,
    deadlines,
    exchange,
    openings,
    rule_changes,
    table_talk,
    tricks,
)
from replay.audit.play.checking import CHECKS
from replay.audit.scoring import endings
from replay.fold import Position


def check_fact(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    """Yield a sentence for each fault of a fact, given the position before it."""
    return CHECKS[type(event.data)](position, event, deal_ledger)


@add_to(CHECKS, GameOpened)
def _check_game_opened(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    yield from openings.check_game_opened(position, event.data)
    if event.v > 1:
        yield from openings.check_rated(event.data)


@add_to(CHECKS, HandDealt)
def _check_hand_dealt(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    yield from deal.check_hand_dealt(position, event.data)
    yield from ceremonies.check_mix(position, event.data, event.at)


@add_to(CHECKS, MisdealDeclared)
def _check_misdeal(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    hand = position.hand
    return deal.check_misdeal_declared(position, event.data, deal_ledger.recomputed(hand.dealt.n if hand else None))


@add_to(CHECKS, RulingGiven)
def _check_ruling(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    yield from disputes.check_ruling_given(position, event.data, event.by, deal_ledger.roots)
    if event.v > 1 and event.data.drops_call:
        yield "the ruling ends a delay call by itself, as only rulings of version 1 did"
    if event.v > 2:
        yield from disputes.check_appeal_time(position, event.data, event.at)


@add_to(CHECKS, PartnerCalled)
def _check_partner_called(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    yield from exchange.check_partner_called(position, event.data)
    if event.v > 1:
        yield from exchange.check_turn_after_call(position, event.data)


@add_to(CHECKS, MovesTakenBack)
def _check_moves_taken_back(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    yield from table_talk.check_moves_taken_back(position, event.data)
    if event.v > 1 and not event.data.begins_turn:
        yield "the turn goes on after the undo, as only after undos of version 1"


@add_to(CHECKS, SeatForfeited)
def _check_forfeit(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    if event.data.reason == table_talk.FORFEIT_REASON:
        return table_talk.check_forfeited_instead(position, event.data)
    return deadlines.check_seat_forfeited(position, event.data, event.at)


@add_to(CHECKS, GameEnded)
def _check_game_ended(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    yield from endings.check_game_ended(position, event.data, event.at, deal_ledger.key(position))
    yield from disputes.check_ruled_end(position, event.data)


CHECKED_BY_LEDGER = (CardsDealt, StockLaid, BidScaled, PartnersChanged)
"""Facts that the ledger checks: it counts the hands dealt, and knows the facts that a rule change makes due."""
require_every_fact((*CHECKS, *CHECKED_BY_LEDGER), __name__)
