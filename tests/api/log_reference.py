"""A second implementation of the log from docs/trust.md, RFC 6962, RFC 9162 and C2SP: roots, proofs, signed notes."""

import json
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def leaf(data: bytes) -> bytes:
    """Return the hash of a leaf (RFC 6962, 2.1)."""
    return sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node (RFC 6962, 2.1)."""
    return sha256(b"\x01" + left + right).digest()


def roots(leaves: Sequence[bytes]) -> list[bytes]:
    """Return the roots of the first 0, 1, 2, ... leaves (RFC 6962, 2.1)."""

    @cache
    def over(low: int, high: int) -> bytes:
        if high - low < 2:
            return leaves[low] if high > low else sha256(b"").digest()
        k = 1 << (high - low - 1).bit_length() - 1
        return node(over(low, low + k), over(low + k, high))

    return [over(0, size) for size in range(len(leaves) + 1)]


def verify_inclusion(index: int, size: int, hashed: bytes, path: Sequence[bytes], top: bytes) -> bool:
    """Verify an inclusion proof (RFC 9162, 2.1.3.2)."""
    if index >= size:
        return False
    fn, sn, r = index, size - 1, hashed
    for p in path:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            r = node(p, r)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = node(r, p)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and r == top


def verify_consistency(first: int, second: int, tops: tuple[bytes, bytes], path: Sequence[bytes]) -> bool:
    """Verify a consistency proof with 0 < first < second (RFC 9162, 2.1.4.2)."""
    told = [tops[0], *path] if first & (first - 1) == 0 else list(path)
    if not told:
        return False
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = told[0]
    for c in told[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = node(c, fr), node(c, sr)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and (fr, sr) == tops


@dataclass(frozen=True)
class Export:
    """An export, line by line; `raw` holds the bytes of each event, or None if it is withheld."""

    header: dict[str, Any]
    lines: list[dict[str, Any]]
    raw: list[bytes | None]
    trailer: dict[str, Any]

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events that aren't withheld."""
        return [line["event"] for line in self.lines if "event" in line]

    @property
    def leaves(self) -> list[bytes]:
        """The leaf hashes of all events."""
        return [bytes.fromhex(line["leaf"]) for line in self.lines]

    @property
    def roots(self) -> list[bytes]:
        """The roots of the empty log and after each event."""
        return roots(self.leaves)

    @property
    def withheld(self) -> list[int]:
        """The versions of the withheld events."""
        return [line["version"] for line in self.lines if "event" not in line]


def canonical(value: object) -> bytes:
    """Return the canonical JSON of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def event_bytes(line: bytes) -> bytes | None:
    """Return the bytes of the event in a line, or None if it is withheld."""
    before, after = b'{"event":', b',"leaf":"'
    return line[len(before) : line.rindex(after)] if line.startswith(before) else None


def check_export(text: bytes) -> Export:
    """Check every hash, link and number of an export, and return it."""
    assert text.endswith(b"\n")
    rows = text.split(b"\n")[:-1]
    told = [json.loads(row) for row in rows]
    assert [canonical(one) for one in told] == rows
    found = Export(told[0], told[1:-1], [event_bytes(row) for row in rows[1:-1]], told[-1])
    links = roots(found.leaves)
    for number, (line, raw) in enumerate(zip(found.lines, found.raw, strict=True), start=1):
        assert set(line) == ({"event", "leaf", "prev", "version"} if raw else {"leaf", "prev", "version"})
        assert line["version"] == number
        assert line["prev"] == links[number - 1].hex()
        if raw is not None:
            assert leaf(raw).hex() == line["leaf"]
            assert (line["event"]["version"], line["event"]["game"]) == (number, found.header["game"])
    assert (found.trailer["size"], found.trailer["root"]) == (len(found.lines), links[-1].hex())
    return found


@dataclass(frozen=True)
class Key:
    """A verifier key: name, key ID and Ed25519 public key."""

    name: str
    id: bytes
    public: bytes

    @classmethod
    def read(cls, vkey: str) -> "Key":
        """Parse name+id+base64(0x01 key), and check the ID."""
        name, told, rest = vkey.split("+", 2)
        raw = b64decode(rest, validate=True)
        assert (raw[0], len(raw)) == (1, 33)
        key_id = sha256(name.encode() + b"\n" + raw).digest()[:4]
        assert key_id.hex() == told
        return cls(name, key_id, raw[1:])

    def signed(self, note: str) -> bool:
        """Return whether the note has a valid signature by this key."""
        text, _, signatures = note.rpartition("\n\n")
        for line in signatures.splitlines():
            dash, name, packed = line.split(" ")
            raw = b64decode(packed, validate=True)
            assert dash == "\u2014"
            if (name, raw[:4]) == (self.name, self.id):
                try:
                    Ed25519PublicKey.from_public_bytes(self.public).verify(raw[4:], (text + "\n").encode())
                except InvalidSignature:
                    return False
                return True
        return False


@dataclass(frozen=True)
class Receipt:
    """The content of a checkpoint."""

    origin: str
    size: int
    root: bytes

    @classmethod
    def read(cls, note: str) -> "Receipt":
        """Parse a checkpoint: three lines, an empty line, signatures."""
        origin, size, top = note.split("\n\n", maxsplit=1)[0].split("\n")
        assert size == str(int(size))
        assert note.endswith("\n")
        return cls(origin, int(size), b64decode(top, validate=True))
