"""A lane of threads in this process, with a limited queue."""

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from api.server.admission import Admission
from api.server.fair_queue import Client

Result = TypeVar("Result")
LOG = logging.getLogger("trickbook.lanes")


class CallLane(Protocol):
    """Runs calls in this process."""

    async def run(self, client: Client, call: Callable[[], Result]) -> Result:
        """Return the result of `call`. Raise LaneFull or ShareTaken if too many wait."""


def _lower_priority(niceness: int) -> None:
    """Lower the priority of the current thread. On other systems than Linux, a process has only one priority."""
    if niceness and sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


class ThreadLane:
    """Runs calls in `threads` threads, first come, first served, while up to `queue` more wait.

    One client gets at most half of the places.
    With `niceness`, its threads have a lower priority than others of this process, where the system has such threads.
    With `timeout_s`, a call that takes longer ends this process: a thread can't be stopped.
    """

    def __init__(self, name: str, threads: int, queue: int, timeout_s: float | None = None, niceness: int = 0) -> None:
        self._name, self._timeout_s = name, timeout_s
        self._pool = ThreadPoolExecutor(threads, name, _lower_priority, (niceness,))
        places = threads + queue
        self._admission = Admission(places, max(1, places // 2))

    async def run(self, client: Client, call: Callable[[], Result]) -> Result:
        """Return the result of `call`, made in a thread of the lane. Raise LaneFull or ShareTaken if too many wait."""
        with self._admission.place(client):
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._limited(call))

    def _limited(self, call: Callable[[], Result]) -> Callable[[], Result]:
        if self._timeout_s is None:
            return call
        timer = threading.Timer(self._timeout_s, self._end_process)
        timer.daemon = True

        def limited() -> Result:
            timer.start()
            try:
                return call()
            finally:
                timer.cancel()

        return limited

    def _end_process(self) -> None:
        LOG.error("a request ran for over %.0f s in the lane %s; ending this process", self._timeout_s, self._name)
        os._exit(1)
