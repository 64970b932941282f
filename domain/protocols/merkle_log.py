"""cardlog/1, a game's log as a transparency log: canonical event bytes, their leaves, and the root over all of them.

Hashing is RFC 6962 section 2.1 exactly. Hashes are 32 raw bytes. The state of a growing log is a `Frontier`, a value:
O(log size) to keep, to grow and to ask for its root.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from json import JSONEncoder

EMPTY_ROOT = sha256(b"").digest()
DEEPEST = 100
"""Lists and objects nested deeper than this are refused, wherever the caller's stack stands."""

_WIDEST = 2**53
_PLAIN = frozenset({str, bool, type(None)})
_json = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


class NotCanonical(ValueError):
    """The value has no canonical bytes; the sentence tells its kind and never its content, which may be a secret."""


def canonical(value: object) -> bytes:
    """The RFC 8785 bytes of null, booleans, whole numbers |i| < 2^53, text, lists (or tuples) and objects of these.

    NotCanonical for anything else: floats, keys that are not ASCII text, lone surrogates, subclasses, deep nesting.
    """
    _check(value, DEEPEST)
    try:
        return _json(value).encode("utf-8")
    except UnicodeEncodeError:
        raise NotCanonical("a text holds half a surrogate pair, which UTF-8 cannot carry") from None


def leaf(event_bytes: bytes) -> bytes:
    """The leaf hash of one event's canonical bytes."""
    return sha256(b"\x00" + event_bytes).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees side by side."""
    return sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Frontier:
    """What a log of `size` leaves needs to grow: the roots of its full subtrees, `last` and those `before` it.

    The subtrees' sizes are the powers of two that make up `size`, largest first. Begin with `EMPTY`.
    """

    size: int
    last: bytes = field(repr=False)
    before: "Frontier | None" = field(repr=False)

    def append(self, leaf_hash: bytes) -> "Frontier":
        """The frontier with one more leaf; ValueError unless `leaf_hash` is 32 bytes."""
        if len(leaf_hash) != 32:
            raise ValueError("a leaf hash must be 32 bytes")
        size = self.size
        before = self if size else None
        while before is not None and size & 1:
            leaf_hash = sha256(b"\x01" + before.last + leaf_hash).digest()
            before = before.before
            size >>= 1
        return Frontier(self.size + 1, leaf_hash, before)

    def root(self) -> bytes:
        """The Merkle tree hash of all leaves so far; of none, SHA-256 of nothing."""
        tree, before = self.last, self.before
        while before is not None:
            tree = sha256(b"\x01" + before.last + tree).digest()
            before = before.before
        return tree


EMPTY = Frontier(0, EMPTY_ROOT, None)


def roots(leaves: Iterable[bytes]) -> Iterator[bytes]:
    """The root after each leaf hash, as `Frontier` has it, at half its cost."""
    full: list[bytes] = []  # the roots of the full subtrees, each as it begins the hash of a node
    for size, leaf_hash in enumerate(leaves):
        tree, halves = leaf_hash, size
        while halves & 1:
            tree = sha256(full.pop() + tree).digest()
            halves >>= 1
        full.append(b"\x01" + tree)
        for left in full[-2::-1]:
            tree = sha256(left + tree).digest()
        yield tree


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes straight from the definition of RFC 6962, 2.1: slow, and owes `Frontier` nothing."""
    if len(leaves) < 2:
        return leaves[0] if leaves else EMPTY_ROOT
    k = 1 << (len(leaves) - 1).bit_length() - 1  # the largest power of two smaller than the number of leaves
    return node(root_of(leaves[:k]), root_of(leaves[k:]))


def _check(value: object, deeper: int) -> None:
    if type(value) in _PLAIN:
        return
    if type(value) is int:
        if not -_WIDEST < value < _WIDEST:
            raise NotCanonical("a whole number must lie between -2^53 and 2^53, both excluded")
        return
    each = _parts(value)
    if not deeper:
        raise NotCanonical(f"lists and objects nest deeper than {DEEPEST}")
    for one in each:
        if type(one) not in _PLAIN:
            _check(one, deeper - 1)


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
