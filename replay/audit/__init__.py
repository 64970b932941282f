"""The audit of a history: its hash chain, deals, cards, turns, tricks, pegs and scores.

    report = audit(history)
    report.findings, report.code(), report.to_json()

It uses neither the server's rules of play nor its fold. To compare the game with today's rules, attach that section:
`audit(history, rejudge(history))`.
"""

from collections.abc import Sequence

from replay.audit.ledger import check_events
from replay.audit.log.hash_chain import check_log
from replay.audit.report import CANNOT_TELL, GREEN, WRONG, Report, Section
from replay.history import History
from replay.history.receipts import ReceiptChecks, check_receipts

__all__ = ["CANNOT_TELL", "GREEN", "WRONG", "Report", "Section", "audit"]


def audit(
    history: History,
    rejudged: Section | None = None,
    known_roots: Sequence[str] = (),
    receipts: ReceiptChecks | None = None,
) -> Report:
    """Return the report on `history`, with the section `rejudged` if given.

    `known_roots` are roots of the game's log that someone noted down, from views or answers. `receipts` are receipts
    checked against the history; by default, only the receipt in its trailer is checked.
    """
    ledger = check_events(history)
    receipts = check_receipts(history) if receipts is None else receipts
    return Report(history, tuple(check_log(history, known_roots)), ledger, tuple(ledger.deals), rejudged, receipts)
