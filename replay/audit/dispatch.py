"""The check of each fact, called with the arguments it needs."""

from collections.abc import Callable, Iterator
from typing import Any

from domain import events as facts
from domain.events import Event, require_every_fact
from replay.audit.deals import beacons, ceremonies, cuts, deal, draws
from replay.audit.deals.deal_ledger import DealLedger
from replay.audit.disputes import rulings
from replay.audit.play import (
    auction,
    consent,
    deadlines,
    delay_of_game,
    exchange,
    handovers,
    openings,
    rule_changes,
    tricks,
    turn_clocks,
)
from replay.audit.scoring import game_end, hand_score
from replay.fold import Position

Check = Callable[[Position, Event[Any], DealLedger], Iterator[str]]


def check_fact(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    """Yield a sentence for each fault of a fact, given the position before it."""
    return _CHECKS[type(event.data)](position, event, deal_ledger)


def _fact(check: Callable[[Position, Any], Iterator[str]]) -> Check:
    return lambda position, event, _: check(position, event.data)


def _fact_and_game(check: Callable[[Position, Any, str], Iterator[str]]) -> Check:
    return lambda position, event, _: check(position, event.data, event.game)


def _fact_and_time(check: Callable[[Position, Any, str], Iterator[str]]) -> Check:
    return lambda position, event, _: check(position, event.data, event.at)


def _fact_and_ceremony_key(check: Callable[[Position, Any, bytes | None], Iterator[str]]) -> Check:
    return lambda position, event, deal_ledger: check(position, event.data, deal_ledger.key_of(event.data.n))


def _fact_and_deal_key(check: Callable[[Position, Any, bytes | None], Iterator[str]]) -> Check:
    return lambda position, event, deal_ledger: check(position, event.data, deal_ledger.key(position))


def _check_game_opened(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    yield from openings.check_game_opened(position, event.data)
    if event.v > 1:
        yield from openings.check_rated(event.data)


def _check_hand_dealt(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    yield from deal.check_hand_dealt(position, event.data)
    yield from cuts.check_mix(position, event.data, event.at)


def _check_misdeal(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    hand = position.hand
    return deal.check_misdeal_declared(position, event.data, deal_ledger.recomputed(hand.dealt.n if hand else None))


def _check_ruling(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    yield from rulings.check_ruling_given(position, event.data, event.by, deal_ledger.roots)
    if event.v > 1 and event.data.drops_call:
        yield "the ruling ends a delay call by itself, as only rulings of version 1 did"


def _check_partner_called(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    yield from exchange.check_partner_called(position, event.data)
    if event.v > 1:
        yield from exchange.check_turn_after_call(position, event.data)


def _check_moves_taken_back(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    yield from consent.check_moves_taken_back(position, event.data)
    if event.v > 1 and not event.data.begins_turn:
        yield "the turn goes on after the undo, as only after undos of version 1"


def _check_appeal_decided(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    return rulings.check_ruling_decided(position, event.data, event.by)


def _check_forfeit(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    if event.data.reason == handovers.FORFEIT_REASON:
        return handovers.check_forfeited_instead(position, event.data)
    return deadlines.check_seat_forfeited(position, event.data, event.at)


def _check_game_ended(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    yield from game_end.check_game_ended(position, event.data, event.at, deal_ledger.key(position))
    yield from rulings.check_ruled_end(position, event.data)


_CHECKS: dict[type[Any], Check] = {
    facts.GameOpened: _check_game_opened,
    facts.SeatsDrawn: _fact_and_ceremony_key(draws.check_seats_drawn),
    facts.DealerDrawn: _fact_and_ceremony_key(draws.check_dealer_drawn),
    facts.CeremonyOpened: _fact_and_time(ceremonies.check_ceremony_opened),
    facts.SeedKept: _fact_and_game(ceremonies.check_seed_kept),
    facts.CutOpened: _fact_and_game(cuts.check_cut_opened),
    facts.BeaconRecorded: _fact_and_time(beacons.check_beacon_recorded),
    facts.HandDealt: _check_hand_dealt,
    facts.MisdealDeclared: _check_misdeal,
    facts.TrumpTurnedUp: _fact(tricks.check_trump_turned_up),
    facts.CeremonyRevealed: _fact_and_game(ceremonies.check_ceremony_revealed),
    facts.CeremonyVoided: _fact_and_game(ceremonies.check_ceremony_voided),
    facts.CoinFlipped: _fact_and_ceremony_key(draws.check_coin_flipped),
    facts.BidMade: _fact(auction.check_bid),
    facts.BidPassed: _fact(auction.check_bid),
    facts.HandThrownIn: _fact(auction.check_hand_thrown_in),
    facts.AuctionWon: _fact(auction.check_auction_won),
    facts.TrumpNamed: _fact(exchange.check_trump_named),
    facts.PartnerCalled: _check_partner_called,
    facts.PartnerRevealed: _fact(exchange.check_partner_revealed),
    facts.CardsDiscarded: _fact(exchange.check_cards_discarded),
    facts.CardsBuried: _fact(exchange.check_cards_buried),
    facts.CardsDrawn: _fact(exchange.check_cards_drawn),
    facts.StockTaken: _fact(exchange.check_stock_taken),
    facts.CardsTaken: _fact(exchange.check_cards_taken),
    facts.TrumpPitched: _fact(tricks.check_trump_pitched),
    facts.CardPlayed: _fact(tricks.check_card_played),
    facts.TrickTaken: _fact(tricks.check_trick_taken),
    facts.HandScored: _fact(hand_score.check_hand_scored),
    facts.RulesChanged: _fact_and_deal_key(rule_changes.check_rules_changed),
    facts.RulesChangeDeferred: _fact_and_deal_key(rule_changes.check_rules_changed),
    facts.DelayCalled: _fact_and_time(delay_of_game.check_delay_called),
    facts.DelayVoted: _fact(delay_of_game.check_delay_voted),
    facts.DelayJudged: _fact(delay_of_game.check_delay_judged),
    facts.DelayDropped: _fact(delay_of_game.check_delay_dropped),
    facts.UndoAsked: _fact(consent.check_undo_asked),
    facts.UndoAnswered: _fact(consent.check_answer),
    facts.MovesTakenBack: _check_moves_taken_back,
    facts.DrawProposed: _fact(consent.check_draw_proposed),
    facts.DrawAnswered: _fact(consent.check_answer),
    facts.SeatResigned: _fact(consent.check_seat_resigned),
    facts.SeatForfeited: _check_forfeit,
    facts.TurnReminded: _fact_and_time(deadlines.check_turn_reminded),
    facts.TimeClaimed: _fact(deadlines.check_time_claimed),
    facts.TurnTimed: _fact_and_time(turn_clocks.check_turn_timed),
    facts.HandoverAsked: _fact(handovers.check_handover_asked),
    facts.HandoverAnswered: _fact(handovers.check_handover_answered),
    facts.SeatHandedOver: _fact_and_time(handovers.check_handed_over),
    facts.SeatReturned: _fact(handovers.check_returned),
    facts.DisputeOpened: _fact(rulings.check_dispute_opened),
    facts.RulingGiven: _check_ruling,
    facts.RulingAppealed: _fact(rulings.check_ruling_appealed),
    facts.RulingDecided: _check_appeal_decided,
    facts.GameEnded: _check_game_ended,
}
CHECKED_BY_LEDGER = (facts.CardsDealt, facts.StockLaid, facts.BidScaled, facts.PartnersChanged)
"""Facts that the ledger checks: it counts the hands dealt, and knows the facts that a rule change makes due."""
require_every_fact((*_CHECKS, *CHECKED_BY_LEDGER), __name__)
