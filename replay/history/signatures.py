"""Checks signatures of notes offline: Ed25519 with trusted keys (C2SP signed-note), and key rotations."""

from collections.abc import Iterable

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.protocols.signed_notes import ED25519, Key, NotANote, Note, parse_key, parse_note

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
