"""Times in which the server can't trust its clock: nobody runs out of time, and players get them back (R-P10)."""

from typing import Protocol

from domain.engine.deadlines import is_late, is_time_up
from domain.state import State
from domain.store.cache import StoreUnavailable


class ClockHeld(StoreUnavailable):
    """The time of a seat or of a game may be over, but the server can't trust its clock now. Nothing was stored."""


class Holds(Protocol):
    """The times for which the server's clock was held, or no server ran."""

    def is_held(self) -> bool:
        """Return whether the clock is held now."""

    def held_ms(self, since: str, until: str) -> int:
        """Return for how many milliseconds of that time (UTC, six decimals) the clock was held or no server ran."""


class NeverHeld:
    """The holds of a clock that is always right, as in tests and tools."""

    def is_held(self) -> bool:
        return False

    def held_ms(self, _since: str, _until: str) -> int:
        return 0


def held_in_turn(holds: Holds, state: State, at: str) -> int:
    """Return for how many milliseconds the clock was held since the turn began. Raise ClockHeld during a time-out."""
    held = holds.held_ms(state.turn_since, at) if state.turn else 0
    if (is_late(state, at, held) or is_time_up(state, at, held)) and holds.is_held():
        raise ClockHeld("The server checks its clock before it ends this game or turn. Send the request again later.")
    return held
