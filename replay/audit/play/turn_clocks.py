"""Checks of the clock of each turn: the time that a seat starts with, and the deadline that follows (R-P15, R-P16)."""

from collections.abc import Iterator

from domain.events import TurnPace, TurnTimed
from replay.audit.play.checking import checks, time_of
from replay.audit.play.delay_of_game import elapsed_ms
from replay.fold import Position
from replay.fold.clocks import ClockRead, closed_spans, microseconds, moment_of

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
    yield from _check_held(position, fact, at, running)
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


def _check_held(position: Position, fact: TurnTimed, at: str, running: ClockRead | None) -> Iterator[str]:
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
