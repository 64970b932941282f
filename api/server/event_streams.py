"""The open event streams of a process, by what they follow, and their sender.

Each has only a cursor and reads the log from there, so nothing is queued for a slow reader.

`Turns` let a thousand streams that wake together leave room for requests in the event loop.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import AbstractContextManager, aclosing, asynccontextmanager, nullcontext, suppress
from functools import partial
from threading import Lock
from typing import Any, Literal, NamedTuple

from api.container import Services
from api.inbox.services.entries import GameLabels, InboxStream, read_frames
from api.people.stored.tokens import Tokens
from api.play.services.event_stream import AnyStream, Cursor, EventPage, EventStream, read_page
from api.play.services.gate import GameGate
from api.play.services.presence import INBOX, Presence
from api.server.commit_listener import CommitListener, InboxListener, PollingListener, RulebookListener
from api.server.fair_queue import Client, LaneFull, ShareTaken
from api.server.process_lane import CallLane, ThreadLane
from api.tables.services.rulebooks import RulebookStream, read_progress
from api.tables.stored.rulebooks import Rulebooks
from domain.store import Games, NoSuchGame, StoreUnavailable
from domain.store.aggregate import Corrupt
from domain.store.sql.database import DATABASE_ERRORS
from domain.store.wakeups import Wakeups
from projections.storage.rows import RowStore, RowsUnavailable

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


class Turns:
    """Lets `at_once` tasks go on in each round of the event loop, in the order in which they came."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._given = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Wait for a turn."""
        loop = asyncio.get_running_loop()
        if not self._given:
            loop.call_soon(self._next_round, loop)
        if self._given < self._at_once:
            self._given += 1
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _next_round(self, loop: asyncio.AbstractEventLoop) -> None:
        self._given = 0
        while self._waiting and self._given < self._at_once:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                self._given += 1
        if self._given:
            loop.call_soon(self._next_round, loop)


LOG = logging.getLogger("trickbook.streams")
HEARTBEAT_S = 15.0
RETRY_S = 1.0
"""How long a stream waits after a failure of the store."""
PAGE_LIFE_S = 1.0
"""How long streams of one game share a page."""
TOKEN_CHECK_S = 0.5
TOKEN_TRUST_S = 10.0
"""For how long streams stay open while the server can't check their tokens."""
RECONNECT_MS = range(2000, 5001)
"""Clients that lose their streams together reconnect after a time between these two."""
READ_THREADS, READ_QUEUE = 2, 100_000
STREAMS_AT_ONCE = 32
"""How many streams go on in one round of the event loop. Between two rounds, requests have their turn."""

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
COMMENTS = {
    "unavailable": b": the store doesn't respond\n\n",
    "unreadable": b": the game's log can't be read\n\n",
    "hidden": b": you may no longer see this game\n\n",
}
HEARTBEAT = b": still here\n\n"


class StreamSources(NamedTuple):
    """The stores of streams. Without `rows` and `labels` none of inboxes are sent, without `books` none of rulebooks.

    `presence` counts the streams of players.
    """

    games: Games
    gate: GameGate
    tokens: Tokens
    rows: RowStore | None = None
    labels: GameLabels | None = None
    books: Rulebooks | None = None
    presence: Presence | None = None

    @classmethod
    def of(cls, services: Services) -> "StreamSources":
        """Return those of a process."""
        accounts = services.accounts
        stores = services.games, services.gate, accounts.tokens, services.rows, services.labels
        return cls(*stores, accounts.rulebooks, services.presence)


