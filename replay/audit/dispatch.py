"""Which check each fact is put to, with what it needs to know."""

from collections.abc import Callable, Iterator
from typing import Any

from domain import events as facts
from domain.events import Event, require_every_fact
from replay.audit.deals import ceremonies, cuts, deal, draws
from replay.audit.deals.deal_ledger import Shelf
from replay.audit.disputes import rulings as disputes
from replay.audit.play import auction as table
from replay.audit.play import consent, exchange, tricks
from replay.audit.play import deadlines as clock
from replay.audit.play import delay_of_game as delay
from replay.audit.play import rule_changes as changes
from replay.audit.scoring import game_end as ends
from replay.audit.scoring import hand_score as score
from replay.fold import Position

Check = Callable[[Position, Event[Any], Shelf], Iterator[str]]


def judge(position: Position, event: Event[Any], shelf: Shelf) -> Iterator[str]:
    """What is wrong with a fact, held against where the game stood before it."""
    return _CHECKS[type(event.data)](position, event, shelf)


def _plain(check: Callable[[Position, Any], Iterator[str]]) -> Check:
    return lambda position, event, _: check(position, event.data)


def _of_game(check: Callable[[Position, Any, str], Iterator[str]]) -> Check:
    return lambda position, event, _: check(position, event.data, event.game)


def _of_ceremony(check: Callable[[Position, Any, bytes | None], Iterator[str]]) -> Check:
    return lambda position, event, shelf: check(position, event.data, shelf.key_of(event.data.n))


def _of_hand(check: Callable[[Position, Any, bytes | None], Iterator[str]]) -> Check:
    return lambda position, event, shelf: check(position, event.data, shelf.key(position))


def _dealt(position: Position, event: Event[Any], _: Shelf) -> Iterator[str]:
    yield from deal.dealt(position, event.data)
    yield from cuts.mixed(position, event.data, event.at)


def _misdealt(position: Position, event: Event[Any], shelf: Shelf) -> Iterator[str]:
    hand = position.hand
    return deal.misdealt(position, event.data, shelf.recomputed(hand.dealt.n if hand else None))


def _ended(position: Position, event: Event[Any], shelf: Shelf) -> Iterator[str]:
    yield from ends.ended(position, event.data, event.at, shelf.key(position))
    yield from disputes.ended(position, event.data)


_CHECKS: dict[type[Any], Check] = {
    facts.GameOpened: _plain(table.opened),
    facts.SeatsDrawn: _of_ceremony(draws.seats_drawn),
    facts.DealerDrawn: _of_ceremony(draws.dealer_drawn),
    facts.CeremonyOpened: _plain(ceremonies.opened),
    facts.SeedKept: _of_game(ceremonies.kept),
    facts.CutOpened: _of_game(cuts.cut),
    facts.HandDealt: _dealt,
    facts.MisdealDeclared: _misdealt,
    facts.TrumpTurnedUp: _plain(tricks.turned_up),
    facts.CeremonyRevealed: _of_game(ceremonies.revealed),
    facts.CeremonyVoided: _of_game(ceremonies.voided),
    facts.CoinFlipped: _of_ceremony(draws.coin_flipped),
    facts.BidMade: _plain(table.said),
    facts.BidPassed: _plain(table.said),
    facts.HandThrownIn: _plain(table.thrown_in),
    facts.AuctionWon: _plain(table.won),
    facts.TrumpNamed: _plain(exchange.named),
    facts.PartnerCalled: _plain(exchange.called),
    facts.PartnerRevealed: _plain(exchange.revealed),
    facts.CardsDiscarded: _plain(exchange.discarded),
    facts.CardsBuried: _plain(exchange.buried),
    facts.CardsDrawn: _plain(exchange.drawn),
    facts.StockTaken: _plain(exchange.stock_taken),
    facts.CardsTaken: _plain(exchange.taken),
    facts.TrumpPitched: _plain(tricks.pitched),
    facts.CardPlayed: _plain(tricks.played),
    facts.TrickTaken: _plain(tricks.gathered),
    facts.HandScored: _plain(score.scored),
    facts.RulesChanged: _of_hand(changes.changed),
    facts.RulesChangeDeferred: _of_hand(changes.changed),
    facts.DelayCalled: lambda position, event, _: delay.called(position, event.data, event.at),
    facts.DelayVoted: _plain(delay.voted),
    facts.DelayJudged: _plain(delay.judged),
    facts.UndoAsked: _plain(consent.undo_asked),
    facts.UndoAnswered: _plain(consent.answered),
    facts.MovesTakenBack: _plain(consent.taken_back),
    facts.DrawProposed: _plain(consent.draw_proposed),
    facts.DrawAnswered: _plain(consent.answered),
    facts.SeatResigned: _plain(consent.resigned),
    facts.SeatForfeited: lambda position, event, _: clock.forfeited(position, event.data, event.at),
    facts.TurnReminded: lambda position, event, _: clock.reminded(position, event.data, event.at),
    facts.DisputeOpened: _plain(disputes.opened),
    facts.RulingGiven: lambda position, event, shelf: disputes.given(position, event.data, event.by, shelf.roots),
    facts.RulingAppealed: _plain(disputes.appealed),
    facts.RulingDecided: lambda position, event, _: disputes.decided(position, event.data, event.by),
    facts.GameEnded: _ended,
}
CHECKED_BY_LEDGER = (facts.CardsDealt, facts.StockLaid, facts.BidScaled, facts.PartnersChanged)
"""Facts that the ledger checks itself, since it knows how many hands were dealt and what a rule change brings about."""
require_every_fact((*_CHECKS, *CHECKED_BY_LEDGER), __name__)
