"""A second, independent reading of the facts: where a game stands after each of them.

    *_, last = positions(history.events)
    last.phase, last.hand.taken, last.scores, last.turn

Nothing here knows a rule of play or the server's own fold, so the two may disagree, and then one of them is wrong.
Where the server keeps numbers this keeps what they are counted from: who said what in order, who took which trick, and
every earlier position of the hand, to which a move taken back simply returns.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from domain import events as facts
from domain.events import Event
from replay.fold import dealing as deals
from replay.fold import disputes
from replay.fold import play as hands
from replay.fold import table_talk as talk
from replay.fold.position import (
    START,
    Asked,
    Change,
    Contest,
    Gathered,
    HandRead,
    Misplaced,
    Position,
    Promise,
    at_version,
    moved_on,
    once_a_position,
)
from replay.fold.validate import misshapen, unplayable

__all__ = [
    "START",
    "Asked",
    "Contest",
    "Gathered",
    "HandRead",
    "Misplaced",
    "Position",
    "Promise",
    "at_version",
    "follow",
    "followed",
    "once_a_position",
    "pass_over",
    "positions",
]


def positions(events: Iterable[Event[Any]]) -> Iterator[Position]:
    """Where the game stands after each event, from the first one on; the first that cannot stand there is Misplaced."""
    position = START
    for event in events:
        position = follow(position, event)
        yield position


def follow(position: Position, event: Event[Any]) -> Position:
    """The position after `event`. A fact that cannot be about this table, or has nothing to be about, is Misplaced."""
    fact = event.data
    if isinstance(fact, facts.GameOpened):
        fault = unplayable(fact) if position.opened is None else "the game is open already"
    else:
        fault = misshapen(fact, len(position.opening.players), position.opening.deck)
    if fault or (position.ended and not isinstance(fact, disputes.FACTS)):
        raise Misplaced(fault or "the game is over")
    return followed(position, event)


def followed(position: Position, event: Event[Any]) -> Position:
    """The same for an event that is known to be about this table, in a game that goes on."""
    fact = event.data
    change: Change = {"version": event.version, "at": event.at, "past": position}
    change.update(_READ[type(fact)](position, fact))
    _CLOCK.get(type(fact), _goes_round)(position, event, change)
    if "hand" in change:
        change.update(disputes.deals(position, change["hand"], fact))
    return moved_on(position, change)


def _opens(_: Position, event: Event[Any], change: Change) -> None:
    change.update(host=event.by, opened_at=event.at)


def _promises(_: Position, event: Event[Any], change: Change) -> None:
    change["promised_at"] = event.at


def _rules_on(position: Position, event: Event[Any], change: Change) -> None:
    change.update(disputes.told_by(position, event))


def _meanwhile(position: Position, event: Event[Any], change: Change) -> None:
    """What happens while a seat thinks does not begin its turn anew."""
    if event.data.next and event.data.next != position.awaited:
        _goes_round(position, event, change)


def _goes_round(position: Position, event: Event[Any], change: Change) -> None:
    """When the turn began: now, where the fact says whose it is."""
    if (seats := getattr(event.data, "next", None)) is not None:
        change["awaited"] = seats or position.awaited
        change["since"], change["began"], change["reminded"] = event.at, event.version, ()


_CLOCK: dict[type[Any], Callable[[Position, Event[Any], Change], None]] = {
    facts.GameOpened: _opens,
    facts.CeremonyOpened: _promises,
    facts.RulingGiven: _rules_on,
    facts.RulesChanged: _meanwhile,
    facts.PartnerCalled: _meanwhile,
    facts.MovesTakenBack: _meanwhile,
}
"""What its time and author are to facts that do not just pass the turn on."""


def pass_over(position: Position, version: int, fact: str = "") -> Position:
    """The position after an event that is not shown; `fact` is what stands there, as far as that can be told."""
    change: Change = {"version": version, "past": position}
    return moved_on(position, change if position.hand is None else change | {"hand": hands.unseen(position.hand, fact)})


_READ: dict[type[Any], Callable[[Position, Any], Change]] = {
    facts.GameOpened: deals.opened,
    facts.SeatsDrawn: deals.seated,
    facts.DealerDrawn: deals.dealer_drawn,
    facts.CeremonyOpened: deals.promised,
    facts.SeedKept: deals.seed,
    facts.CutOpened: deals.cut,
    facts.HandDealt: deals.dealt,
    facts.CardsDealt: deals.cards,
    facts.StockLaid: deals.stock,
    facts.MisdealDeclared: deals.misdealt,
    facts.TrumpTurnedUp: deals.turned_up,
    facts.CeremonyRevealed: deals.closed,
    facts.CeremonyVoided: deals.closed,
    facts.CoinFlipped: deals.coin,
    facts.BidMade: hands.said,
    facts.BidPassed: hands.said,
    facts.HandThrownIn: hands.over,
    facts.AuctionWon: hands.won,
    facts.TrumpNamed: hands.named,
    facts.PartnerCalled: hands.called,
    facts.PartnerRevealed: hands.revealed,
    facts.CardsDiscarded: hands.discarded,
    facts.CardsBuried: hands.buried,
    facts.CardsDrawn: hands.from_stock,
    facts.StockTaken: hands.from_stock,
    facts.CardsTaken: hands.taken,
    facts.TrumpPitched: hands.pitched,
    facts.CardPlayed: hands.played,
    facts.TrickTaken: hands.gathered,
    facts.HandScored: hands.scored,
    facts.RulesChanged: talk.changed,
    facts.RulesChangeDeferred: talk.deferred,
    facts.BidScaled: talk.scaled,
    facts.PartnersChanged: talk.partners,
    facts.DelayCalled: talk.delay_called,
    facts.DelayVoted: talk.delay_voted,
    facts.DelayJudged: talk.delay_judged,
    facts.UndoAsked: talk.asks,
    facts.UndoAnswered: talk.answers,
    facts.MovesTakenBack: talk.taken_back,
    facts.DrawProposed: talk.asks,
    facts.DrawAnswered: talk.answers,
    facts.SeatResigned: talk.left,
    facts.SeatForfeited: talk.forfeited,
    facts.TurnReminded: talk.reminded,
    facts.DisputeOpened: disputes.opened,
    facts.RulingGiven: disputes.ruled,
    facts.RulingAppealed: disputes.appealed,
    facts.RulingDecided: disputes.decided,
    facts.GameEnded: talk.ended,
}
