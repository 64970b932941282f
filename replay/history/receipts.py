"""Receipts against a log: was an event changed, and are there two histories (docs/trust.md, questions 8 and 9)?

    receipts = check_receipts(history, given=[note], keys=[parse_key("cards.example+...")])
    receipts.findings, receipts.waits, receipts.to_json()

A receipt counts only where a key signed it that is believed: one that was given, one of the store the history comes
from, or, where there is neither, one that the file itself names, which proves nothing about who made the file.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from domain.protocols.signed_notes import (
    Checkpoint,
    Key,
    NotANote,
    game_origin,
    parse_checkpoint,
    parse_key,
    parse_note,
)
from replay.history import History, trailer_of
from replay.history.findings import Finding
from replay.history.signatures import NEW_KEY, BadSignature, signing_keys

GOOD, FORGED, CHANGED = "good", "forged", "log changed"
WRONG_KEY, UNKNOWN_KEY, OTHER_GAME, AHEAD = "wrong key", "unknown key", "other game", "ahead of the log"
GIVEN, STORE, FILE = "given", "store", "file"
TRAILER, KEPT = "trailer", "kept"
HASH = re.compile("[0-9a-f]{64}")
TRUST_NOTES = {GIVEN: "a key that was given", STORE: "a key of this server", FILE: "a key that only this file names"}


@dataclass(frozen=True)
class TrustedKeys:
    """Keys that are believed, and why: given, store or file."""

    known: tuple[Key, ...]
    trust: str


@dataclass(frozen=True)
class CheckedReceipt:
    """A receipt and what became of it; `source` is trailer, kept (by the server) or the name it was given under.

    `head`, `key` and `trust` are null where they cannot be read or are not believed. `finding` is what is wrong.
    """

    source: str
    state: str
    head: Checkpoint | None = None
    key: str | None = None
    trust: str | None = None
    finding: Finding | None = None

    def to_json(self) -> dict[str, object]:
        """As it stands in a report."""
        return {
            "source": self.source,
            "state": self.state,
            "size": None if self.head is None else self.head.size,
            "root": None if self.head is None else self.head.root.hex(),
            "key": self.key,
            "trust": self.trust,
            "says": None if self.finding is None else self.finding.says,
        }

    def __str__(self) -> str:
        size = "" if self.head is None else f" of {self.head.size} events"
        signed = f", signed by {self.key}, {TRUST_NOTES[self.trust]}" if self.key and self.trust else ""
        return f"receipt{size} ({self.source}): {self.state}{signed}"


@dataclass(frozen=True)
class ReceiptChecks:
    """The receipts of a report; `faults` are what is wrong with the keys in the header."""

    checked: tuple[CheckedReceipt, ...] = ()
    faults: tuple[Finding, ...] = ()

    @property
    def findings(self) -> list[Finding]:
        """What they show to be wrong."""
        told = (each.finding for each in self.checked if each.state != UNKNOWN_KEY)
        return [*self.faults, *(finding for finding in told if finding is not None)]

    @property
    def waits(self) -> str | None:
        """Why it cannot be told of one whether it is good."""
        return next((str(each.finding) for each in self.checked if each.state == UNKNOWN_KEY), None)

    @property
    def count_text(self) -> str:
        """How many there are."""
        return {0: "no receipt", 1: "1 receipt"}.get(many := len(self.checked), f"{many} receipts")

    @property
    def notable(self) -> list[CheckedReceipt]:
        """Those to be shown one by one: of the good ones that the server kept, the longest alone."""
        kept = [each for each in self.checked if each.source == KEPT and each.state == GOOD]
        return [each for each in self.checked if each not in kept[:-1]]

    def to_json(self) -> object:
        """The list, or "absent"."""
        return [each.to_json() for each in self.checked] or "absent"


NO_RECEIPTS = ReceiptChecks()


@dataclass(frozen=True)
class PresentedReceipt:
    """A note to be checked, where it comes from, and the keys believed for it."""

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
) -> ReceiptChecks:
    """The receipts `given` ((name, note) each), those `kept` by the server and that of the trailer, against the log.

    `keys` are given by whoever asks, `store` are the server's where the history comes from its store.
    """
    named, faults = _header_keys(history)
    own = TrustedKeys(tuple(store), STORE) if store else TrustedKeys(named, FILE)
    believed = TrustedKeys(tuple(keys), GIVEN) if keys else own
    shown = [PresentedReceipt(note, name, believed) for name, note in given]
    shown += [PresentedReceipt(note, KEPT, own) for note in kept]
    if history.trailer is not None and history.trailer.receipt is not None:
        shown.append(PresentedReceipt(history.trailer.receipt, TRAILER, believed))
    if not shown and not faults:
        return NO_RECEIPTS
    checked = tuple(_check(history, each) for each in shown)
    return ReceiptChecks(tuple(_locate_changes(checked)), tuple(faults))


def _header_keys(history: History) -> tuple[tuple[Key, ...], list[Finding]]:
    """The keys the header names, and a finding for each that is none."""
    found: list[Key] = []
    faults: list[Finding] = []
    for text in history.header.keys:
        try:
            found.append(parse_key(text))
        except NotANote as error:
            faults.append(Finding(None, f"the header names a key that is none: {error}"))
    return tuple(found), faults


def _check(history: History, shown: PresentedReceipt) -> CheckedReceipt:
    try:
        note = parse_note(shown.text)
        head = parse_checkpoint(note.body)
        signers = signing_keys(note, shown.keys.known)
    except NotANote as error:
        return CheckedReceipt(
            shown.source, FORGED, finding=Finding(None, f"the receipt ({shown.source}) is none: {error}")
        )
    except BadSignature as error:
        says = f"the receipt ({shown.source}) is forged or was changed: {error}"
        return CheckedReceipt(shown.source, FORGED, finding=Finding(None, says))
    if not signers:
        return _refuse_unsigned(shown, note.signatures[0].label)
    made = CheckedReceipt(shown.source, GOOD, head, signers[0].label, shown.keys.trust)
    return _check_against_log(history, made, game_origin(signers[0].name, history.header.game))


def _refuse_unsigned(shown: PresentedReceipt, label: str) -> CheckedReceipt:
    """A receipt that no believed key has signed: its text counts for nothing."""
    if not shown.keys.known:
        says = f"the receipt ({shown.source}) is signed by {label}, and no key is known to check it with: give --key"
        return CheckedReceipt(shown.source, UNKNOWN_KEY, key=label, finding=Finding(None, says))
    known = ", ".join(key.label for key in shown.keys.known)
    hint = f"; {NEW_KEY}" if shown.keys.trust == GIVEN else ""
    says = f"the receipt ({shown.source}) is signed by {label}, which is not {known}{hint}"
    return CheckedReceipt(shown.source, WRONG_KEY, key=label, finding=Finding(None, says))


def _check_against_log(history: History, made: CheckedReceipt, origin: str) -> CheckedReceipt:
    """A well-signed receipt against the log."""
    head, events = made.head, len(history.lines)
    if head is None or head.origin != origin:
        says = f"the receipt ({made.source}) signed by {made.key} is that of another game"
        return replace(made, state=OTHER_GAME, finding=Finding(None, says))
    if head.size > events:
        says = f"it is gone: {made.key} signed a receipt of {head.size} events, and the log ends after event {events}"
        return replace(made, state=AHEAD, finding=Finding(events + 1, says))
    if head.root != root_at(history, head.size):
        return replace(made, state=CHANGED)
    return made


def root_at(history: History, size: int) -> bytes:
    """The root over the first `size` leaves, as the links have it; whether they are right is for the log's check."""
    if size < len(history.lines):
        return history.lines[size].prev
    trailer = history.trailer
    if trailer is None or trailer.size != size or HASH.fullmatch(trailer.root) is None:
        trailer = trailer_of(line.leaf for line in history.lines)
    return bytes.fromhex(trailer.root)


def _locate_changes(checked: Sequence[CheckedReceipt]) -> Iterator[CheckedReceipt]:
    """Each receipt that the log contradicts tells between which events it was changed, as far as good ones show."""
    good = sorted(each.head.size for each in checked if each.state == GOOD and each.head is not None)
    for each in checked:
        if each.state != CHANGED or each.head is None:
            yield each
            continue
        size = each.head.size
        since = max((one for one in good if one < size), default=0) + 1
        span = f"event {size} was" if since == size else f"one of the events {since} to {size} was"
        says = f"{each.key} signed another root of the first {size} events: {span} changed after the fact"
        yield replace(each, finding=Finding(since, says))


def with_receipt(history: History, keys: Sequence[str], receipt: str | None) -> History:
    """The same history with the server's keys in its header and a receipt in its trailer, as an export carries them."""
    trailer: Any = history.trailer or trailer_of(line.leaf for line in history.lines)
    header = msgspec.structs.replace(history.header, keys=tuple(keys))
    return replace(history, header=header, trailer=msgspec.structs.replace(trailer, receipt=receipt, header=""))
