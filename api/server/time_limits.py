"""Time limits of many short waits, with one timer for all of them, and refusals that leave late.

Refusals that a client can cause without end, and that cost it nothing, leave one after another. A client that sends
one request after another then sends fewer, however many connections it has.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from api.server.fair_queue import Client

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


DELAYED = frozenset((408, 409, 413, 429, 431, 503))
"""The statuses of such refusals."""
EACH_S = 0.02
"""How much later than the refusal before it a client's next one leaves."""
MOST_S = 20.0
"""The longest delay: proxies often end a request after 30 seconds."""
MOST_REMEMBERED = 4096


class RefusalDelays:
    """Delays refusals by `delay_s` and by the other refusals of the same client; 0 means not at all."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._last = dict[Client, float]()
        """When the last refusal of each client leaves."""

    async def wait(self, client: Client) -> None:
        """Wait until a refusal of this client may leave."""
        if self._delay_s:
            now = asyncio.get_running_loop().time()
            await asyncio.sleep(self.leaves_at(client, now) - now)

    def leaves_at(self, client: Client, now: float) -> float:
        """Return when a refusal that is made `now` leaves, in seconds."""
        leaves = min(max(now + self._delay_s, self._last.get(client, 0.0) + EACH_S), now + MOST_S)
        self._last[client] = leaves
        if len(self._last) > MOST_REMEMBERED:
            self._last = {each: last for each, last in self._last.items() if last > now}
        return leaves
