"""FairDeal v1, the shuffle anyone can check: what is promised before a deal, and every draw that follows from it.

A secret `seed` is promised by `commit`; the players' cuts, each perhaps promised by a `seal`, are mixed with it into
the `key` of one ceremony; each draw reads a stream of its own, named by its label. Once the seed is public, a stranger
can recompute everything here. Source: fairdeal/1, with its three test vectors.

Refused with a ValueError, which never quotes a secret: a seed, cut or key that is not exactly 32 bytes, a text that is
not printable ASCII of at most 255 characters, a number outside its range.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from hmac import digest

_WIDE = 2**32


def commit(game: str, n: int, subject: str, seed: bytes) -> bytes:
    """32 bytes that bind ceremony `n` (u32, counted from 0 in each game) to `seed` and tell nothing of it."""
    _need_32_bytes("a seed", seed)
    return sha256(_enc("fairdeal/1 commit", game, n, subject, seed)).digest()


def seal(game: str, seat: str, cut: bytes) -> bytes:
    """32 bytes that bind a seat (as decimal text, "0") to its `cut` before it shows it."""
    _need_32_bytes("a cut", cut)
    return sha256(_enc("fairdeal/1 seal", game, seat, cut)).digest()


def key(game: str, n: int, subject: str, seed: bytes, cuts: Sequence[tuple[str, bytes]]) -> bytes:
    """The ceremony's 32-byte key. `cuts` are (source, cut) in seat order, then beacons under their own names."""
    _need_32_bytes("a seed", seed)
    parts: list[str | int | bytes] = []
    for source, cut in cuts:
        _need_32_bytes("a cut", cut)
        parts += (source, cut)
    return digest(seed, _enc("fairdeal/1 key", game, n, subject, len(cuts), *parts), "sha256")


def shuffle(key: bytes, label: str, n: int) -> list[int]:
    """An order of 0..n-1: the deck is `[canonical[i] for i in shuffle(...)]`, its first card dealt first."""
    _need_whole("the number of cards", n, 0, _WIDE)
    order = list(range(n))
    numbers = _Stream(key, label).each_below(range(n, 1, -1))
    for i, j in zip(range(n - 1, 0, -1), numbers, strict=True):
        order[i], order[j] = order[j], order[i]
    return order


def pick(key: bytes, label: str, m: int) -> int:
    """One of 0..m-1, each as likely; 1 <= m <= 2^32."""
    _need_whole("the number to pick from", m, 1, _WIDE)
    return _Stream(key, label).below(m)


def chance(key: bytes, label: str, a: int, b: int) -> bool:
    """True `a` times in `b`; 1 <= b <= 2^32."""
    return pick(key, label, b) < a


class _Stream:
    """The bytes HMAC(key, label, 0), HMAC(key, label, 1), ... read once from the front; `used` counts those read."""

    __slots__ = ("_blocks", "_head", "_key", "_read", "used")

    def __init__(self, key: bytes, label: str) -> None:
        _need_32_bytes("a key", key)
        self._key = key
        self._head = _enc("fairdeal/1 draw", label)
        self._read = b""
        self._blocks = 0
        self.used = 0

    def below(self, m: int) -> int:
        """One of 0..m-1, each as likely."""
        return self.each_below(range(m, m + 1))[0]

    def each_below(self, bounds: range) -> list[int]:
        """For each bound m one of 0..m-1 without bias: a number from the uneven end is thrown away and read again."""
        read, end, numbers = self._read, self.used, list[int]()
        for m, width, limit in _readings(bounds):
            while True:
                start, end = end, end + width
                if end > len(read):
                    read = self._read_on(end)
                x = read[start] if width == 1 else int.from_bytes(read[start:end], "big")
                if x < limit:
                    break
            numbers.append(x % m)
        self.used = end
        return numbers

    def _read_on(self, end: int) -> bytes:
        """All that has been read, up to `end` at least."""
        while end > len(self._read):
            self._read += digest(self._key, self._head + _enc(self._blocks), "sha256")
            self._blocks += 1
        return self._read


@lru_cache(maxsize=256)
def _readings(bounds: range) -> list[tuple[int, int, int]]:
    """Each bound, and how it is read."""
    return [(m, *_reading(m)) for m in bounds]


def _reading(m: int) -> tuple[int, int]:
    """How many bytes are read at a time for a number below `m`, and the first number that is thrown away."""
    width = ((m - 1).bit_length() + 7) // 8
    return width, 256**width - 256**width % m


def _enc(*parts: str | int | bytes) -> bytes:
    """Each part as its length (u32) and its bytes, so that no two lists of parts share an encoding."""
    return b"".join([_text(part) if isinstance(part, str) else _with_length(_raw(part)) for part in parts])


def _with_length(one: bytes) -> bytes:
    return len(one).to_bytes(4, "big") + one


def _raw(part: int | bytes) -> bytes:
    if isinstance(part, bytes):
        return part
    _need_whole("the number of a ceremony", part, 0, _WIDE - 1)
    return part.to_bytes(4, "big")


@lru_cache(maxsize=1024)
def _text(part: str) -> bytes:
    if not (part.isascii() and part.isprintable() and len(part) <= 255):
        raise ValueError("a text of a ceremony must be printable ASCII of at most 255 characters")
    return _with_length(part.encode("ascii"))


def _need_32_bytes(what: str, value: bytes) -> None:
    if type(value) is not bytes or len(value) != 32:
        raise ValueError(f"{what} must be exactly 32 bytes")


def _need_whole(what: str, number: int, least: int, most: int) -> None:
    if type(number) is not int or not least <= number <= most:
        raise ValueError(f"{what} must be a whole number from {least} to {most}")
