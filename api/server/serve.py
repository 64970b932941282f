"""The server process: waitress, the application, and the worker in a thread."""

import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

from flask import Flask
from waitress.server import create_server

from api.app import create_app
from api.config import Config
from api.server.waitress_errors import install_channels
from api.services.worker import running_worker

THREADS = 8
CONNECTIONS = 1000
IDLE_S, CLEANUP_S = 30, 3  # when waitress closes idle connections
MAX_HEADER_BYTES, MAX_BODY_BYTES = 64 * 1024, 1024 * 1024  # bytes; the application's own limit is lower


@contextmanager
def open_app(config: Config, *, worker: bool) -> Iterator[Flask]:
    """Yield the application with open stores, and the worker in a thread unless it runs elsewhere."""
    with ExitStack() as running:
        app = create_app(config)
        services = app.extensions["trickbook"]
        running.callback(services.close)
        if worker:
            running.enter_context(running_worker(services))
        yield app


def run_server(app: Flask, host: str, port: int, started: Callable[[str], None]) -> None:
    """Answer requests until SIGTERM or SIGINT, then finish the current ones; call `started` with the URL.

    Port 0 picks a free port. Raises OSError if the address isn't available.
    """
    sockets: dict[int, object] = {}
    server = create_server(
        app,
        map=sockets,
        host=host,
        port=port,
        threads=THREADS,
        connection_limit=CONNECTIONS,
        channel_request_lookahead=1,  # detects clients that disconnect during a request
        send_bytes=1,  # more makes the loop spin while a response waits for its thread
        max_request_header_size=MAX_HEADER_BYTES,
        max_request_body_size=MAX_BODY_BYTES,
        asyncore_use_poll=True,
        channel_timeout=IDLE_S,
        cleanup_interval=CLEANUP_S,
        ident=None,
    )
    install_channels(sockets)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # don't log each request that waits for a thread
    on_stop_signals(_exit)
    started(f"http://{_bracketed(host)}:{_port(server)}")
    server.run()


def on_stop_signals(then: Callable[[], None]) -> None:
    """Call `then` in the main thread on SIGTERM and SIGINT."""

    def handler(_signal: int, _frame: FrameType | None) -> None:
        then()

    signal.signal(signal.SIGTERM, handler)
    signal.signal(signal.SIGINT, handler)


def _exit() -> None:
    raise SystemExit(0)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _port(server: object) -> int:
    """Return the port of the first socket: a host name with several addresses has several."""
    several = getattr(server, "effective_listen", None)
    port: int = several[0][1] if several else getattr(server, "effective_port", 0)
    return port
