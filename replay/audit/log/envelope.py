"""What surrounds a fact: game, time, author, command, audience, salt (docs/events.md)."""

from collections.abc import Iterator
from typing import Any

from domain.events import Event
from domain.rules.choices import Sight
from replay.audit.disputes.rulings import PARTY_FACTS, RULING_FACTS
from replay.audit.log.commit_order import CHANGES, begins_commit
from replay.audit.play.deadlines import check_in_time
from replay.audit.play.fact_kinds import CUT_FACTS, MOVE_FACTS, SECRET_FACTS, SERVER, TABLE_TALK_FACTS
from replay.audit.play.turns import is_blind
from replay.audit.scoring.endings import due_end
from replay.fold import Position
from replay.fold.validate import is_lower_hex

OWN_CARDS = frozenset({"CardsDealt", "CardsBuried", "CardsTaken"})
"""What is told to those who see the seat's cards."""
OWN_WORDS = MOVE_FACTS | TABLE_TALK_FACTS | CUT_FACTS | {"CardsBuried", "CardsDrawn", "StockTaken", "CardsTaken"}
"""What is by its seat's player, whoever's command brought it (docs/events.md)."""


def check_envelope(position: Position, event: Event[Any], before: Event[Any] | None) -> Iterator[str]:
    """What is wrong with the envelope of `event`, after `position` and after the event shown `before` it."""
    if not is_lower_hex(event.salt, 32):
        yield "its salt is not 16 bytes in hex"
    audience = _audience(position, event)
    if (event.seen_by is None) != (audience is None) or list(event.seen_by or ()) != list(audience or ()):
        yield f"it is for {_seats(event.seen_by)} but should be for {_seats(audience)}"
    yield from check_in_time(position, event)
    if before is not None:
        yield from _after(position, event, before)


def _seats(seats: tuple[int, ...] | None) -> str:
    if seats is None:
        return "everybody"
    return f"seat {', '.join(map(str, seats))} alone" if seats else "nobody"


def _audience(position: Position, event: Event[Any]) -> tuple[int, ...] | None:
    if event.fact not in OWN_CARDS:
        return () if event.fact in SECRET_FACTS else None
    seat: int = event.data.seat
    if position.rules.sight(max(1, position.live.dealt.hand)) is Sight.OWN:
        return (seat,)
    return tuple(other for other in range(position.seats) if other != seat)


def _after(position: Position, event: Event[Any], before: Event[Any]) -> Iterator[str]:
    if event.game != before.game:
        yield "it belongs to another game than the events before it"
    if event.at < before.at:
        yield f"its time {event.at} lies before that of the event before it"
    elif (event.at, event.command) != (before.at, before.command) and not _begins(position, event, before):
        yield "it does not share time and command with the commit it belongs to"
    if event.fact not in RULING_FACTS and event.by != (author := _author(position, event)):
        yield f"it is by {event.by} but should be by {author}"


def _begins(position: Position, event: Event[Any], before: Event[Any]) -> bool:
    over = due_end(position) is not None
    return begins_commit(position, event, before.fact, blind=is_blind(position), decided=over)


def _author(position: Position, event: Event[Any]) -> str:
    if event.fact in CHANGES:
        return position.host if event.data.cause == "host" else SERVER
    own = event.fact in OWN_WORDS | PARTY_FACTS
    if not own or (event.fact == "CardPlayed" and is_blind(position)):
        return SERVER
    seat: int = event.data.seat
    gone = seat in position.left and event.fact not in PARTY_FACTS
    return SERVER if gone else position.players[seat].player
