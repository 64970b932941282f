"""Every moment of a game as its viewers saw it: folded once for each viewer, and shown from any event on.

    moments = Moments(history.lines)
    moments.view(2, 40), moments.view(None, 41)

The views are those that were shown while the game went on: a fold that never starts anew, as a seat that follows a game
has it. `seat_view.view_at` folds from event 1 with all that has been revealed since, and shows the same.
"""

from collections import OrderedDict
from collections.abc import Sequence

from domain.protocols.merkle_log import EMPTY
from projections.views.audience import Viewer
from projections.views.seat import LogLine, View, ViewFold, view_json

MAX_SNAPSHOTS = 4096
"""About how many moments of a game are kept for each viewer; of a longer game every other one, or every third."""
MAX_VIEWERS = 12
"""More than any table has seats."""


class ViewHistory:
    """The moments of the game whose log is `lines`, from the first on. Not for several threads at a time."""

    def __init__(self, lines: Sequence[LogLine]) -> None:
        self._lines = lines
        self._roots: list[str] = []
        self._frontier = EMPTY
        self._films: OrderedDict[Viewer, _ViewerHistory] = OrderedDict()

    def view(self, viewer: Viewer, version: int) -> View:
        """The view after the first `version` events; ValueError where there are not so many, else as `view_at`."""
        if not 1 <= version <= len(self._lines):
            raise ValueError(f"there are events 1 to {len(self._lines)}, no event {version}")
        return view_json(self._film(viewer).at(version), self._root(version))

    def _root(self, version: int) -> str:
        for line in self._lines[len(self._roots) : version]:
            self._frontier = self._frontier.append(line.leaf)
            self._roots.append(self._frontier.root().hex())
        return self._roots[version - 1]

    def _film(self, viewer: Viewer) -> "_ViewerHistory":
        if viewer not in self._films:
            self._films[viewer] = _ViewerHistory(self._lines, viewer)
        self._films.move_to_end(viewer)
        while len(self._films) > MAX_VIEWERS:
            self._films.popitem(last=False)
        return self._films[viewer]


class _ViewerHistory:
    """What one viewer has seen after each event, or after every so many of them."""

    def __init__(self, lines: Sequence[LogLine], viewer: Viewer) -> None:
        self._lines = lines
        self._step = 1 + len(lines) // MAX_SNAPSHOTS
        self._kept = [ViewFold(viewer)]
        self._last = self._kept[0]

    def at(self, version: int) -> ViewFold:
        """The fold of the first `version` events."""
        seen = self._nearest(version)
        if seen.version == version:
            return seen
        seen = seen.copy()
        for line in self._lines[seen.version : version]:
            seen.add(line.event)
            if seen.version == len(self._kept) * self._step:
                self._kept.append(seen.copy())
        self._last = seen
        return seen

    def _nearest(self, version: int) -> ViewFold:
        """The last of those at hand that is not later."""
        kept = self._kept[min(version // self._step, len(self._kept) - 1)]
        return self._last if kept.version < self._last.version <= version else kept
