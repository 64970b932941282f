"""The Ed25519 keys that sign receipts: generated at the first start, replaced by rotation, published permanently.

Beside SQLite files, a private key is a file in `keys/`, mode 0600; on PostgreSQL it's stored in the schema `office`, so
that all servers of one database sign with one key. The last key in the table `signing_keys` is in use. A key's name is
the server's origin. It's fixed with the first key, because receipts name it; only a made-up name gives way to one that
a host chooses, until there is a game.
"""

import base64
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypedDict

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.accounts.secrets import file_name
from api.config import ConfigError
from domain.json_fields import says
from domain.protocols.signed_notes import ED25519, Checkpoint, Key, Note, Signature, parse_key
from domain.store.sql.database import Database
from replay.history.signatures import rotation_body

PRIVATE_KEY_PREFIX = "PRIVATE+KEY"
NO_KEY_YET = "there is no signing key yet; start the server once to generate it"
MADE_UP = "trickbook.invalid/"
"""How the name of a server begins whose host chose none (RFC 2606: a reserved name)."""
RENAME = """UPDATE signing_keys SET vkey = ?, secret = ?, since = ? WHERE number = 1 AND vkey = ?
    AND NOT EXISTS (SELECT 1 FROM signing_keys WHERE number > 1) AND NOT EXISTS (SELECT 1 FROM boards)
    AND NOT EXISTS (SELECT 1 FROM receipts) AND NOT EXISTS (SELECT 1 FROM moderation_log) RETURNING number"""
"""Replace the first key while nothing can be signed with it: receipts need a game, and its board comes first."""
RECOVERY_ADVICE = "restore it from a backup, or run `trickbook keys rotate --lost` to replace it"


class NoSigningKey(Exception):
    """The key in use isn't available; the message says why and what to do."""


@dataclass(frozen=True)
class PublishedKey:
    """A current or former signing key. `since` is in UTC microseconds.

    `note` is the rotation note by which it replaced the previous key: None for the first key and after a lost one.
    """

    number: int
    key: Key
    since: int
    note: str | None


class SigningKeys:
    """The signing keys of one store."""

    def __init__(self, database: Database, folder: Path | None) -> None:
        """`folder` holds the private keys as files; None keeps them in the database."""
        self._database, self._folder = database, folder
        self._signers: dict[str, Ed25519PrivateKey] = {}

    def start(self, origin: str | None) -> None:
        """Generate the first key if there isn't one. Raise ConfigError if the origin differs or the key is missing.

        An origin takes the place of a made-up one as long as the store has no game.
        """
        if not self.published_keys():
            self._add(1, origin or f"{MADE_UP}{secrets.token_hex(6)}", Ed25519PrivateKey.generate(), None)
        if origin is not None and self.current().name.startswith(MADE_UP):
            self._rename(self.current(), origin)
        key = self.current()
        if origin is not None and origin != key.name:
            raise ConfigError(
                f"TRICKBOOK_ORIGIN is {origin}, but the receipts of these games name {key.name}; set it to {key.name}"
            )
        try:
            self._signer(key)
        except NoSigningKey as error:
            raise ConfigError(str(error)) from None

    def published_keys(self) -> list[PublishedKey]:
        """Return every key, the first one first."""
        rows = self._database.run("SELECT number, vkey, since, note FROM signing_keys ORDER BY number")
        return [PublishedKey(number, parse_key(vkey), since, note) for number, vkey, since, note in rows]

    def public_keys(self) -> list[Key]:
        """Return every public key, the first one first."""
        return [each.key for each in self.published_keys()]

    def current(self) -> Key:
        """Return the key in use. Raise NoSigningKey before the first start."""
        rows = self._database.run("SELECT vkey FROM signing_keys ORDER BY number DESC LIMIT 1")
        if not rows:
            raise NoSigningKey(NO_KEY_YET)
        return parse_key(rows[0][0])

    def sign(self, head: Checkpoint, key: Key | None = None) -> str:
        """Return a checkpoint as a note signed with a key of this server, by default the one in use."""
        key = key or self.current()
        return Note(head.body, (self._signature(key, head.body),)).text

    def rotate(self, *, lost: bool = False) -> PublishedKey:
        """Replace the key in use by a new one, with a note that both keys sign, or without a note if it is `lost`."""
        last = self.published_keys()[-1]
        private = Ed25519PrivateKey.generate()
        new = public_key(private, last.key.name)
        body = rotation_body(last.key, new)
        note = None
        if not lost:
            old = self._signature(last.key, body)
            note = Note(body, (old, Signature(new.name, new.id, private.sign(body.encode())))).text
        self._add(last.number + 1, new.name, private, note)
        added = self.published_keys()[-1]
        if added.key != new:
            raise NoSigningKey("another process has just replaced the key; list the keys with `trickbook keys show`")
        return added

    def _add(self, number: int, name: str, private: Ed25519PrivateKey, note: str | None) -> None:
        """Store a key under a number unless another process was faster. The file is written to disk first."""
        key = public_key(private, name)
        text = format_private_key(key, private)
        written = None if self._folder is None else write_key_file(self._folder / file_name(key), text)
        added = self._database.run(
            "INSERT INTO signing_keys VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING number",
            number, key.text, text if written is None else None, note, self._database.now(),
        )  # fmt: skip
        if written is not None and not added:
            written.unlink()

    def _rename(self, made_up: Key, origin: str) -> None:
        """Put a key with this origin in the place of the first one, unless there is a game."""
        private = Ed25519PrivateKey.generate()
        key = public_key(private, origin)
        text = format_private_key(key, private)
        written = None if self._folder is None else write_key_file(self._folder / file_name(key), text)
        secret = text if written is None else None
        renamed = self._database.run(RENAME, key.text, secret, self._database.now(), made_up.text)
        if self._folder is not None:
            (self._folder / file_name(made_up if renamed else key)).unlink(missing_ok=True)

    def _signature(self, key: Key, body: str) -> Signature:
        return Signature(key.name, key.id, self._signer(key).sign(body.encode()))

    def _signer(self, key: Key) -> Ed25519PrivateKey:
        signer = self._signers.get(key.text)
        if signer is None:
            signer = self._signers[key.text] = parse_private_key(self._secret(key), key)
        return signer

    def _secret(self, key: Key) -> str:
        if self._folder is None:
            rows = self._database.run("SELECT secret FROM signing_keys WHERE vkey = ?", key.text)
            return str(rows[0][0])
        path = self._folder / file_name(key)
        try:
            return path.read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "invalid key"
            raise NoSigningKey(f"can't read the signing key {path}: {why}; {RECOVERY_ADVICE}") from None


