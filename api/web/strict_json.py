"""Strict parsing of everything that clients send: JSON bodies, query strings, numbers and names in paths.

Python's json accepts NaN, duplicate keys, UTF-16, integers of any length and any depth of nesting. Flask's integer
paths accept `01` and full-width digits. This module rejects all of these.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Container, Mapping
from typing import Any, cast

from flask import Request
from marshmallow import ValidationError
from werkzeug.routing import BaseConverter

from api.problem import Problem
from api.schemas import GAME, MAX_INTEGER

BODY_KEY = "trickbook.body"
"""The key of the body in the environ of a request that has arrived completely and isn't too long."""
MAX_DEPTH = 32
JSON = "application/json"
PLAIN_TYPES = frozenset((int, bool, type(None)))
Path = tuple[str | int, ...]
"""The keys and indexes that lead to a part of the body."""
INVALID_CATEGORIES = {"Cc": "a control character", "Cs": "a lone surrogate"}


class _InvalidValue:
    """A placeholder for an invalid part of the parsed value, until `_check_value` reports its path."""

    def __init__(self, why: str) -> None:
        self.why = why


def read_json(request: Request) -> dict[str, Any]:
    """Return the request's body: one JSON object of strings, integers, booleans, nulls, lists and objects.

    Answers 415 for another content type, charset or encoding, 413 for a body over the limit and 400 for anything else
    that is invalid; the detail names the problem and its path (`options.win`), and so does `errors`.
    """
    _check_headers(request)
    body: bytes | None = request.environ.get(BODY_KEY)
    return parse_object(request.get_data(cache=False) if body is None else body)


def parse_text(request: Request) -> list[str]:
    """Return the lines of a request's body of text/plain; answers 400 for one that isn't valid UTF-8, as for JSON."""
    _check_encoding(request)
    body: bytes | None = request.environ.get(BODY_KEY)
    lines = _decode(request.get_data(cache=False) if body is None else body).replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        _check_text(line.replace("\t", " "), f"Line {number}")
    return [line.rstrip() for line in lines[: len(lines) - (not lines[-1])]]


def _check_encoding(request: Request) -> None:
    encoding: str = request.environ.get("HTTP_CONTENT_ENCODING", "identity")
    if encoding.strip().lower() != "identity":
        raise Problem("unsupported-media-type", "Send the body without a content encoding.")


def _check_headers(request: Request) -> None:
    _check_encoding(request)
    if request.environ.get("CONTENT_TYPE") == JSON:  # as most clients send it, without parameters to parse
        return
    if request.mimetype != JSON:
        raise Problem("unsupported-media-type", "Send the body as application/json.")
    if request.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise Problem("unsupported-media-type", "Send the body in UTF-8.")


def parse_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in `body`; answers 400 as `read_json` does.

    Raise Problem for what is wrong as a whole, and ValidationError for a value in it.
    """
    if not body:
        raise Problem("malformed", "The body is empty. Send a JSON object.")
    value = _parse(_decode(body))
    _check_value(value, (), 1)
    if not isinstance(value, dict):
        raise Problem("malformed", "The body must be a JSON object.")
    return value


def _decode(body: bytes) -> str:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem("malformed", f"The body isn't valid UTF-8 at byte {error.start}.") from None
    if text.startswith("\ufeff"):
        raise Problem("malformed", "The body starts with a byte order mark. Send it without.")
    return text


def _parse(text: str) -> object:
    try:
        return _decoder.decode(text)
    except RecursionError:
        raise Problem("malformed", f"The body is nested more than {MAX_DEPTH} levels deep.") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Problem("malformed", f"The body isn't valid JSON: {error.msg} at {where}.") from None


def _integer(text: str) -> object:
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:  # the length first: int() of 5,000 digits raises
        return _InvalidValue("must be a whole number of at most 2^53 - 1")
    return int(text)


def _no_float(_text: str) -> object:
    return _InvalidValue("must be a whole number")


def _object(pairs: list[tuple[str, Any]]) -> object:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    counts = Counter(key for key, _ in pairs)
    return _InvalidValue(f"contains the key {quote(counts.most_common(1)[0][0])} twice")


_decoder = json.JSONDecoder(
    parse_int=_integer, parse_float=_no_float, parse_constant=_no_float, object_pairs_hook=_object
)


def _check_value(value: object, path: Path, depth: int) -> None:
    if isinstance(value, _InvalidValue):
        raise _invalid(path, value.why)
    if isinstance(value, str):
        _check_string(value, path)
    elif isinstance(value, (dict, list)):
        if depth > MAX_DEPTH:
            raise Problem("malformed", f"The body is nested more than {MAX_DEPTH} levels deep.")
        _check_children(value, path, depth + 1)


def _check_children(value: dict[str, Any] | list[Any], path: Path, depth: int) -> None:
    if isinstance(value, list):
        for index, item in enumerate(value):
            _check_value(item, (*path, index), depth)
        return
    for key, item in value.items():
        if _is_plain(key) and (type(item) in PLAIN_TYPES or (type(item) is str and _is_plain(item))):
            continue
        _check_text(key, "A key of the body")
        _check_value(item, (*path, key), depth)


def _check_string(text: str, path: Path) -> None:
    fault = _fault_of(text)
    if fault is not None:
        raise _invalid(path, fault)


def _invalid(path: Path, says: str) -> Exception:
    """Return the error for the part of the body with this path: `says` goes on after its name."""
    if not path:
        return Problem("malformed", f"The body {says}.")
    errors: dict[Any, Any] | list[str] = [f"{says[0].upper()}{says[1:]}."]
    for part in reversed(path):
        errors = {part: errors}
    return ValidationError(cast("dict[str, Any]", errors))


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _check_text(text: str, where: str) -> None:
    fault = _fault_of(text)
    if fault is not None:
        raise Problem("malformed", f"{where} {fault}.")


def _fault_of(text: str) -> str | None:
    """Return what is wrong with the characters of a text, or None."""
    if not _is_plain(text):
        for index, char in enumerate(text):
            if category := INVALID_CATEGORIES.get(unicodedata.category(char)):
                return f"contains {category} at position {index}"
    return None


def quote(text: str) -> str:
    """Return a client's text for use in an error message: ASCII, quoted, at most 40 characters."""
    return ascii(text if len(text) <= 40 else text[:40] + "...")


def read_query(request: Request, repeated: Container[str] = ()) -> Mapping[str, str | list[str]]:
    """Return the query string's parameters: as lists those in `repeated`, which may come several times.

    400 for other duplicate parameters, and for control characters.
    """
    found = dict[str, str | list[str]]()
    for key, values in request.args.lists():
        _check_text(key, "A key of the query")
        if len(values) > 1 and key not in repeated:
            raise Problem("malformed", f"The query contains {quote(key)} twice.", errors={key: ["Is given twice."]})
        for value in values:
            _check_text(value, f"The query's {quote(key)}")
        found[key] = values if key in repeated else values[0]
    return found


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
