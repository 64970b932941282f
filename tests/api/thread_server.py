"""A real HTTP server in a thread of this process, with its worker: for tests whose subject isn't a process.

It answers as the server's request process does, streams included. Light and heavy requests share one lane.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvloop
from flask import Flask
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server

from api.app import create_app
from api.config import Config
from api.server.batch_lane import BatchLane
from api.server.event_streams import EventStreamHub, StreamSources
from api.server.front import Front, Lanes
from api.server.listener import HEADER_TIMEOUT_MS, PARSER_BUFFER, Address, accepts
from api.server.process_lane import ThreadLane
from api.server.processes import LIGHT_PLACES, LOGIN_AT_ONCE, LOGIN_QUEUE, WAITING_AT_ONCE, WAITING_QUEUE
from tests.api.conftest import services_of
from tests.api.live_server import GameServer
from tests.api.worker_thread import running_worker
from tests.ports import free_port

CONNECTIONS = 1024
STOP_TIMEOUT_S = 30.0


class ThreadServer:
    """A server at `url` for the app of `here`, to which tests can also talk without a socket."""

    def __init__(self, here: GameServer, port: int | None = None) -> None:
        self.here = here
        self._port = port or free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self._loop, self._stop = uvloop.new_event_loop(), asyncio.Event()
        self._listens = threading.Event()
        self._thread = threading.Thread(target=self._run, name="server", daemon=True)

    def start(self) -> None:
        """Start the thread, and return once connections are accepted."""
        self._thread.start()
        assert self._listens.wait(STOP_TIMEOUT_S)

    def stop(self) -> None:
        """End all streams and the thread."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(STOP_TIMEOUT_S)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve(self.here.app))
        finally:
            self._loop.close()

    async def _serve(self, app: Flask) -> None:
        services = services_of(app)
        lanes = Lanes(
            light=BatchLane("light", LIGHT_PLACES),
            login=ThreadLane("login", LOGIN_AT_ONCE, LOGIN_QUEUE),
            waiting=ThreadLane("waiting", WAITING_AT_ONCE, WAITING_QUEUE),
        )
        streams = EventStreamHub(StreamSources.of(services), lanes.light, services.wakeups)
        front = Front(app, lanes, streams, proxies=self.here.config.trusted_proxies, refusal_delay_s=0.0)
        server = Server(
            front,
            address="127.0.0.1",
            port=self._port,
            interface=Interfaces.ASGINL,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT_MS, max_buffer_size=PARSER_BUFFER),
            websockets=False,
            backpressure=CONNECTIONS,
            log_level=LogLevels.error,
        )
        serving = asyncio.create_task(server.serve())
        while not await accepts(Address("127.0.0.1", self._port)):
            await asyncio.sleep(0.002)
        self._listens.set()
        await self._stop.wait()
        front.stop()
        server.stop()  # type: ignore[no-untyped-call]
        await serving
        streams.join()


@contextmanager
def serve_in_thread(config: Config, port: int | None = None) -> Iterator[ThreadServer]:
    """Serve a store from this process during the block, on a free port if none is given."""
    app = create_app(config)
    server = ThreadServer(GameServer(app, config), port)
    try:
        with running_worker(services_of(app)):
            server.start()
            yield server
            server.stop()
    finally:
        services_of(app).close()
