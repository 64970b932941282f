"""A page of another site with an iframe."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

OTHER_SITES = "http://localhost:"


@contextmanager
def other_site(body: str) -> Iterator[str]:
    """Serve a page with this body on a port of its own, which makes it another origin. Return its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = f'<!doctype html><html lang="en"><title>Another site</title><body>{body}</body></html>'.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_request(self, code: object = "-", size: object = "-") -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"{OTHER_SITES}{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
