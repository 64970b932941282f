"""Checks of proofs of inclusion and of receipts, for commands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from api.cli.common.config import CannotAnswer
from api.cli.common.evidence_options import NamedNote, parse_as, read_text
from api.cli.common.histories import print_json
from domain.engine.cuts import is_hex
from domain.protocols.merkle_log import leaf as leaf_of
from domain.protocols.proofs import verify_inclusion
from domain.protocols.signed_notes import COSIGNATURE, Checkpoint, InclusionProof, Key, NotANote, parse_inclusion
from replay.audit import CANNOT_TELL, GREEN, WRONG
from replay.history.cosignatures import Cosignature
from replay.history.receipt_comparison import NamedReceipt, parse_receipt
from replay.text import terminal

NO_WITNESS = "not checked: no witness that you know has signed its receipt"


def receipt_head(given: NamedNote, keys: Sequence[Key]) -> NamedReceipt:
    try:
        return parse_receipt(*given, keys)
    except NotANote as error:
        raise CannotAnswer(f"{given[0]}: it is no receipt: {error}") from None


def check_proof(file: str, leaf: str | None, keys: Sequence[Key], as_json: bool) -> int:
    """Check a proof of inclusion, print the result, and return the exit code."""
    checked = _report_on(parse_as(file, parse_inclusion, read_text(file), "proof of inclusion"), leaf, keys)
    if as_json:
        print_json(checked.to_json())
    else:
        click.echo("\n".join(terminal.text_line(each).plain for each in checked.to_lines()))
    return checked.code


@dataclass(frozen=True)
class ProofReport:
    """The result of checking a proof of inclusion."""

    proof: InclusionProof
    head: Checkpoint
    leaf: bytes
    holds: bool
    key: str | None
    fault: str | None
    cosigned: Sequence[Cosignature] = ()
    lacks_witness: bool = False
    """Whether the caller has named witnesses, and none of them has signed."""

    @property
    def code(self) -> int:
        """0 if it is valid and signed by a trusted key, 1 if it is invalid, 2 if the key or a witness is unknown."""
        if not self.holds or self.fault is not None:
            return WRONG
        return CANNOT_TELL if self.key is None or self.lacks_witness else GREEN

    @property
    def event(self) -> str | None:
        """The event, if the file contains it and the proof is valid."""
        return None if self.proof.extra is None or not self.holds else self.proof.extra.decode("utf-8", "replace")

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "proof": "inclusion",
            "origin": self.head.origin,
            "version": self.proof.index + 1,
            "size": self.head.size,
            "root": self.head.root.hex(),
            "leaf": self.leaf.hex(),
            "event": self.event,
            "holds": self.holds,
            "key": self.key,
            "cosigned": [each.to_json() for each in self.cosigned],
            "says": self.fault,
            "code": self.code,
        }

    def to_lines(self) -> list[str]:
        """As lines of text."""
        of = f"event {self.proof.index + 1} of {self.head.origin}, in a log of {self.head.size} events"
        if not self.holds:
            return [f"{of}: the proof does not hold"]
        signer = self.proof.note.signatures[0].label
        signed = f"signed by {self.key}, a key that was given" if self.key else self.fault
        lines = [f"{of}: proved", signed or f"it claims to be signed by {signer}: give its key with --key to check"]
        lines += [NO_WITNESS] if self.lacks_witness else map(str, self.cosigned)
        return lines if self.event is None else [*lines, self.event]


def _report_on(proof: InclusionProof, leaf: str | None, keys: Sequence[Key]) -> ProofReport:
    head = receipt_head(("the proof", proof.note.text), keys)
    if leaf is not None and not is_hex(leaf):
        raise click.UsageError("A leaf is 64 lower-case hex digits.")
    if proof.extra is None and leaf is None:
        raise CannotAnswer("The event isn't in the file: give its leaf with --leaf.")
    hashed = leaf_of(proof.extra) if proof.extra is not None else bytes.fromhex(leaf or "")
    agrees = leaf is None or hashed.hex() == leaf
    at = head.head
    holds = agrees and verify_inclusion(hashed, proof.index, at.size, proof.path, at.root)
    lacks = not head.cosigned and any(key.kind == COSIGNATURE for key in keys)
    return ProofReport(proof, at, hashed, holds, head.key, head.fault, head.cosigned, lacks)
