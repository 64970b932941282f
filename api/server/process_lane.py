"""A lane of processes that run the same application: requests go to them over HTTP on Unix sockets."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from api.server.thread_lane import Admission
from api.server.wsgi_bridge import Header, HttpRequest

CLIENT_HEADER = b"trickbook-client"
"""Tells the other process the address of the client. The request process drops it from what clients send."""
HOP_BY_HOP = frozenset(
    (b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"te", b"trailer", b"date", b"server")
)
CONNECT_TIMEOUT_S = 5.0


class LaneFailed(Exception):
    """A process of the lane didn't answer: the request took too long, or the process ended."""


@dataclass
class LaneResponse:
    """The response of another process; its body arrives in chunks."""

    status: int
    headers: list[Header]
    chunks: AsyncGenerator[bytes, None]


class _Worker:
    """One process of the lane, and the number of requests that it runs."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        transport = httpx.AsyncHTTPTransport(uds=str(path), limits=httpx.Limits(max_connections=None))
        limit = httpx.Timeout(timeout_s, connect=CONNECT_TIMEOUT_S)
        self.client = httpx.AsyncClient(transport=transport, timeout=limit, trust_env=False)
        self.running = 0


class ProcessLane:
    """Runs requests in the processes that listen on `sockets`: `each` at a time in each, while up to `queue` wait.

    One client gets at most `share` of these places. A request whose next bytes take longer than `timeout_s` fails.
    """

    def __init__(self, sockets: Sequence[Path], each: int, queue: int, share: int, timeout_s: float) -> None:
        self._workers = [_Worker(path, timeout_s) for path in sockets]
        self._free = asyncio.Semaphore(len(sockets) * each)
        self._admission = Admission(len(sockets) * each + queue, share)

    @asynccontextmanager
    async def open(self, client: str, request: HttpRequest) -> AsyncIterator[LaneResponse]:
        """Yield the response to a request.

        Raise LaneFull or ShareTaken if too many wait, LaneFailed if no response comes.
        """
        self._admission.enter(client)
        try:
            async with self._free:
                worker = min(self._workers, key=lambda each: each.running)
                worker.running += 1
                try:
                    async with _response(worker, request) as response:
                        yield response
                finally:
                    worker.running -= 1
        finally:
            self._admission.leave(client)


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
