"""The HTTP server of one process: granian, which speaks HTTP and calls an ASGI application in this process's loop."""

import asyncio
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server

from api.server.front import Front

HEADER_TIMEOUT_MS = 30_000
"""How long headers may take to arrive, and how long a connection may stay without a request."""
PARSER_BUFFER = 64 * 1024
BACKLOG = 4096
MAX_CONNECTIONS = 16_384
FILES_BESIDE_CONNECTIONS = 512
DRAIN_TIMEOUT_S = 10.0
REFUSAL_TIMEOUT_S = 2.0
"""How long the requests that aren't answered by then may take to be refused."""
ACCEPT_POLL_S = 0.02


@dataclass(frozen=True)
class Address:
    """Where a process listens: a TCP port, or a Unix socket."""

    host: str = "127.0.0.1"
    port: int = 0
    uds: Path | None = None


async def listen(front: Front, address: Address, ready: Callable[[], None]) -> None:
    """Answer requests until SIGTERM or SIGINT; then end event streams, answer what has arrived, and return.

    A request that isn't answered after `DRAIN_TIMEOUT_S` is refused with 503.
    `ready` is called once connections are accepted.
    """
    server = Server(
        front,
        address=address.host,
        port=address.port,
        uds=address.uds,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT_MS, max_buffer_size=PARSER_BUFFER),
        websockets=False,
        backlog=BACKLOG,
        backpressure=max_connections(),
        log_level=LogLevels.error,
    )
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):  # SIGHUP is for the supervisor
        loop.add_signal_handler(number, stop.set)
    serving = asyncio.create_task(server.serve())
    await _accepting(address, serving)
    ready()
    await asyncio.wait([serving, asyncio.create_task(stop.wait())], return_when=asyncio.FIRST_COMPLETED)
    front.stop()
    server.stop()  # type: ignore[no-untyped-call]
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(serving), DRAIN_TIMEOUT_S)
    front.give_up()
    with suppress(TimeoutError):
        await asyncio.wait_for(serving, REFUSAL_TIMEOUT_S)


async def _accepting(address: Address, serving: "asyncio.Task[None]") -> None:
    """Return once a connection is accepted, or the server has failed."""
    while not (serving.done() or await accepts(address)):
        await asyncio.sleep(ACCEPT_POLL_S)


async def accepts(address: Address) -> bool:
    """Return whether a process accepts connections at this address."""
    try:
        if address.uds is not None:
            _, writer = await asyncio.open_unix_connection(str(address.uds))
        else:
            _, writer = await asyncio.open_connection(address.host, address.port)
    except OSError:
        return False
    writer.close()
    return True


def max_connections() -> int:
    """Raise this process's limit on open files as far as it may, and return how many connections it may hold."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + FILES_BESIDE_CONNECTIONS
    limit = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return max(limit - FILES_BESIDE_CONNECTIONS, limit // 2)
