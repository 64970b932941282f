"""The report of an audit as text, with names in place of the numbers of seats."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from replay.audit import Report
from replay.audit.deals.deal_ledger import DealRecord
from replay.audit.disputes import ruling_lines
from replay.history.findings import Finding
from replay.text.layout import names_by_seat, sanitize, say_names
from replay.text.terminal import add_row, make_table, text_line

MAX_FINDINGS = 20
"""The most findings to print; the others are only counted. --json prints all."""


def report_text(report: Report, *, live_is_fine: bool = False) -> RenderableType:
    """Return a report as text: the log, the hands, the findings and the verdict."""
    code, who = report.code(live_is_fine=live_is_fine), names_by_seat(report.history)
    lines = [*_sections(report, who), *_finding_lines(report.findings), f"verdict: {report.says(code)}"]
    hands = [_hands(report.deals, who)] if report.deals else []
    return Group(text_line(_title(report)), *hands, *(text_line(say_names(each, who)) for each in lines))


def _title(report: Report) -> str:
    header, over = report.history.header, report.ledger.position.ended is not None
    if not report.history.lines:  # the log can't be read, so neither variant nor end is known
        return f"board {header.board} · game {header.game}"
    return f"board {header.board} · {header.variant} · game {header.game} · {'over' if over else 'running'}"


def _sections(report: Report, who: Mapping[int, str]) -> Iterator[str]:
    history, unjudged = report.history, report.ledger.unjudged
    root = history.trailer.root if history.trailer else "no root"
    receipts, wrong = report.receipts, [*report.log, *report.receipts.findings]
    size = f"{len(history.lines)} events, {history.withheld} withheld"
    yield f"log: {size}, root {root}, {receipts.count_text}: {_ok(wrong)}"
    if history.line_ends is not None:
        yield f"line ends: {history.line_ends}; a program has changed them, and no event depends on them"
    yield from map(str, receipts.notable)
    if 0 < receipts.signed < len(history.lines):
        yield f"signed up to event {receipts.signed}: no receipt covers what follows, or shows that nothing else did"
    if receipts.waits is not None:
        yield f"not checked: {receipts.waits}"
    yield from (f"journal: {_note_text(each)}" for each in history.admin_log)
    yield from (line for deal in report.deals for line in _missing_lines(deal))
    if unjudged is not None:
        yield f"not judged: {unjudged}"
    yield from map(sanitize, ruling_lines(report.ledger.position, who))
    if report.unrevealed:
        yield f"not revealed yet: {', '.join(each.opened.subject for each in report.unrevealed)}"
    if report.rejudged is not None:
        waits = f" ({report.rejudged.waits})" if report.rejudged.waits else ""
        yield f"rejudged by today's rules: {_ok(report.rejudged.findings)}{waits}"


def _missing_lines(deal: DealRecord) -> Iterator[str]:
    """Yield a line for each cut and beacon that was promised for a deal and didn't come."""
    yield from (f"{deal.opened.subject}: seat {seat} had sealed a cut and withheld it" for seat in deal.missing)
    if deal.missing_beacon is not None:
        yield f"{deal.opened.subject}: the round {deal.missing_beacon} didn't come in time, and doesn't count"


def _note_text(note: Mapping[str, Any]) -> str:
    """Return a note on the stores; name the backup of a restore, and what was lost."""
    if note["what"] == "served-after-loss":
        return f"{note['at']} the host serves a log that lacks events, {note['events']} or more"
    if note["what"] == "served-without-accounts":
        return f"{note['at']} the host serves the log with accounts that didn't know all of its games"
    if note["what"] == "game-restored":
        events = "1 event" if note["events"] == 1 else f"{note['events']} events"
        return f"{note['at']} {events} of this game restored from the backup of {note['backup']}"
    if note["what"] != "restored":
        return f"{note['at']} {note['what']}"
    lost = "what was stored after that moment is gone"
    return f"{note['at']} restored from the backup of {note['backup']}: {lost}"


def _ok(findings: object) -> str:
    return "something is wrong" if findings else "ok"


def _hands(deals: tuple[DealRecord, ...], who: Mapping[int, str]) -> Table:
    """Return a table of the deals, in which a column for each player has the points that the hand brought."""
    table = make_table("hand", "dealer", "grade", "deck", "moves", "taken back", "came out", *who.values(), "check")
    for deal in deals:
        dealt, dealer, grade = (deal.dealt, who.get(deal.dealt.dealer), deal.dealt.grade) if deal.dealt else (None,) * 3
        hand = deal.opened.subject if dealt is None else f"{dealt.hand}{f'.{dealt.redeal}' if dealt.redeal else ''}"
        changes = [f"{change:+}" for change in deal.scored.changes] if deal.scored else []
        brought = [changes[seat] if seat < len(changes) else None for seat in who]
        cells = hand, dealer, grade, deal.deck, deal.moves, deal.taken_back, deal.outcome
        add_row(table, *cells, *brought, _ok(deal.findings))
    return table


def _finding_lines(findings: list[Finding]) -> Iterator[str]:
    yield from (f"  {finding}" for finding in findings[:MAX_FINDINGS])
    if len(findings) > MAX_FINDINGS:
        yield f"  and {len(findings) - MAX_FINDINGS} more"
