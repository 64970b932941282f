"""Lanes: threads in this process with a limited queue, and processes that run the same application."""

import asyncio
import logging
import os
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Protocol, TypeVar

import httpx

from api.server.fair_queue import Admission, Client, FairQueue, LaneFull
from api.server.wsgi_bridge import Header, HttpRequest

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


CLIENT_HEADER = b"trickbook-client"
"""Tells the other process the address of the client. The request process drops it from what clients send."""
HOP_BY_HOP = frozenset(
    (b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"te", b"trailer", b"date", b"server")
)
CONNECT_TIMEOUT_S = 5.0
ESTIMATE_S = 0.05
"""How long a request is taken to need until that is known."""


class LaneFailed(Exception):
    """A process of the lane didn't answer: the request took too long, or the process ended."""


@dataclass
class LaneResponse:
    """The response of another process; its body arrives in chunks. If it `is_made`, they only have to be sent."""

    status: int
    headers: list[Header]
    chunks: AsyncGenerator[bytes, None]

    @property
    def is_made(self) -> bool:
        """Whether the other process has made the whole body, since it knows its length."""
        return any(name == b"content-length" for name, _ in self.headers)


class _Worker:
    """One process of the lane, and the number of requests that it runs."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        transport = httpx.AsyncHTTPTransport(uds=str(path), limits=httpx.Limits(max_connections=None))
        limit = httpx.Timeout(timeout_s, connect=CONNECT_TIMEOUT_S)
        self.client = httpx.AsyncClient(transport=transport, timeout=limit, trust_env=False)
        self.running = 0


class ProcessLane:
    """Runs requests in the processes that listen on `sockets`: `each` at a time in each, while up to `queue` wait.

    Each client gets the same time, and one address at most `share` of these places. A request whose next bytes take
    longer than `timeout_s` fails.
    """

    def __init__(self, sockets: Sequence[Path], each: int, queue: int, share: int, timeout_s: float) -> None:
        self._workers = [_Worker(path, timeout_s) for path in sockets]
        self._free = len(sockets) * each
        self._waiting = FairQueue["asyncio.Future[None]"](len(Client._fields), ESTIMATE_S)
        self._admission = Admission(len(sockets) * each + queue, share)

    @asynccontextmanager
    async def open(self, client: Client, request: HttpRequest) -> AsyncIterator[LaneResponse]:
        """Yield the response to a request.

        Raise LaneFull or ShareTaken if too many wait, LaneFailed if no response comes.
        """
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._admission.place(client, partial(_drop, turn)):
            self._waiting.put(client, turn)
            self._give_turns()
            try:
                await turn
                worker, done = min(self._workers, key=lambda each: each.running), self._begin(client, turn)
            except asyncio.CancelledError:
                if not turn.cancel() and not turn.cancelled():  # it was given at the same moment
                    self._begin(client, turn)()
                raise
            worker.running += 1
            try:
                async with _response(worker, request) as response:
                    if response.is_made:
                        done()
                    yield response
            finally:
                worker.running -= 1
                done()

    def _give_turns(self) -> None:
        while self._free and self._waiting:
            turn = self._waiting.take()
            if not turn.done():  # neither dropped nor cancelled
                self._free -= 1
                turn.set_result(None)

    def _begin(self, client: Client, turn: "asyncio.Future[None]") -> Callable[[], None]:
        """Return a function that ends a turn: it charges the client for the time, and lets the next one begin."""
        began, left = monotonic(), [turn]

        def end() -> None:
            if left:
                left.clear()
                self._free += 1
                self._waiting.charge(client, monotonic() - began - ESTIMATE_S)
                self._give_turns()

        return end


def _drop(turn: "asyncio.Future[None]") -> bool:
    """Refuse a request that waits for its turn, and return whether it did."""
    if turn.done():
        return False
    turn.set_exception(LaneFull())
    return True


@asynccontextmanager
async def _response(worker: _Worker, request: HttpRequest) -> AsyncIterator[LaneResponse]:
    response = None
    try:
        response = await worker.client.send(_forwarded(request), stream=True)
        headers = [(name.lower(), value) for name, value in response.headers.raw if name.lower() not in HOP_BY_HOP]
        yield LaneResponse(response.status_code, headers, _chunks(response))
    except httpx.HTTPError as error:
        raise LaneFailed(type(error).__name__) from error
    finally:
        if response is not None:
            await response.aclose()


async def _chunks(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    async for chunk in response.aiter_raw():
        yield chunk


def _forwarded(request: HttpRequest) -> httpx.Request:
    headers = [(name, value) for name, value in request.headers if name not in HOP_BY_HOP and name != CLIENT_HEADER]
    query = b"?" + request.query_string if request.query_string else b""
    url = httpx.URL("http://lane/", raw_path=request.path + query)
    headers.append((CLIENT_HEADER, request.client.encode()))
    return httpx.Request(request.method, url, headers=headers, content=request.body)
