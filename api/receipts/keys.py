"""The keys that sign receipts: Ed25519, made at the first start, replaced by rotation, published for good.

Beside SQLite files a private key is a file of its own in `keys/`, mode 0600; on PostgreSQL it lies in the office's
schema, so that all servers of one database sign with one key. The table `signing_keys` says which key is in use.
The key's name is the server's origin, which is fixed with the first key: receipts name it.
"""

import base64
import os
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.accounts.secret_files import file_name
from api.config import ConfigError
from domain.protocols.signed_notes import ED25519, Checkpoint, Key, Note, Signature, parse_key
from projections.storage.database import Database
from replay.history.signatures import rotation_body

PRIVATE_KEY_PREFIX = "PRIVATE+KEY"
NO_KEY_YET = "there is no key yet: a server makes it at its first start"
RECOVERY_ADVICE = "put it back from a backup, or let `trickbook keys rotate --lost` make another"


class NoSigningKey(Exception):
    """The key in use is not to be had; the sentence says why, and what to do."""


@dataclass(frozen=True)
class PublishedKey:
    """A key that signs or has signed: since when (UTC microseconds), and the note by which it replaced the one before.

    `note` is None for the first, and where the key before was lost.
    """

    number: int
    key: Key
    since: int
    note: str | None


class SigningKeys:
    """The keys of one office. `folder` is where private keys are files; None keeps them in the database."""

    def __init__(self, sql: Database, folder: Path | None) -> None:
        self._sql, self._folder = sql, folder
        self._signers: dict[str, Ed25519PrivateKey] = {}

    def start(self, origin: str | None) -> None:
        """Make the first key where there is none. ConfigError for another origin than then, or a key that is gone."""
        if not self.published_keys():
            name = origin or f"trickbook.invalid/{secrets.token_hex(6)}"  # RFC 2606: nobody's
            self._add(1, name, Ed25519PrivateKey.generate(), None)
        key = self.current()
        if origin is not None and origin != key.name:
            raise ConfigError(f"TRICKBOOK_ORIGIN is {origin}, and the receipts of these games name {key.name}")
        try:
            self._signer(key)
        except NoSigningKey as error:
            raise ConfigError(str(error)) from None

    def published_keys(self) -> list[PublishedKey]:
        """Every public key, the first one first."""
        rows = self._sql.run("SELECT number, vkey, since, note FROM signing_keys ORDER BY number")
        return [PublishedKey(number, parse_key(vkey), since, note) for number, vkey, since, note in rows]

    def public_keys(self) -> list[Key]:
        """Every public key."""
        return [each.key for each in self.published_keys()]

    def current(self) -> Key:
        """The key in use. NoKey before the first start."""
        rows = self._sql.run("SELECT vkey FROM signing_keys ORDER BY number DESC LIMIT 1")
        if not rows:
            raise NoSigningKey(NO_KEY_YET)
        return parse_key(rows[0][0])

    def sign(self, head: Checkpoint) -> str:
        """The signed note over a checkpoint, by the key in use."""
        key = self.current()
        return Note(head.body, (self._signature(key, head.body),)).text

    def rotate(self, *, lost: bool = False) -> PublishedKey:
        """A new key in the place of the one in use, by a note that both sign; where that is `lost`, without one."""
        last = self.published_keys()[-1]
        made = Ed25519PrivateKey.generate()
        new = public_key(made, last.key.name)
        body = rotation_body(last.key, new)
        note = None
        if not lost:
            old = self._signature(last.key, body)
            note = Note(body, (old, Signature(new.name, new.id, made.sign(body.encode())))).text
        self._add(last.number + 1, new.name, made, note)
        added = self.published_keys()[-1]
        if added.key != new:
            raise NoSigningKey("somebody else has just replaced the key")
        return added

    def _add(self, number: int, name: str, private: Ed25519PrivateKey, note: str | None) -> None:
        """Keep a key as the one of that number, unless another process was faster; the file is on the disk first."""
        key = public_key(private, name)
        kept = format_private_key(key, private)
        written = None if self._folder is None else _write(self._folder / file_name(key), kept)
        added = self._sql.run(
            "INSERT INTO signing_keys VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING number",
            number, key.text, kept if written is None else None, note, time.time_ns() // 1000,
        )  # fmt: skip
        if written is not None and not added:
            written.unlink()

    def _signature(self, key: Key, body: str) -> Signature:
        return Signature(key.name, key.id, self._signer(key).sign(body.encode()))

    def _signer(self, key: Key) -> Ed25519PrivateKey:
        found = self._signers.get(key.text)
        if found is None:
            found = self._signers[key.text] = parse_private_key(self._secret(key), key)
        return found

    def _secret(self, key: Key) -> str:
        if self._folder is None:
            rows = self._sql.run("SELECT secret FROM signing_keys WHERE vkey = ?", key.text)
            return str(rows[0][0])
        path = self._folder / file_name(key)
        try:
            return path.read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "is no key"
            raise NoSigningKey(f"{path}: {why}; receipts are signed with this key: {RECOVERY_ADVICE}") from None


def public_key(private: Ed25519PrivateKey, name: str) -> Key:
    """The public key under its name."""
    return Key(name, private.public_key().public_bytes_raw())


def format_private_key(key: Key, private: Ed25519PrivateKey) -> str:
    """A private key as a line: `PRIVATE+KEY+<name>+<key id>+<base64 of type and seed>`, as Go's tools write it."""
    seed = base64.b64encode(ED25519 + private.private_bytes_raw()).decode("ascii")
    return f"{PRIVATE_KEY_PREFIX}+{key.label}+{seed}\n"


def parse_private_key(text: str, key: Key) -> Ed25519PrivateKey:
    """The private key of `key`; NoKey for a text that holds another or none."""
    prefix = f"{PRIVATE_KEY_PREFIX}+{key.label}+"
    raw = b""
    with suppress(ValueError):
        raw = base64.b64decode(text.removeprefix(prefix).rstrip("\n"), validate=True)
    if text.startswith(prefix) and len(raw) == 33 and raw[:1] == ED25519:
        private = Ed25519PrivateKey.from_private_bytes(raw[1:])
        if public_key(private, key.name) == key:
            return private
    raise NoSigningKey(f"what is kept as the private key of {key.label} is not that key: {RECOVERY_ADVICE}")


def _write(path: Path, text: str) -> Path:
    """Make the file, for the owner of its folder alone, and see it to the disk."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        owner = path.parent.stat()
        if os.geteuid() != owner.st_uid:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)  # root makes it for the server
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return path


def keys_json(published: Iterable[PublishedKey]) -> dict[str, Any]:
    """The keys as a server publishes them. NoKey where there is none."""
    every = list(published)
    if not every:
        raise NoSigningKey(NO_KEY_YET)
    return {
        "origin": every[-1].key.name,
        "current": every[-1].key.text,
        "keys": [each.key.text for each in every],
        "rotations": [each.note for each in every if each.note is not None],
    }
