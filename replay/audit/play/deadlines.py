"""Checks of deadlines, and of the clock of each turn: what a seat starts with, and when its time is over.

R-P10 and R-P15 to R-P18 are the clauses.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from domain.events import Event, SeatForfeited, SeatHandedOver, Seats, TimeClaimed, TurnPace, TurnReminded, TurnTimed
from domain.rules.choices import Stop
from replay.audit.play.checking import checks, time_of
from replay.fold import Position
from replay.fold.clocks import ClockRead, closed_spans, elapsed_ms, microseconds, moment_of
from replay.fold.declaring import Role, facts_of

LEAST_MS = 10_000
"""No turn starts with less, but after an undo of version 1."""


def awaited_person(position: Position) -> int | None:
    """Return the seat to move if a person plays it who hasn't left."""
    for seat in position.turn:
        if seat not in position.left and position.players[seat].kind == "human":
            return seat
    return None


def counts_since(position: Position) -> str:
    """Return when the time of the turn began to run: with the turn, or when a bot gave the seat back."""
    seat, opened = awaited_person(position), position.opening
    if seat is None or (opened.timing.pace is None and not opened.autopilot.startswith("bot:")):
        return position.since
    return max(position.since, position.back.get(seat, ""))


def clock_of_turn(position: Position) -> ClockRead | None:
    """Return the clock of the turn, or None if it doesn't run yet."""
    clock, seat = position.clock, awaited_person(position)
    if clock is None or clock.timed.seat != seat or clock.began != position.began:
        return None
    return clock if clock.since == counts_since(position) else None


def is_timing_due(position: Position) -> bool:
    """Tell whether the clock of the turn must be started before anything else happens."""
    if position.opening.timing.pace is None or position.ended:
        return False
    return awaited_person(position) is not None and clock_of_turn(position) is None


@checks(TurnTimed, given=time_of)
def check_turn_timed(position: Position, fact: TurnTimed, at: str) -> Iterator[str]:
    """Check the seat, its time, the time for which the clock was held, and the deadline that follows from them."""
    pace, seat = position.opening.timing.pace, awaited_person(position)
    if pace is None or fact.seat != seat:
        yield f"the turn of seat {fact.seat} is timed, but {'no clock runs' if pace is None else 'it is not to move'}"
        return
    running = clock_of_turn(position)
    expected = _start_ms(position, pace, fact.seat) if running is None else running.timed.left_ms
    if fact.left_ms != expected:
        yield f"seat {fact.seat} starts its turn with {fact.left_ms} ms, but has {expected} ms"
    yield from _check_held_clock(position, fact, at, running)
    yield from _check_deadline(position, fact, pace)


def _start_ms(position: Position, pace: TurnPace, seat: int) -> int:
    """Return the milliseconds with which the turn of a seat starts."""
    left = position.banks.get(seat)
    if left is not None and position.undone == position.began:
        return left if position.short else max(LEAST_MS, left)
    more = pace.auction_s if position.phase == "auction" and pace.auction_s is not None else None
    if more is None:
        more = pace.increment_s if pace.kind == "live" else pace.move_s
    gain = (more or 0) * 1000
    if pace.kind == "daily":
        return gain
    total = gain + ((pace.base_s or 0) * 1000 if left is None else left)
    return max(LEAST_MS, total if pace.cap_s is None else min(total, pace.cap_s * 1000))


def _check_held_clock(position: Position, fact: TurnTimed, at: str, running: ClockRead | None) -> Iterator[str]:
    if running is None:
        if fact.held_ms:
            yield f"the clock starts, but is recorded to have been held for {fact.held_ms} ms"
        return
    lasted = elapsed_ms(running.since, at)
    if lasted is None or not running.timed.held_ms < fact.held_ms <= lasted:
        bounds = f"it must be more than {running.timed.held_ms}, and at most {lasted} ms"
        yield f"the clock is recorded to have been held for {fact.held_ms} ms, but {bounds}"


def _check_deadline(position: Position, fact: TurnTimed, pace: TurnPace) -> Iterator[str]:
    """Check that the deadline comes when the time has passed that isn't closed."""
    begin, spans = microseconds(counts_since(position)), closed_spans(fact)
    if begin is None or spans is None or (spans and (pace.kind == "live" or spans[0][0] < begin)):
        yield f"the closed times {[list(pair) for pair in fact.closed]} can't be those of this turn"
        return
    due = begin + (fact.left_ms + fact.held_ms) * 1000
    for first, last in spans:
        if first >= due:
            yield f"a closed time begins at {moment_of(first)}, after the deadline"
        due += last - first
    if fact.deadline != moment_of(due):
        yield f"the deadline is {fact.deadline}, but follows to be {moment_of(due)}"


DEADLINE_FACTS = facts_of(Role.DEADLINE)
"""Facts that a deadline brings about for a seat."""
_POSSIBLE_DEADLINE_FACTS = {
    (True, True): DEADLINE_FACTS,
    (True, False): DEADLINE_FACTS,
    (False, True): frozenset({"TurnReminded"}),
    (False, False): frozenset[str](),
}
"""The possible `DEADLINE_FACTS`, by whether the table has forfeits and whether it has reminders."""
CLOSING_FACTS = frozenset({"CeremonyRevealed", "CeremonyVoided", "GameEnded"})
"""Facts that end a game, and so may come after its deadline."""
_USUAL_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z)")


