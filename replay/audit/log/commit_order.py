"""Where commits begin, and which facts leave `next` to a later fact of their commit (docs/design.md#commits)."""

from collections.abc import Sequence
from typing import Any

from domain.events import Event
from domain.rules.choices import Cuts, Sight
from domain.rules.model import Rules
from replay.audit.deals import cuts
from replay.audit.play.checking import (
    BEFORE_DEAL_FACTS,
    CHANGE_FACTS,
    DISPUTE_FACTS,
    MOVE_FACTS,
    SERVER,
    TABLE_TALK_FACTS,
)
from replay.audit.play.deadlines import DEADLINE_FACTS, clock_of_turn
from replay.audit.play.table_talk import is_taken_by_clock
from replay.fold import Position
from replay.fold.declaring import Role, facts_of
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
    if cuts.ceremony_waiting_for_cuts(position) is not None and position.opening.fairness.cuts != Cuts.NONE:
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
