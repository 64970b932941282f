"""The check of one game: load it as a server does, audit it, and rejudge it by today's rules.

Its rows and receipts come exactly as they are stored.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from api.ops.check.raw_store import RawRow
from api.ops.check.side_records import ReceiptRow
from domain.events import GameEnded, GameOpened
from domain.events.codec import is_surely_canonical
from domain.protocols.signed_notes import Key, NotANote, parse_checkpoint, parse_note
from domain.store.aggregate import Corrupt, Entry, Game, read_row
from projections.views.audience import revealed_ceremonies, visible
from replay.audit import Report, audit
from replay.audit.log.hash_chain import check_log
from replay.history import History, from_entries, is_canonical
from replay.history.findings import Finding
from replay.history.receipts import check_receipts
from replay.rejudge import rejudge

NOT_CANONICAL = "its bytes are not canonical JSON"
CONTRADICTS_HIDDEN = "it contradicts data that stays hidden while the hand is live"


@dataclass(frozen=True)
class GameCheck:
    """The result for one game: (check, finding) pairs, its size and root, and the board named in its opening.

    `ended` is the version of the event that ended it.
    """

    findings: tuple[tuple[str, Finding], ...]
    size: int = 0
    root: str = ""
    board: int | None = None
    ended: int | None = None


def check_game(game: str, rows: Sequence[RawRow], receipts: Sequence[ReceiptRow], keys: Sequence[Key]) -> GameCheck:
    """Check the decrypted rows of one game with its stored receipts and the keys that signed them."""
    loaded = Game(game)
    try:
        entries = loaded.read(rows)
    except Corrupt as error:
        return _with_ledger_findings(unreadable_game(error), game, rows)
    return _check_entries(entries, loaded.root, receipts, keys)


def _entries(game: str, rows: Iterable[RawRow]) -> list[Entry]:
    return [read_row(game, *row) for row in rows]


def _with_ledger_findings(check: GameCheck, game: str, rows: Iterable[RawRow]) -> GameCheck:
    """If only the fold failed, add the findings of the audit's ledger: they name the event at fault, an earlier one."""
    with suppress(Corrupt):
        entries = _entries(game, rows)
        if entries[0].event.fact == "GameOpened" and not check_log(from_entries(entries, {})):
            ledger = [("books", finding) for finding in _public_report(entries).findings]
            by_version = sorted([*check.findings, *ledger], key=lambda each: each[1].version or 0)
            return replace(check, findings=tuple(by_version))
    return check


def _check_entries(entries: list[Entry], root: str, receipts: Sequence[ReceiptRow], keys: Sequence[Key]) -> GameCheck:
    report = _report_on(from_entries(entries, {}), receipts, keys)
    findings = [("log", Finding(each.event.version, NOT_CANONICAL)) for each in entries if not _is_canonical(each)]
    findings += [("receipts", each) for each in _receipt_column_findings(receipts)]
    findings += _report_findings(entries, report)
    first = entries[0].event.data
    board = first.board if isinstance(first, GameOpened) else None
    ended = max((each.event.version for each in entries if isinstance(each.event.data, GameEnded)), default=None)
    return GameCheck(tuple(findings), len(entries), root, board, ended)


def _is_canonical(entry: Entry) -> bool:
    return is_surely_canonical(entry.raw, entry.event) or is_canonical(entry.raw)


def unreadable_game(error: Corrupt) -> GameCheck:
    """Return the result for a game that can't be loaded: the first event that doesn't fit."""
    says = str(error).removeprefix(f"event {error.version} of game {error.game}: ")
    return GameCheck((("links", Finding(error.version, says)),))


def _public_report(entries: list[Entry]) -> Report:
    """Return the report on what everybody may see of a game."""
    revealed = revealed_ceremonies(entry.event for entry in entries)
    return _report_on(from_entries(entries, {}, lambda entry: visible(entry.event, None, revealed)), (), ())


def _report_on(history: History, receipts: Sequence[ReceiptRow], keys: Sequence[Key]) -> Report:
    checked = check_receipts(history, kept=[note for _, _, note in receipts], store=keys)
    return audit(history, rejudge(history), receipts=checked)


def _receipt_column_findings(receipts: Sequence[ReceiptRow]) -> Iterator[Finding]:
    """Yield the receipts whose rows have another size or root than their notes."""
    for size, root, note in receipts:
        try:
            head = parse_checkpoint(parse_note(note).body)
        except NotANote:
            continue  # the audit reports it
        if (head.size, head.root.hex()) != (size, root):
            yield Finding(head.size, f"the row of its receipt has size {size} or a different root")


def _report_findings(entries: list[Entry], report: Report) -> Iterator[tuple[str, Finding]]:
    """Yield the report's findings and the checks behind them, hiding the details of those that reveal a live hand."""
    live = bool(report.findings) and bool(report.unrevealed)
    public = {*report.log, *report.receipts.findings}
    if live:
        public |= set(_public_report(entries).findings)
    parts = {
        "log": report.log,
        "receipts": report.receipts.findings,
        "rules": report.rejudged.findings if report.rejudged else (),
    }
    for finding in report.findings:
        by = next((name for name, findings in parts.items() if finding in findings), "books")
        yield by, finding if not live or finding in public else Finding(finding.version, CONTRADICTS_HIDDEN)
