"""The texts of receipts and proofs, as C2SP specifies them. Nothing here signs or verifies signatures.

A receipt is a checkpoint (c2sp.org/tlog-checkpoint) as a signed note (c2sp.org/signed-note):

    <origin>/game/<id>
    <version>
    <root, base64>

    — <key name> <base64 of 4 bytes of key id and the Ed25519 signature>

Parsing is strict: every text has one spelling, and any other raises NotANote.
"""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

ED25519 = b"\x01"
"""The signature type of Ed25519 in key ids and verifier keys."""
COSIGNATURE = b"\x04"
"""The signature type of a witness: an Ed25519 signature with a time (c2sp.org/tlog-cosignature)."""
MAX_NOTE_LENGTH = 64 * 1024
"""The longest note that is parsed, in characters."""
MAX_SIGNATURES = 16
MAX_COSIGNATURES = MAX_SIGNATURES - 1
"""How many signatures of witnesses a receipt can have, beside that of its server."""
DASH = "\N{EM DASH} "
PROOF = "c2sp.org/tlog-proof@v1"
_NAME = re.compile(r"[^\s+\x00-\x20\x7f\ufeff\ud800-\udfff]{1,255}")
_REFUSED = re.compile(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]")
_NUMBER = re.compile("0|[1-9][0-9]{0,15}")


class NotANote(ValueError):
    """The text is malformed. The message says how, and quotes nothing of it."""


@dataclass(frozen=True)
class Key:
    """An Ed25519 public key of 32 bytes and the name it signs under. `kind` tells a witness's key from a log's."""

    name: str
    public: bytes
    kind: bytes = ED25519

    @property
    def id(self) -> bytes:
        """The first four bytes of SHA-256(name, newline, signature type, public key)."""
        return sha256(self.name.encode() + b"\n" + self.kind + self.public).digest()[:4]

    @property
    def label(self) -> str:
        """The name and id of the key, for reports."""
        return f"{self.name}+{self.id.hex()}"

    @property
    def text(self) -> str:
        """The verifier key: `<name>+<key id in hex>+<base64 of type and public key>`."""
        return f"{self.label}+{to_base64(self.kind + self.public)}"


def require_key_name(name: str) -> str:
    """Return the name. Raise NotANote if no key can have it."""
    if _NAME.fullmatch(name) is None:
        raise NotANote("a key's name is 1 to 255 letters of UTF-8, without spaces and plus signs")
    return name


def parse_key(text: str, kind: bytes = ED25519) -> Key:
    """Return the key of a verifier key, of a witness if `kind` is COSIGNATURE. Raise NotANote if it's malformed."""
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    if _NAME.fullmatch(name) is None:
        raise NotANote("a verifier key is <name>+<8 hex digits>+<base64>")
    raw = from_base64(encoded, "the key")
    if len(raw) != 33 or raw[:1] != kind:
        raise NotANote("the key isn't an Ed25519 key" + (" of a witness" if kind == COSIGNATURE else ""))
    key = Key(name, raw[1:], kind)
    if key.id.hex() != key_id:
        raise NotANote("the key id doesn't fit this name and key")
    return key


@dataclass(frozen=True)
class Signature:
    """A signature line: the name and id of the key, and the signature's bytes."""

    name: str
    key_id: bytes
    signed: bytes = field(repr=False)

    @property
    def label(self) -> str:
        """The name and id of the key, for reports."""
        return f"{self.name}+{self.key_id.hex()}"

    @property
    def line(self) -> str:
        """The line, with its newline."""
        return f"{DASH}{self.name} {to_base64(self.key_id + self.signed)}\n"


@dataclass(frozen=True)
class Note:
    """A text that ends with a newline, and its signatures."""

    body: str
    signatures: tuple[Signature, ...]

    @property
    def text(self) -> str:
        """The signed note."""
        return f"{self.body}\n{''.join(each.line for each in self.signatures)}"