def public_key(private: Ed25519PrivateKey, name: str, kind: bytes = ED25519) -> Key:
    """Return the public key under a name, of a witness if `kind` is COSIGNATURE."""
    return Key(name, private.public_key().public_bytes_raw(), kind)


def format_private_key(key: Key, private: Ed25519PrivateKey) -> str:
    """Return a private key as a line in the format of Go's tools.

    The line is `PRIVATE+KEY+<name>+<key id>+<base64 of type and seed>`.
    """
    seed = base64.b64encode(key.kind + private.private_bytes_raw()).decode("ascii")
    return f"{PRIVATE_KEY_PREFIX}+{key.label}+{seed}\n"


def parse_private_key(text: str, key: Key) -> Ed25519PrivateKey:
    """Return the private key of `key`. Raise NoSigningKey if the text holds another key or no key."""
    prefix = f"{PRIVATE_KEY_PREFIX}+{key.label}+"
    raw = b""
    with suppress(ValueError):
        raw = base64.b64decode(text.removeprefix(prefix).rstrip("\n"), validate=True)
    if text.startswith(prefix) and len(raw) == 33 and raw[:1] == key.kind:
        private = Ed25519PrivateKey.from_private_bytes(raw[1:])
        if public_key(private, key.name, key.kind) == key:
            return private
    raise NoSigningKey(f"the stored private key of {key.label} is invalid or of another key; {RECOVERY_ADVICE}")


def write_key_file(path: Path, text: str) -> Path:
    """Create a file that only the owner of its folder can read, and sync it to disk."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        owner = path.parent.stat()
        if os.geteuid() != owner.st_uid:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)  # root creates it for the server
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return path


class Keys(TypedDict):
    """The keys that sign receipts, as C2SP verifier keys."""

    origin: Annotated[str, says("The name that receipts use for this server.")]
    current: Annotated[str, says("The key that signs now.")]
    keys: Annotated[list[str], says("Every key that ever signed, the first one first.")]
    rotations: Annotated[
        list[str], says("Notes in which an old and a new key say that the new one replaces the old one.")
    ]


def keys_json(published: Iterable[PublishedKey]) -> Keys:
    """Return the keys as a server publishes them. Raise NoSigningKey if there aren't any."""
    keys = list(published)
    if not keys:
        raise NoSigningKey(NO_KEY_YET)
    return {
        "origin": keys[-1].key.name,
        "current": keys[-1].key.text,
        "keys": [each.key.text for each in keys],
        "rotations": [each.note for each in keys if each.note is not None],
    }