@lru_cache(1024)
def _date_after(date: str, days: int) -> str | None:
    """Return the date `days` later, or None if the date is invalid or the result is beyond the calendar."""
    try:
        return f"{(datetime.fromisoformat(date) + timedelta(days=days)).date()}"
    except (ValueError, OverflowError):
        return None


def add_time(moment: str, days: int | None, *, seconds: int = 0, milliseconds: int = 0) -> str | None:
    """Return the time that long after `moment`, or None if `days` is None or there is no such time."""
    if days is None:
        return None
    if not (seconds or milliseconds) and (usual := _USUAL_TIME.fullmatch(moment)):
        return f"{date}{usual[2]}" if (date := _date_after(usual[1], days)) else None
    try:
        more = timedelta(days=days, seconds=seconds, milliseconds=milliseconds)
        due = datetime.fromisoformat(moment.removesuffix("Z")) + more
    except (ValueError, OverflowError):
        return None
    return f"{due.isoformat(timespec='microseconds')}Z"


def game_deadline(position: Position) -> str | None:
    """Return the time at which the game had to end: the earlier of its named time and its number of days."""
    timing = position.opening.timing
    if timing.total_days is None:
        return timing.ends_at
    deadlines = [timing.ends_at, add_time(position.opened_at, timing.total_days)]
    return min((deadline for deadline in deadlines if deadline is not None), default=None)


def is_time_up(position: Position) -> bool:
    """Return whether the game had to end by the time of the last event, and no hand is played out first (R-C42)."""
    deadline = game_deadline(position)
    return deadline is not None and position.at >= deadline and not _is_hand_played_out(position)


def people_to_move(position: Position) -> Seats:
    """Return the seats to move that people play and haven't left."""
    left, players = position.left, position.players
    return tuple(seat for seat in position.turn if seat not in left and players[seat].kind == "human")


def turn_deadline(position: Position, held_ms: int | None = None) -> str | None:
    """Return the time until which the seat to move could move; None if it has no deadline or no person is to move.

    The `held_ms` milliseconds for which the clock was held don't count. If None, those of the last reminder don't.
    """
    days, clock = position.opening.timing.forfeit_days, clock_of_turn(position)
    if clock is not None:
        return clock.timed.deadline
    if days is None or not people_to_move(position):
        return None
    return add_time(counts_since(position), days, milliseconds=position.held_ms if held_ms is None else held_ms)


def is_before_deadlines(position: Position, at: str, since: str = "") -> bool:
    """Tell whether `at` is before the deadline of the game and before the day on which the turn's deadline falls.

    `since` is the time at which the turn began, if that was later than in `position`.
    """
    days, game_end = position.opening.timing.forfeit_days, game_deadline(position)
    if position.clock is not None and at >= position.clock.timed.deadline:
        return False
    if game_end is not None and at >= game_end:
        return False
    last_day = None if days is None else _date_after((since or position.since)[:10], days)
    return days is None or (last_day is not None and at[:10] < last_day)


def possible_deadline_facts(position: Position) -> frozenset[str]:
    """Return the names of the `DEADLINE_FACTS` that may come now."""
    timing = position.opening.timing
    has_deadline = timing.forfeit_days is not None or timing.pace is not None
    possible = _POSSIBLE_DEADLINE_FACTS[has_deadline, timing.nag_days is not None]
    if not possible or not people_to_move(position):
        return frozenset()
    autopilot = position.opening.autopilot
    if not has_deadline or autopilot == "forfeit":
        return possible
    return possible - {"SeatForfeited"} | {"TimeClaimed"} if autopilot == "claim" else possible | {"SeatHandedOver"}


def check_seat_forfeited(position: Position, fact: SeatForfeited, at: str) -> Iterator[str]:
    """Check that the seat was to move, and that its time was over by the times in the log."""
    deadline = turn_deadline(position, fact.held_ms)
    yield from _check_held(position, fact, at)
    if fact.seat not in people_to_move(position):
        yield f"seat {fact.seat} runs out of time, but is not a person to move"
    elif deadline is None or at < deadline:
        limit = f"had until {deadline}" if deadline else "had no time limit"
        yield f"seat {fact.seat} runs out of time at {at}, but {limit}"
    due = _forfeit_reason(position)
    if fact.reason != due:
        yield f'seat {fact.seat} forfeits for "{fact.reason}", but must forfeit for "{due}" here'


def _forfeit_reason(position: Position) -> str:
    """Return why a seat can be forfeit that is out of time, or `handover` if it must go to a bot."""
    autopilot = position.opening.autopilot
    if autopilot == "claim":
        return "claimed"
    return "handover" if autopilot.startswith("bot:") and len(position.persons) > 1 else "time"


