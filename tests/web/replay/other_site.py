"""A page of another site with an iframe."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.http_server import http_server, send

OTHER_SITES = "http://localhost:"


@contextmanager
def other_site(body: str) -> Iterator[str]:
    """Serve a page with this body on a port of its own, which makes it another origin. Return its address."""
    page = f'<!doctype html><html lang="en"><title>Another site</title><body>{body}</body></html>'.encode()
    with http_server(lambda request: send(request, page, headers={"Content-Type": "text/html"})) as port:
        yield f"{OTHER_SITES}{port}/"
