"""Compressed facts: the compressor of the log's applications, and the dictionaries that it needs, by version.

A state begins with the 32 bytes `prev`, which don't compress. The byte after them says how the rest is written. It's
`{`, with which canonical bytes begin, if they stand there as they are. Otherwise it's the version of a dictionary. Then
16 bytes each of the command, the game and the salt follow, and a frame of zstandard (RFC 8878, without its magic
number) with that dictionary. In its text, a byte 1 takes the place of the command, and another one that of game and
salt with what is between them. Canonical JSON has no such byte.

The package `zstandard` keeps its context between calls: others make one for each, which takes half of a load.
"""

import re
from binascii import hexlify, unhexlify
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from threading import local
from uuid import UUID

from eventsourcing.persistence import Compressor
from zstandard import (
    FORMAT_ZSTD1_MAGICLESS,
    ZstdCompressionDict,
    ZstdCompressionParameters,
    ZstdCompressor,
    ZstdDecompressor,
)

from domain.store.aggregate import PREV_SIZE

DICTIONARIES = {1: "53c43d5494bc9285d657f8b79831fe02ad5c632ce469581d1e41119dee4a276c"}
"""The SHA-256 of each dictionary, in hex. Every one stays forever, since rows are never written again."""
NEWEST = max(DICTIONARIES)
LEVEL = 3
"""Level 9 saves 2 bytes a fact and takes twice as long, level 19 one byte and twelve times as long."""
PLACEHOLDER = b"\1"
IDS = re.compile(
    rb'(.*?"command":")([0-9a-f]{16})-([0-9a-f]{16})(".*"game":")'
    rb'([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})","salt":"([0-9a-f]{32})(".*)',
    re.DOTALL,
)
"""The three values of 16 bytes in hex that each fact has: a third of its text, and chance."""
COMMAND, GAME, SALT = (slice(PREV_SIZE + 1 + 16 * at, PREV_SIZE + 17 + 16 * at) for at in range(3))
"""Their places in a state."""
FRAME = SALT.stop
PLAIN = ord("{")
LONGEST = 255 + (1 << 16)
"""The bytes of the longest text that's compressed: a frame names its size in one byte or two, so none is a bomb."""
SHORT_SIZES = 0b1 << 7
"""The first byte of a frame is below it if the size has at most two bytes (RFC 8878, 3.1.1.1.1)."""


class NoDictionary(Exception):
    """Facts of the log may be compressed with a dictionary that this program doesn't have."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"facts of this store are compressed with dictionary {version}, which this installation of trickbook lacks;"
            " use the version that wrote them or a newer one, and install it again if it's that one"
        )


class _Decompressors(dict[int, ZstdDecompressor]):
    """The decompressors by the version of their dictionary."""

    def __missing__(self, version: int) -> ZstdDecompressor:
        self[version] = ZstdDecompressor(dict_data=read_dictionary(version), format=FORMAT_ZSTD1_MAGICLESS)
        return self[version]


class _Contexts(local):
    """The contexts of one thread: threads can't share them, and making one takes longer than using it."""

    def __init__(self) -> None:
        self.decompressors = _Decompressors()

    @cached_property
    def compressor(self) -> ZstdCompressor:
        parameters = ZstdCompressionParameters.from_level(LEVEL, format=FORMAT_ZSTD1_MAGICLESS, write_dict_id=False)
        return ZstdCompressor(dict_data=read_dictionary(NEWEST), compression_params=parameters)


class FactCompressor(Compressor):
    """Compresses states, and reads plain ones and those of every dictionary. Safe for use by several threads."""

    def __init__(self) -> None:
        self._contexts = _Contexts()

    def compress(self, data: bytes) -> bytes:
        """Compress a state. One whose text isn't as a server writes it stays as it is."""
        parts = without_ids(data[PREV_SIZE:])
        if parts is None:
            return data
        ids, text = parts
        return b"".join((data[:PREV_SIZE], NEWEST.to_bytes(), ids, self._contexts.compressor.compress(text)))

    def decompress(self, data: bytes) -> bytes:
        """Return a state as it was before. Raise ZstdError, ValueError or IndexError if it's damaged."""
        if type(data) is not bytes or len(data) <= PREV_SIZE or data[PREV_SIZE] == PLAIN:
            return data  # a damaged file may hold a value of any type, which `read_row` refuses
        if data[FRAME] >= SHORT_SIZES:
            raise ValueError("the frame is longer than any that a server writes")
        text = self._contexts.decompressors[data[PREV_SIZE]].decompress(data[FRAME:], 0, False, False)
        start, middle, end = text.split(PLACEHOLDER)
        command, game, salt = hexlify(data[COMMAND], "-", 8), _spell(data[GAME]), hexlify(data[SALT])
        return b"".join((data[:PREV_SIZE], start, command, middle, game, b'","salt":"', salt, end))


class PlainFactCompressor(FactCompressor):
    """The compressor of a store that isn't compressed: it reads every kind of state, and writes plain ones."""

    def compress(self, data: bytes) -> bytes:
        """Return the state as it is."""
        return data


def is_plain(state: bytes) -> bool:
    """Return whether a state isn't compressed."""
    return len(state) <= PREV_SIZE or state[PREV_SIZE] == PLAIN


def without_ids(text: bytes) -> tuple[bytes, bytes] | None:
    """Return an event's 48 bytes of command, game and salt, and its canonical bytes without them; None without any."""
    found = IDS.fullmatch(text)
    if found is None or PLACEHOLDER in text or len(text) > LONGEST:
        return None
    start, first, second, middle, *game, salt, end = found.groups()
    return unhexlify(b"".join((first, second, *game, salt))), PLACEHOLDER.join((start, middle, end))


@lru_cache(4096)
def _spell(game: bytes) -> bytes:
    return str(UUID(bytes=game)).encode()


@cache
def read_dictionary(version: int) -> ZstdCompressionDict:
    """Return a dictionary. Raise NoDictionary if it's missing or isn't the one that has always had this version."""
    try:
        content = files(__name__).joinpath(f"{version}.dictionary").read_bytes()
    except FileNotFoundError:
        content = b""
    if sha256(content).hexdigest() != DICTIONARIES.get(version):
        raise NoDictionary(version)
    return ZstdCompressionDict(content)


def compressor_topic(versions: Sequence[int]) -> str:
    """Return the COMPRESSOR_TOPIC of a log whose states may be compressed with these dictionaries; none: it's plain.

    Raise NoDictionary if one of them is missing.
    """
    for version in versions:
        read_dictionary(version)
    chosen = FactCompressor if versions else PlainFactCompressor
    return f"{chosen.__module__}:{chosen.__qualname__}"
