"""The program's own server: waitress, the application, and the worker beside it in a thread."""

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
IDLE_S, CLEANUP_S = 30, 3  # a connection without a request, closed so soon after
HEADERS_AT_MOST, BODY_AT_MOST = 64 * 1024, 1024 * 1024  # bytes; the application refuses bodies far below this


@contextmanager
def open_app(config: Config, *, worker: bool) -> Iterator[Flask]:
    """The application with its stores open, and the worker in a thread unless it runs elsewhere."""
    with ExitStack() as running:
        app = create_app(config)
        services = app.extensions["trickbook"]
        running.callback(services.close)
        if worker:
            running.enter_context(running_worker(services))
        yield app


def run_server(app: Flask, host: str, port: int, started: Callable[[str], None]) -> None:
    """Answer requests until SIGTERM or SIGINT, and finish those under way; `started` is told the address.

    Port 0 takes a free one. Who cannot have the address gets OSError.
    """
    sockets: dict[int, object] = {}
    server = create_server(
        app,
        map=sockets,
        host=host,
        port=port,
        threads=THREADS,
        connection_limit=CONNECTIONS,
        channel_request_lookahead=1,  # notices who hangs up while being answered
        send_bytes=1,  # with more, the loop turns idly while an answer waits for its thread to finish
        max_request_header_size=HEADERS_AT_MOST,
        max_request_body_size=BODY_AT_MOST,
        asyncore_use_poll=True,
        channel_timeout=IDLE_S,
        cleanup_interval=CLEANUP_S,
        ident=None,
    )
    install_channels(sockets)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # that a request waits for a thread is no news
    on_stop_signals(_leave)
    started(f"http://{_shown(host)}:{_port(server)}")
    server.run()


def on_stop_signals(then: Callable[[], None]) -> None:
    """Have SIGTERM and SIGINT call `then` in the main thread."""

    def handler(_signal: int, _frame: FrameType | None) -> None:
        then()

    signal.signal(signal.SIGTERM, handler)
    signal.signal(signal.SIGINT, handler)


def _leave() -> None:
    raise SystemExit(0)


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _port(server: object) -> int:
    """A name with several addresses makes several sockets; the first one's port is as good as any."""
    several = getattr(server, "effective_listen", None)
    port: int = several[0][1] if several else getattr(server, "effective_port", 0)
    return port
