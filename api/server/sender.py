"""Sending one response to a client that may read slowly, or not at all; time limits of waits, and late refusals.

Refusals that a client can cause without end, and that cost it nothing, leave one after another. A client that sends
one request after another then sends fewer, however many connections it has.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from flask import Response
from werkzeug.http import http_date

from api.server.fair_queue import Client
from api.server.wsgi_bridge import Header
from domain.store.sql.database import Clock

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


Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

WRITE_TIMEOUT_S = 30.0
"""How long a client may take to make room for the next chunk."""
CHUNK = 64 * 1024
PIECE = 16 * 1024
"""Long bodies are sent in pieces, so that the pace shows."""
SERVER = (b"server", b"trickbook")


class SlowClient(Exception):
    """The client reads too slowly: its connection is dropped."""


@dataclass(frozen=True)
class Pace:
    """How slowly a client may read: `bytes_in_window` in every `window_s` seconds, and `total_s` in all."""

    bytes_in_window: int = 20 * 1024
    window_s: float = 20.0
    total_s: float = 3600.0


class DateHeader:
    """The header `Date` of responses (RFC 9110, 6.6.1), by the clock of the server: pages count deadlines by it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._second, self._header = -1, (b"date", b"")

    def now(self) -> Header:
        """Return the header; its value is made once a second."""
        second = self._clock() // 1_000_000
        if second != self._second:
            self._second, self._header = second, (b"date", http_date(second).encode())
        return self._header


class PaceClock:
    """Counts the time that sending takes, without the time that making the next chunk takes."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._started = self._began = time.monotonic()
        self._window_s, self._window_bytes = 0.0, 0

    def begin(self) -> None:
        """Begin to send a piece."""
        self._began = time.monotonic()

    def end(self, size: int) -> None:
        """A piece of `size` bytes is sent. Raise SlowClient if that is too slow."""
        self.check_total()
        self._window_s += time.monotonic() - self._began
        self._window_bytes += size
        if self._window_s > self._pace.window_s:
            if self._window_bytes < self._pace.bytes_in_window:
                raise SlowClient
            self._window_s, self._window_bytes = 0.0, 0

    def check_total(self) -> None:
        """Raise SlowClient if the whole body has taken too long."""
        if time.monotonic() - self._started > self._pace.total_s:
            raise SlowClient


class Sender:
    """Sends one response, and gives up on a client that reads too slowly."""

    def __init__(
        self,
        send: Send,
        receive: Receive,
        date: DateHeader,
        pace: Pace,
        refusals: RefusalDelays | None = None,
        limits: TimeLimits | None = None,
    ) -> None:
        self._send, self._date, self._pace = send, date, pace
        self._refusals = refusals or RefusalDelays(0.0)
        self.client = Client("")
        """Whose request it is, once that is known."""
        self._limits = limits or TimeLimits()
        self.receive = receive
        """Returns, once the request is read, when the client has closed the connection."""
        self._started = False

    async def problem_or_page(self, response: Response) -> None:
        """Send a response that was made without the application."""
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in response.headers.items()]
        await self.whole(response.status_code, headers, response.get_data())

    async def whole(self, status: int, headers: Sequence[Header], body: bytes) -> None:
        """Send a response whose body is complete."""
        await self._start(status, headers)
        if len(body) <= CHUNK:
            await self._body(body, more=False)
            return
        for at in range(0, len(body), CHUNK):
            await self._body(body[at : at + CHUNK], more=at + CHUNK < len(body))

    async def stream(
        self, status: int, headers: Sequence[Header], chunks: AsyncGenerator[bytes, None], *, paced: bool = True
    ) -> None:
        """Send a response whose body is made while it is sent."""
        await self._start(status, headers)
        clock = PaceClock(self._pace)
        async with aclosing(chunks):
            async for chunk in chunks:
                if paced:
                    clock.check_total()
                for at in range(0, len(chunk), PIECE):
                    piece = chunk[at : at + PIECE]
                    clock.begin()
                    await self._body(piece, more=True)
                    if paced:
                        clock.end(len(piece))
        await self._body(b"", more=False)

    async def refuse(self, response: Response) -> None:
        """Send a refusal, or drop the connection if a response has begun."""
        if self._started:
            raise SlowClient
        await self.problem_or_page(response)

    async def _start(self, status: int, headers: Sequence[Header]) -> None:
        self._started = True
        if status in DELAYED:
            await self._refusals.wait(self.client)
        more = self._date.now(), SERVER
        await self._send({"type": "http.response.start", "status": status, "headers": [*headers, *more]})

    async def _body(self, chunk: bytes, *, more: bool) -> None:
        sent = self._send({"type": "http.response.body", "body": chunk, "more_body": more})
        try:
            await self._limits.limit(WRITE_TIMEOUT_S, sent)
        except TimeoutError:
            raise SlowClient from None
