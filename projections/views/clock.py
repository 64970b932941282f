"""The part of a view about time: the pace of the table, the clock of the turn, and what each seat has left (R-P15)."""

from typing import Annotated, Literal, NotRequired, TypedDict, cast

from msgspec.structs import asdict

from domain.engine.deadlines import running_clock
from domain.engine.paces import time_left_ms
from domain.events import TurnPace
from domain.json_fields import Time, says
from domain.state import State, TurnClock


class ClockPace(TypedDict):
    """A clock in seconds. A field that the table doesn't use is missing."""

    kind: Literal["live", "daily", "bank"]
    base_s: NotRequired[int]
    move_s: NotRequired[int]
    increment_s: NotRequired[int]
    auction_s: NotRequired[int]
    cap_s: NotRequired[int]


class RunningClock(TypedDict):
    """The clock of the turn. Its deadline is that of the turn."""

    seat: int
    since: Annotated[Time, says("When it began to run.")]
    left_ms: Annotated[int, says("The seat's time then.")]
    held_ms: Annotated[int, says("For how long the clock was held in this turn.")]
    closed: list[list[Time]]


class TableClock(TypedDict):
    """The clock of the table, and what becomes of a seat that is out of time."""

    pace: ClockPace | None
    autopilot: Annotated[str, says("`forfeit`, `claim`, or `bot:` and a strategy.")]
    running: RunningClock | None
    left_ms: Annotated[list[int | None], says("Each seat's time left after its last turn; empty without a pace.")]


def clock_json(state: State, *, is_commit_end: bool) -> TableClock | None:
    """Return the pace, the autopilot, the running clock and the seats' times; None if time is in days and forfeits."""
    opened = state.opened
    if opened is None or (opened.timing.pace is None and opened.autopilot == "forfeit"):
        return None
    pace, running = opened.timing.pace, running_clock(state) if is_commit_end else None
    return {
        "pace": None if pace is None else _pace(pace),
        "autopilot": opened.autopilot,
        "running": None if running is None else _running(running),
        "left_ms": [] if pace is None else [_left_ms(state, pace, seat) for seat in range(len(state.seats))],
    }


def _pace(pace: TurnPace) -> ClockPace:
    return cast("ClockPace", {name: value for name, value in asdict(pace).items() if value is not None})


def _running(clock: TurnClock) -> RunningClock:
    """Return the clock of the turn. Its time is over at the deadline, which counts the closed and held times."""
    closed = [list(times) for times in clock.closed]
    return {
        "seat": clock.seat,
        "since": clock.since,
        "left_ms": clock.left_ms,
        "held_ms": clock.held_ms,
        "closed": closed,
    }


def _left_ms(state: State, pace: TurnPace, seat: int) -> int | None:
    """Return what a seat had left when its last turn ended; None for a bot, a seat that left, and a clock of days."""
    if pace.base_s is None or seat not in state.persons:
        return None
    last = state.clocks[seat] if state.clocks else None
    return pace.base_s * 1000 if last is None else time_left_ms(last)
