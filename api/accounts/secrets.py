"""The secrets of a store, and their two places: rows of a PostgreSQL schema, and files beside an SQLite database."""

import errno
import hashlib
import os
import secrets
import sqlite3
from contextlib import suppress
from pathlib import Path

from domain.protocols.signed_notes import Key, parse_key
from domain.store.sql.database import Database

SERVER = "server.secret"
"""The file of the server's secret. The other files in its folder are signing keys."""


def check_secret_files(accounts: sqlite3.Connection, keys: Path) -> None:
    """Raise FileNotFoundError if a file that a restored server needs is missing: its secret or the key in use."""
    needed = [SERVER]
    for (vkey,) in accounts.execute("SELECT vkey FROM signing_keys ORDER BY number DESC LIMIT 1"):
        needed.append(file_name(parse_key(vkey)))
    for name in needed:
        if not (keys / name).exists():
            raise FileNotFoundError(errno.ENOENT, "is missing; a backup without it can't be restored", str(keys / name))


def move_secrets_to_files(accounts: sqlite3.Connection, keys: Path) -> None:
    """Move every secret from the rows of a copied office.db into files in `keys`."""
    files = dict[str, bytes]()
    for (secret,) in accounts.execute("SELECT hex FROM secrets WHERE name = 'server'"):
        files[SERVER] = bytes.fromhex(secret)
    signing = accounts.execute("SELECT vkey, secret FROM signing_keys WHERE secret IS NOT NULL")
    files |= {file_name(parse_key(vkey)): secret.encode("ascii") for vkey, secret in signing}
    if files:
        keys.mkdir(mode=0o700)
    for name, content in files.items():
        with os.fdopen(os.open(keys / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
    accounts.execute("DELETE FROM secrets WHERE name = 'server'")
    accounts.execute("UPDATE signing_keys SET secret = NULL")


def copy_files_to_secrets(accounts: sqlite3.Connection, keys: Path) -> None:
    """Copy the files in `keys` into the rows of a copied office.db, leaving out unknown files."""
    if (keys / SERVER).exists():
        secret = (keys / SERVER).read_bytes().hex()
        accounts.execute("INSERT INTO secrets VALUES ('server', ?)", (secret,))
    for (vkey,) in accounts.execute("SELECT vkey FROM signing_keys").fetchall():
        path = keys / file_name(parse_key(vkey))
        if path.exists():
            accounts.execute("UPDATE signing_keys SET secret = ? WHERE vkey = ?", (path.read_text("ascii"), vkey))


def file_name(key: Key) -> str:
    """Return the name of a private key's file."""
    return f"receipts-{key.id.hex()}.key"


TABLES = ("CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, hex TEXT NOT NULL)",)


class ServerSecrets:
    """The table of secrets, and the folder that holds them beside an SQLite file."""

    def __init__(self, database: Database, folder: Path | None) -> None:
        """`folder` holds the secrets as files; None keeps them in the database."""
        self._database = database
        self.folder = folder

    def server_secret(self) -> bytes:
        """Return the store's 32 random bytes, generated on first use."""
        generated = secrets.token_bytes(32)
        if self.folder is not None:
            return _read_or_create(self.folder / SERVER, generated)
        self._database.run("INSERT INTO secrets VALUES ('server', ?) ON CONFLICT DO NOTHING", generated.hex())
        return bytes.fromhex(self._database.run("SELECT hex FROM secrets WHERE name = 'server'")[0][0])

    def matches_cipher(self, key: str | None) -> bool:
        """Return whether the games were written with this cipher key (None: unencrypted) since the first start."""
        mark = hashlib.sha256(key.encode()).hexdigest() if key is not None else "none"
        if not self._database.run("SELECT hex FROM secrets WHERE name = 'cipher'"):
            self._database.run("INSERT INTO secrets VALUES ('cipher', ?) ON CONFLICT DO NOTHING", mark)
        return bool(self._database.run("SELECT hex FROM secrets WHERE name = 'cipher'")[0][0] == mark)


def _read_or_create(path: Path, content: bytes) -> bytes:
    """Return the file's bytes, or create it with `content`. Linking a draft means no process reads half a secret."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_suffix(f".{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_bytes()
