"""`evolve` folds events into the state of a game. It copies what the facts say and holds no rule of play.

The server folds every event with it, and a view folds the events that its viewer has seen.
"""

from collections.abc import Callable
from typing import Any

from domain import events as facts
from domain.events import Event, require_every_fact
from domain.evolve import clocks, dealing, disputes, play, seats, table_talk
from domain.state import State

__all__ = ["evolve"]

HANDLERS: dict[type[Any], Callable[[State, Any], State]] = {
    facts.GameOpened: dealing.on_game_opened,
    facts.SeatsDrawn: dealing.on_seats_drawn,
    facts.DealerDrawn: dealing.on_dealer_drawn,
    facts.CeremonyOpened: dealing.on_ceremony_opened,
    facts.SeedKept: dealing.on_seed_kept,
    facts.CutOpened: dealing.on_cut_opened,
    facts.BeaconRecorded: dealing.on_beacon_recorded,
    facts.HandDealt: dealing.on_hand_dealt,
    facts.CardsDealt: dealing.on_cards_dealt,
    facts.StockLaid: dealing.on_stock_laid,
    facts.MisdealDeclared: dealing.on_misdeal_declared,
    facts.TrumpTurnedUp: dealing.on_trump_turned_up,
    facts.CeremonyRevealed: dealing.on_ceremony_closed,
    facts.CeremonyVoided: dealing.on_ceremony_closed,
    facts.CoinFlipped: dealing.on_coin_flipped,
    facts.BidMade: play.on_bid_made,
    facts.BidPassed: play.on_bid_passed,
    facts.HandThrownIn: play.on_hand_over,
    facts.AuctionWon: play.on_auction_won,
    facts.TrumpNamed: play.on_trump_named,
    facts.PartnerCalled: play.on_partner_called,
    facts.PartnerRevealed: play.on_partner_revealed,
    facts.CardsDiscarded: play.on_cards_discarded,
    facts.CardsBuried: play.on_cards_buried,
    facts.CardsDrawn: play.on_cards_drawn,
    facts.StockTaken: play.on_stock_taken,
    facts.CardsTaken: play.on_cards_taken,
    facts.TrumpPitched: play.on_trump_pitched,
    facts.CardPlayed: play.on_card_played,
    facts.TrickTaken: play.on_trick_taken,
    facts.HandScored: play.on_hand_scored,
    facts.RulesChanged: table_talk.on_rules_changed,
    facts.RulesChangeDeferred: table_talk.on_rules_change_deferred,
    facts.BidScaled: table_talk.on_bid_scaled,
    facts.PartnersChanged: table_talk.on_partners_changed,
    facts.DelayCalled: table_talk.on_delay_called,
    facts.DelayVoted: table_talk.on_delay_voted,
    facts.DelayJudged: table_talk.on_delay_judged,
    facts.DelayDropped: table_talk.on_delay_dropped,
    facts.UndoAsked: table_talk.on_undo_asked,
    facts.UndoAnswered: table_talk.on_proposal_answered,
    facts.MovesTakenBack: table_talk.on_moves_taken_back,
    facts.DrawProposed: table_talk.on_draw_proposed,
    facts.DrawAnswered: table_talk.on_proposal_answered,
    facts.SeatResigned: table_talk.on_seat_resigned,
    facts.SeatForfeited: table_talk.on_seat_forfeited,
    facts.TurnReminded: table_talk.on_turn_reminded,
    facts.TimeClaimed: clocks.on_time_claimed,
    facts.TurnTimed: clocks.on_turn_timed,
    facts.HandoverAsked: seats.on_handover_asked,
    facts.HandoverAnswered: seats.on_handover_answered,
    facts.SeatHandedOver: seats.on_seat_handed_over,
    facts.SeatReturned: seats.on_seat_returned,
    facts.DisputeOpened: disputes.on_dispute_opened,
    facts.RulingGiven: disputes.on_ruling_given,
    facts.RulingAppealed: disputes.on_ruling_appealed,
    facts.RulingDecided: disputes.on_ruling_decided,
    facts.GameEnded: table_talk.on_game_ended,
}

require_every_fact(HANDLERS, __name__)


def evolve(state: State, event: Event[Any]) -> State:
    """Return the state after `event`."""
    return HANDLERS[type(event.data)](state, event)
