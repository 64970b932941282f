"""A player's papers: an export, receipts, proofs and the server's key; and forgeries of each."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.accounts.accounts import open_accounts
from api.services.container import open_games, open_receipts
from domain.protocols.merkle_log import canonical
from domain.protocols.proofs import consistency, inclusion
from domain.protocols.signed_notes import (
    Checkpoint,
    ConsistencyProof,
    InclusionProof,
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

    def with_receipt(self, note: str) -> list[str]:
        """Return the command that verifies the export against a receipt with the server's key."""
        return ["game", "verify", self.export(), "--receipt", self.file("receipt", note), "--key", self.key.text]

    def in_trailer(self, note: str) -> list[str]:
        """Return the command that verifies the export with another receipt in its last line."""
        history = with_receipt(self.history, [self.key.text], note)
        return ["game", "verify", self.export(export_bytes(history)), "--key", self.key.text]

    def head(self, note: str | None = None) -> Checkpoint:
        """Return the head that a receipt signs."""
        return parse_checkpoint(parse_note(note or self.last).body)

    def proof(self, **other: Any) -> InclusionProof:
        """Return a proof that event 20 is in the log."""
        leaves = [line.leaf for line in self.history.lines]
        path = tuple(inclusion(leaves, 19, len(leaves)))
        return replace(InclusionProof(19, path, parse_note(self.last), self.history.lines[19].raw), **other)

    def grown(self, **other: Any) -> ConsistencyProof:
        """Return a proof that the log grew from the first receipt to the last."""
        leaves = [line.leaf for line in self.history.lines]
        path = tuple(consistency(leaves, self.head(self.first).size, len(leaves)))
        return replace(ConsistencyProof(self.head(self.first).size, path, parse_note(self.last)), **other)

    def prove(self, proof: InclusionProof) -> list[str]:
        """Return the command that checks a proof of inclusion."""
        return ["game", "verify", "--proof", self.file("inclusion", proof.text), "--key", self.key.text]

    def compare(self, proof: ConsistencyProof, first: str | None = None, last: str | None = None) -> list[str]:
        """Return the command that compares two receipts with a proof of consistency."""
        names = self.file("first", first or self.first), self.file("last", last or self.last)
        return ["receipt", "compare", *names, "--key", self.key.text, "--proof", self.file("proof", proof.text)]


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
    return lambda papers: Note(change(papers.head()).body, parse_note(papers.last).signatures).text


def by_forger(papers: Papers, *, named: bool = True, body: str | None = None) -> str:
    """Return a receipt signed by a forger: as the server's key, or with their own key under the server's name."""
    text = body or parse_note(papers.last).body
    own = Key(papers.key.name, FORGER.public_key().public_bytes_raw())
    key = papers.key if named else own
    return Note(text, (Signature(key.name, key.id, FORGER.sign(text.encode())),)).text


def bit(papers: Papers) -> str:
    """Return the receipt with one changed bit in its signature."""
    note = parse_note(papers.last)
    (one,) = note.signatures
    return Note(note.body, (replace(one, signed=one.signed[:9] + bytes([one.signed[9] ^ 1]) + one.signed[10:]),)).text


def of_other_game(head: Checkpoint) -> Checkpoint:
    """Return the head with another game."""
    return replace(head, origin=head.origin.replace(PITCH, OTHER))


RECEIPTS: tuple[tuple[str, Callable[[Papers], str]], ...] = (
    ("another root", body(lambda head: replace(head, root=bytes(32)))),
    ("another size", body(lambda head: replace(head, size=head.size - 1))),
    ("another game", body(of_other_game)),
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
        return [
            "game",
            "verify",
            papers.export(canonical(json.loads(first) | other) + b"\n" + rest),
            "--key",
            papers.key.text,
        ]

    return forge


def _trailer(**other: Any) -> Forge:
    def forge(papers: Papers) -> list[str]:
        lines = export_bytes(papers.sealed).splitlines()
        last = canonical(json.loads(lines[-1]) | other)
        return ["game", "verify", papers.export(b"\n".join([*lines[:-1], last, b""])), "--key", papers.key.text]

    return forge


def _recomputed(papers: Papers, history: History) -> list[str]:
    """Return a consistent export, with its header hash and root, under the receipt of another log."""
    header = with_receipt(history, [papers.key.text], None).header
    trailer = trailer_of(line.leaf for line in history.lines)
    under = msgspec.structs.replace(trailer, receipt=papers.last)
    data = b"".join(write_export(header, map(line_bytes, history.lines), under))
    return ["game", "verify", papers.export(data), "--key", papers.key.text]


def _cut(papers: Papers) -> list[str]:
    return _recomputed(papers, replace(papers.history, lines=papers.history.lines[:-4]))


def _reordered(path: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return (path[1], path[0], *path[2:])


def _flipped(path: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return (bytes([path[0][0] ^ 1]) + path[0][1:], *path[1:])


PATHS: tuple[tuple[str, Callable[[tuple[bytes, ...]], tuple[bytes, ...]]], ...] = (
    ("reordered", _reordered),
    ("truncated", lambda path: path[:-1]),
    ("extended", lambda path: (*path, bytes(32))),
    ("with a bit changed", _flipped),
    ("of no hashes", lambda _: ()),
)
"""Changes to the hashes of a proof."""


def _two_heads(papers: Papers) -> list[str]:
    """Compare two roots of one size, both signed by the server's own key: only the server can do that."""
    return [
        "receipt",
        "compare",
        papers.file("a", papers.last),
        papers.file("b", papers.double),
        "--key",
        papers.key.text,
    ]


PAPERS: tuple[tuple[str, Forge], ...] = (
    *(
        (f"in the last line, {name}", lambda papers, made=made: papers.in_trailer(made(papers)))
        for name, made in RECEIPTS
    ),
    *((f"a receipt of {name}", lambda papers, made=made: papers.with_receipt(made(papers))) for name, made in RECEIPTS),
    ("two receipts of one size", _two_heads),
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
    *(
        (f"a proof of inclusion {name}", lambda papers, to=to: papers.prove(papers.proof(path=to(papers.proof().path))))
        for name, to in PATHS
    ),
    ("a proof of another place", lambda papers: papers.prove(papers.proof(index=20))),
    ("a proof of another event", lambda papers: papers.prove(papers.proof(extra=papers.history.lines[20].raw))),
    ("a proof under another receipt", lambda papers: papers.prove(papers.proof(note=parse_note(papers.first)))),
    ("a proof under a forged receipt", lambda papers: papers.prove(papers.proof(note=parse_note(by_forger(papers))))),
    *(
        (f"a proof of growth {name}", lambda papers, to=to: papers.compare(papers.grown(path=to(papers.grown().path))))
        for name, to in PATHS
    ),
)
