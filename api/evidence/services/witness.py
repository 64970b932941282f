"""A witness of logs: it signs a head only if that continues the last head of this log that it has signed.

Its folder has its private key, mode 0600, and the last head of each log in an SQLite file. Without that file it signs
nothing: it might sign a second history. The checks and their order are those of c2sp.org/tlog-witness, so a refusal has
the status that a witness answers over HTTP.
"""

import asyncio
import logging
import sqlite3
import struct
from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.config import Config
from api.evidence.services.keys import NoSigningKey, format_private_key, parse_private_key, public_key, write_key_file
from domain.protocols.merkle_log import EMPTY
from domain.protocols.proofs import verify_consistency
from domain.protocols.signed_notes import (
    COSIGNATURE,
    Checkpoint,
    ConsistencyProof,
    Key,
    NotANote,
    Note,
    Signature,
    cosigned_text,
    game_origin,
    parse_checkpoint,
    parse_consistency,
    parse_key,
    require_key_name,
)
from domain.store.held_clock import KeptTime, machine_time, steady_time
from domain.store.sql.sqlite import Access, create_file, open_file
from replay.history.signatures import BadSignature, signing_keys

KEY_FILE, PUBLIC_FILE, HEADS_FILE = "witness.key", "witness.vkey", "heads.db"
CREATE = "CREATE TABLE heads (origin TEXT PRIMARY KEY, note TEXT NOT NULL, body TEXT NOT NULL) STRICT"
SELECT = "SELECT body, note FROM heads WHERE origin = ?"
PUT = """INSERT INTO heads VALUES (:origin, :note, :body)
    ON CONFLICT (origin) DO UPDATE SET note = excluded.note, body = excluded.body"""
DURABLE = "PRAGMA synchronous = EXTRA"
"""A power cut after a commit doesn't bring back the journal, and the head before it (sqlite.org/pragma.html)."""
TIMEOUT_S = 10.0
"""How long to wait for another program that uses the file."""
MAX_PROOF = 63
"""The most hashes that a proof may have, as c2sp.org/tlog-witness says."""
BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")


class WitnessRefuses(Exception):
    """The witness doesn't sign a head. `status` is that of HTTP; `earlier` may be the last head it has signed."""

    def __init__(self, status: int, says: str, earlier: "WitnessedHead | None" = None) -> None:
        super().__init__(says)
        self.status, self.earlier = status, earlier


class HeadsUnavailable(Exception):
    """The heads that the witness has signed can't be read or stored. The message says why and what to do."""


@dataclass(frozen=True)
class WitnessedHead:
    """The last head of a log that the witness has signed, and the note by which it got it."""

    head: Checkpoint
    note: str


