"""Checks of an event's envelope, game, time, author, command, audience and salt (docs/events.md), and of its commit.

Facts of a commit share time and command, and some leave `next` to a later one (docs/design.md#commits).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.events import Event
from domain.rules.choices import Cuts, Sight
from domain.rules.model import Rules
from replay.audit.deals.ceremonies import ceremony_waiting_for_cuts
from replay.audit.play.checking import (
    BEFORE_DEAL_FACTS,
    CHANGE_FACTS,
    DISPUTE_FACTS,
    MOVE_FACTS,
    PARTY_FACTS,
    RULING_FACTS,
    SECRET_FACTS,
    SERVER,
    TABLE_TALK_FACTS,
)
from replay.audit.play.deadlines import DEADLINE_FACTS, check_in_time, clock_of_turn
from replay.audit.play.table_talk import is_taken_by_clock
from replay.audit.play.turns import is_blind
from replay.audit.scoring.endings import due_end
from replay.fold import Position
from replay.fold.declaring import Role, facts_of
from replay.fold.validate import is_lower_hex
from replay.history import LogLine

_END_FACTS = frozenset({"HandThrownIn", "HandScored", "MisdealDeclared", "GameEnded"})
"""Facts that end a hand or the game. After them no seat has the turn."""
_COMMAND_FACTS = MOVE_FACTS | BEFORE_DEAL_FACTS | DISPUTE_FACTS | DEADLINE_FACTS | facts_of(Role.RETURN, Role.CLAIM)
_WHILE_CUTTING = (
    TABLE_TALK_FACTS | BEFORE_DEAL_FACTS | DISPUTE_FACTS | {"CeremonyOpened", "SeedKept", "DelayJudged", "RulesChanged"}
)
"""Facts that can come last before a deal that waits for cuts or a beacon. SeedKept may be withheld."""


def is_command(event: Event[Any], before: str, blind: bool) -> bool:
    """Whether the event comes from a seat, the host, an arbiter or the clock, after the fact `before`."""
    if event.fact in CHANGE_FACTS:
        return bool(event.data.cause == "host")
    if event.fact == "SeatForfeited":
        return bool(event.data.reason == "time")
    if event.fact == "CardPlayed":
        return before != "TrumpPitched" and not blind
    by_server = (event.fact, event.by) == ("DelayVoted", SERVER)
    return event.fact in _COMMAND_FACTS or (event.fact in TABLE_TALK_FACTS and not by_server)


def begins_commit(position: Position, event: Event[Any], before: str, *, blind: bool, decided: bool) -> bool:
    """Whether a commit begins with `event`: with a command, or when time is up for the game or for cuts."""
    if is_command(event, before, blind):
        return True
    if event.fact == "SeatHandedOver":
        return is_taken_by_clock(position, event.data)
    if event.fact == "TurnTimed":
        return clock_of_turn(position) is not None
    if ceremony_waiting_for_cuts(position) is not None and position.opening.fairness.cuts != Cuts.NONE:
        timed = event.fact in {"HandDealt", "CeremonyVoided", "CeremonyRevealed"}
        return timed and before in _WHILE_CUTTING and not decided
    reveals = event.fact in {"CeremonyRevealed", "GameEnded"} and before != "CeremonyRevealed"
    return bool(reveals and position.turn and not decided)


def turn_follows_flags(lines: Sequence[LogLine]) -> list[bool]:
    """Return for each line whether a later fact of its commit has `next`, or ends the hand or the game."""
    starts = _starts(lines)
    flags, later = [False] * len(lines), False
    for place in range(len(lines) - 1, -1, -1):
        flags[place] = later
        event = lines[place].event
        if starts[place]:
            later = False
        elif event is not None:
            later = later or hasattr(event.data, "next") or event.fact in _END_FACTS
    return flags


def _starts(lines: Sequence[LogLine]) -> list[bool]:
    """Return for each line whether a commit begins with it, judged by the events alone."""
    starts, blind = list[bool](), False
    rules: Rules | None = None
    before: Event[Any] | None = None
    for line in lines:
        event = line.event
        if event is None:
            starts.append(False)
            continue
        if event.fact == "GameOpened":
            rules = event.data.rules
        if event.fact == "HandDealt":
            blind = rules is not None and _sight(rules, event.data.hand) is Sight.OTHERS
        differs = before is not None and (event.at, event.command) != (before.at, before.command)
        starts.append(differs or is_command(event, before.fact if before else "", blind))
        before = event
    return starts


def _sight(rules: Rules, hand: int) -> Sight:
    return rules.sight(max(1, hand)) if rules.sights else Sight.OWN


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
