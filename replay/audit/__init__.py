"""The audit of a history by bookkeeping: links and leaves, cards, turns, tricks, deals, pegs and scores.

    report = audit(history)
    report.findings, report.code(), report.to_json()

It knows no rule of play and not the server's own fold. What today's rules make of the game is a section that the
caller attaches: `audit(history, rejudge(history))`.
"""

from collections.abc import Sequence

from replay.audit.ledger import check_events
from replay.audit.log.hash_chain import check_log
from replay.audit.report import CANNOT_TELL, GREEN, WRONG, Report, Section
from replay.history import History
from replay.history.receipts import ReceiptChecks, check_receipts

__all__ = ["CANNOT_TELL", "GREEN", "WRONG", "Report", "Section", "audit"]


def audit(
    history: History, rejudged: Section | None = None, kept: Sequence[str] = (), receipts: ReceiptChecks | None = None
) -> Report:
    """The report on `history`, with the section `rejudged` where there is one.

    `kept` are roots that somebody has kept of the game, as answers and views give them; `receipts` those that have
    been checked against it, without which only that of its trailer is.
    """
    ledger = check_events(history)
    receipts = check_receipts(history) if receipts is None else receipts
    return Report(history, tuple(check_log(history, kept)), ledger, tuple(ledger.deals), rejudged, receipts)
