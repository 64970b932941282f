"""Checks receipts against a log: was it changed later, are there two histories (docs/trust.md)?

    receipts = check_receipts(history, given=[note], keys=[parse_key("cards.example+...")])
    receipts.findings, receipts.waits, receipts.to_json()

A receipt counts only if a trusted key signed it: a key given by the caller, a key of the store that the history comes
from, or, without either, a key named in the file, which proves nothing about the author of the file.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, TypedDict

import msgspec

from domain.json_fields import Hash, says
from domain.protocols.merkle_log import leaf as leaf_of
from domain.protocols.signed_notes import (
    COSIGNATURE,
    Checkpoint,
    Key,
    NotANote,
    game_origin,
    parse_checkpoint,
    parse_key,
    parse_note,
)
from replay.history import History, LogLine, trailer_of
from replay.history.findings import Finding
from replay.history.signatures import (
    NEW_KEY,
    BadSignature,
    Cosignature,
    ReportedCosignature,
    cosignatures,
    signing_keys,
)

GOOD, FORGED, CHANGED = "good", "forged", "log changed"
WRONG_KEY, UNKNOWN_KEY, OTHER_GAME, AHEAD = "wrong key", "unknown key", "other game", "ahead of the log"
GIVEN, STORE, FILE = "given", "store", "file"
TRAILER, KEPT = "trailer", "kept"
HASH = re.compile("[0-9a-f]{64}")
UNSIGNED = "the file is unsigned, and its end can be missing: it holds no receipt"
TRUST_NOTES = {GIVEN: "a key that was given", STORE: "a key of this server", FILE: "a key that only this file names"}


@dataclass(frozen=True)
class TrustedKeys:
    """Trusted keys of logs, where they come from (given, store or file), and keys of witnesses."""

    known: tuple[Key, ...]
    trust: str
    witnesses: tuple[Key, ...] = ()


class ReportedReceipt(TypedDict):
    """A receipt and the result of its check."""

    source: Annotated[str, says("trailer, kept, or the name it was given with.")]
    state: str
    size: int | None
    root: Hash | None
    key: str | None
    trust: str | None
    cosigned: Annotated[list[ReportedCosignature], says("The witnesses that signed it too.")]
    says: str | None


@dataclass(frozen=True)
class CheckedReceipt:
    """A receipt and the result of its check; `source` is trailer, kept (by the server) or the name it was given with.

    `head`, `key` and `trust` are None if they are unreadable or not trusted. `finding` says what is wrong.
    """

    source: str
    state: str
    head: Checkpoint | None = None
    key: str | None = None
    trust: str | None = None
    finding: Finding | None = None
    cosigned: tuple[Cosignature, ...] = ()

    def to_json(self) -> ReportedReceipt:
        """Return the receipt as JSON values, as in a report."""
        return {
            "source": self.source,
            "state": self.state,
            "size": None if self.head is None else self.head.size,
            "root": None if self.head is None else self.head.root.hex(),
            "key": self.key,
            "trust": self.trust,
            "cosigned": [each.to_json() for each in self.cosigned],
            "says": None if self.finding is None else self.finding.says,
        }

    def __str__(self) -> str:
        size = "" if self.head is None else f" of {self.head.size} events"
        signed = f", signed by {self.key}, {TRUST_NOTES[self.trust]}" if self.key and self.trust else ""
        cosigned = "".join(f", {each}" for each in self.cosigned)
        return f"receipt{size} ({self.source}): {self.state}{signed}{cosigned}"


@dataclass(frozen=True)
class ReceiptChecks:
    """The checked receipts of a report; `faults` are faults of the keys in the header, or the lack of a receipt."""

    checked: tuple[CheckedReceipt, ...] = ()
    faults: tuple[Finding, ...] = ()
    unsigned: bool = False
    """Whether the history is a file without a receipt, so that nothing shows where it ends."""
    witnesses: tuple[Key, ...] = ()
    """The witnesses that the caller has named: one of them must have signed as much as the server has."""

    @property
    def findings(self) -> list[Finding]:
        """The faults that the receipts show."""
        findings = (each.finding for each in self.checked if each.state != UNKNOWN_KEY)
        return [*self.faults, *(finding for finding in findings if finding is not None)]

    @property
    def waits(self) -> str | None:
        """Why a receipt can't be checked, or that there should be one, or None."""
        if self.unsigned:
            return f"{UNSIGNED}; give --receipt"
        unknown = next((str(each.finding) for each in self.checked if each.state == UNKNOWN_KEY), None)
        return unknown or self._lacks_witness()

    def _lacks_witness(self) -> str | None:
        """Return that the server has signed more than the caller's witnesses, or None.

        Otherwise somebody could hide a fork that no witness has signed by leaving out the line of the witness.
        """
        if not self.witnesses or 0 < self.signed <= self.witnessed:
            return None
        most = f"; they have signed {self.witnessed}" if self.witnessed else ""
        signed = f"the receipt of {self.signed} events" if self.signed else "a receipt"
        return f"no witness that you know has signed {signed}{most}"

    @property
    def signed(self) -> int:
        """Up to which event a good receipt covers the log."""
        return max((each.head.size for each in self.checked if each.state == GOOD and each.head), default=0)

    @property
    def witnessed(self) -> int:
        """Up to which event one of the caller's witnesses has signed the log."""
        found = (each for each in self.checked if any(line.key in self.witnesses for line in each.cosigned))
        return max((each.head.size for each in found if each.state == GOOD and each.head), default=0)

    @property
    def count_text(self) -> str:
        """The number of receipts in words."""
        return {0: "no receipt", 1: "1 receipt"}.get(many := len(self.checked), f"{many} receipts")

    @property
    def notable(self) -> list[CheckedReceipt]:
        """The receipts to print one by one: of the good ones that the server kept, only the longest."""
        kept = [each for each in self.checked if each.source == KEPT and each.state == GOOD]
        return [each for each in self.checked if each not in kept[:-1]]

    def to_json(self) -> list[ReportedReceipt] | Literal["absent"]:
        """Return the receipts as JSON values, or "absent"."""
        return [each.to_json() for each in self.checked] or "absent"


