"""Checks of an event's envelope: game, time, author, command, audience and salt (docs/events.md)."""

from collections.abc import Iterator
from typing import Any

from domain.events import Event
from domain.rules.choices import Sight
from replay.audit.log.commit_order import begins_commit
from replay.audit.play.checking import CHANGE_FACTS, PARTY_FACTS, RULING_FACTS, SECRET_FACTS, SERVER
from replay.audit.play.deadlines import check_in_time
from replay.audit.play.turns import is_blind
from replay.audit.scoring.endings import due_end
from replay.fold import Position
from replay.fold.declaring import Role, facts_of
from replay.fold.validate import is_lower_hex

_CARD_FACTS = frozenset({"CardsDealt", "CardsBuried", "CardsTaken"})
"""Facts that only those see who see the seat's cards."""
_RETURN_FACTS, _BEACON_FACTS = facts_of(Role.RETURN), facts_of(Role.BEACON)
_OWN_FACTS = facts_of(Role.MOVE, Role.TALK, Role.CUT, Role.CLAIM, Role.CARDS, Role.PARTY)
"""Facts whose author is the player of their seat, also if another command caused them (docs/events.md)."""
_OWN = Sight.OWN


def check_envelope(position: Position, event: Event[Any], before: Event[Any] | None) -> Iterator[str]:
    """Yield the faults of the envelope of `event`, which follows `position`; `before` is the last event shown."""
    if not is_lower_hex(event.salt, 32):
        yield "its salt isn't 16 bytes in hex"
    audience = _audience(position, event)
    if event.seen_by != audience:
        yield f"it's visible {_seats(event.seen_by)}, but should be visible {_seats(audience)}"
    yield from check_in_time(position, event)
    if before is not None:
        yield from _after(position, event, before)


def _seats(seats: tuple[int, ...] | None) -> str:
    if seats is None:
        return "to everybody"
    numbers = ", ".join(map(str, seats))
    return f"only to seat{'s' if len(seats) > 1 else ''} {numbers}" if seats else "to nobody"


def _audience(position: Position, event: Event[Any]) -> tuple[int, ...] | None:
    if event.fact not in _CARD_FACTS:
        return () if event.fact in SECRET_FACTS else None
    seat: int = event.data.seat
    if position.rules.sight(max(1, position.live.dealt.hand)) is _OWN:
        return (seat,)
    return tuple(other for other in range(position.seats) if other != seat)


def _after(position: Position, event: Event[Any], before: Event[Any]) -> Iterator[str]:
    if event.game != before.game:
        yield "it belongs to another game than the event before it"
    if event.at < before.at:
        yield f"its time {event.at} is earlier than that of the event before it"
    elif (event.at, event.command) != (before.at, before.command) and not _begins(position, event, before):
        yield "its time or command isn't that of its commit"
    if event.fact not in RULING_FACTS and event.by != (author := _author(position, event)):
        yield f"its author is {event.by}, but should be {author}"


def _begins(position: Position, event: Event[Any], before: Event[Any]) -> bool:
    over = due_end(position) is not None
    return begins_commit(position, event, before.fact, blind=is_blind(position), decided=over)


def _author(position: Position, event: Event[Any]) -> str:
    if event.fact in _RETURN_FACTS:
        return str(event.data.to)
    if event.fact in CHANGE_FACTS:
        return position.host if event.data.cause == "host" else SERVER
    if event.fact in _BEACON_FACTS:
        people = {position.players[seat].player for seat in position.persons}
        return event.by if event.by in people else SERVER
    if event.fact not in _OWN_FACTS or (event.fact == "CardPlayed" and is_blind(position)):
        return SERVER
    seat: int = event.data.seat
    gone = seat in position.left and event.fact not in PARTY_FACTS
    return SERVER if gone else position.players[seat].player
