"""The office's secrets between their two places: rows of a PostgreSQL's office, or files beside SQLite's."""

import os
import sqlite3
from pathlib import Path

from domain.protocols.signed_notes import Key, parse_key

SERVER = "server.secret"
"""The file of the server's secret; the others are those of signing keys."""


def check_secret_files(office: sqlite3.Connection, keys: Path) -> None:
    """FileNotFoundError for a file that a server on this copied office would miss: its secret, or the key in use."""
    needed = [SERVER]
    for (vkey,) in office.execute("SELECT vkey FROM signing_keys ORDER BY number DESC LIMIT 1"):
        needed.append(file_name(parse_key(vkey)))
    for name in needed:
        if not (keys / name).exists():
            raise FileNotFoundError(2, "is not there, and without it a copy is none", str(keys / name))


def secrets_to_files(office: sqlite3.Connection, keys: Path) -> None:
    """Every secret of a copied office out of its rows into `keys`, as a server with SQLite files has them."""
    found = dict[str, bytes]()
    for (secret,) in office.execute("SELECT hex FROM secrets WHERE name = 'server'"):
        found[SERVER] = bytes.fromhex(secret)
    signing = office.execute("SELECT vkey, secret FROM signing_keys WHERE secret IS NOT NULL")
    found |= {file_name(parse_key(vkey)): secret.encode("ascii") for vkey, secret in signing}
    if found:
        keys.mkdir(mode=0o700)
    for name, content in found.items():
        with os.fdopen(os.open(keys / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
    office.execute("DELETE FROM secrets WHERE name = 'server'")
    office.execute("UPDATE signing_keys SET secret = NULL")


def files_to_secrets(office: sqlite3.Connection, keys: Path) -> None:
    """The other way: the files of `keys` into the rows of a copied office; what is no file of these is left out."""
    if (keys / SERVER).exists():
        secret = (keys / SERVER).read_bytes().hex()
        office.execute("INSERT INTO secrets VALUES ('server', ?)", (secret,))
    for (vkey,) in office.execute("SELECT vkey FROM signing_keys").fetchall():
        path = keys / file_name(parse_key(vkey))
        if path.exists():
            office.execute("UPDATE signing_keys SET secret = ? WHERE vkey = ?", (path.read_text("ascii"), vkey))


def file_name(key: Key) -> str:
    """What the file of a private key is called in the folder of keys."""
    return f"receipts-{key.id.hex()}.key"
