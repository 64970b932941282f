"""Headers that make writes safe: If-Match and Idempotency-Key."""

import re
from collections.abc import Mapping
from typing import Any

from flask import Request
from marshmallow import Schema

from api.caller import CommandInput
from api.problem import Problem
from api.schemas import parse_integer
from api.web.context import current_request
from api.web.strict_json import read_json

FORMING = re.compile(r"0\.[0-9]{1,16}")
"""The ETag of a table that forms. Its game, once dealt, is newer."""
REVISION = re.compile(r"0\.([0-9]{1,16})")
KEY = re.compile("[ -~]{1,255}")


def tags_in_if_match(request: Request) -> set[str] | None:
    """Return the ETags in If-Match; None without the header and for `*`, which anything that exists matches.

    A version names the same events in any encoding. So a weak tag counts as the strong one, since a proxy that
    compresses weakens tags, and "7:gzip", as Flask-Compress writes it, counts as "7". A tag without quotes counts, too,
    as it does in If-None-Match.
    """
    if "HTTP_IF_MATCH" not in request.environ or request.if_match.star_tag:
        return None
    tags = request.if_match.as_set(include_weak=True)
    return {(tag or "").partition(":")[0] for tag in tags}  # werkzeug reads `""` as None


def if_match(request: Request) -> int | None:
    """Return n for `If-Match: "n"`, the latest of several, and 0 for the ETag of a forming table; None for any."""
    if (tags := tags_in_if_match(request)) is None:
        return None
    versions = [0 if FORMING.fullmatch(tag) else parse_integer(tag) for tag in tags]
    known = [version for version in versions if version is not None]
    if not known or len(known) < len(versions):
        raise Problem("malformed", 'If-Match must be a version in quotes, such as "37".')
    return max(known)


def idempotency_key(request: Request) -> str | None:
    """Return the client's key for this command; 400 unless it is 1 to 255 printable ASCII characters."""
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and KEY.fullmatch(key) is None:
        raise Problem("malformed", "Idempotency-Key must be 1 to 255 printable ASCII characters.")
    return key


def if_match_revision(request: Request) -> int | None:
    """Return n for `If-Match: "0.n"`, the latest of several; None for any."""
    if (tags := tags_in_if_match(request)) is None:
        return None
    found = [match and parse_integer(match[1]) for match in map(REVISION.fullmatch, tags)]
    known = [revision for revision in found if revision is not None]
    if not known or len(known) < len(found):
        raise Problem("malformed", 'If-Match must be the ETag of a forming table in quotes, such as "0.3".')
    return max(known)


def read_command(schema: Schema | None = None) -> CommandInput:
    """Return what the current request sends with a command to a game."""
    request, (body, fields) = current_request(), _load_body(schema)
    return CommandInput(body, fields, idempotency_key(request), if_match(request))


def read_new_command(schema: Schema | None = None) -> CommandInput:
    """Return what the current request sends with a command that takes no If-Match."""
    body, fields = _load_body(schema)
    return CommandInput(body, fields, idempotency_key(current_request()))


def read_body(schema: Schema | None = None) -> CommandInput:
    """Return what the current request sends with a command that takes none of these headers."""
    return CommandInput(*_load_body(schema))


def read_table_command(schema: Schema | None = None) -> CommandInput:
    """Return what the current request sends to a forming table, with the revision in If-Match."""
    return CommandInput(*_load_body(schema), expected=if_match_revision(current_request()))


def _load_body(schema: Schema | None) -> tuple[dict[str, Any], Mapping[str, Any]]:
    body = read_json(current_request())
    return body, {} if schema is None else schema.load(body)
