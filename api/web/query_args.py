"""The arguments of a query, and positions in the log as text.

A position is encrypted with a key from the server's secret, so every server of a store can read it. Equal positions
are equal texts, and positions of the same number of shards have the same length.
"""

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from functools import lru_cache
from struct import Struct
from typing import Any, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from flask import Request, current_app, g
from flask.typing import RouteCallable
from marshmallow import Schema, fields

from api.web.schemas import StrictSchema
from api.web.strict_json import read_query
from domain.store.positions import LEAF_DIGITS, LogPosition

POSITION = "Trickbook-Position"
"""The header of a response."""
FORMAT = b"trickbook-position/1"
KEY_BYTES = 64
MAX_POSITION_CHARACTERS = 2048
"""More than the position of a list with the most shards has."""
ENTRY = Struct(f">BQ{LEAF_DIGITS // 2}s")
"""The shard, the number and the leaf. An empty shard has the number 0."""


class BadPosition(ValueError):
    """The text isn't a position that a server with this secret returned."""


def write_position(secret: bytes, positions: Sequence[LogPosition]) -> str:
    """Return the text for the position of a write, or for the positions of a list, one for each shard."""
    entries = (ENTRY.pack(each.shard, each.number, bytes.fromhex(each.leaf)) for each in positions)
    return urlsafe_b64encode(_cipher(secret).encrypt(b"".join(entries), [FORMAT])).decode().rstrip("=")


def read_position(secret: bytes, text: str) -> tuple[LogPosition, ...]:
    """Return the positions in a text. Raise BadPosition if no server with this secret wrote it."""
    try:
        sealed = b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        entries = list(ENTRY.iter_unpack(_cipher(secret).decrypt(sealed, [FORMAT])))
    except (ValueError, InvalidTag) as error:
        raise BadPosition("this isn't a position of this server") from error
    return tuple(LogPosition(shard, number, leaf.hex() if number else "") for shard, number, leaf in entries)


@lru_cache(maxsize=4)
def _cipher(secret: bytes) -> AESSIV:
    return AESSIV(HKDF(SHA256(), KEY_BYTES, salt=None, info=FORMAT).derive(secret))


ViewFunction = TypeVar("ViewFunction", bound=RouteCallable)

NO_ARGS = StrictSchema()
_schemas: dict[RouteCallable, Schema] = {}


def query(schema: Schema) -> Callable[[ViewFunction], ViewFunction]:
    """Declare the schema of a view's `query_args()`; place it below the route."""

    def declare(view: ViewFunction) -> ViewFunction:
        _schemas[view] = schema
        return view

    return declare


def query_schema(view: RouteCallable | None) -> Schema:
    """Return the schema of a view's query parameters."""
    return NO_ARGS if view is None else _schemas.get(view, NO_ARGS)


def check_query(request: Request) -> None:
    """Answer 400 for query parameters that the route doesn't accept or that are invalid."""
    view = current_app.view_functions.get(request.endpoint or "")
    schema = query_schema(view)
    if view is not None and (request.query_string or schema is not NO_ARGS):
        g.query_args = schema.load(read_query(request, lists_in(schema)))


def lists_in(schema: Schema) -> set[str]:
    """Return the parameters that may come several times."""
    return {name for name, field in schema.fields.items() if isinstance(field, fields.List)}


def query_args() -> dict[str, Any]:
    """Return the query parameters of the current request, loaded by the view's schema."""
    args: dict[str, Any] = g.query_args
    return args