@checks(TimeClaimed)
def check_time_claimed(position: Position, fact: TimeClaimed) -> Iterator[str]:
    """Check that the table has claims, and that a person claims the time of another one to move.

    The forfeit that follows says how long the clock was held; its check compares the times.
    """
    if position.opening.autopilot != "claim":
        yield f"seat {fact.seat} claims a time, but at this table nobody can"
    if fact.seat not in position.persons or fact.seat == fact.late or fact.late not in people_to_move(position):
        yield f"seat {fact.seat} can't claim the time of seat {fact.late} now"


def check_taken_by_clock(position: Position, fact: SeatHandedOver, at: str) -> Iterator[str]:
    """Check that the clock hands over the seat of a person to move, out of time, to the bot of the table."""
    deadline = turn_deadline(position)
    if fact.seat not in people_to_move(position) or deadline is None or at < deadline:
        until = "is not a person to move" if deadline is None else f"had until {deadline}"
        yield f"the clock takes seat {fact.seat} at {at}, but it {until}"
    if (fact.kind, f"bot:{fact.bot}") != ("bot", position.opening.autopilot):
        yield f"the clock hands seat {fact.seat} to {fact.to}, but the autopilot is {position.opening.autopilot}"
    if position.persons == (fact.seat,):
        yield f"the clock takes seat {fact.seat}, but no other person is at the table"
    if fact.to in position.sat:
        yield f"seat {fact.seat} goes to {fact.to}, who has or had a seat in this game"


@checks(TurnReminded, given=time_of)
def check_turn_reminded(position: Position, fact: TurnReminded, at: str) -> Iterator[str]:
    """Check that the seat was to move, and that the reminder was due.

    It's due once in a turn, and again at the seat's deadline if the clock was held longer than the log said.
    """
    yield from _check_held(position, fact, at)
    if _puts_deadline_off(position, fact, at):
        return
    due = add_time(counts_since(position), position.opening.timing.nag_days)
    if fact.seat not in people_to_move(position):
        yield f"seat {fact.seat} is reminded, but is not a person to move"
    elif due is None or at < due:
        reminder = "no reminder is due" if due is None else f"the reminder is due at {due}"
        yield f"seat {fact.seat} is reminded at {at}, but {reminder}"
    if fact.seat in position.reminded:
        yield f"seat {fact.seat} is reminded twice in one turn"


def _check_held(position: Position, fact: SeatForfeited | TurnReminded, at: str) -> Iterator[str]:
    """Check that the clock wasn't held for longer than the turn lasted, nor for less than the log said before."""
    if (clock := clock_of_turn(position)) is not None:
        if fact.held_ms != clock.timed.held_ms:
            yield f"the clock was held for {clock.timed.held_ms} ms in this turn, not for {fact.held_ms} ms"
        return
    lasted = elapsed_ms(counts_since(position), at)
    if lasted is None or not position.held_ms <= fact.held_ms <= lasted:
        bounds = f"it can be {position.held_ms} to {lasted} ms in this turn"
        yield f"the clock is recorded to have been held for {fact.held_ms} ms, but {bounds}"


def _puts_deadline_off(position: Position, fact: TurnReminded, at: str) -> bool:
    """Tell whether the reminder comes at the deadline of its seat, or later, and puts it off to a time to come."""
    known, later = turn_deadline(position), turn_deadline(position, fact.held_ms)
    reminded = fact.seat in position.reminded and position.held_ms == fact.held_ms
    to_move = fact.seat in people_to_move(position) and not reminded
    held_first = position.opening.autopilot.startswith("bot:")  # the hand-over itself doesn't say how long
    return to_move and known is not None and later is not None and at >= known and (at < later or held_first)


def check_in_time(position: Position, event: Event[Any]) -> Iterator[str]:
    """Check that an event doesn't come after a deadline, unless the deadline brings it about."""
    if position.opened is None or position.ended or is_before_deadlines(position, event.at):
        return
    claims = position.opening.autopilot == "claim"
    turn_end, game_end = (
        None if claims else turn_deadline(position),
        None if _is_hand_played_out(position) else game_deadline(position),
    )
    if game_end is not None and event.at >= game_end and (turn_end is None or turn_end >= game_end):
        if event.fact not in CLOSING_FACTS:
            yield f"{event.fact} comes at {event.at}, but the game had to end by {game_end}"
    elif turn_end is not None and event.at >= turn_end and not _answers_deadline(position, event):
        seat = people_to_move(position)[0]
        yield f"{event.fact} comes at {event.at}, but seat {seat} ran out of time at {turn_end}"


def _answers_deadline(position: Position, event: Event[Any]) -> bool:
    """Tell whether the event is what comes at a seat's deadline: its forfeit, or a reminder of a later deadline."""
    if event.fact == "TurnReminded":
        return _puts_deadline_off(position, event.data, event.at)
    if event.fact == "TurnTimed":
        return clock_of_turn(position) is not None
    return event.fact in {"SeatForfeited", "SeatHandedOver"}


def _is_hand_played_out(position: Position) -> bool:
    """Tell whether the hand in play continues to its end despite the deadline of the game (R-C42)."""
    return position.rules.stop is Stop.AFTER_HAND and position.hand is not None and not position.hand.over
