"""The open event streams of a process, by what they follow."""

import asyncio
from contextlib import suppress
from typing import Literal

from api.play.services.event_stream import AnyStream, Cursor, EventPage
from api.server.fair_queue import Client

NOBODY = Client("")
Failure = Literal["unavailable", "unreadable", "hidden"]


class OpenStream:
    """A stream that is being sent, with its cursor and its client."""

    def __init__(self, asked: AnyStream, client: Client = NOBODY) -> None:
        self.asked, self.client, self.after = asked, client, asked.start
        self.ended = False
        self._signal = asyncio.Event()

    def wake(self) -> None:
        """Make the stream read on."""
        self._signal.set()

    def end(self) -> None:
        """Make the stream end."""
        self.ended = True
        self._signal.set()

    def begin_reading(self) -> None:
        """Forget wake-ups from before, but not the end, which may come while the stream waits for its turn."""
        if not self.ended:
            self._signal.clear()

    async def sleep(self, seconds: float) -> bool:
        """Wait until the stream is woken, and return whether that happened within `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await self._signal.wait()
        return False


class StreamChannel:
    """The open streams of one topic, its last known cursor, and the pages that the streams share."""

    def __init__(self) -> None:
        self.head: Cursor = (0, 0)
        self.streams: set[OpenStream] = set()
        self.holders: frozenset[str] = frozenset()
        self.pages: dict[tuple[str | None, Cursor], asyncio.Future[EventPage | Failure]] = {}

    def fresh_page(self, player: str | None, after: Cursor) -> "asyncio.Future[EventPage | Failure] | None":
        """Return the page if it is being read, or was read since the last known commit."""
        reading = self.pages.get((player, after))
        if reading is not None and reading.done():
            page = reading.result()
            return reading if isinstance(page, str) or page.log_head >= self.head else None
        return reading

    def wake(self, head: Cursor) -> None:
        """Wake every stream that isn't at `head` yet."""
        self.head = max(self.head, head)
        for stream in self.streams:
            if stream.after < head:
                stream.wake()

    def wake_all(self) -> None:
        """Wake every stream, since there may be commits that nobody told of."""
        self.pages.clear()
        for stream in self.streams:
            stream.wake()

    def drop_page(self, key: tuple[str | None, Cursor], page: object) -> None:
        """Forget a page, unless it has been read again since."""
        if self.pages.get(key) is page:
            del self.pages[key]
