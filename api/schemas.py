"""The strict reading of all that clients send: JSON, the input of a command, and schemas for bodies and queries.

Python's json accepts NaN, duplicate keys, UTF-16, integers of any length and any depth of nesting. By default
marshmallow accepts "5" and 5.5 as integers and "yes" as a boolean, and ignores unknown fields. All of these are
rejected here, also in lines and mails.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any, Protocol, cast

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate

from api.people.stored.passwords import PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH
from api.people.stored.users import is_reserved
from api.problem import Problem

MAX_DEPTH = 32
JSON = "application/json"
PLAIN_TYPES = frozenset((int, bool, type(None)))
Path = tuple[str | int, ...]
"""The keys and indexes that lead to a part of the body."""
INVALID_CATEGORIES = {"Cc": "a control character", "Cs": "a lone surrogate"}


# R-P12. Only ASCII, so that no two names look alike or differ only in their Unicode normal form. The first character is
# a letter or digit, so that a command line can't mistake a name for an option (-win) or a path (..).
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
MAX_INTEGER = 2**53 - 1  # the integers that all JSON parsers agree on (RFC 8259 section 6)
DIGITS = re.compile("0|[1-9][0-9]{0,15}")
GAME = "[1-9][0-9]{0,8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""A board number of at most nine digits, or a UUID in canonical lower case."""


def parse_integer(text: str) -> int | None:
    """Return the integer from 0 to 2^53-1 that `text` spells in ASCII digits without leading zeros, or None."""
    return int(text) if DIGITS.fullmatch(text) and int(text) <= MAX_INTEGER else None


class _InvalidValue:
    """A placeholder for an invalid part of the parsed value, until `_check_value` reports its path."""

    def __init__(self, why: str) -> None:
        self.why = why


def parse_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in `body`; answer 400 as `SentBody.json` does.

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
        check_text(key, "A key of the body")
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


def check_text(text: str, where: str) -> None:
    """Answer 400 for a text with characters that none may have."""
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


FORMING = re.compile(r"0\.([0-9]{1,16})")
"""The ETag of a table that forms, with its revision. Its game, once dealt, is newer."""
VERSION_TAG = 'a version in quotes, such as "37"'
REVISION_TAG = 'the ETag of a forming table in quotes, such as "0.3"'
KEY = re.compile("[ -~]{1,255}")


@dataclass(frozen=True)
class CommandInput:
    """The input of a caller's command: a JSON object, an Idempotency-Key, and the version that they expect.

    `fields` is the object as a schema has loaded it.
    """

    body: Mapping[str, Any]
    fields: Mapping[str, Any]
    key: str | None = None
    expected: int | None = None


class Read(Protocol):
    """Reads what was sent, once the caller's rights are clear."""

    def __call__(self, schema: Schema | None = None) -> CommandInput:
        """Return what was sent, loaded by the schema. Raise Problem or ValidationError for what isn't valid."""


@dataclass(frozen=True)
class GivenInput:
    """Reads what a line or a mail says, as strictly as a request."""

    body: Mapping[str, Any]
    key: str | None = None
    expected: int | None = None

    def __call__(self, schema: Schema | None = None) -> CommandInput:
        """Return the input. Raise Problem or ValidationError for what isn't valid."""
        sent = parse_object(json.dumps(self.body).encode())
        return CommandInput(sent, {} if schema is None else schema.load(sent), self.key, self.expected)


