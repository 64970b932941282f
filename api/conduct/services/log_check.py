"""Checks a moderation log: its numbers, roots and signatures, and whether an older copy is its beginning."""

import json
from collections.abc import Iterable, Iterator, Sequence

from api.conduct.stored.moderation_log import ModerationEntry, moderation_origin
from domain.protocols.merkle_log import EMPTY, NotCanonical, canonical, leaf
from domain.protocols.signed_notes import Checkpoint, Key, NotANote, parse_checkpoint, parse_note
from replay.history.signatures import BadSignature, signing_keys


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
