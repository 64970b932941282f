"""A player's papers: an export, receipts, proofs and the server's key; and forgeries of each."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.accounts.accounts import open_accounts
from api.container import open_games, open_receipts
from domain.protocols.merkle_log import canonical
from domain.protocols.proofs import consistency
from domain.protocols.signed_notes import (
    Checkpoint,
    ConsistencyProof,
    Key,
    Note,
    Signature,
    parse_checkpoint,
    parse_note,
)
from replay.history import History, export_bytes, line_bytes, trailer_of, write_export
from replay.history.receipts import with_receipt
from tests.campaigns.tamper.places import OTHER, PITCH, ends, make, tables
from tests.conftest import Database

FORGER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@dataclass(frozen=True)
class Papers:
    """A finished game's papers with the server's key.

    `other` is a receipt of another game. `double` is a receipt of the same size for another root, which only a lying
    server would sign.
    """

    folder: Path
    key: Key
    history: History
    first: str
    last: str
    other: str
    double: str

    @property
    def sealed(self) -> History:
        """Return the export's history, with key and receipt."""
        return with_receipt(self.history, [self.key.text], self.last)

    def file(self, name: str, content: bytes | str) -> str:
        """Write a file and return its path."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def export(self, data: bytes | None = None) -> str:
        """Write the export, or other bytes in its place."""
        return self.file("f.ndjson", export_bytes(self.sealed) if data is None else data)

    def verify(self, data: bytes | None = None, *more: str) -> list[str]:
        """Return the command that verifies the export, or other bytes in its place, with the server's key."""
        return ["game", "verify", self.export(data), *more, "--key", self.key.text]

    def with_receipt(self, note: str) -> list[str]:
        """Return the command that verifies the export against a receipt."""
        return self.verify(None, "--receipt", self.file("receipt", note))

    def in_trailer(self, note: str) -> list[str]:
        """Return the command that verifies the export with another receipt in its last line."""
        return self.verify(export_bytes(with_receipt(self.history, [self.key.text], note)))

    def compare(self, second: str, *more: str) -> list[str]:
        """Return the command that compares a receipt with the last one."""
        names = self.file("first", second), self.file("last", self.last)
        return ["receipt", "compare", *names, "--key", self.key.text, *more]

    def grown(self, change: Callable[[Sequence[bytes]], Sequence[bytes]]) -> list[str]:
        """Return the command that checks a changed proof that the log grew from the first receipt to the last."""
        leaves, size = [line.leaf for line in self.history.lines], parse_checkpoint(parse_note(self.first).body).size
        path = tuple(change(consistency(leaves, size, len(leaves))))
        proof = self.file("proof", ConsistencyProof(size, path, parse_note(self.last)).text)
        return self.compare(self.first, "--proof", proof)


def take_home(folder: Path) -> Papers:
    """Return the papers of PITCH."""
    made = make(Database(None, folder / "place"), [tables()[PITCH], tables()[OTHER]])
    with closing(open_accounts(made.config)) as accounts, closing(open_games(made.config)) as games:
        receipts = open_receipts(accounts, games, made.config)
        first, *_, last = (receipts.issue(PITCH, size).note for size in ends(tables()[PITCH]))
        other = receipts.issue(OTHER).note
        double = receipts.keys.sign(replace(parse_checkpoint(parse_note(last).body), root=bytes(32)))
        return Papers(folder, receipts.keys.current(), tables()[PITCH].seen_by(None), first, last, other, double)


Forge = Callable[[Papers], list[str]]
"""Forge something. Return the command that must notice it."""


def body(change: Callable[[Checkpoint], Checkpoint]) -> Callable[[Papers], str]:
    """Return a forger of the receipt: another text over the old signature."""

    def forge(papers: Papers) -> str:
        note = parse_note(papers.last)
        return Note(change(parse_checkpoint(note.body)).body, note.signatures).text

    return forge


