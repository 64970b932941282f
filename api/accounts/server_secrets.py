"""The secrets of a store: the server's own secret and the mark of the cipher key."""

import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path

from api.accounts.secret_files import SERVER
from projections.storage.database import Database

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