NO_RECEIPTS = ReceiptChecks()


@dataclass(frozen=True)
class PresentedReceipt:
    """A note to check, its source, and the keys trusted for it."""

    text: str = field(repr=False)
    source: str
    keys: TrustedKeys


def check_receipts(
    history: History,
    given: Iterable[tuple[str, str]] = (),
    kept: Iterable[str] = (),
    *,
    keys: Sequence[Key] = (),
    store: Sequence[Key] = (),
    file_roots: Sequence[str] | None = None,
) -> ReceiptChecks:
    """Check the receipts `given` ((name, note) each), those `kept` by the server and the trailer's against the log.

    `keys` are the caller's trusted keys; `store` are the server's keys if the history comes from its store. Among both
    may be keys of witnesses, whose cosignatures are reported; one of the caller's must have signed. `file_roots` are
    the roots that the caller kept, if the history comes from a file; None for a store, which has the end of its log.
    Without any receipt, a file is unsigned, and false if the caller has a key or a root.
    """
    named, faults = _header_keys(history)
    witnesses = tuple(key for key in (*keys, *store) if key.kind == COSIGNATURE)
    asked = tuple(key for key in keys if key.kind == COSIGNATURE)
    server, trusted = _without(store, witnesses), _without(keys, witnesses)
    own = TrustedKeys(server, STORE, witnesses) if server else TrustedKeys(named, FILE, witnesses)
    believed = TrustedKeys(trusted, GIVEN, witnesses) if trusted else own
    shown = [PresentedReceipt(note, name, believed) for name, note in given]
    shown += [PresentedReceipt(note, KEPT, own) for note in kept]
    if history.trailer is not None and history.trailer.receipt is not None:
        shown.append(PresentedReceipt(history.trailer.receipt, TRAILER, believed))
    if not shown and file_roots is not None:
        if trusted or file_roots:
            faults.append(Finding(None, f"{UNSIGNED}, though you have a {'key' if trusted else 'root'}"))
        return ReceiptChecks(faults=tuple(faults), unsigned=not faults)
    checked = tuple(_check(history, each) for each in shown)
    return ReceiptChecks(tuple(_locate_changes(history, checked)), tuple(faults), witnesses=asked)


def _without(keys: Sequence[Key], witnesses: Sequence[Key]) -> tuple[Key, ...]:
    return tuple(key for key in keys if key not in witnesses)


def _header_keys(history: History) -> tuple[tuple[Key, ...], list[Finding]]:
    """Return the keys in the header, and a finding for each invalid one."""
    found: list[Key] = []
    faults: list[Finding] = []
    for text in history.header.keys:
        try:
            found.append(parse_key(text))
        except NotANote as error:
            faults.append(Finding(None, f"the header names an invalid key: {error}"))
    return tuple(found), faults


