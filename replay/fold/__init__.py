"""A second, independent fold: it computes the position of a game after each event.

    *_, last = positions(history.events)
    last.phase, last.hand.taken, last.scores, last.turn

It knows neither the rules of play nor the server's fold. If the two disagree, one is wrong. It keeps calls and tricks
where the server keeps totals, and every earlier position of the hand, so that an undo returns to any of them.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from domain import events as facts
from domain.events import Event, require_every_fact
from domain.struct import replace
from replay.fold import dealing, disputes, play, table_talk  # noqa: F401  they fill READERS
from replay.fold.clocks import time_left
from replay.fold.declaring import READERS
from replay.fold.hand import HandRead
from replay.fold.position import (
    START,
    CeremonyRead,
    Change,
    DisputeRead,
    MisplacedFact,
    Position,
    ProposalRead,
    advance,
    earlier_position,
)
from replay.fold.validate import opening_fault, shape_fault

__all__ = [
    "START",
    "CeremonyRead",
    "DisputeRead",
    "HandRead",
    "MisplacedFact",
    "Position",
    "ProposalRead",
    "apply_event",
    "apply_event_unchecked",
    "earlier_position",
    "positions",
    "skip_withheld",
]


def positions(events: Iterable[Event[Any]]) -> Iterator[Position]:
    """Yield the position after each event, starting at the first event. Raise MisplacedFact as `apply_event` does."""
    position = START
    for event in events:
        position = apply_event(position, event)
        yield position


def apply_event(position: Position, event: Event[Any]) -> Position:
    """Return the position after `event`. Raise MisplacedFact if the fact can't belong to this table or position."""
    fact = event.data
    if isinstance(fact, facts.GameOpened):
        fault = opening_fault(fact) if position.opened is None else "the game is already open"
    else:
        fault = shape_fault(fact, len(position.opening.players), position.deck)
    if fault or (position.ended and not isinstance(fact, disputes.DISPUTE_FACTS)):
        raise MisplacedFact(fault or "the game is over")
    return apply_event_unchecked(position, event)


def apply_event_unchecked(position: Position, event: Event[Any]) -> Position:
    """Return the position after an event that is known to belong to this table, in a game that isn't over."""
    fact = event.data
    change: Change = {"version": event.version, "at": event.at, "past": position}
    change.update(READERS[type(fact)](position, fact))
    _TIMES.get(type(fact), _begin_turn)(position, event, change)
    if "hand" in change:
        change.update(disputes.close_deal(position, change["hand"], fact))
    return advance(position, change)


def _set_opening(_: Position, event: Event[Any], change: Change) -> None:
    change.update(host=event.by, opened_at=event.at)


def _set_ceremony_time(_: Position, event: Event[Any], change: Change) -> None:
    change["ceremony_at"] = event.at


def _set_arbiter(position: Position, event: Event[Any], change: Change) -> None:
    change.update(disputes.read_arbiter(position, event))
    if position.hand is not None and position.hand.dealt.n == event.data.voids:
        _stop_clock(position, event, change)


def _set_opener(position: Position, event: Event[Any], change: Change) -> None:
    *before, opened = change["disputes"]
    change["disputes"] = (*before, replace(opened, opened_by=event.by))
    _begin_turn(position, event, change)


def _seat_player(position: Position, event: Event[Any], change: Change) -> None:
    """Stop the clock of a seat that goes to a bot, and note when a bot gives a seat back."""
    seat, clock = event.data.seat, position.clock
    if isinstance(event.data, facts.SeatReturned):
        if position.players[seat].kind == "bot":
            change["back"] = {**position.back, seat: event.at}
    elif event.data.kind == "bot" and clock is not None and clock.timed.seat == seat:
        _stop_clock(position, event, change)


def _take_back(position: Position, event: Event[Any], change: Change) -> None:
    """Begin the turn again of the seat that moved, with what every seat had left when it moved."""
    fact, then = event.data, earlier_position(position, event.data.to_version)
    _change_awaited(position, event, change)
    if change.get("began") != event.version or then is None:
        return
    banks, after = then.banks, earlier_position(position, fact.to_version + 1)
    if then.clock is not None and after is not None:
        banks = {**banks, then.clock.timed.seat: time_left(then.clock, after.at)}
    change.update(banks=banks, undone=event.version, short=not fact.begins_turn)


def _stop_clock(position: Position, event: Event[Any], change: Change) -> None:
    """Keep what the seat has left, if its clock runs."""
    if (clock := position.clock) is not None:
        change["clock"], change["banks"] = None, {**position.banks, clock.timed.seat: time_left(clock, event.at)}


def _change_awaited(position: Position, event: Event[Any], change: Change) -> None:
    """Begin a turn if the fact says so or names other seats: an interruption doesn't restart a seat's turn."""
    names_others = event.data.next and event.data.next != position.awaited
    if names_others or getattr(event.data, "begins_turn", False):
        _begin_turn(position, event, change)


def _begin_turn(position: Position, event: Event[Any], change: Change) -> None:
    """Begin a turn now if the fact names the seats to move."""
    if (turn := getattr(event.data, "next", None)) is not None:
        change["awaited"] = turn or position.awaited
        change["since"], change["began"] = event.at, event.version
        change["reminded"], change["held_ms"] = (), 0
        if position.clock is not None:
            _stop_clock(position, event, change)


_TIMES: dict[type[Any], Callable[[Position, Event[Any], Change], None]] = {
    facts.GameOpened: _set_opening,
    facts.CeremonyOpened: _set_ceremony_time,
    facts.DisputeOpened: _set_opener,
    facts.RulingGiven: _set_arbiter,
    facts.RulesChanged: _change_awaited,
    facts.PartnerCalled: _change_awaited,
    facts.MovesTakenBack: _take_back,
    facts.SeatHandedOver: _seat_player,
    facts.SeatReturned: _seat_player,
}
"""How facts use their time and author, if not only to begin a turn."""


def skip_withheld(position: Position, version: int, fact: str = "") -> Position:
    """Return the position after a withheld event; `fact` is its name, or empty if unknown."""
    change: Change = {"version": version, "past": position}
    return advance(
        position, change if position.hand is None else change | {"hand": play.skip_withheld_cards(position.hand, fact)}
    )


require_every_fact(READERS, __name__)