@dataclass(frozen=True)
class SentBody:
    """The body of a request as sent, or what receives it, and what the headers say of it."""

    content: bytes | Callable[[], bytes]
    media: str = JSON
    charset: str = "utf-8"
    encoding: str = "identity"

    def json(self) -> dict[str, Any]:
        """Return one JSON object of strings, integers, booleans, nulls, lists and objects.

        Answer 415 for another content type, charset or encoding, 413 for a body over the limit and 400 for anything
        else that is invalid; the detail names the problem and its path (`options.win`), and so does `errors`.
        """
        self._check_encoding()
        if self.media != JSON:
            raise Problem("unsupported-media-type", "Send the body as application/json.")
        if self.charset.lower() not in ("utf-8", "utf8"):
            raise Problem("unsupported-media-type", "Send the body in UTF-8.")
        return parse_object(self._receive())

    def lines(self) -> list[str]:
        """Return the lines of a body of text/plain; answer 400 for one that isn't valid UTF-8, as for JSON."""
        self._check_encoding()
        lines = _decode(self._receive()).replace("\r\n", "\n").split("\n")
        for number, line in enumerate(lines, start=1):
            check_text(line.replace("\t", " "), f"Line {number}")
        return [line.rstrip() for line in lines[: len(lines) - (not lines[-1])]]

    def _check_encoding(self) -> None:
        if self.encoding.strip().lower() != "identity":
            raise Problem("unsupported-media-type", "Send the body without a content encoding.")

    def _receive(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else self.content()


@dataclass(frozen=True)
class SentCommand:
    """Reads a request: its body, an Idempotency-Key, and the ETags of If-Match; None matches anything that exists."""

    body: SentBody
    key: str | None = None
    tags: Set[str] | None = None
    of_table: bool = False
    """Whether the ETags are those of a table that forms, and no versions of a game."""

    def __call__(self, schema: Schema | None = None) -> CommandInput:
        """Return the input. Raise Problem or ValidationError for what isn't valid."""
        body = self.body.json()
        loaded: Mapping[str, Any] = {} if schema is None else schema.load(body)
        return CommandInput(body, loaded, check_key(self.key), self._expected())

    def _expected(self) -> int | None:
        """Return n for `"n"`, the latest of several, and of a table that forms its revision; 0 for one in a game."""
        if self.tags is None:
            return None
        found = [self._number(tag) for tag in self.tags]
        known = [each for each in found if each is not None]
        if not known or len(known) < len(found):
            raise Problem("malformed", f"If-Match must be {REVISION_TAG if self.of_table else VERSION_TAG}.")
        return max(known)

    def _number(self, tag: str) -> int | None:
        forming = FORMING.fullmatch(tag)
        if self.of_table:
            return None if forming is None else parse_integer(forming[1])
        return parse_integer(tag) if forming is None else 0


def check_key(key: str | None) -> str | None:
    """Return an Idempotency-Key; answer 400 unless it is 1 to 255 printable ASCII characters."""
    if key is not None and KEY.fullmatch(key) is None:
        raise Problem("malformed", "Idempotency-Key must be 1 to 255 printable ASCII characters.")
    return key


fields.Field.default_error_messages |= {"required": "Is missing.", "null": "Must not be null."}
fields.String.default_error_messages |= {"invalid": "Must be a text."}
fields.Integer.default_error_messages |= {"invalid": "Must be a whole number."}
fields.List.default_error_messages |= {"invalid": "Must be a list."}
validate.Length.message_all = "Must have {min} to {max} characters or items."
validate.Length.message_max = "Must have at most {max} characters or items."
validate.Length.message_min = "Must have at least {min} characters or items."
validate.Length.message_equal = "Must have {equal} characters or items."
"""Messages go on after the name of a field. marshmallow's own way to change those of all fields."""

IS_GAME = validate.Regexp(rf"(?:{GAME})\Z", error="Must be a board number or the id of a game, as text.")
IS_HASH = validate.Regexp(r"[0-9a-f]{64}\Z", error="Must be 64 lower-case hex digits.")


class StrictSchema(Schema):
    """A JSON object or a query that rejects unknown fields."""

    error_messages = {  # noqa: RUF012 - the library declares no ClassVar
        "unknown": "Isn't known here.",
        "type": "Must be an object.",
    }

    class Meta:
        unknown = RAISE


def integer_field(low: int, high: int, *, required: bool = True) -> fields.Integer:
    """Return a field for a JSON integer (not "5", not 5.0, not true) from low to high."""
    return fields.Integer(required=required, strict=True, validate=validate.Range(low, high))


def boolean_field(*, required: bool = True) -> fields.Boolean:
    """Return a field for a JSON boolean (not 1, not "yes"), which is false if it's missing and isn't required."""
    return fields.Boolean(required=required, load_default=missing if required else False, pre_load=_require_boolean)


def _require_boolean(value: object) -> object:
    if type(value) is not bool:
        raise ValidationError("Must be true or false.")
    return value


def name_field(*, required: bool = True) -> fields.String:
    """Return a field for a user's name."""
    return fields.String(required=required, validate=_is_name, metadata={"pattern": f"^{NAME.pattern}$"})


MAX_TEXT_LENGTH = 10_000
"""The most characters of a text, whatever the server's setting allows."""


def text_field(*, required: bool = True) -> fields.String:
    """Return a field for one paragraph of text: no body contains a line break."""
    return fields.String(required=required, validate=[validate.Length(1, MAX_TEXT_LENGTH), _is_not_blank])


def _is_not_blank(text: str) -> None:
    if not text.strip():
        raise ValidationError("Must not be blank.")


def query_integer_field(low: int, high: int, *, default: int | None = None, required: bool = False) -> fields.Integer:
    """Return a field for a query parameter from low to high in ASCII digits; `default` if it's missing."""
    absent = missing if required else default
    return fields.Integer(
        required=required, load_default=absent, strict=True, pre_load=_parse_digits, validate=validate.Range(low, high)
    )


def _is_name(text: str) -> None:
    if NAME.fullmatch(text) is None:
        raise ValidationError("Must be 1 to 32 of A-Z a-z 0-9 - _ . and start with a letter or digit.")


def _parse_digits(text: str) -> int:
    number = parse_integer(text)
    if number is None:
        raise ValidationError("Must be a whole number in plain digits.")
    return number


def _is_not_reserved(text: str) -> None:
    if is_reserved(text):
        raise ValidationError(
            "This name is reserved: it looks like the server, its staff, a bot, a guest or a player's id."
            " Choose another one."
        )


def new_password_field() -> fields.String:
    """Return a field for a password that somebody chooses."""
    said = f"Choose one of {PASSWORD_MIN_LENGTH} to {PASSWORD_MAX_LENGTH} characters."
    length = validate.Length(PASSWORD_MIN_LENGTH, PASSWORD_MAX_LENGTH, error=said)
    return fields.String(required=True, validate=length)


class Registration(StrictSchema):
    """`POST /users`"""

    name = fields.String(
        required=True, validate=[_is_name, _is_not_reserved], metadata={"pattern": f"^{NAME.pattern}$"}
    )
    password = new_password_field()


REGISTRATION = Registration()