def by_forger(papers: Papers, *, named: bool = True) -> str:
    """Return a receipt signed by a forger: as the server's key, or with their own key under the server's name."""
    text = parse_note(papers.last).body
    key = papers.key if named else Key(papers.key.name, FORGER.public_key().public_bytes_raw())
    return Note(text, (Signature(key.name, key.id, FORGER.sign(text.encode())),)).text


def bit(papers: Papers) -> str:
    """Return the receipt with one changed bit in its signature."""
    note = parse_note(papers.last)
    (one,) = note.signatures
    return Note(note.body, (replace(one, signed=one.signed[:9] + bytes([one.signed[9] ^ 1]) + one.signed[10:]),)).text


RECEIPTS: tuple[tuple[str, Callable[[Papers], str]], ...] = (
    ("another root", body(lambda head: replace(head, root=bytes(32)))),
    ("another size", body(lambda head: replace(head, size=head.size - 1))),
    ("another game", body(lambda head: replace(head, origin=head.origin.replace(PITCH, OTHER)))),
    ("another server", body(lambda head: replace(head, origin=f"x{head.origin}"))),
    ("a bit of the signature", bit),
    ("a signature by somebody else", by_forger),
    ("a key of somebody else", lambda papers: by_forger(papers, named=False)),
    ("a true receipt of another game", lambda papers: papers.other),
    ("a true receipt of another history", lambda papers: papers.double),
)
"""Forged receipts; each is tried in the last line of the export and as a given receipt."""


def _header(**other: Any) -> Forge:
    def forge(papers: Papers) -> list[str]:
        first, rest = export_bytes(papers.sealed).split(b"\n", 1)
        return papers.verify(canonical(json.loads(first) | other) + b"\n" + rest)

    return forge


def _trailer(**other: Any) -> Forge:
    def forge(papers: Papers) -> list[str]:
        *lines, last = export_bytes(papers.sealed).splitlines()
        return papers.verify(b"\n".join([*lines, canonical(json.loads(last) | other), b""]))

    return forge


def _cut(papers: Papers) -> list[str]:
    """Return a consistent export without its last commit, with its header hash and root, under the old receipt."""
    history = replace(papers.history, lines=papers.history.lines[:-4])
    header = with_receipt(history, [papers.key.text], None).header
    trailer = trailer_of(line.leaf for line in history.lines)
    under = msgspec.structs.replace(trailer, receipt=papers.last)
    return papers.verify(b"".join(write_export(header, map(line_bytes, history.lines), under)))


PAPERS: tuple[tuple[str, Forge], ...] = (
    *(
        (f"in the last line, {name}", lambda papers, made=made: papers.in_trailer(made(papers)))
        for name, made in RECEIPTS
    ),
    *((f"a receipt of {name}", lambda papers, made=made: papers.with_receipt(made(papers))) for name, made in RECEIPTS),
    ("two receipts of one size", lambda papers: papers.compare(papers.double)),
    ("a truncated receipt in the last line", lambda papers: papers.in_trailer(papers.last[:-30])),
    ("a receipt without a signature", lambda papers: papers.in_trailer(parse_note(papers.last).body)),
    ("the log cut off under its receipt", _cut),
    ("another player in the first line", _header(players={"p0": "mallory"})),
    ("another variant in the first line", _header(variant="setback")),
    ("another board in the first line", _header(board=9)),
    ("another game in the first line", _header(game=OTHER)),
    ("another key in the first line", _header(keys=["x+00000000+AAAA"])),
    ("no key in the first line", _header(keys=[])),
    ("another size in the last line", _trailer(size=84)),
    ("another root in the last line", _trailer(root="00" * 32)),
    ("another first line in the last line", _trailer(header="00" * 32)),
    ("a proof of growth in another order", lambda papers: papers.grown(lambda path: [path[1], path[0], *path[2:]])),
)
"""Each forgery. tests/api/cli/test_receipts.py has those of proofs of inclusion."""
