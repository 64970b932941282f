"""The maximum size of each header and of an address, checked before anything parses them.

Parsers of libraries may take time that grows with the square of a header's length: werkzeug's parser of Accept needs
seconds for 64 KB of blanks.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import Request

from api.problem import Problem

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def _environ_key(name: str) -> str:
    key = name.upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


MAX_BYTES: Mapping[str, int] = {
    "accept": 256,
    "accept-charset": 256,
    "accept-encoding": 256,
    "accept-language": 256,
    "authorization": 512,
    "content-encoding": 64,
    "content-length": 20,
    "content-type": 256,
    "expect": 64,
    "forwarded": 1024,
    "host": 320,
    "if-match": 256,
    "if-modified-since": 64,
    "if-none-match": 1024,
    "if-range": 256,
    "if-unmodified-since": 64,
    "last-event-id": 256,
    "range": 256,
    "transfer-encoding": 64,
    "x-forwarded-for": 1024,
    "x-forwarded-host": 320,
    "x-forwarded-port": 64,
    "x-forwarded-prefix": 256,
    "x-forwarded-proto": 64,
}
"""The maximum bytes of all values of one header together, by its name in lower case."""
MAX_OTHER_BYTES = 8 * 1024
"""The maximum for every other header, such as Cookie; no parser of this server reads the others."""
MAX_ADDRESS_BYTES = 16 * 1024
"""The maximum of path and query: the longest query is a move of 4,096 characters, percent-encoded."""
HEADER_KEYS = frozenset(("HTTP_", "CONTE"))
"""The first five characters of the keys of headers in a WSGI environment."""
MAX_BYTES_BY_KEY = {_environ_key(name): size for name, size in MAX_BYTES.items()}
REFUSAL = "trickbook.oversized_header"


@dataclass(frozen=True)
class OversizedHeader:
    """A header, its name in lower case, that is longer than `max_bytes`."""

    name: str
    max_bytes: int

    def __str__(self) -> str:
        return f"The header {self.name} has more than {self.max_bytes} bytes. Send a shorter one."


class HeaderLimits:
    """WSGI middleware that removes oversized headers, so that nothing parses them, and leaves a note of the first."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Pass the request on; `check_sizes` then refuses it."""
        headers = [(key, value) for key, value in environ.items() if key[:5] in HEADER_KEYS]
        for key in [key for key, value in headers if len(value) > MAX_BYTES_BY_KEY.get(key, MAX_OTHER_BYTES)]:
            name = key.removeprefix("HTTP_").replace("_", "-").lower()
            environ.setdefault(REFUSAL, OversizedHeader(name[:64], MAX_BYTES.get(name, MAX_OTHER_BYTES)))
            del environ[key]
        return self._app(environ, start_response)


def check_sizes(request: Request) -> None:
    """Answer 431 if `HeaderLimits` found an oversized header, and 414 for a long address."""
    oversized = request.environ.get(REFUSAL)
    if oversized is not None:
        raise Problem("headers-too-large", str(oversized))
    if len(request.query_string) + len(request.path) > MAX_ADDRESS_BYTES:
        raise Problem("uri-too-long", f"The address has more than {MAX_ADDRESS_BYTES} bytes. Send a shorter one.")
