"""Servers that sign, each made from a name and a number, so that they are always the same."""

from dataclasses import dataclass, replace
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.protocols.signed_notes import (
    COSIGNATURE,
    Checkpoint,
    Key,
    Note,
    Signature,
    cosigned_text,
    game_origin,
    parse_note,
)
from replay.history import History
from replay.history.receipts import root_at, with_receipt


@dataclass(frozen=True)
class Signer:
    """A server with a name. Another `seed` gives another key."""

    name: str = "cards.example"
    seed: int = 1

    @property
    def private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(sha256(f"{self.name} {self.seed}".encode()).digest())

    @property
    def key(self) -> Key:
        return Key(self.name, self.private.public_key().public_bytes_raw())

    def signature(self, body: str) -> Signature:
        return Signature(self.key.name, self.key.id, self.private.sign(body.encode()))

    def sign(self, head: Checkpoint) -> str:
        """Return the note over a checkpoint."""
        return Note(head.body, (self.signature(head.body),)).text

    def receipt(self, history: History, size: int | None = None) -> str:
        """Return a receipt of the first `size` events, or of all if None."""
        size = len(history.lines) if size is None else size
        return self.sign(Checkpoint(game_origin(self.name, history.header.game), size, root_at(history, size)))

    def sealed(self, history: History) -> History:
        """Return the history as this server exports it, with its key and receipt."""
        return with_receipt(history, [self.key.text], self.receipt(history))


@dataclass(frozen=True)
class WitnessSigner(Signer):
    """A witness with a name, whose clock stands still."""

    name: str = "ann.example/witness"
    seconds: int = 1_800_000_000

    @property
    def key(self) -> Key:
        return Key(self.name, self.private.public_key().public_bytes_raw(), COSIGNATURE)

    def signature(self, body: str) -> Signature:
        signed = self.private.sign(cosigned_text(body, self.seconds).encode())
        return Signature(self.key.name, self.key.id, self.seconds.to_bytes(8, "big") + signed)

    def cosign(self, note: str) -> str:
        """Return a note with this witness's signature too."""
        plain = parse_note(note)
        return Note(plain.body, (*plain.signatures, self.signature(plain.body))).text


WITNESS = WitnessSigner()
SERVER, THIEF = Signer(), Signer("cards.example", 2)


def cut(history: History, size: int) -> History:
    """Return the first `size` events with a matching trailer."""
    return replace(history, lines=history.lines[:size], trailer=None)
