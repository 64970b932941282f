"""What surrounds a fact: game, time, author, command, audience, salt (contract.md section 1)."""

from collections.abc import Iterator
from typing import Any

from domain.events import Event
from domain.rules import Sight
from replay.audit.order import FREE, SECRET
from replay.fold import Position
from replay.shape import is_hex

SERVER = "server"


def around(position: Position, event: Event[Any], before: Event[Any] | None) -> Iterator[str]:
    """What is wrong with the envelope of `event`, after `position` and after the event shown `before` it."""
    if not is_hex(event.salt, 32):
        yield "its salt is not 16 bytes in hex"
    if list(event.seen_by or ()) != list(_audience(position, event) or ()) or (event.seen_by is None) != (
        event.fact not in SECRET
    ):
        yield f"it is for {_seats(event.seen_by)} but should be for {_seats(_audience(position, event))}"
    if before is not None:
        yield from _after(position, event, before)


def _seats(seats: tuple[int, ...] | None) -> str:
    if seats is None:
        return "everybody"
    return f"seat {', '.join(map(str, seats))} alone" if seats else "nobody"


def _audience(position: Position, event: Event[Any]) -> tuple[int, ...] | None:
    if event.fact != "CardsDealt":
        return () if event.fact in SECRET else None
    hand, rules = position.live.dealt.hand, position.opening.rules
    seat: int = event.data.seat
    if rules.sight(max(1, hand)) is Sight.OWN:
        return (seat,)
    return tuple(other for other in range(position.seats) if other != seat)


def _after(position: Position, event: Event[Any], before: Event[Any]) -> Iterator[str]:
    if event.game != before.game:
        yield "it belongs to another game than the events before it"
    if event.at < before.at:
        yield f"its time {event.at} lies before that of the event before it"
    elif not begins(event, before) and (event.at, event.command) != (before.at, before.command):
        yield "it does not share time and command with the commit it belongs to"
    if event.by != (author := _author(position, event)):
        yield f"it is by {event.by} but should be by {author}"


def begins(event: Event[Any], before: Event[Any]) -> bool:
    """Whether a commit begins here: with what a seat says or does, but for the card of a pitched trump."""
    return event.fact in FREE and before.fact != "TrumpPitched"


def _author(position: Position, event: Event[Any]) -> str:
    if event.fact not in FREE:
        return SERVER
    seat: int = event.data.seat
    return SERVER if seat in position.left else position.opening.players[seat].player
