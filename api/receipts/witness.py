"""A witness of logs: it signs a head only if that continues the last head of this log that it has signed.

Its folder has its private key, mode 0600, and the last head of each log in an SQLite file. The checks and their order
are those of c2sp.org/tlog-witness, so a refusal has the status that a witness answers over HTTP.
"""

import sqlite3
import struct
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.receipts.keys import NoSigningKey, format_private_key, parse_private_key, public_key, write_key_file
from domain.protocols.proofs import verify_consistency
from domain.protocols.signed_notes import (
    COSIGNATURE,
    Checkpoint,
    ConsistencyProof,
    Key,
    Note,
    Signature,
    cosigned_text,
    parse_checkpoint,
    parse_key,
)
from replay.history.signatures import BadSignature, signing_keys

KEY_FILE, PUBLIC_FILE, HEADS_FILE = "witness.key", "witness.vkey", "heads.db"
CREATE = "CREATE TABLE IF NOT EXISTS heads (origin TEXT PRIMARY KEY, note TEXT NOT NULL, body TEXT NOT NULL) STRICT"
SELECT = "SELECT body, note FROM heads WHERE origin = ?"
PUT = """INSERT INTO heads VALUES (:origin, :note, :body)
    ON CONFLICT (origin) DO UPDATE SET note = excluded.note, body = excluded.body"""
TIMEOUT_S = 10.0
MAX_PROOF = 63


class WitnessRefuses(Exception):
    """The witness doesn't sign a head. `status` is that of HTTP; `earlier` may be the last head it has signed."""

    def __init__(self, status: int, says: str, earlier: "WitnessedHead | None" = None) -> None:
        super().__init__(says)
        self.status, self.earlier = status, earlier


@dataclass(frozen=True)
class WitnessedHead:
    """The last head of a log that the witness has signed, and the note by which it got it."""

    head: Checkpoint
    note: str


class Witness:
    """A witness with its folder. Several processes may use one folder."""

    def __init__(self, folder: Path) -> None:
        """Read the key. Raise NoSigningKey if the folder has none."""
        self._heads = folder / HEADS_FILE
        try:
            self.key = parse_key((folder / PUBLIC_FILE).read_text(encoding="ascii").rstrip("\n"), COSIGNATURE)
            self._private = parse_private_key((folder / KEY_FILE).read_text(encoding="ascii"), self.key)
        except (OSError, ValueError) as error:
            raise NoSigningKey(
                f"{folder} has no key of a witness ({error}); make one with `trickbook witness init`"
            ) from None

    @classmethod
    def create(cls, folder: Path, name: str) -> "Witness":
        """Make a key in a folder. Raise FileExistsError if there is one, NotANote for an invalid name."""
        private = Ed25519PrivateKey.generate()
        key = parse_key(public_key(private, name, COSIGNATURE).text, COSIGNATURE)
        write_key_file(folder / KEY_FILE, format_private_key(key, private))
        (folder / PUBLIC_FILE).write_text(f"{key.text}\n", encoding="ascii")
        return cls(folder)

    def last(self, origin: str) -> WitnessedHead | None:
        """Return the last head of a log that the witness has signed."""
        with self._database() as database:
            return _select(database, origin)

    def cosign(self, request: ConsistencyProof, logs: Sequence[Key], seconds: int) -> Signature:
        """Return the signature line for a head that continues the last one; store the head first.

        `logs` are the keys of logs that the witness trusts, and `seconds` the time since 1970. Raise WitnessRefuses.
        """
        head = parse_checkpoint(request.note.body)
        require_log(request.note, head, logs)
        if request.old > head.size:
            raise WitnessRefuses(400, "the old size is larger than the size of the head")
        with self._database() as database:
            database.execute("BEGIN IMMEDIATE")
            require_growth(_select(database, head.origin), head, request)
            database.execute(PUT, {"origin": head.origin, "note": request.note.text, "body": request.note.body})
            database.execute("COMMIT")
        signed = self._private.sign(cosigned_text(request.note.body, seconds).encode())
        return Signature(self.key.name, self.key.id, struct.pack(">Q", seconds) + signed)

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        """Open the file. What isn't committed when it's closed is forgotten."""
        with closing(sqlite3.connect(self._heads, timeout=TIMEOUT_S, isolation_level=None)) as database:
            database.execute(CREATE)
            yield database


def _select(database: sqlite3.Connection, origin: str) -> WitnessedHead | None:
    row = database.execute(SELECT, (origin,)).fetchone()
    return None if row is None else WitnessedHead(parse_checkpoint(row[0]), row[1])


def require_log(note: Note, head: Checkpoint, logs: Sequence[Key]) -> None:
    """Raise WitnessRefuses unless a trusted key of this log has signed the head."""
    own = [key for key in logs if head.origin.startswith(f"{key.name}/game/")]
    if not own:
        raise WitnessRefuses(404, f"no trusted key is of the log {head.origin}")
    try:
        signers = signing_keys(note, own)
    except BadSignature as error:
        raise WitnessRefuses(403, str(error)) from None
    if not signers:
        raise WitnessRefuses(403, f"no trusted key has signed this head of {head.origin}")


def require_growth(last: WitnessedHead | None, head: Checkpoint, request: ConsistencyProof) -> None:
    """Raise WitnessRefuses unless the request proves that a head continues the last one."""
    known = 0 if last is None else last.head.size
    if request.old != known:
        raise WitnessRefuses(409, f"the last head that this witness has signed has {known} events", last)
    if last is None:
        if request.path:
            raise WitnessRefuses(422, "a proof from the empty log must be empty")
        return
    if head.size == known and head.root != last.head.root:
        raise WitnessRefuses(422, f"it has another root of the same {known} events", last)
    if len(request.path) > MAX_PROOF or not verify_consistency(
        known, head.size, request.path, last.head.root, head.root
    ):
        raise WitnessRefuses(422, f"it doesn't continue the {known} events that this witness has signed", last)
