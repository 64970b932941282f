"""The signals that stop a process: SIGTERM from a process manager, SIGINT from a terminal."""

import signal
from collections.abc import Callable
from types import FrameType


def on_stop_signals(then: Callable[[], None]) -> None:
    """Call `then` in the main thread on SIGTERM and SIGINT."""

    def handler(_signal: int, _frame: FrameType | None) -> None:
        then()

    signal.signal(signal.SIGTERM, handler)
    signal.signal(signal.SIGINT, handler)


def ignore_interrupts() -> None:
    """Ignore SIGINT, which a terminal sends to every process of a command, and restore SIGTERM's default."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
