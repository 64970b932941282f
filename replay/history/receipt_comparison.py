"""Compares receipts with each other, to find out whether there are two histories of one game (docs/trust.md).

If one server signed two notes for one game that can't both be of the same log, they prove that it signed two
histories. Notes of one size prove it by themselves; for different sizes a log or a proof of consistency is needed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from domain.protocols.merkle_log import EMPTY
from domain.protocols.proofs import verify_consistency
from domain.protocols.signed_notes import Checkpoint, ConsistencyProof, Key, parse_checkpoint, parse_note
from replay.history import History
from replay.history.signatures import NEW_KEY, BadSignature, Cosignature, cosignatures, signing_keys

SAME, BEGINS, FORGERY = "the same", "one history", "PROOF OF FORGERY"
OTHER_GAMES, OPEN, UNSIGNED, NO_PROOF = "other games", "not decided", "not signed", "proof does not hold"
WRONG_STATES, OPEN_STATES = frozenset((FORGERY, NO_PROOF, UNSIGNED)), frozenset((OTHER_GAMES, OPEN))


@dataclass(frozen=True)
class NamedReceipt:
    """A receipt with a name to print, and the label of the key that signed it; None if no trusted key did.

    `fault` says what is wrong with the signature.
    """

    name: str
    text: str = field(repr=False)
    head: Checkpoint
    key: str | None
    fault: str | None = None
    cosigned: tuple[Cosignature, ...] = ()


def parse_receipt(name: str, text: str, keys: Sequence[Key]) -> NamedReceipt:
    """Return the receipt in a note. Raise NotANote if the text isn't a receipt."""
    note = parse_note(text)
    head = parse_checkpoint(note.body)
    try:
        signers = signing_keys(note, keys)
        cosigned = tuple(cosignatures(note, keys))
    except BadSignature as error:
        return NamedReceipt(name, text, head, None, str(error))
    if not signers:
        label = note.signatures[0].label
        untrusted = f"it is signed by {label}, which isn't a trusted key; {NEW_KEY}"
        fault = untrusted if keys else None
        return NamedReceipt(name, text, head, None, fault)
    if not head.is_of(signers[0].name):
        return NamedReceipt(name, text, head, None, f"{signers[0].label} has signed it for a log that is not its own")
    return NamedReceipt(name, text, head, signers[0].label, cosigned=cosigned)


@dataclass(frozen=True)
class ReceiptComparison:
    """Two receipts, the shorter one first, and the result of comparing them."""

    one: NamedReceipt
    two: NamedReceipt
    state: str
    says: str

    def to_json(self) -> dict[str, object]:
        notes = {"notes": [self.one.text, self.two.text]} if self.state == FORGERY else {}
        return {"receipts": [self.one.name, self.two.name], "state": self.state, "says": self.says, **notes}


def compare_receipts(
    heads: Sequence[NamedReceipt], log: History | None = None, proof: ConsistencyProof | None = None
) -> list[ReceiptComparison]:
    """Compare every pair of `heads`, with the help of a `log` (its links must be valid) or a proof of consistency."""
    ordered = sorted(heads, key=lambda each: each.head.size)
    return [_pair(one, two, log, proof) for one, two in combinations(ordered, 2)]


def _pair(
    one: NamedReceipt, two: NamedReceipt, log: History | None, proof: ConsistencyProof | None
) -> ReceiptComparison:
    for each in (one, two):
        if each.fault is not None:
            return ReceiptComparison(one, two, UNSIGNED, f"{each.name}: {each.fault}")
    if one.head.origin != two.head.origin:
        return ReceiptComparison(one, two, OTHER_GAMES, f"they are of {one.head.origin} and of {two.head.origin}")
    if one.head.size == two.head.size:
        return _one_size(one, two)
    if log is not None and (comparison := _by_log(one, two, log)) is not None:
        return comparison
    if proof is not None and (comparison := _by_proof(one, two, proof)) is not None:
        return comparison
    says = f"of {one.head.size} and {two.head.size} events: a log or a consistency proof decides whether both are valid"
    return ReceiptComparison(one, two, OPEN, says)


def _one_size(one: NamedReceipt, two: NamedReceipt) -> ReceiptComparison:
    if one.head.root == two.head.root:
        return ReceiptComparison(one, two, SAME, f"both are of the same {one.head.size} events")
    return _forgery(one, two, f"two roots of the same {one.head.size} events")


def _forgery(one: NamedReceipt, two: NamedReceipt, says: str) -> ReceiptComparison:
    """Return the result for contradicting receipts: a proof of forgery only if the keys of both are known."""
    unknown = [each.name for each in (one, two) if each.key is None]
    if unknown:
        says = f"{says}; this proves nothing without the key that signed {' and '.join(unknown)}: give --key"
        return ReceiptComparison(one, two, OPEN, says)
    seen = "".join(f"; {each.name} was {line}" for each in (one, two) for line in each.cosigned)
    return ReceiptComparison(one, two, FORGERY, f"{one.key} signed {says}{seen}")


def _by_log(one: NamedReceipt, two: NamedReceipt, log: History) -> ReceiptComparison | None:
    """Compare both with a log of the game that is at least as long as the longer one; else return None."""
    roots = _roots(log)
    if two.head.size >= len(roots) or not one.head.origin.endswith(f"/game/{log.header.game}"):
        return None
    fits = [roots[each.head.size] == each.head.root for each in (one, two)]
    if all(fits):
        return ReceiptComparison(one, two, BEGINS, f"the log has both: {one.head.size} events, then {two.head.size}")
    if fits == [False, True]:
        return _forgery(one, two, f"a log of {two.head.size} events that does not begin with its {one.head.size}")
    if fits == [True, False]:
        says = f"the log has {one.name} but not {two.name}: it was signed for another log, or this log was changed"
        return ReceiptComparison(one, two, OPEN, says)
    return ReceiptComparison(one, two, OPEN, "the log has neither")


def _roots(log: History) -> list[bytes]:
    """Return the root at each size, from 0 on."""
    frontier, roots = EMPTY, [EMPTY.root()]
    for line in log.lines:
        frontier = frontier.append(line.leaf)
        roots.append(frontier.root())
    return roots


def _by_proof(one: NamedReceipt, two: NamedReceipt, proof: ConsistencyProof) -> ReceiptComparison | None:
    """Check a proof that leads from the shorter to the longer one; return None for any other proof."""
    end = parse_checkpoint(proof.note.body)
    if (proof.old, end.size, end.origin) != (one.head.size, two.head.size, two.head.origin):
        return None
    if verify_consistency(proof.old, end.size, proof.path, one.head.root, two.head.root):
        return ReceiptComparison(one, two, BEGINS, f"the proof leads from {one.head.size} events to {two.head.size}")
    says = "it does not lead from one to the other: it was changed, or one of the receipts is of another log"
    return ReceiptComparison(one, two, NO_PROOF, says)


def comparison_lines(compared: ReceiptComparison) -> Iterator[str]:
    """Yield the comparison as lines of text; a proof of forgery includes both notes."""
    yield f"{compared.one.name} and {compared.two.name}: {compared.state}: {compared.says}"
    if compared.state == FORGERY:
        yield from ("", compared.one.text, compared.two.text)
