"""Evidence that users bring along: receipts, public keys, roots and proofs, in files or on the command line.

A mail from the server has a receipt in its footer.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email import message_from_string, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, TypeVar

import click

from api.cli.common.config import CannotAnswer
from api.cli.common.files import read_file
from api.cli.common.histories import print_json
from api.mail.incoming.message import decode_part
from domain.engine.cuts import is_hex
from domain.protocols.merkle_log import leaf as leaf_of
from domain.protocols.proofs import verify_inclusion
from domain.protocols.signed_notes import (
    COSIGNATURE,
    Checkpoint,
    InclusionProof,
    Key,
    NotANote,
    parse_checkpoint,
    parse_inclusion,
    parse_key,
    parse_note,
)
from replay.audit import CANNOT_TELL, GREEN, WRONG
from replay.history.bundle import is_header
from replay.history.receipt_comparison import NamedReceipt, parse_receipt
from replay.history.signatures import BadSignature, Cosignature, read_rotation, successors
from replay.text import terminal

HEADERS = re.compile(r"\A[A-Za-z][A-Za-z0-9-]{0,99}:[ \t]?[^\n]*\n(?:[A-Za-z][A-Za-z0-9-]{0,99}:|[ \t])")
"""How a mail begins: with two lines of headers, the second of which may belong to the first (RFC 5322, section 2.2).

Receipts, answers and exports don't begin so.
"""
RECEIPT = re.compile(r"^receipt\n([^\n]+\n[0-9]+\n[^\n]+\n\n(?:— [^\n]+\n)+)", re.MULTILINE)


def is_mail(text: str) -> bool:
    """Return whether a text begins as a mail does."""
    return HEADERS.match(text) is not None


def receipt_in_mail(name: str, text: str) -> str:
    """Return the receipt in the footer of a mail. Raise CannotAnswer if it holds no receipt."""
    message = message_from_string(text, EmailMessage, policy=policy.default)
    try:
        part = message.get_body(("plain",))
        content = "" if part is None else decode_part(part)
    except (LookupError, ValueError, TypeError):
        content = ""
    found = RECEIPT.search(content.replace("\r\n", "\n"))
    if found is None:
        raise CannotAnswer(f"{name}: This mail holds no receipt. Name a mail about a board, as the server sent it.")
    return found[1]


NamedNote = tuple[str, str]
"""The name of the file, and the note."""
Read = TypeVar("Read")
MAX_FILE_SIZE = 10 * 1024 * 1024
COMPARE = "`trickbook game compare FILE FILE` compares two exports"


def read_text(name: str) -> str:
    """Return the text of a file, or of standard input for `-`, with ends of lines as LF and no byte order mark.

    Raise CannotAnswer if there isn't one.
    """
    try:
        return read_file(name, MAX_FILE_SIZE).decode("utf-8-sig").replace("\r\n", "\n")
    except ValueError:
        raise CannotAnswer(f"{name}: This isn't UTF-8 text.") from None


def parse_as(name: str, read: Callable[[str], Read], text: str, what: str) -> Read:
    """Return `read(text)`; raise CannotAnswer if the text isn't a valid `what`."""
    try:
        return read(text)
    except (NotANote, BadSignature) as error:
        raise CannotAnswer(f"{name}: This isn't a valid {what}: {error}") from None


def read_receipt(name: str) -> NamedNote:
    """Return the note in a file: the note, a response of the server, an export's last line, or a mail's footer."""
    text = read_text(name)
    if is_mail(text):
        text = receipt_in_mail(name, text)
    if text.startswith("{"):
        whole = is_header(text.partition("\n")[0].encode())
        answer = _last_line(name, text) if whole else _parse_object(name, text)
        text = next((each for key in ("note", "receipt") if isinstance(each := answer.get(key), str)), "")
        if not text:
            raise CannotAnswer(f"{name}: There is no receipt in it" + (f"; {COMPARE}" if whole else ""))
    parse_as(name, lambda note: parse_checkpoint(parse_note(note).body), text, "receipt")
    return name, text


def _last_line(name: str, text: str) -> dict[str, object]:
    """Return the last line of an export of one game, which contains its receipt."""
    first, *others = text[:-1].split("\n")
    if any(is_header(line.encode()) for line in others):
        raise CannotAnswer(f"{name}: This is an export of many games, not a receipt; {COMPARE}")
    return _parse_object(name, others[-1] if others else first)


