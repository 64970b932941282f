"""Answers as bytes: events go out as they are stored, so nothing here encodes them again."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from flask import Request, Response

from api.http.problems import Problem

JSON, NDJSON, TEXT = "application/json", "application/x-ndjson", "text/plain"
POSITION = "Trickbook-Position"

_encoder = msgspec.json.Encoder()


def json_response(body: Mapping[str, Any], status: int = 200) -> Response:
    """`body` as JSON; bytes made by `verbatim` stay as they are."""
    return Response(_encoder.encode(body) + b"\n", status, content_type=JSON)


def raw_json(lines: Sequence[bytes]) -> list[msgspec.Raw]:
    """JSON texts to stand in an answer as they are."""
    return [msgspec.Raw(line) for line in lines]


def with_etag(response: Response, version: int) -> Response:
    """The same with `ETag: "<version>"`, strong: the bytes are a function of version and viewer."""
    response.set_etag(str(version))
    return response


def not_modified(response: Response, request: Request) -> Response:
    """304 where If-None-Match names what the answer is tagged with."""
    if request.if_none_match.contains(response.get_etag()[0] or ""):
        return Response(status=304, headers={"ETag": response.headers["ETag"]})
    return response


def negotiate(request: Request, *types: str) -> str:
    """The one of `types` the client likes best, the first where it does not say; 406 when it takes none of them."""
    if not request.headers.get("Accept"):
        return types[0]
    best = request.accept_mimetypes.best_match(types)
    if best is None:
        raise Problem("not-acceptable", f"this is offered as {' or '.join(types)}")
    return best