def _check(history: History, shown: PresentedReceipt) -> CheckedReceipt:
    try:
        note = parse_note(shown.text)
        head = parse_checkpoint(note.body)
        signers = signing_keys(note, shown.keys.known)
        cosigned = tuple(cosignatures(note, shown.keys.witnesses))
    except NotANote as error:
        return CheckedReceipt(
            shown.source, FORGED, finding=Finding(None, f"the receipt ({shown.source}) isn't a valid receipt: {error}")
        )
    except BadSignature as error:
        says = f"the receipt ({shown.source}) is forged or was changed: {error}"
        return CheckedReceipt(shown.source, FORGED, finding=Finding(None, says))
    if not signers:
        return _refuse_unsigned(shown, note.signatures[0].label)
    if shown.keys.trust == FILE and shown.keys.witnesses and not cosigned:
        signed = f"{signers[0].label}, {TRUST_NOTES[FILE]}"
        says = f"the receipt ({shown.source}) is signed by {signed}, and by no witness that you know"
        return CheckedReceipt(shown.source, UNKNOWN_KEY, key=signers[0].label, finding=Finding(None, says))
    made = CheckedReceipt(shown.source, GOOD, head, signers[0].label, shown.keys.trust, cosigned=cosigned)
    return _check_against_log(history, made, game_origin(signers[0].name, history.header.game))


def _refuse_unsigned(shown: PresentedReceipt, label: str) -> CheckedReceipt:
    """Return the result for a receipt that no trusted key signed: its text doesn't count."""
    if not shown.keys.known:
        says = f"the receipt ({shown.source}) is signed by {label}, and no key is known to check it with: give --key"
        return CheckedReceipt(shown.source, UNKNOWN_KEY, key=label, finding=Finding(None, says))
    known = ", ".join(key.label for key in shown.keys.known)
    hint = f"; {NEW_KEY}" if shown.keys.trust == GIVEN else ""
    says = f"the receipt ({shown.source}) is signed by {label}, which is not {known}{hint}"
    return CheckedReceipt(shown.source, WRONG_KEY, key=label, finding=Finding(None, says))


def _check_against_log(history: History, made: CheckedReceipt, origin: str) -> CheckedReceipt:
    """Check a validly signed receipt against the log."""
    head, events = made.head, len(history.lines)
    if head is None or head.origin != origin:
        says = f"the receipt ({made.source}) signed by {made.key} is that of another game"
        return replace(made, state=OTHER_GAME, finding=Finding(None, says))
    if head.size > events:
        signed = f"{made.key} signed a receipt of {head.size} events"
        says = f"it is missing: {signed}, and the log ends after event {events}"
        return replace(made, state=AHEAD, finding=Finding(events + 1, says))
    if head.root != root_at(history, head.size):
        return replace(made, state=CHANGED)
    return made


def root_at(history: History, size: int) -> bytes:
    """Return the root over the first `size` events, as their bytes say, and as the links say if these are right.

    So a receipt contradicts an event that was changed beside its old hash. check_log checks the links.
    """
    changed = _changed(history)
    if changed is not None and changed <= size:
        return bytes.fromhex(trailer_of(_leaf(line) for line in history.lines[:size]).root)
    if size < len(history.lines):
        return history.lines[size].prev
    trailer = history.trailer
    if trailer is None or trailer.size != size or HASH.fullmatch(trailer.root) is None:
        trailer = trailer_of(line.leaf for line in history.lines)
    return bytes.fromhex(trailer.root)


def _leaf(line: LogLine) -> bytes:
    """Return the hash of an event's bytes, or what the file says if it's withheld."""
    return line.leaf if line.raw is None else leaf_of(line.raw)


def _changed(history: History) -> int | None:
    """Return the place of the first event whose bytes don't have the hash beside them, or None."""
    if CHANGED not in history.cache:
        places = (place for place, line in enumerate(history.lines, 1) if _leaf(line) != line.leaf)
        history.cache[CHANGED] = next(places, None)
    place: int | None = history.cache[CHANGED]
    return place


def _locate_changes(history: History, checked: Sequence[CheckedReceipt]) -> Iterator[CheckedReceipt]:
    """Add to each contradicted receipt the range of events that changed, as narrow as the good receipts allow."""
    good = sorted(each.head.size for each in checked if each.state == GOOD and each.head is not None)
    for each in checked:
        if each.state != CHANGED or each.head is None:
            yield each
            continue
        size, changed = each.head.size, _changed(history)
        since = max((one for one in good if one < size), default=0) + 1
        if changed is not None and changed <= size:
            since = size = changed
        span = f"event {size} was" if since == size else f"one of the events {since} to {size} was"
        says = f"{each.key} signed another root of the first {each.head.size} events: {span} changed after the fact"
        yield replace(each, finding=Finding(since, says))


def with_receipt(history: History, keys: Sequence[str], receipt: str | None) -> History:
    """Return the history with the server's keys in its header and a receipt in its trailer, as in an export."""
    trailer: Any = history.trailer or trailer_of(line.leaf for line in history.lines)
    header = msgspec.structs.replace(history.header, keys=tuple(keys))
    return replace(history, header=header, trailer=msgspec.structs.replace(trailer, receipt=receipt, header=""))
