"""Printed audits of complete histories, kept by the log's root: only a later fact changes what they say."""

from collections.abc import Callable, Hashable
from threading import Lock

from cachetools import LRUCache

from replay.history import History
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
