"""The headers of requests and responses, as parameters and header objects of OpenAPI."""

from collections.abc import Mapping
from typing import Any

_VERSIONS = "^(\\*|{tag}(, ?{tag})*)$"
_NUMBER = "(0|[1-9][0-9]{0,14})"
_VERSION = {"type": "string", "pattern": '^"[0-9.]+"$', "examples": ['"43"']}

ASKED: Mapping[str, Mapping[str, Any]] = {
    "If-Match": {
        "description": "Act only if nothing has happened since this version, the latest of several; `*` accepts any.",
        "schema": {"type": "string", "pattern": _VERSIONS.format(tag=f'(W/)?"{_NUMBER}"'), "examples": ['"42"']},
    },
    "If-Match-Table": {
        "description": "Act only if the table hasn't changed since this ETag; `*` accepts any.",
        "schema": {"type": "string", "pattern": _VERSIONS.format(tag=f'(W/)?"0\\.{_NUMBER}"'), "examples": ['"0.3"']},
    },
    "If-None-Match": {
        "description": "Answer 304 if the ETag is still this one.",
        "schema": {"type": "string", "maxLength": 1024, "examples": ['"43"']},
    },
    "Idempotency-Key": {
        "description": "Makes the request safe to repeat: the same key with the same body gets the first response.",
        "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,253}[!-~])?$", "examples": ["move-17"]},
    },
    "Last-Event-ID": {
        "description": "For a stream: the version after which it continues; it takes precedence over `after`.",
        "schema": {"type": "string", "examples": ["42"]},
    },
}
"""Parameters in headers of requests, by the name of their component."""

SENT: Mapping[str, Mapping[str, Any]] = {
    "ETag": {"description": "The version in quotes.", "required": True, "schema": _VERSION},
    "Move-ETag": {"description": "The version in quotes, in the response to a move.", "schema": _VERSION},
    "File-ETag": {"description": "Changes with the file.", "required": True, "schema": {"type": "string"}},
    "Set-Cookie": {"description": "The session, for browsers.", "required": True, "schema": {"type": "string"}},
    "Location": {"description": "The address of what was made.", "required": True, "schema": {"type": "string"}},
    "Trickbook-Position": {
        "description": "A position in the log: send it as `wait` to a list.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"},
    },
    "Content-Disposition": {"description": "The name of the file.", "schema": {"type": "string"}},
    "X-Request-Id": {"description": "The id of the request, also in the server's log.", "schema": {"type": "string"}},
    "WWW-Authenticate": {
        "description": "How to send a token, and if one was sent, its fault (RFC 6750).",
        "required": True,
        "schema": {"type": "string"},
    },
    "Retry-After": {
        "description": "After how many seconds to try again.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
    },
}
"""Headers of responses, by the name of their component."""


def header_name(component: str) -> str:
    """Return the name of the header that a component describes."""
    return {"If-Match-Table": "If-Match", "File-ETag": "ETag", "Move-ETag": "ETag"}.get(component, component)
