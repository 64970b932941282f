"""Checks signatures of notes offline: Ed25519 with trusted keys (C2SP signed-note), rotations, and cosignatures.

A witness signs a checkpoint, with a time, if it continues the last one of this log that the witness has seen
(c2sp.org/tlog-cosignature). So one witness cosigns one history of a game, and a receipt with its signature is of that
history.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, TypedDict

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.json_fields import says
from domain.protocols.signed_notes import (
    COSIGNATURE,
    ED25519,
    Key,
    NotANote,
    Note,
    Signature,
    cosigned_text,
    parse_key,
    parse_note,
)

ROTATION_FORMAT = "trickbook-keys/1"
NEW_KEY = (
    "if the server changed its key, /.well-known/trickbook/keys has a note signed by both: give that file with --key"
)


class BadSignature(ValueError):
    """A signature isn't by the key it names; the message names the key."""


def signing_keys(note: Note, keys: Iterable[Key]) -> list[Key]:
    """Return those of the logs' `keys` that signed the note, in the order of its lines; ignore other signatures.

    Raise BadSignature if a signature names one of `keys` and isn't valid: then nothing in the note counts.
    """
    known = {(key.name, key.id): key for key in keys if key.kind == ED25519}
    found = []
    for each in note.signatures:
        key = known.get((each.name, each.key_id))
        if key is None:
            continue
        if not is_valid_signature(each.signed, note.body, key):
            raise BadSignature(f"the signature isn't by {key.label}, the key that it names")
        found.append(key)
    return found


def is_valid_signature(signed: bytes, body: str, key: Key) -> bool:
    """Return whether `signed` is the Ed25519 signature (RFC 8032) of `body` by `key`."""
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signed, body.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def rotation_body(old: Key, new: Key) -> str:
    """Return the text that both keys sign when `new` replaces `old`; it can't be read as a checkpoint."""
    return f"{new.name}/keys\n{ROTATION_FORMAT}\n{old.text}\n{new.text}\n"


def read_rotation(text: str) -> tuple[Key, Key]:
    """Return the old and new key of a rotation note. Raise NotANote or BadSignature unless both signed it."""
    note = parse_note(text)
    lines = note.body.split("\n")
    if len(lines) != 5:
        raise NotANote("a rotation note must have four lines: name, format, old key and new key")
    old, new = parse_key(lines[2]), parse_key(lines[3])
    if note.body != rotation_body(old, new):
        raise NotANote("the note doesn't say that one key replaces another")
    if {key.text for key in signing_keys(note, (old, new))} != {old.text, new.text}:
        raise BadSignature("a rotation note must be signed by both keys")
    return old, new


def successors(trusted: Iterable[Key], rotations: Iterable[tuple[Key, Key]]) -> list[Key]:
    """Return the trusted keys and all keys that rotations link to them; both keys signed each rotation."""
    keys, left = list(trusted), list(rotations)
    while linked := [pair for pair in left if set(pair) & set(keys)]:
        keys += [key for pair in linked for key in pair if key not in keys]
        left = [pair for pair in left if pair not in linked]
    return list(dict.fromkeys(keys))


TIME_BYTES = 8
LATEST_S = 253_402_300_799
"""The last second of the year 9999."""


class ReportedCosignature(TypedDict):
    """A witness that has signed a receipt, and when, by its own clock."""

    witness: Annotated[str, says("The name and id of its key.")]
    at: Annotated[str, says("A time in UTC.")]


@dataclass(frozen=True)
class Cosignature:
    """A valid signature of a witness, and when it was made, in seconds since 1970, by the clock of the witness."""

    key: Key
    seconds: int

    @property
    def at(self) -> str:
        """The time as text."""
        return datetime.fromtimestamp(self.seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def to_json(self) -> ReportedCosignature:
        """Return the cosignature as JSON values, as in a report."""
        return {"witness": self.key.label, "at": self.at}

    def __str__(self) -> str:
        return f"cosigned by {self.key.label} at {self.at}"


def cosignatures(note: Note, keys: Iterable[Key]) -> list[Cosignature]:
    """Return the cosignatures of those of `keys` that are of witnesses; ignore signatures of other keys.

    Raise BadSignature if a signature names one of these keys and isn't valid: then nothing in the note counts.
    """
    known = {(key.name, key.id): key for key in keys if key.kind == COSIGNATURE}
    found = []
    for each in note.signatures:
        key = known.get((each.name, each.key_id))
        if key is not None:
            found.append(_checked(note.body, each, key))
    return found


def _checked(body: str, line: Signature, key: Key) -> Cosignature:
    seconds = int.from_bytes(line.signed[:TIME_BYTES], "big")
    text, signed = cosigned_text(body, seconds), line.signed[TIME_BYTES:]
    if not 0 < seconds <= LATEST_S or not is_valid_signature(signed, text, key):
        raise BadSignature(f"the cosignature isn't by {key.label}, the witness that it names")
    return Cosignature(key, seconds)
