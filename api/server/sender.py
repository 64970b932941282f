"""Sending one response to a client that may read slowly, or not at all."""

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from flask import Response
from werkzeug.http import http_date

from api.server.fair_queue import Client
from api.server.time_limits import DELAYED, RefusalDelays, TimeLimits
from api.server.wsgi_bridge import Header
from domain.store.sql.database import Clock

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