def parse_note(text: str) -> Note:
    """Return the signed note in `text`. Raise NotANote if it's malformed."""
    if len(text) > MAX_NOTE_LENGTH or _REFUSED.search(text):
        raise NotANote("a note is UTF-8 text of moderate length, without control characters")
    body, gap, signed = text.rpartition("\n\n")
    if not gap or not body or not signed.endswith("\n"):
        raise NotANote("a signed note is a text, an empty line and signatures, each line with a newline")
    lines = signed[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise NotANote(f"a note may have at most {MAX_SIGNATURES} signatures")
    return Note(body + "\n", tuple(map(_signature, lines)))


def _signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(DASH).partition(" ")
    if not line.startswith(DASH) or _NAME.fullmatch(name) is None:
        raise NotANote("a signature line is an em dash, a key name and base64")
    raw = from_base64(encoded, "the signature")
    if len(raw) < 5:
        raise NotANote("the signature is too short")
    return Signature(name, raw[:4], raw[4:])


@dataclass(frozen=True)
class Checkpoint:
    """The head of a log: its origin, its number of leaves, and their root of 32 bytes."""

    origin: str
    size: int
    root: bytes

    @property
    def body(self) -> str:
        """The text to sign."""
        return f"{self.origin}\n{self.size}\n{to_base64(self.root)}\n"

    def is_of(self, name: str) -> bool:
        """Return whether the log is a game of the server with this name, which is also that of its keys."""
        return self.origin.startswith(game_origin(name, ""))


def parse_signatures(lines: str) -> tuple[Signature, ...]:
    """Return the signatures in lines that a witness has answered. Raise NotANote if they're malformed."""
    return parse_note(f"lines\n\n{lines}").signatures


def cosigned_text(body: str, seconds: int) -> str:
    """Return the text that a witness signs for a checkpoint, at a time in seconds since 1970."""
    return f"cosignature/v1\ntime {seconds}\n{body}"


def parse_checkpoint(body: str) -> Checkpoint:
    """Return the checkpoint in a note's body. Raise NotANote for extension lines, since nothing here can audit them."""
    lines = body.split("\n")
    if len(lines) != 4 or lines[3]:
        raise NotANote("a checkpoint has three lines: origin, size and root")
    origin, size, root = lines[:3]
    if _NAME.fullmatch(origin) is None or _NUMBER.fullmatch(size) is None:
        raise NotANote("a checkpoint begins with the log's origin and its size")
    return Checkpoint(origin, int(size), _hash(root))


def game_origin(origin: str, game: str) -> str:
    """Return the origin of a game's log. `origin` is the server's own, which is also the name of its keys."""
    return f"{origin}/game/{game}"


@dataclass(frozen=True)
class InclusionProof:
    """A tlog-proof that leaf `index`, from 0, is in the log that `note` signs. `extra` holds the event's bytes.

    The bytes make the file complete. They prove nothing unless their hash is the leaf.
    """

    index: int
    path: tuple[bytes, ...]
    note: Note
    extra: bytes | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """The proof in the format of c2sp.org/tlog-proof."""
        extra = [] if self.extra is None else [f"extra {to_base64(self.extra)}"]
        return _lines(PROOF, *extra, f"index {self.index}", *map(to_base64, self.path)) + "\n" + self.note.text


def parse_inclusion(text: str) -> InclusionProof:
    """Return the tlog-proof in `text`. Raise NotANote if it's malformed."""
    head, note = _split_note(text)
    if head[0] != PROOF:
        raise NotANote(f"a proof of inclusion begins with {PROOF}")
    extra = from_base64(head.pop(1)[6:], "the extra data") if head[1:] and head[1].startswith("extra ") else None
    return InclusionProof(_number(head[1:2], "index "), tuple(map(_hash, head[2:])), note, extra)


@dataclass(frozen=True)
class ConsistencyProof:
    """A proof that the log that `note` signs begins with the log of `old` leaves (c2sp.org/tlog-witness)."""

    old: int
    path: tuple[bytes, ...]
    note: Note

    @property
    def text(self) -> str:
        """The proof in the format of a witness's add-checkpoint request."""
        return _lines(f"old {self.old}", *map(to_base64, self.path)) + "\n" + self.note.text


def parse_consistency(text: str) -> ConsistencyProof:
    """Return the consistency proof in `text`. Raise NotANote if it's malformed."""
    head, note = _split_note(text)
    return ConsistencyProof(_number(head[:1], "old "), tuple(map(_hash, head[1:])), note)


def _split_note(text: str) -> tuple[list[str], Note]:
    """Return the lines up to the first empty line, and the note after it."""
    head, gap, note = text.partition("\n\n")
    if not gap:
        raise NotANote("a proof is some lines, an empty line and a signed note")
    return head.split("\n"), parse_note(note)


def _number(lines: Sequence[str], name: str) -> int:
    if not lines or not lines[0].startswith(name) or _NUMBER.fullmatch(lines[0].removeprefix(name)) is None:
        raise NotANote(f"a line with {name}and a number is missing")
    return int(lines[0].removeprefix(name))


def _lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def _hash(text: str) -> bytes:
    raw = from_base64(text, "a hash")
    if len(raw) != 32:
        raise NotANote("a hash has 32 bytes")
    return raw


def to_base64(raw: bytes) -> str:
    """Return `raw` in base64 (RFC 4648, section 4)."""
    return base64.b64encode(raw).decode("ascii")


def from_base64(text: str, name: str) -> bytes:
    """Return the bytes. Raise NotANote for any spelling but that of `to_base64`; `name` names the text."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NotANote(f"{name} isn't base64") from None
    if to_base64(raw) != text:
        raise NotANote(f"{name} is base64, but not in its one spelling")
    return raw
