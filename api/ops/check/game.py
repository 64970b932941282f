"""One game of a place put to everything there is: loaded as a server loads it, audited, judged by today's rules.

Its rows come as they lie in the store, and its receipts as the office keeps them.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from api.ops.check.raw_store import Stored
from api.ops.check.side_records import Receipt
from domain.events import GameEnded, GameOpened
from domain.protocols.signed_notes import Key, NotANote, parse_checkpoint, parse_note
from domain.store.aggregate import Corrupt, Entry, Game, read_row
from projections.views.audience import revealed_by, visible
from replay.audit import Report, audit
from replay.audit.log.hash_chain import check_log
from replay.history import from_entries, is_canonical, trailer_of
from replay.history.findings import Finding
from replay.history.receipts import check_receipts
from replay.rejudge import rejudge

SPELT = "its bytes are not canonical JSON"
HIDDEN = "it does not fit what is withheld while its hand is live"


@dataclass(frozen=True)
class Judged:
    """A game that was read: what was found and by what, its size and root, and the board it says it was opened on.

    `ended` is the event that ended it.
    """

    found: tuple[tuple[str, Finding], ...]
    size: int = 0
    root: str = ""
    board: int | None = None
    ended: int | None = None


def judged(game: str, rows: Sequence[Stored], receipts: Sequence[Receipt], keys: Sequence[Key]) -> Judged:
    """The rows of one game, in clear, with the receipts that are kept of it and the keys that signed them."""
    try:
        Game(game).read(rows)
    except Corrupt as error:
        return _as_far_as_it_goes(broken(error), game, rows)
    return _audited(_entries(game, rows), receipts, keys)


def _entries(game: str, rows: Iterable[Stored]) -> list[Entry]:
    return [read_row(game, *row) for row in rows]


def _as_far_as_it_goes(made: Judged, game: str, rows: Iterable[Stored]) -> Judged:
    """Where only the fold could not go on, the books name the event that it stumbled over later."""
    with suppress(Corrupt):
        entries = _entries(game, rows)
        if entries[0].event.fact == "GameOpened" and not check_log(from_entries(entries, {})):
            found = _report(entries, (), (), everything=False).findings
            told = [*made.found, *(("books", finding) for finding in found)]
            return replace(made, found=tuple(sorted(told, key=lambda each: each[1].version or 0)))
    return made


def _audited(entries: list[Entry], receipts: Sequence[Receipt], keys: Sequence[Key]) -> Judged:
    report = _report(entries, receipts, keys, everything=True)
    found = [("log", Finding(each.event.version, SPELT)) for each in entries if not is_canonical(each.raw)]
    found += [("receipts", each) for each in _columns(receipts)]
    found += _told(entries, report)
    first = entries[0].event.data
    board = first.board if isinstance(first, GameOpened) else None
    ended = max((each.event.version for each in entries if isinstance(each.event.data, GameEnded)), default=None)
    root = trailer_of(entry.leaf for entry in entries).root
    return Judged(tuple(found), len(entries), root, board, ended)


def broken(error: Corrupt) -> Judged:
    """A game that cannot be loaded, by the first event that does not fit."""
    says = str(error).removeprefix(f"event {error.version} of game {error.game}: ")
    return Judged((("links", Finding(error.version, says)),))


def _report(entries: list[Entry], receipts: Sequence[Receipt], keys: Sequence[Key], *, everything: bool) -> Report:
    revealed = revealed_by(entry.event for entry in entries)
    history = from_entries(entries, {}, lambda entry: everything or visible(entry.event, None, revealed))
    checked = check_receipts(history, kept=[note for _, _, note in receipts], store=keys)
    return audit(history, rejudge(history), receipts=checked)


def _columns(receipts: Sequence[Receipt]) -> Iterator[Finding]:
    """Receipts whose rows say another size or root than their notes."""
    for size, root, note in receipts:
        try:
            head = parse_checkpoint(parse_note(note).body)
        except NotANote:
            continue  # which the audit tells
        if (head.size, head.root.hex()) != (size, root):
            yield Finding(head.size, f"the office keeps its receipt as one of {size} events, or under another root")


def _told(entries: list[Entry], report: Report) -> Iterator[tuple[str, Finding]]:
    """What the report found, and by what. What only who sees a live hand could say is said without saying it."""
    live = bool(report.findings) and bool(report.unrevealed)
    shown = {*report.log, *report.receipts.findings}
    if live:
        shown |= set(_report(entries, (), (), everything=False).findings)
    parts = {
        "log": report.log,
        "receipts": report.receipts.findings,
        "rules": report.rejudged.findings if report.rejudged else (),
    }
    for finding in report.findings:
        by = next((name for name, found in parts.items() if finding in found), "books")
        yield by, finding if not live or finding in shown else Finding(finding.version, HIDDEN)
