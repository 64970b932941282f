"""FairDeal v1, a shuffle that anyone can check: commitments before a deal, and the draws that follow from them.

`commit` binds the table to a secret `seed`, and `seal` binds a seat to its cut. Seed and cuts are mixed into the `key`
of one ceremony. Each draw reads a stream of its own, named by its label. Once the seed is public, anybody can recompute
everything here (docs/verify-a-hand.md). The test vectors are in tests/domain/fairdeal-vectors.json.

Functions raise a ValueError that never quotes a secret for a seed, cut or key that isn't exactly 32 bytes, a text that
isn't printable ASCII of at most 255 characters, and a number outside its range.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from hmac import HMAC, digest

_WIDE = 2**32
_REMEMBERED = 2048
"""How many results are remembered: two readers of a game ask for each draw, one after the other."""


def commit(game: str, n: int, subject: str, seed: bytes) -> bytes:
    """Return 32 bytes that bind ceremony `n` (u32, from 0 in each game) to `seed` without revealing it."""
    _require_32_bytes("a seed", seed)
    return sha256(_enc("fairdeal/1 commit", game, n, subject, seed)).digest()


def seal(game: str, seat: str, cut: bytes) -> bytes:
    """Return 32 bytes that bind a seat (as decimal text, such as "0") to its `cut` without revealing it."""
    _require_32_bytes("a cut", cut)
    return sha256(_enc("fairdeal/1 seal", game, seat, cut)).digest()


def key(game: str, n: int, subject: str, seed: bytes, cuts: Sequence[tuple[str, bytes]]) -> bytes:
    """Return the ceremony's 32-byte key. `cuts` are (source, cut): seats in order, then beacons by their names."""
    _require_32_bytes("a seed", seed)
    parts: list[str | int | bytes] = []
    for source, cut in cuts:
        _require_32_bytes("a cut", cut)
        parts += (source, cut)
    return digest(seed, _enc("fairdeal/1 key", game, n, subject, len(cuts), *parts), "sha256")


def shuffle(key: bytes, label: str, n: int) -> list[int]:
    """Return an order of 0..n-1. The deck is `[canonical[i] for i in shuffle(...)]`; its first card is dealt first."""
    return list(_order(key, label, n))


@lru_cache(maxsize=64, typed=True)
def _order(key: bytes, label: str, n: int) -> tuple[int, ...]:
    _require_whole("the number of cards", n, 0, _WIDE)
    order = list(range(n))
    numbers = _Stream(key, label).each_below(range(n, 1, -1))
    for i, j in zip(range(n - 1, 0, -1), numbers, strict=True):
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def pick(key: bytes, label: str, m: int) -> int:
    """Return one of 0..m-1, all equally likely; 1 <= m <= 2^32."""
    return _pick(key, label, m)


@lru_cache(maxsize=_REMEMBERED, typed=True)
def _pick(key: bytes, label: str, m: int) -> int:
    _require_whole("the number to pick from", m, 1, _WIDE)
    return _Stream(key, label).below(m)


def chance(key: bytes, label: str, a: int, b: int) -> bool:
    """Return True with probability a/b, for 0 <= a <= b and 1 <= b <= 2^32."""
    return _pick(key, label, b) < a


def block(key: bytes, label: str, i: int) -> bytes:
    """Return block `i` of a stream, 32 bytes. A bot gets block 0 of its own label as the key of its draws."""
    _require_32_bytes("a key", key)
    return digest(key, _head(label) + _enc(i), "sha256")


def numbers(key: bytes, label: str) -> Callable[[range], list[int]]:
    """Return a function that draws from one stream: for each bound m of a range, one of 0..m-1, all equally likely.

    Each call continues where the last one stopped.
    """
    return _Stream(key, label).each_below


class _Stream:
    """The bytes HMAC(key, label, 0), HMAC(key, label, 1), ... read from the front. `used` counts the bytes read."""

    __slots__ = ("_blocks", "_head", "_mac", "_read", "used")

    def __init__(self, key: bytes, label: str) -> None:
        _require_32_bytes("a key", key)
        self._mac = _keyed_mac(key)
        self._head = _head(label)
        self._read = b""
        self._blocks = 0
        self.used = 0

    def below(self, m: int) -> int:
        """Return one of 0..m-1, all equally likely."""
        return self._each_below(_sampling_of(m))[0]

    def each_below(self, bounds: range) -> list[int]:
        """Return one of 0..m-1 for each bound m. To avoid bias, numbers at or above the limit are skipped."""
        return self._each_below(_sampling_table(bounds))

    def _each_below(self, table: "_Samplings") -> list[int]:
        read, end, numbers = self._read, self.used, list[int]()
        for m, width, limit in table:
            while True:
                start, end = end, end + width
                if end > len(read):
                    read = self._read_until(end)
                x = read[start] if width == 1 else int.from_bytes(read[start:end], "big")
                if x < limit:
                    break
            numbers.append(x % m)
        self.used = end
        return numbers

    def _read_until(self, end: int) -> bytes:
        """Read on until `end` at least, and return all bytes from the start."""
        while end > len(self._read):
            mac = self._mac.copy()
            mac.update(self._head + _counter(self._blocks))
            self._read += mac.digest()
            self._blocks += 1
        return self._read


@lru_cache(maxsize=8)
def _keyed_mac(key: bytes) -> HMAC:
    """Return HMAC-SHA-256 with `key`, before a message. A copy of it is made in half the time of a new one."""
    return HMAC(key, digestmod="sha256")


@lru_cache(maxsize=1024)
def _head(label: str) -> bytes:
    """Return the beginning of the message of every block of a stream."""
    return _enc("fairdeal/1 draw", label)


@lru_cache(maxsize=64)
def _counter(block: int) -> bytes:
    """Return the end of the message of one block."""
    return _enc(block)


_Samplings = tuple[tuple[int, int, int], ...]
"""Bounds, each with its width and limit."""


@lru_cache(maxsize=256)
def _sampling_table(bounds: range) -> _Samplings:
    return tuple([(m, *_sampling(m)) for m in bounds])


@lru_cache(maxsize=256)
def _sampling_of(m: int) -> _Samplings:
    return ((m, *_sampling(m)),)


def _sampling(m: int) -> tuple[int, int]:
    """Return how many bytes to read for a number below `m`, and the limit: numbers from it on are skipped."""
    width = ((m - 1).bit_length() + 7) // 8
    return width, 256**width - 256**width % m


def _enc(*parts: str | int | bytes) -> bytes:
    """Encode each part as its length (u32) and its bytes, so that no two lists of parts share an encoding."""
    return b"".join([_text(part) if isinstance(part, str) else _with_length(_raw(part)) for part in parts])


def _with_length(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part


def _raw(part: int | bytes) -> bytes:
    if isinstance(part, bytes):
        return part
    _require_whole("the number of a ceremony", part, 0, _WIDE - 1)
    return part.to_bytes(4, "big")


@lru_cache(maxsize=1024)
def _text(part: str) -> bytes:
    if not (part.isascii() and part.isprintable() and len(part) <= 255):
        raise ValueError("a text of a ceremony must be printable ASCII of at most 255 characters")
    return _with_length(part.encode("ascii"))


def _require_32_bytes(name: str, value: bytes) -> None:
    if type(value) is not bytes or len(value) != 32:
        raise ValueError(f"{name} must be exactly 32 bytes")


def _require_whole(name: str, number: int, least: int, most: int) -> None:
    if type(number) is not int or not least <= number <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}")
