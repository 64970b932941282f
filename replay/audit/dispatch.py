"""Which check each fact is put to, with what it needs to know."""

from collections.abc import Callable, Iterator
from typing import Any

from domain import events as facts
from domain.events import Event, require_every_fact
from replay.audit.deals import ceremonies, cuts, deal, draws
from replay.audit.deals.deal_ledger import DealLedger
from replay.audit.disputes import rulings as disputes
from replay.audit.play import auction as table
from replay.audit.play import consent, exchange, tricks
from replay.audit.play import deadlines as clock
from replay.audit.play import delay_of_game as delay
from replay.audit.play import rule_changes as changes
from replay.audit.scoring import game_end as ends
from replay.audit.scoring import hand_score as score
from replay.fold import Position

Check = Callable[[Position, Event[Any], DealLedger], Iterator[str]]


def check_fact(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    """What is wrong with a fact, held against where the game stood before it."""
    return _CHECKS[type(event.data)](position, event, deal_ledger)


def _plain(check: Callable[[Position, Any], Iterator[str]]) -> Check:
    return lambda position, event, _: check(position, event.data)


def _of_game(check: Callable[[Position, Any, str], Iterator[str]]) -> Check:
    return lambda position, event, _: check(position, event.data, event.game)


def _of_ceremony(check: Callable[[Position, Any, bytes | None], Iterator[str]]) -> Check:
    return lambda position, event, deal_ledger: check(position, event.data, deal_ledger.key_of(event.data.n))


def _of_hand(check: Callable[[Position, Any, bytes | None], Iterator[str]]) -> Check:
    return lambda position, event, deal_ledger: check(position, event.data, deal_ledger.key(position))


def _dealt(position: Position, event: Event[Any], _: DealLedger) -> Iterator[str]:
    yield from deal.check_hand_dealt(position, event.data)
    yield from cuts.check_mix(position, event.data, event.at)


def _misdealt(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    hand = position.hand
    return deal.check_misdeal_declared(position, event.data, deal_ledger.recomputed(hand.dealt.n if hand else None))


def _ended(position: Position, event: Event[Any], deal_ledger: DealLedger) -> Iterator[str]:
    yield from ends.check_game_ended(position, event.data, event.at, deal_ledger.key(position))
    yield from disputes.check_ruled_end(position, event.data)


_CHECKS: dict[type[Any], Check] = {
    facts.GameOpened: _plain(table.check_game_opened),
    facts.SeatsDrawn: _of_ceremony(draws.check_seats_drawn),
    facts.DealerDrawn: _of_ceremony(draws.check_dealer_drawn),
    facts.CeremonyOpened: _plain(ceremonies.check_ceremony_opened),
    facts.SeedKept: _of_game(ceremonies.check_seed_kept),
    facts.CutOpened: _of_game(cuts.check_cut_opened),
    facts.HandDealt: _dealt,
    facts.MisdealDeclared: _misdealt,
    facts.TrumpTurnedUp: _plain(tricks.check_trump_turned_up),
    facts.CeremonyRevealed: _of_game(ceremonies.check_ceremony_revealed),
    facts.CeremonyVoided: _of_game(ceremonies.check_ceremony_voided),
    facts.CoinFlipped: _of_ceremony(draws.check_coin_flipped),
    facts.BidMade: _plain(table.check_bid),
    facts.BidPassed: _plain(table.check_bid),
    facts.HandThrownIn: _plain(table.check_hand_thrown_in),
    facts.AuctionWon: _plain(table.check_auction_won),
    facts.TrumpNamed: _plain(exchange.check_trump_named),
    facts.PartnerCalled: _plain(exchange.check_partner_called),
    facts.PartnerRevealed: _plain(exchange.check_partner_revealed),
    facts.CardsDiscarded: _plain(exchange.check_cards_discarded),
    facts.CardsBuried: _plain(exchange.check_cards_buried),
    facts.CardsDrawn: _plain(exchange.check_cards_drawn),
    facts.StockTaken: _plain(exchange.check_stock_taken),
    facts.CardsTaken: _plain(exchange.check_cards_taken),
    facts.TrumpPitched: _plain(tricks.check_trump_pitched),
    facts.CardPlayed: _plain(tricks.check_card_played),
    facts.TrickTaken: _plain(tricks.check_trick_taken),
    facts.HandScored: _plain(score.check_hand_scored),
    facts.RulesChanged: _of_hand(changes.check_rules_changed),
    facts.RulesChangeDeferred: _of_hand(changes.check_rules_changed),
    facts.DelayCalled: lambda position, event, _: delay.check_delay_called(position, event.data, event.at),
    facts.DelayVoted: _plain(delay.check_delay_voted),
    facts.DelayJudged: _plain(delay.check_delay_judged),
    facts.UndoAsked: _plain(consent.check_undo_asked),
    facts.UndoAnswered: _plain(consent.check_answer),
    facts.MovesTakenBack: _plain(consent.check_moves_taken_back),
    facts.DrawProposed: _plain(consent.check_draw_proposed),
    facts.DrawAnswered: _plain(consent.check_answer),
    facts.SeatResigned: _plain(consent.check_seat_resigned),
    facts.SeatForfeited: lambda position, event, _: clock.check_seat_forfeited(position, event.data, event.at),
    facts.TurnReminded: lambda position, event, _: clock.check_turn_reminded(position, event.data, event.at),
    facts.DisputeOpened: _plain(disputes.check_dispute_opened),
    facts.RulingGiven: lambda position, event, deal_ledger: disputes.check_ruling_given(
        position, event.data, event.by, deal_ledger.roots
    ),
    facts.RulingAppealed: _plain(disputes.check_ruling_appealed),
    facts.RulingDecided: lambda position, event, _: disputes.check_ruling_decided(position, event.data, event.by),
    facts.GameEnded: _ended,
}
CHECKED_BY_LEDGER = (facts.CardsDealt, facts.StockLaid, facts.BidScaled, facts.PartnersChanged)
"""Facts that the ledger checks itself, since it knows how many hands were dealt and what a rule change brings about."""
require_every_fact((*_CHECKS, *CHECKED_BY_LEDGER), __name__)
