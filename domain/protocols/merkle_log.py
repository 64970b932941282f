"""cardlog/1, a game's log as a transparency log: canonical event bytes, their leaves, and the root of all leaves.

Hashing is exactly that of RFC 6962, section 2.1. Hashes are 32 raw bytes. The state of a growing log is a `Frontier`, a
value that takes O(log size) to store, to append to, and to compute the root of.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from json import JSONEncoder
from typing import NamedTuple

EMPTY_ROOT = sha256(b"").digest()
MAX_DEPTH = 100
"""The deepest nesting of lists and objects. A fixed limit, so that it doesn't depend on the caller's stack."""

_INTEGER_LIMIT = 2**53
_SCALARS = frozenset({str, bool, type(None)})
_json = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


class NotCanonical(ValueError):
    """The value has no canonical bytes. The message names its kind, never its content, which may be secret."""


def canonical(value: object) -> bytes:
    """Return the RFC 8785 bytes of null, booleans, whole numbers |i| < 2^53, text, lists, tuples and objects.

    Raise NotCanonical for anything else: floats, keys not of ASCII text, lone surrogates, subclasses, deep nesting.
    """
    _check(value, MAX_DEPTH)
    try:
        return _json(value).encode("utf-8")
    except UnicodeEncodeError:
        raise NotCanonical("a text holds half a surrogate pair, which UTF-8 can't encode") from None


def leaf(event_bytes: bytes) -> bytes:
    """Return the leaf hash of an event's canonical bytes."""
    return sha256(b"\x00" + event_bytes).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees side by side."""
    return sha256(b"\x01" + left + right).digest()


class Frontier(NamedTuple):
    """The roots of the full subtrees of a log with `size` leaves: `last`, and those `before` it.

    The sizes of the subtrees are the powers of two that add up to `size`, largest first. `left` is `last` as the left
    half of a node is hashed. Begin with `EMPTY`.
    """

    size: int
    last: bytes
    left: bytes
    before: "Frontier | None"

    def __repr__(self) -> str:
        """Return the size only, without the hashes."""
        return f"Frontier(size={self.size})"

    def append(self, leaf_hash: bytes) -> "Frontier":
        """Return the frontier with one more leaf. Raise ValueError unless `leaf_hash` is 32 bytes."""
        if len(leaf_hash) != 32:
            raise ValueError("a leaf hash must be 32 bytes")
        size = self.size
        before = self if size else None
        while before is not None and size & 1:
            leaf_hash = sha256(before.left + leaf_hash).digest()
            before = before.before
            size >>= 1
        # Frontier(...) would call a function of Python's, which costs a tenth of this method
        return tuple.__new__(Frontier, (self.size + 1, leaf_hash, b"\x01" + leaf_hash, before))

    def root(self) -> bytes:
        """Return the Merkle tree hash of all leaves. With no leaves, that's SHA-256 of the empty string."""
        tree, before = self.last, self.before
        while before is not None:
            tree = sha256(before.left + tree).digest()
            before = before.before
        return tree


EMPTY = Frontier(0, EMPTY_ROOT, b"", None)


class GrowingLog:
    """The root of a log while it grows, for a reader who needs each: it takes half the time of a `Frontier`."""

    def __init__(self, frontier: Frontier = EMPTY) -> None:
        self.size, self.root = frontier.size, frontier.root()
        self._full = list[bytes]()  # roots of the full subtrees, each with the prefix of a node
        at = frontier if frontier.size else None
        while at is not None:
            self._full.insert(0, at.left)
            at = at.before

    def append(self, leaf_hash: bytes) -> None:
        """Add a leaf."""
        full, tree, halves = self._full, leaf_hash, self.size
        while halves & 1:
            tree = sha256(full.pop() + tree).digest()
            halves >>= 1
        full.append(b"\x01" + tree)
        for left in full[-2::-1]:
            tree = sha256(left + tree).digest()
        self.root = tree
        self.size += 1

    def frontier(self) -> Frontier:
        """Return the frontier of the log as it is now."""
        found, size, left_over = None, 0, self.size
        for left in self._full:
            subtree = 1 << left_over.bit_length() - 1
            size, left_over = size + subtree, left_over - subtree
            found = Frontier(size, left[1:], left, found)
        return found or EMPTY


def roots(leaves: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the root after each leaf hash."""
    log = GrowingLog()
    for leaf_hash in leaves:
        log.append(leaf_hash)
        yield log.root


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root of leaf hashes by the definition of RFC 6962, 2.1. Slow, and independent of `Frontier`."""
    if len(leaves) < 2:
        return leaves[0] if leaves else EMPTY_ROOT
    k = 1 << (len(leaves) - 1).bit_length() - 1  # the largest power of two smaller than the number of leaves
    return node(root_of(leaves[:k]), root_of(leaves[k:]))


def _check(value: object, depth: int) -> None:
    if type(value) in _SCALARS:
        return
    if type(value) is int:
        if not -_INTEGER_LIMIT < value < _INTEGER_LIMIT:
            raise NotCanonical("a whole number must lie between -2^53 and 2^53, both excluded")
        return
    parts = _parts(value)
    if not depth:
        raise NotCanonical(f"lists and objects nest deeper than {MAX_DEPTH}")
    for part in parts:
        if type(part) not in _SCALARS:
            _check(part, depth - 1)


def _parts(value: object) -> Iterable[object]:
    if type(value) is list or type(value) is tuple:
        return value
    if type(value) is not dict:
        raise NotCanonical(f"a value of type {type(value).__name__} has no canonical bytes")
    _check_keys(value)
    return value.values()


def _check_keys(keys: Iterable[object]) -> None:
    for key in keys:
        if type(key) is not str or not key.isascii():
            raise NotCanonical("the keys of an object must be ASCII text")
