"""Responses as bytes, and files from memory. Events are sent as they are stored; nothing here encodes them again."""

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Request, Response, request
from werkzeug.datastructures import Headers

from api.play.services.game_reader import GameAnswer
from api.play.services.positions import POSITION
from api.problem import Problem

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

JSON, NDJSON, TEXT = "application/json", "application/x-ndjson", "text/plain"
EVENT_STREAM = "text/event-stream"
GZIP_LEVEL, GZIP_WINDOW = 6, 31
"""An export becomes a fifth as long, at 70 MB a second. The window says that it's gzip (zlib's documentation)."""
CREDENTIALS = frozenset(("HTTP_AUTHORIZATION", "HTTP_COOKIE"))
OF_304 = ("ETag", "Cache-Control", "Content-Security-Policy", "Vary")

_encoder = msgspec.json.Encoder()


class WholeResponse(Response):
    """A response with a complete body, whose headers are sent as they are: a Location must be ASCII."""

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> Headers:  # noqa: ARG002 - werkzeug passes it
        """Return the headers themselves; werkzeug returns a changed copy."""
        return self.headers


def own_address(path: str) -> str:
    """Return the address of a path of this server, which may be below a path itself."""
    return request.root_path + path


def json_response(body: Mapping[str, Any], status: int = 200) -> Response:
    """Return `body` as a JSON response; bytes from `raw_json` are inserted unchanged."""
    return WholeResponse(_encoder.encode(body) + b"\n", status, content_type=JSON, direct_passthrough=True)


def raw_json(lines: Sequence[bytes]) -> list[msgspec.Raw]:
    """Return JSON texts in a form that `json_response` inserts unchanged."""
    return [msgspec.Raw(line) for line in lines]


def game_response(answer: GameAnswer[Mapping[str, Any]], status: int = 200) -> Response:
    """Return the response with a view, a table or the result of a command."""
    response = json_response(answer.body, status)
    response.set_etag(answer.etag)
    if answer.position is not None:
        response.headers[POSITION] = answer.position
    if answer.opened is not None:
        response.headers["Location"] = own_address(f"/api/v1/games/{answer.opened}")
    return response


def not_modified(response: Response, request: Request) -> Response:
    """Return 304 instead of `response` if If-None-Match contains its ETag, weak or strong (RFC 9110, 13.1.2).

    A browser replaces the headers that it has kept by those of a 304, so a page's policy must be there again.
    """
    if request.if_none_match.contains_weak(response.get_etag()[0] or ""):
        return Response(status=304, headers=[pair for pair in response.headers if pair[0] in OF_304])
    return response


def compress_response(response: Response, request: Request) -> Response:
    """Return the response, compressed while it's sent if the client takes gzip. A step of it stays a step.

    What a token shows isn't compressed: the length would tell how much of it an attacker's own text repeats (BREACH).
    """
    response.headers["Vary"] = "Accept-Encoding, Authorization, Cookie"
    if CREDENTIALS.isdisjoint(request.environ) and request.accept_encodings.quality("gzip") > 0:
        response.response = _gzip(response.iter_encoded())
        response.headers["Content-Encoding"] = "gzip"
        response.headers.remove("Content-Length")
    return response


def public_response(body: Mapping[str, Any], request: Request) -> Response:
    """Return JSON that is the same for everybody, and hides nothing: compressed if the client takes gzip."""
    response = json_response(body)
    response.headers["Vary"] = "Accept-Encoding, Authorization, Cookie"
    if request.accept_encodings.quality("gzip") > 0:
        response.set_data(_packed(response.get_data()))
        response.headers["Content-Encoding"] = "gzip"
    return response


@lru_cache(4)
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, GZIP_LEVEL, mtime=0)


def _gzip(steps: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, GZIP_WINDOW)
    for step in steps:
        yield packer.compress(step)
    yield packer.flush()


def negotiate(request: Request, *types: str) -> str:
    """Return the one of `types` that the client prefers, the first by default; 406 if it accepts none."""
    if not request.headers.get("Accept"):
        return types[0]
    best = request.accept_mimetypes.best_match(types)
    if best is None:
        raise Problem("not-acceptable", f"This address answers with {' or '.join(types)}. Change the Accept header.")
    return best


TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
}


def file_response(name: str, content: bytes, policy: str | None = None) -> Response:
    """Return a file with the content type of its name, or 304; `policy` is a page's Content-Security-Policy."""
    response = Response(content, content_type=TYPES[Path(name).suffix])
    response.set_etag(sha256(content).hexdigest()[:32])
    response.headers["Cache-Control"] = "no-cache"
    if policy is not None:
        response.headers["Content-Security-Policy"] = policy
    return not_modified(response, request)