class EventStreamHub:
    """Sends every event stream of this process. Call its methods in the event loop."""

    def __init__(self, sources: StreamSources, lane: CallLane | None = None, wakeups: Wakeups | None = None) -> None:
        """Without `lane`, its own threads read pages. `wakeups` ring when a process has changed the store."""
        bells = wakeups or Wakeups()
        games, self._gate, self._tokens, rows, self._labels, self._books, self._presence = sources
        self._rows = rows
        self._channels: dict[str, StreamChannel] = {}
        self._inboxes: dict[str, StreamChannel] = {}
        self._rulebooks: dict[str, StreamChannel] = {}
        self._loop = asyncio.get_running_loop()
        self._lane = lane or ThreadLane("streams", READ_THREADS, READ_QUEUE)
        self._turns = Turns(STREAMS_AT_ONCE)
        self._commits: dict[str, int] = {}
        self._commits_lock = Lock()
        self._listener = CommitListener(games, self._on_commit, self._on_gap, lambda: bool(self._channels), bells)
        self._inbox_listener = (
            None if rows is None else InboxListener(rows, self._on_entries, self._on_gap, lambda: self._inboxes, bells)
        )
        self._book_listener = RulebookListener(self._on_check, lambda: bool(self._rulebooks), bells)
        self._checks: asyncio.Task[None] | None = None
        self._closed = False

    @asynccontextmanager
    async def open(
        self, asked: AnyStream, receive: Receive, client: Client = NOBODY
    ) -> AsyncIterator[AsyncGenerator[bytes, None]]:
        """Yield the stream's bytes, in chunks; the stream ends when `receive` reports that the client is gone."""
        async with self._joined(asked, receive, client) as (channel, stream):
            yield self._chunks(channel, stream)

    async def wait(self, asked: AnyStream, receive: Receive, client: Client = NOBODY) -> None:
        """Return when there is something to stream, after `asked.wait_s`, or when the stream would end."""
        async with self._joined(asked, receive, client) as (channel, stream):
            with suppress(TimeoutError):
                async with asyncio.timeout(asked.wait_s), aclosing(self._pages(channel, stream)) as pages:
                    async for page in pages:
                        if isinstance(page, EventPage):
                            return

    @asynccontextmanager
    async def _joined(
        self, asked: AnyStream, receive: Receive, client: Client
    ) -> AsyncIterator[tuple[StreamChannel, OpenStream]]:
        channels = self._channels_like(asked)
        channel = channels.setdefault(asked.topic, StreamChannel())
        stream = OpenStream(asked, client)
        channel.streams.add(stream)
        gone = asyncio.ensure_future(receive())
        gone.add_done_callback(lambda _: stream.end())
        self._start(asked)
        try:
            if self._closed:
                stream.end()
            with self._noted(asked):
                yield channel, stream
        finally:
            gone.cancel()
            channel.streams.discard(stream)
            if not channel.streams:
                channels.pop(asked.topic, None)
            asked.slot.release()

    def _noted(self, asked: AnyStream) -> AbstractContextManager[None]:
        if self._presence is None:
            return nullcontext()
        is_game = isinstance(asked, EventStream)
        return self._presence.follows(asked.player, asked.topic if is_game else INBOX)

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        if self._checks is not None:
            self._checks.cancel()
        for listener in self._listeners():
            listener.stop()
        for stream in self._open_streams():
            stream.end()

    def join(self) -> None:
        """Wait for the hub's threads, after `close`."""
        for listener in self._listeners():
            listener.join()

    def _listeners(self) -> list[PollingListener]:
        inbox = [] if self._inbox_listener is None else [self._inbox_listener]
        return [self._listener, *inbox, self._book_listener]

    def _start(self, asked: AnyStream) -> None:
        """Begin to listen and to check tokens, with the first stream."""
        if isinstance(asked, EventStream):
            self._listener.start()
        elif isinstance(asked, RulebookStream):
            self._book_listener.start()
        elif self._inbox_listener is not None:
            self._inbox_listener.start()
        if self._checks is None and not self._closed:
            self._checks = self._loop.create_task(self._check_tokens())

    def _open_streams(self) -> list[OpenStream]:
        return [stream for channel in self._all_channels() for stream in channel.streams]

    def _all_channels(self) -> list[StreamChannel]:
        return [*self._channels.values(), *self._inboxes.values(), *self._rulebooks.values()]

    def _channels_like(self, asked: AnyStream) -> dict[str, StreamChannel]:
        if isinstance(asked, EventStream):
            return self._channels
        return self._rulebooks if isinstance(asked, RulebookStream) else self._inboxes

    async def _chunks(self, channel: StreamChannel, stream: OpenStream) -> AsyncGenerator[bytes, None]:
        yield b"retry: %d\n\n" % secrets.choice(RECONNECT_MS) + stream.asked.opening
        end = stream.asked.end
        async with aclosing(self._pages(channel, stream)) as pages:
            async for page in pages:
                if page is None:
                    yield HEARTBEAT
                elif isinstance(page, str):
                    yield COMMENTS[page]
                else:
                    chunk, stream.after = page.upto(end)
                    yield chunk
                    if end is not None and stream.after >= end:
                        return

    async def _pages(
        self, channel: StreamChannel, stream: OpenStream
    ) -> AsyncGenerator[EventPage | Failure | None, None]:
        """Yield pages that have frames, failures, and None when nothing has been sent for a time."""
        empty_pages = 0
        beat_at = self._loop.time() + HEARTBEAT_S
        while not stream.ended:
            await self._turns.take()
            stream.begin_reading()  # before the page: what wakes it from now on may not be in that
            page = await self._page(channel, stream)
            if isinstance(page, str):
                yield page
                if page != "unavailable":
                    return
                await stream.sleep(RETRY_S)
                continue
            if page.frames:
                yield page
                beat_at = self._loop.time() + HEARTBEAT_S
            stream.after = max(stream.after, page.reached)
            has_all = stream.after >= page.head and page.log_head >= channel.head
            empty_pages = 0 if has_all or page.frames else empty_pages + 1
            pause_s = beat_at - self._loop.time() if has_all else _pause_s(empty_pages)
            if (has_all or pause_s) and not await stream.sleep(pause_s):
                yield None  # then it reads again: a lost wake-up costs time, and never an event
                beat_at = self._loop.time() + HEARTBEAT_S

    async def _page(self, channel: StreamChannel, stream: OpenStream) -> EventPage | Failure:
        """Return the stream's next page, as its player sees it: by the page itself they may have got a seat."""
        reader = stream.asked.reader_among(channel.holders)
        page = await self._shared_page(channel, stream, reader)
        if isinstance(page, str):
            return page
        channel.holders = page.holders
        again = stream.asked.reader_among(channel.holders)
        return page if again == reader else await self._shared_page(channel, stream, again)

    async def _shared_page(self, channel: StreamChannel, stream: OpenStream, reader: str | None) -> EventPage | Failure:
        """Return a page, read once for all streams of the topic with the same cursor that see the same."""
        key = reader, stream.after
        reading = channel.fresh_page(*key)
        if reading is None:
            read = partial(self._read, stream.asked, *key)
            reading = channel.pages[key] = self._loop.create_task(self._run(stream.client, read))
            self._loop.call_later(PAGE_LIFE_S, channel.drop_page, key, reading)
        return reading.result() if reading.done() else await asyncio.shield(reading)  # others wait for it, too

    async def _run(self, client: Client, read: Callable[[], EventPage | Failure]) -> EventPage | Failure:
        try:
            return await self._lane.run(client, read)
        except (LaneFull, ShareTaken):
            return "unavailable"

    def _read(self, asked: AnyStream, reader: str | None, after: Cursor) -> EventPage | Failure:
        try:
            return self._read_next(asked, reader, after)
        except (StoreUnavailable, RowsUnavailable, *DATABASE_ERRORS):
            return "unavailable"
        except NoSuchGame:
            return "hidden"
        except Corrupt as error:
            LOG.warning("an event stream ends: %s", error)
        except Exception:
            LOG.exception("an event stream of %s ends", asked.topic)
        return "unreadable"

    def _read_next(self, asked: AnyStream, reader: str | None, after: Cursor) -> EventPage:
        if isinstance(asked, EventStream):
            return read_page(self._gate, asked.game, reader, after[1])
        if isinstance(asked, InboxStream) and self._rows is not None and self._labels is not None:
            return read_frames(self._rows, self._labels, asked.ids, asked.player, reader, after)
        if isinstance(asked, RulebookStream) and self._books is not None:
            return read_progress(self._books, asked.address, after)
        raise TypeError(f"there is no reader of {type(asked).__name__}")

    def _on_commit(self, game: str, version: int) -> None:
        """Wake a game's streams; the loop is woken once for many commits if it's busy."""
        if game not in self._channels:
            return
        with self._commits_lock:
            waiting, self._commits[game] = bool(self._commits), max(version, self._commits.get(game, 0))
        if not waiting:
            self._call(self._wake_readers)

    def _on_entries(self, heads: dict[str, Cursor]) -> None:
        """Wake the streams of inboxes; called in the listener's thread."""
        self._call(self._wake_inboxes, heads)

    def _on_check(self) -> None:
        """Wake the streams of rulebooks; called in the listener's thread."""
        self._call(self._wake_checks)

    def _on_gap(self) -> None:
        """Wake all streams; called in a listener's thread."""
        self._call(self._wake_all)

    def _call(self, call: Callable[..., None], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(call, *arguments)

    def _wake_readers(self) -> None:
        with self._commits_lock:
            commits, self._commits = self._commits, {}
        for game, version in commits.items():
            channel = self._channels.get(game)
            if channel is not None:
                channel.wake((0, version))

    def _wake_inboxes(self, heads: dict[str, Cursor]) -> None:
        for player, head in heads.items():
            channel = self._inboxes.get(player)
            if channel is not None:
                channel.wake(head)

    def _wake_checks(self) -> None:
        for channel in self._rulebooks.values():
            channel.wake_all()

    def _wake_all(self) -> None:
        for channel in self._all_channels():
            channel.wake_all()

    async def _check_tokens(self) -> None:
        """End the streams of invalid tokens, again and again."""
        checked_at = self._loop.time()
        while True:
            await asyncio.sleep(TOKEN_CHECK_S)
            streams = [stream for stream in self._open_streams() if stream.asked.token_sha256 is not None]
            hashes = {stream.asked.token_sha256 or "" for stream in streams}
            valid = await asyncio.to_thread(self._valid_among, hashes)
            if valid is not None:
                checked_at = self._loop.time()
            elif self._loop.time() - checked_at < TOKEN_TRUST_S:
                continue
            for stream in streams:
                if stream.asked.token_sha256 not in (valid or ()):
                    stream.end()

    def _valid_among(self, hashes: set[str]) -> set[str] | None:
        """Return the hashes of valid tokens, or None if they can't be checked, whatever the reason."""
        try:
            return self._tokens.valid_among(hashes)
        except DATABASE_ERRORS as error:
            LOG.warning("the tokens of event streams weren't checked: %s", type(error).__name__)
        except Exception:
            LOG.exception("the tokens of event streams weren't checked")
        return None


def _pause_s(empty_pages: int) -> float:
    """Return how long a stream that lacks events sleeps before its next page.

    A page may have been read just before a commit, so the next one is read at once. If that is empty too, the log has
    become shorter than it was.
    """
    return RETRY_S if empty_pages > 1 else 0.0
