"""Positions in the log as text, and lists that wait until they include one.

A position is encrypted with a key from the server's secret, so every server of a store can read it. Equal positions
are equal texts, and positions of the same number of shards have the same length.
"""

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from struct import Struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from api.container import Services
from api.problem import Problem
from domain.store.log import LEAF_DIGITS, LogPosition
from projections.lists.cursors import BadCursor
from projections.storage.rows import RowSnapshot

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


OTHER_HISTORY = "This server's games don't include that write. Read the list without wait, and check your last moves."


def wait_for_lists(services: Services, wait: str | None, *names: str) -> None:
    """Wait until the named lists reach a position: 503 `behind` after a timeout, 409 `other-history` if it's gone."""
    if wait is None:
        return
    try:
        positions = read_position(services.secret, wait)
    except BadPosition:
        raise Problem("malformed", "wait must be a value of the Trickbook-Position header of this server.") from None
    if not all(map(services.games.log.has_position, positions)):
        raise Problem("other-history", OTHER_HISTORY)
    if not services.followers.wait_for(positions, services.wait_timeout_s, *names):
        raise Problem("behind", "This list doesn't include that position yet. Try again.")


@contextmanager
def reading_list(services: Services, wait: str | None, name: str) -> Iterator[RowSnapshot]:
    """Read a list once it has reached a position. Raise Problem as `wait_for_lists` does, and for a bad cursor."""
    wait_for_lists(services, wait, name)
    try:
        with services.rows.snapshot(name) as reading:
            yield reading
    except BadCursor as error:
        raise Problem("malformed", str(error)) from None
