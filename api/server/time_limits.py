"""Time limits of many short waits, with one timer for all of them."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

Result = TypeVar("Result")
CHECK_EVERY_S = 0.25


class TimeLimits:
    """Ends waits of tasks that take too long, up to `CHECK_EVERY_S` late.

    `asyncio.timeout` sets a timer for each wait, which takes longer than sending an answer.
    """

    def __init__(self) -> None:
        self._ends: dict[asyncio.Task[Any], float] = {}
        self._expired: set[asyncio.Task[Any]] = set()
        self._checking = False

    async def limit(self, seconds: float, waited_for: Awaitable[Result]) -> Result:
        """Return the result of `waited_for`. Raise TimeoutError after that time. A task has one limit at a time."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        if task is None:
            raise RuntimeError("only a task can wait")
        self._ends[task] = loop.time() + seconds
        if not self._checking:
            self._checking = True
            loop.call_later(CHECK_EVERY_S, self._check, loop)
        try:
            return await waited_for
        except asyncio.CancelledError:
            if task in self._expired and not task.uncancel():
                raise TimeoutError from None
            raise
        finally:
            del self._ends[task]
            self._expired.discard(task)

    def _check(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        late = [task for task, end in self._ends.items() if end <= now and task not in self._expired]
        self._expired.update(late)
        for task in late:
            task.cancel()
        self._checking = bool(self._ends)
        if self._checking:
            loop.call_later(CHECK_EVERY_S, self._check, loop)
