"""The input of a request: body, query and path, and the headers that make writes safe: If-Match, Idempotency-Key.

Flask's integer paths accept `01` and full-width digits. The converters here reject both.
"""

from collections.abc import Container, Mapping
from functools import partial
from typing import Any

from flask import Request, g
from marshmallow import Schema, fields
from werkzeug.routing import BaseConverter

from api.problem import Problem
from api.schemas import GAME, JSON, SentBody, SentCommand, check_key, check_text, quote
from api.web.context import current_request
from api.web.route import NO_ARGS, Route

BODY_KEY = "trickbook.body"
"""The key of the body in the environ of a request that has arrived completely and isn't too long."""


def body_of(request: Request) -> SentBody:
    """Return the body of a request, which nothing has judged yet."""
    environ = request.environ
    content: bytes | partial[bytes] = environ.get(BODY_KEY) or partial(request.get_data, cache=False)
    encoding: str = environ.get("HTTP_CONTENT_ENCODING", "identity")
    if environ.get("CONTENT_TYPE") == JSON:  # as most clients send it, without parameters to parse
        return SentBody(content, encoding=encoding)
    return SentBody(content, request.mimetype, request.mimetype_params.get("charset", "utf-8"), encoding)


def read_json(request: Request) -> dict[str, Any]:
    """Return the request's body as `SentBody.json` does."""
    return body_of(request).json()


def sent_body() -> SentCommand:
    """Return what the current request sends with a command that takes none of these headers."""
    return SentCommand(body_of(current_request()))


def sent_command() -> SentCommand:
    """Return what the current request sends with a command to a game."""
    request = current_request()
    return SentCommand(body_of(request), _key_of(request), tags_in_if_match(request))


def sent_new_command() -> SentCommand:
    """Return what the current request sends with a command that takes no If-Match."""
    request = current_request()
    return SentCommand(body_of(request), _key_of(request))


def sent_table_command() -> SentCommand:
    """Return what the current request sends to a forming table, with the revision in If-Match."""
    request = current_request()
    return SentCommand(body_of(request), tags=tags_in_if_match(request), of_table=True)


def idempotency_key(request: Request) -> str | None:
    """Return the client's key for this command; 400 for an invalid one."""
    return check_key(_key_of(request))


def _key_of(request: Request) -> str | None:
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    return key


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


def read_query(request: Request, repeated: Container[str] = ()) -> Mapping[str, str | list[str]]:
    """Return the query string's parameters: as lists those in `repeated`, which may come several times.

    400 for other duplicate parameters, and for control characters.
    """
    found = dict[str, str | list[str]]()
    for key, values in request.args.lists():
        check_text(key, "A key of the query")
        if len(values) > 1 and key not in repeated:
            raise Problem("malformed", f"The query contains {quote(key)} twice.", errors={key: ["Is given twice."]})
        for value in values:
            check_text(value, f"The query's {quote(key)}")
        found[key] = values if key in repeated else values[0]
    return found


def load_query(request: Request, declared: Route) -> None:
    """Answer 400 for query parameters that a request's route doesn't accept or that are invalid."""
    if request.query_string or declared.query is not NO_ARGS:
        g.query_args = declared.query.load(read_query(request, lists_in(declared.query)))


def lists_in(schema: Schema) -> set[str]:
    """Return the parameters that may come several times."""
    return {name for name, each in schema.fields.items() if isinstance(each, fields.List)}


class StrictInteger(BaseConverter):
    """`<strictint:n>`: at most nine ASCII digits without leading zeros; any other value is a 404.

    The pattern alone decides: a value refused in `to_python` would match other methods' rules, and get a 405.
    """

    regex = "0|[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class GameReference(BaseConverter):
    """`<game_ref:game>`: a board number of at most nine digits, or a UUID in canonical lower case; always a str."""

    regex = GAME


CONVERTERS: Mapping[str, type[BaseConverter]] = {"strictint": StrictInteger, "game_ref": GameReference}
