"""Signals: SIGTERM from a process manager and SIGINT from a terminal stop a process; SIGHUP reopens a log file."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from api.monitoring.logs import has_log_file

LOG = logging.getLogger("trickbook.signals")
TERMINAL = "/dev/tty"
"""The terminal of this process, if it has one (POSIX.1, general terminal interface)."""
IGNORED = "SIGHUP changes nothing: settings are read at the start, and the log goes to standard error"
REOPENED = "SIGHUP: the log goes on in its file, in a new one if that was moved; settings are read at the start"
TERMINAL_GONE = "the terminal was closed: stopping"


def on_stop_signals(then: Callable[[], None]) -> None:
    """Call `then` in the main thread on SIGTERM and SIGINT, and on SIGHUP if the terminal was closed.

    A program with a log file never stops on SIGHUP, since those that move log files send it.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _without_arguments(then))
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup
        signal.signal(signal.SIGHUP, _without_arguments(_on_hangup(then)))


def on_stop_signals_in_loop(then: Callable[[], None]) -> None:
    """Do the same in the running event loop, which a handler of `on_stop_signals` wouldn't wake."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, then)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        loop.add_signal_handler(signal.SIGHUP, _on_hangup(then))


def ignore_interrupts() -> None:
    """Ignore SIGINT and SIGHUP, which a terminal sends to every process of a command, and restore SIGTERM's default."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _without_arguments(then: Callable[[], None]) -> Callable[[int, FrameType | None], None]:
    return lambda _number, _frame: then()


def _on_hangup(then: Callable[[], None]) -> Callable[[], None]:
    """Return what SIGHUP does: without a log file, stop if there was a terminal and it's gone; otherwise log a line.

    A line is all that it takes to go on in a new file (`LogFile`).
    """
    had_terminal = _has_terminal()

    def hang_up() -> None:
        if has_log_file():
            LOG.warning(REOPENED)
        elif had_terminal and not _has_terminal():
            LOG.warning(TERMINAL_GONE)
            then()
        else:
            LOG.warning(IGNORED)

    return hang_up


def _has_terminal() -> bool:
    with suppress(OSError):
        os.close(os.open(TERMINAL, os.O_RDONLY | os.O_NOCTTY))
        return True
    return False
