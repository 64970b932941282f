"""Wait for a condition, and fail if it doesn't hold in time."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE_S = 60.0
PAUSE_S = 0.02


def wait_until(
    condition: Callable[[], object], what: str = "", within_s: float = PATIENCE_S, pause_s: float = PAUSE_S
) -> None:
    """Wait until the condition holds. `what` says what is wrong if it never does."""
    wait_for(condition, bool, what, within_s, pause_s)


def wait_for(
    ask: Callable[[], T],
    holds: Callable[[T], object],
    what: str = "",
    within_s: float = PATIENCE_S,
    pause_s: float = PAUSE_S,
) -> T:
    """Ask again until the answer is as it should be, and return that answer."""
    until = time.monotonic() + within_s
    while not holds(answer := ask()):
        assert time.monotonic() < until, f"{what or 'not'} within {within_s} s: {answer}"
        time.sleep(pause_s)
    return answer
