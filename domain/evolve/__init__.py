"""`evolve` folds events into the state of a game; it copies what the facts say and holds no rule.

The same fold serves the table, which sees every event, and a viewer, who lacks some.
"""

from collections.abc import Callable
from typing import Any

from domain import events as facts
from domain.events import Event
from domain.evolve import dealing as deals
from domain.evolve import disputes
from domain.evolve import play as plays
from domain.evolve import table_talk as talk
from domain.state import State

__all__ = ["evolve"]

_FOLD: dict[type[Any], Callable[[State, Any], State]] = {
    facts.GameOpened: deals.opened,
    facts.SeatsDrawn: deals.seats_drawn,
    facts.DealerDrawn: deals.dealer_drawn,
    facts.CeremonyOpened: deals.ceremony_opened,
    facts.SeedKept: deals.seed_kept,
    facts.CutOpened: deals.cut_opened,
    facts.HandDealt: deals.dealt,
    facts.CardsDealt: deals.cards_dealt,
    facts.StockLaid: deals.stock_laid,
    facts.MisdealDeclared: deals.misdealt,
    facts.TrumpTurnedUp: deals.turned_up,
    facts.CeremonyRevealed: deals.closed,
    facts.CeremonyVoided: deals.closed,
    facts.CoinFlipped: deals.coin_flipped,
    facts.BidMade: plays.bid,
    facts.BidPassed: plays.passed,
    facts.HandThrownIn: plays.hand_over,
    facts.AuctionWon: plays.auction_won,
    facts.TrumpNamed: plays.trump_named,
    facts.PartnerCalled: plays.partner_called,
    facts.PartnerRevealed: plays.partner_revealed,
    facts.CardsDiscarded: plays.discarded,
    facts.CardsBuried: plays.buried,
    facts.CardsDrawn: plays.drawn,
    facts.StockTaken: plays.stock_taken,
    facts.CardsTaken: plays.taken,
    facts.TrumpPitched: plays.trump_pitched,
    facts.CardPlayed: plays.card_played,
    facts.TrickTaken: plays.trick_taken,
    facts.HandScored: plays.scored,
    facts.RulesChanged: talk.rules_changed,
    facts.RulesChangeDeferred: talk.deferred,
    facts.BidScaled: talk.bid_scaled,
    facts.PartnersChanged: talk.partners_changed,
    facts.DelayCalled: talk.delay_called,
    facts.DelayVoted: talk.delay_voted,
    facts.DelayJudged: talk.delay_judged,
    facts.UndoAsked: talk.undo_asked,
    facts.UndoAnswered: talk.answered,
    facts.MovesTakenBack: talk.taken_back,
    facts.DrawProposed: talk.draw_proposed,
    facts.DrawAnswered: talk.answered,
    facts.SeatResigned: talk.resigned,
    facts.SeatForfeited: talk.forfeited,
    facts.TurnReminded: talk.reminded,
    facts.DisputeOpened: disputes.opened,
    facts.RulingGiven: disputes.ruled,
    facts.RulingAppealed: disputes.appealed,
    facts.RulingDecided: disputes.decided,
    facts.GameEnded: talk.ended,
}


def evolve(state: State, event: Event[Any]) -> State:
    """The state after `event`: only what the fact says, no rule consulted."""
    return _FOLD[type(event.data)](state, event)
