"""HTTP servers of this process whose answers a test decides."""

import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def http_server(respond: Callable[[BaseHTTPRequestHandler], None], tls: ssl.SSLContext | None = None) -> Iterator[int]:
    """Let `respond` write the answer to each request, and yield the port on the loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            respond(self)

        def do_POST(self) -> None:
            respond(self)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def body_of(request: BaseHTTPRequestHandler) -> bytes:
    """Return the body of a request."""
    return request.rfile.read(int(request.headers["Content-Length"]))


def send(
    request: BaseHTTPRequestHandler, body: bytes, status: int = 200, headers: Mapping[str, str] | None = None
) -> None:
    """Answer a request with a whole body."""
    request.send_response(status)
    for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(body)
