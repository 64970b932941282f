"""The games of the catalogue in the order in which the lobby offers them: those first that most people play."""

import time
from collections.abc import Callable, Mapping
from threading import Lock

from domain.engine.timestamps import format_time
from domain.rules.variants import VARIANTS, Variant
from projections.lists.lobby_pages import people_by_variant
from projections.storage.rows import RowStore, RowsUnavailable

LATELY_US = 30 * 24 * 3600 * 1_000_000
KEPT_S = 3600
"""How long a process keeps the order."""


class PopularGames:
    """Counts the people who played each game in the last 30 days. Safe for concurrent use by several threads."""

    def __init__(self, rows: RowStore, now_us: Callable[[], int], timer: Callable[[], float] = time.monotonic) -> None:
        """`timer` returns seconds."""
        self._rows, self._now_us, self._timer = rows, now_us, timer
        self._lock = Lock()
        self._counts: Mapping[str, int] = {}
        self._counted_at: float | None = None

    def variants(self) -> list[Variant]:
        """Return every variant, those that equally many people play in the order of the catalogue."""
        counts = self._count()
        return sorted(VARIANTS.values(), key=lambda each: -counts.get(each.name, 0))

    def _count(self) -> Mapping[str, int]:
        with self._lock:
            now = self._timer()
            if self._counted_at is not None and now < self._counted_at + KEPT_S:
                return self._counts
            self._counted_at = now  # also if it fails: a database that hangs is asked once
        try:
            with self._rows.snapshot("lobby") as reading:
                self._counts = people_by_variant(reading, VARIANTS, format_time(self._now_us() - LATELY_US))
        except RowsUnavailable:
            return self._counts  # the order of before
        return self._counts
