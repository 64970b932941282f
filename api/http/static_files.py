"""Files that a route serves from memory, which browsers revalidate on each use."""

from hashlib import sha256
from pathlib import Path

from flask import Response, request

from api.http.responses import not_modified

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
