"""Printed audits of complete histories, kept by the log's root, and the audit report of a corrupt log."""

from collections.abc import Callable, Hashable, Mapping
from threading import Lock
from typing import Any

from cachetools import LRUCache

from domain.store.aggregate import Corrupt
from replay.audit import Report
from replay.audit.ledger import Ledger
from replay.history import FORMAT, Header, History
from replay.history.findings import Finding
from replay.history.receipts import ReceiptChecks

MAX_BYTES = 32 * 1024 * 1024


class ReportCache:
    """The newest printed reports. Safe for use by several threads."""

    def __init__(self) -> None:
        self._reports: LRUCache[Hashable, bytes] = LRUCache(MAX_BYTES, getsizeof=len)
        self._lock = Lock()

    def printed(self, history: History, receipts: ReceiptChecks, form: Hashable, make: Callable[[], bytes]) -> bytes:
        """Return the report on a history in one form, from `make` unless it's known.

        A history without withheld lines looks the same to every viewer. Its report follows from its events, which the
        root stands for, the names, the admin log and the receipts.
        """
        if history.withheld or history.trailer is None:
            return make()
        names = tuple(sorted(history.header.players.items()))
        key = (history.trailer.root, history.header.board, names, str(history.admin_log), str(receipts.to_json()), form)
        with self._lock:
            known = self._reports.get(key)
        if known is not None:
            return known
        report = make()
        with self._lock:
            if len(report) <= MAX_BYTES:
                self._reports[key] = report
        return report


AdminLogJson = tuple[Mapping[str, Any], ...]


def corrupt_log_report(error: Corrupt, board: int | None, admin_log: AdminLogJson = ()) -> Report:
    """Return the report (trickbook-audit/1, code 1) that names the first event that doesn't fit, quoting no event.

    It reports on no hand: after a broken link, no event proves what was played. Board 0 means an unknown board.
    """
    header = Header(format=FORMAT, game=error.game, board=board or 0, variant="", players={})
    finding = Finding(error.version, str(error).removeprefix(f"event {error.version} of game {error.game}: "))
    return Report(History(header, (), None, admin_log=admin_log), (finding,), Ledger(), ())