class Witness:
    """A witness with its folder. Several processes may use one folder."""

    def __init__(self, folder: Path) -> None:
        """Read the key. Raise NoSigningKey if the folder has none, HeadsUnavailable if it has no heads."""
        self._heads = folder / HEADS_FILE
        try:
            self.key = parse_key((folder / PUBLIC_FILE).read_text(encoding="utf-8").rstrip("\n"), COSIGNATURE)
            self._private = parse_private_key((folder / KEY_FILE).read_text(encoding="utf-8"), self.key)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise NoSigningKey(
                f"{folder} has no key of a witness ({why}); make one with `trickbook witness init`"
            ) from None
        self.last_head("")

    @classmethod
    def create(cls, folder: Path, name: str) -> "Witness":
        """Make a key in a folder. Raise FileExistsError if there is one, NotANote for an invalid name."""
        private = Ed25519PrivateKey.generate()
        key = public_key(private, require_key_name(name), COSIGNATURE)
        key_file = write_key_file(folder / KEY_FILE, format_private_key(key, private))
        try:
            (folder / PUBLIC_FILE).write_text(f"{key.text}\n", encoding="utf-8")
            create_file(folder / HEADS_FILE)
            with closing(open_file(folder / HEADS_FILE, Access.WRITE)) as database:
                database.execute(DURABLE)
                database.execute(CREATE)
        except BaseException:
            key_file.unlink()
            raise
        return cls(folder)

    def last_head(self, origin: str) -> WitnessedHead | None:
        """Return the last head of a log that the witness has signed. Raise HeadsUnavailable if it can't be read."""
        with self._database() as database:
            return _select(database, origin)

    def cosign(self, request: ConsistencyProof, logs: Sequence[Key], seconds: int) -> Signature:
        """Return the signature line for a head that continues the last one; store the head first.

        `logs` are the keys of logs that the witness trusts, and `seconds` the time since 1970. Raise WitnessRefuses,
        and HeadsUnavailable if the last head can't be read or the new one can't be stored.
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
        """Open the file. Heads that nothing has committed are forgotten. Raise HeadsUnavailable if it fails."""
        try:
            with closing(open_file(self._heads, Access.WRITE, TIMEOUT_S)) as database:
                database.execute(DURABLE)
                yield database
        except (sqlite3.Error, NotANote) as error:
            if getattr(error, "sqlite_errorname", "").startswith(BUSY):
                raise HeadsUnavailable(f"Another program uses {self._heads}. Try again.") from None
            raise HeadsUnavailable(
                f"{self._heads}: {error}. It has the heads that this witness has signed, and without them it might "
                "sign a second history. Restore the file as it was last, or make a new witness in another folder."
            ) from None


def _select(database: sqlite3.Connection, origin: str) -> WitnessedHead | None:
    row = database.execute(SELECT, (origin,)).fetchone()
    return None if row is None else WitnessedHead(parse_checkpoint(row[0]), row[1])


def require_log(note: Note, head: Checkpoint, logs: Sequence[Key]) -> None:
    """Raise WitnessRefuses unless a trusted key of this log has signed the head."""
    own = [key for key in logs if head.is_of(key.name) and head.origin != game_origin(key.name, "")]
    if not own:
        raise WitnessRefuses(
            404, f"no trusted key is of the log {head.origin}; the witness's host names keys with --key"
        )
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
        if not head.size and head.root != EMPTY.root():
            raise WitnessRefuses(422, "it isn't the root of the empty log")
        return
    if head.size == known and head.root != last.head.root:
        raise WitnessRefuses(422, f"it has another root of the same {known} events", last)
    if len(request.path) > MAX_PROOF or not verify_consistency(
        known, head.size, request.path, last.head.root, head.root
    ):
        raise WitnessRefuses(422, f"it doesn't continue the {known} events that this witness has signed", last)


LOG = logging.getLogger("trickbook.witness")
MAX_BODY = 64 * 1024
"""The longest request that is read, in bytes."""
BODY_TIMEOUT_S = 10.0
RETRY_AFTER_S = 10
PATH = "/add-checkpoint"
TEXT_TYPE, SIZE_TYPE = "text/plain; charset=utf-8", "text/x.tlog.size"
CONFLICT = 409
JUMP_US = Config.clock_jump_s * 1_000_000
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(frozen=True)
class WitnessAnswer:
    """An answer to a request; `kind` is its content type, and `headers` are the others."""

    status: int
    text: str
    kind: str = TEXT_TYPE
    headers: Sequence[tuple[bytes, bytes]] = ()


@dataclass(frozen=True)
class WitnessServer:
    """An ASGI application that signs heads of logs. `logs` are the keys of the servers that keep them.

    After a jump of the machine's clock, the witness signs with the time that `clock` has kept, until it's restarted.
    """

    witness: Witness
    logs: Sequence[Key]
    clock: KeptTime = field(default_factory=lambda: KeptTime(JUMP_US, machine_time, steady_time))

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        answer = await self._answer(scope, receive)
        body = answer.text.encode()
        headers = [(b"content-type", answer.kind.encode()), (b"content-length", b"%d" % len(body)), *answer.headers]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Message, receive: Receive) -> WitnessAnswer:
        if scope["path"] != PATH:
            return WitnessAnswer(404, "There is nothing at this address.\n")
        if scope["method"] != "POST":
            return WitnessAnswer(405, "Send POST.\n", headers=[(b"allow", b"POST")])
        try:
            async with asyncio.timeout(BODY_TIMEOUT_S):
                body = await _read_body(receive)
        except TimeoutError:
            text = f"The body didn't arrive within {BODY_TIMEOUT_S:.0f} seconds. Send it again.\n"
            return WitnessAnswer(408, text, headers=[(b"connection", b"close")])
        if body is None:
            return WitnessAnswer(413, "The body is too long.\n", headers=[(b"connection", b"close")])
        return await asyncio.to_thread(self.add_checkpoint, body)

    def _now_s(self) -> int:
        doubted, now = self.clock.doubts, self.clock.kept_us()
        if self.clock.doubts and not doubted:
            LOG.error("the machine's clock has jumped, and the witness signs with the time that goes on; restart it"
                      " once the clock is right")  # fmt: skip
        return now // 1_000_000

    def add_checkpoint(self, body: bytes) -> WitnessAnswer:
        """Return the answer: the signature line, 409 with the size to begin from, or why there is no signature."""
        try:
            line = self.witness.cosign(parse_consistency(body.decode("utf-8")), self.logs, self._now_s())
        except (NotANote, UnicodeDecodeError):
            return WitnessAnswer(400, "The body isn't an add-checkpoint request.\n")
        except HeadsUnavailable as error:
            LOG.error("%s", error)  # noqa: TRY400 - the message says why and what to do
            text = "The witness can't sign at the moment. Try again later.\n"
            return WitnessAnswer(503, text, headers=[(b"retry-after", b"%d" % RETRY_AFTER_S)])
        except WitnessRefuses as refusal:
            if refusal.status == CONFLICT:
                size = 0 if refusal.earlier is None else refusal.earlier.head.size
                return WitnessAnswer(CONFLICT, f"{size}\n", SIZE_TYPE)
            return WitnessAnswer(refusal.status, f"{refusal}\n")
        return WitnessAnswer(200, line.line)


async def _read_body(receive: Receive) -> bytes | None:
    """Return the body of a request, or None if it's too long."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
        if len(body) > MAX_BODY:
            return None
    return body
