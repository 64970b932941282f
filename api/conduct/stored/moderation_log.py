"""The moderation log: a signed transparency log of its own, of the steps of moderators (docs/moderation.md).

An entry is canonical JSON with ids, times and salted hashes of reasons; names and texts stay outside. Its leaf and the
root of all leaves are those of RFC 6962, and a signed checkpoint of `<origin>/moderation` stands beside each entry.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from api.conduct.stored.conduct_steps import StepDecision, StepKind
from domain.protocols.merkle_log import EMPTY, NotCanonical, canonical, leaf
from domain.protocols.signed_notes import Checkpoint, Key, NotANote, parse_checkpoint, parse_note
from domain.store.sql.database import Database, Transaction
from replay.history.signatures import BadSignature, signing_keys

TABLES = (
    """CREATE TABLE IF NOT EXISTS moderation_log (
        number BIGINT PRIMARY KEY, entry TEXT NOT NULL, note TEXT NOT NULL)""",
)
PAGE = 1000
Sign = Callable[[Checkpoint], str]


class ModerationAct(TypedDict):
    """The act of an entry, without its time and number. Reasons and notes are salted hashes."""

    act: Literal["claim", "rule", "appeal", "decide", "erase"]
    by: str
    report: NotRequired[str]
    kind: NotRequired[StepKind]
    step: NotRequired[str | None]
    player: NotRequired[str | None]
    until: NotRequired[str | None]
    decision: NotRequired[StepDecision]
    reason: NotRequired[str]
    message: NotRequired[str]
    rulebook: NotRequired[str]
    notes: NotRequired[list[str]]


@dataclass(frozen=True)
class ModerationEntry:
    """An entry from 1 on: its canonical JSON, and the signed checkpoint of the log up to it."""

    number: int
    entry: str
    note: str


class ModerationLog:
    """The table of entries. Entries are added in the transaction of the step that they record."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def entries(self, after: int = 0, limit: int | None = None) -> Iterator[ModerationEntry]:
        """Yield the entries after a number, the oldest first."""
        last = None if limit is None else after + limit
        while page := self._page(after, PAGE if last is None else min(PAGE, last - after)):
            yield from page
            after = page[-1].number

    def _page(self, after: int, limit: int) -> list[ModerationEntry]:
        statement = "SELECT number, entry, note FROM moderation_log WHERE number > ? ORDER BY number LIMIT ?"
        return [ModerationEntry(*row) for row in self._database.run(statement, after, limit)]


def append_entry(transaction: Transaction, origin: str, at: str, act: ModerationAct, sign: Sign) -> None:
    """Add an entry and sign the log with it. Only one such transaction runs at a time."""
    transaction.lock_schema()
    frontier = EMPTY
    for (text,) in transaction.run("SELECT entry FROM moderation_log ORDER BY number"):
        frontier = frontier.append(leaf(text.encode()))
    raw = canonical({"at": at, **act, "number": frontier.size + 1})
    head = frontier.append(leaf(raw))
    note = sign(Checkpoint(moderation_origin(origin), head.size, head.root()))
    transaction.run("INSERT INTO moderation_log VALUES (?, ?, ?)", head.size, raw.decode(), note)


def moderation_origin(origin: str) -> str:
    """Return the origin of the moderation log. `origin` is the server's own, which is also the name of its keys."""
    return f"{origin}/moderation"


def log_findings(entries: Iterable[ModerationEntry], keys: Sequence[Key]) -> Iterator[str]:
    """Yield a sentence for each entry that isn't right, the oldest first. `keys` are those of the server."""
    frontier = EMPTY
    for expected, each in enumerate(entries, start=1):
        frontier = frontier.append(leaf(each.entry.encode()))
        if each.number != expected:
            yield f"entry {expected} is missing: the next one has the number {each.number}"
            return
        if not _is_canonical(each):
            yield f"entry {expected} isn't canonical JSON with its number"
        if (finding := _note_finding(each.note, expected, frontier.root(), keys)) is not None:
            yield f"entry {expected}: {finding}"


def copy_findings(entries: Sequence[ModerationEntry], copy: Iterable[ModerationEntry]) -> Iterator[str]:
    """Yield a sentence for each entry of an older copy that the log doesn't have as it was."""
    for each in copy:
        now = entries[each.number - 1] if 1 <= each.number <= len(entries) else None
        if now is None:
            yield f"entry {each.number} of the copy is missing in the log"
        elif now.entry != each.entry:
            yield f"entry {each.number} isn't the one in the copy"


def _is_canonical(entry: ModerationEntry) -> bool:
    try:
        value = json.loads(entry.entry)
        return canonical(value) == entry.entry.encode() and value["number"] == entry.number
    except (ValueError, TypeError, KeyError, NotCanonical):
        return False


def _note_finding(text: str, size: int, root: bytes, keys: Sequence[Key]) -> str | None:
    try:
        note = parse_note(text)
        signers = signing_keys(note, keys)
        head = parse_checkpoint(note.body)
    except (NotANote, BadSignature) as error:
        return str(error)
    if not signers:
        return "no key of this server signed it"
    if head not in {Checkpoint(moderation_origin(key.name), size, root) for key in signers}:
        return "the signed checkpoint isn't that of the log up to here"
    return None