def _parse_object(name: str, text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise CannotAnswer(f"{name}: This isn't valid JSON.") from None
    if not isinstance(value, dict):
        raise CannotAnswer(f"{name}: This isn't a JSON object.")
    return value


@dataclass(frozen=True)
class PublishedKeys:
    """The keys that a server publishes, and the rotations from one to the next."""

    keys: tuple[Key, ...]
    rotations: tuple[tuple[Key, Key], ...]


def read_keys(given: str) -> tuple[Key, ...] | PublishedKeys:
    """Return a verifier key, or the keys in a file: one a line, or as a server publishes them with rotations."""
    if "+" in given and not Path(given).exists():
        return (parse_as(given, parse_any_key, given, "verifier key"),)
    text = read_text(given)
    if text.startswith("{"):
        return _parse_published(given, _parse_object(given, text))
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        raise CannotAnswer(f"{given}: There is no key in it.")
    return tuple(parse_as(given, parse_any_key, line, "verifier key") for line in lines)


def parse_any_key(text: str) -> Key:
    """Return the key of a log or of a witness. Raise NotANote if it's malformed."""
    try:
        return parse_key(text, COSIGNATURE)
    except NotANote:
        return parse_key(text)


def _parse_published(given: str, answer: dict[str, object]) -> PublishedKeys:
    notes, keys = _string_list(given, answer, "rotations"), _string_list(given, answer, "keys")
    rotations = tuple(parse_as(given, read_rotation, note, "rotation note") for note in notes)
    if not keys:
        raise CannotAnswer(f"{given}: There is no key in it.")
    return PublishedKeys(tuple(parse_as(given, parse_key, each, "verifier key") for each in keys), rotations)


def _string_list(name: str, answer: dict[str, object], key: str) -> list[str]:
    values = answer.get(key)
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise CannotAnswer(f"{name}: The list of {key} is missing.")
    return values


def _read_receipt_options(_ctx: click.Context, _option: click.Parameter, names: tuple[str, ...]) -> list[NamedNote]:
    return [read_receipt(name) for name in names]


def _read_key_options(_ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> list[Key]:
    """Return the given keys; of published keys next to given ones, only those that rotations lead to."""
    read = [read_keys(each) for each in given]
    files = [each for each in read if isinstance(each, PublishedKeys)]
    single = [key for each in read if not isinstance(each, PublishedKeys) for key in each]
    witnesses = [key for key in single if key.kind == COSIGNATURE]
    own = [key for key in single if key.kind != COSIGNATURE]
    if own:
        return [*successors(own, [pair for each in files for pair in each.rotations]), *witnesses]
    return list(dict.fromkeys([*(key for each in files for key in each.keys), *witnesses]))


def _check_roots(_ctx: click.Context, _option: click.Parameter, kept: tuple[str, ...]) -> tuple[str, ...]:
    """Return the roots; raise a usage error for an invalid root."""
    for root in kept:
        if not is_hex(root):
            raise click.BadParameter(f"{root!r} isn't 64 lower-case hex digits, like the root in a view.")
    return kept


receipt_option = click.option(
    "--receipt",
    "receipts",
    multiple=True,
    metavar="FILE",
    callback=_read_receipt_options,
    help="A receipt of this game: the note, the server's response with it, an earlier export, or its mail.",
)
key_option = click.option(
    "--key",
    "keys",
    multiple=True,
    metavar="VKEY|FILE",
    callback=_read_key_options,
    help="A key that you trust: a verifier key, or a file with keys, as from /.well-known/trickbook/keys. "
    "Together with a single key, only those keys of the file that rotations lead to. Keys of witnesses count too.",
)
root_option = click.option(
    "--root",
    "kept",
    multiple=True,
    metavar="ROOT",
    callback=_check_roots,
    help="A root of this game that you kept, 64 hex digits: the log must have had it.",
)
Command = TypeVar("Command", bound=Callable[..., object])


def evidence_options(command: Command) -> Command:
    """Add the options that fill `EvidenceArgs`."""
    return root_option(receipt_option(key_option(command)))


def proof_options(command: Command) -> Command:
    """Add the options for a proof of inclusion."""
    leaf = click.option("--leaf", metavar="HEX", help="With --proof: the leaf of an event that the file omits.")
    proof = click.option("--proof", metavar="FILE", help="A proof of inclusion (tlog-proof), instead of an export.")
    return proof(leaf(command))


@dataclass(frozen=True)
class EvidenceArgs:
    """Roots and receipts that the user kept of a game, and keys that the user trusts."""

    kept: tuple[str, ...] = ()
    receipts: Sequence[NamedNote] = ()
    keys: Sequence[Key] = ()


NO_EVIDENCE = EvidenceArgs()


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
