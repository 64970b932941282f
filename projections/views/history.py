"""The views of a game at every version, folded once for each viewer.

    views = ViewHistory(history.lines)
    views.view(2, 40), views.view(None, 41)

The fold knows at each version only what had been revealed by then, as a seat saw it during the game.
`projections.views.seat.view_at` folds from event 1 with everything that has been revealed since; both give the same
views.
"""

from collections import OrderedDict
from collections.abc import Sequence

from domain.protocols.merkle_log import EMPTY
from projections.views.audience import Viewer
from projections.views.seat import View, ViewFold, VisibleLine, view_json

MAX_SNAPSHOTS = 4096
"""About how many folds are kept for each viewer. In longer games only every second or third version has one."""
MAX_VIEWERS = 12
"""How many viewers are kept: more than a table has seats."""


class ViewHistory:
    """The views of the game whose log is `lines`. Not safe for concurrent use by several threads."""

    def __init__(self, lines: Sequence[VisibleLine]) -> None:
        self._lines = lines
        self._roots: list[str] = []
        self._frontier = EMPTY
        self._by_viewer: OrderedDict[Viewer, _ViewerHistory] = OrderedDict()

    def view(self, viewer: Viewer, version: int) -> View:
        """Return the view after the first `version` events; raise ValueError if there aren't that many."""
        if not 1 <= version <= len(self._lines):
            raise ValueError(f"there are events 1 to {len(self._lines)}, no event {version}")
        return view_json(self._viewer_history(viewer).fold_at(version), self._root(version))

    def _root(self, version: int) -> str:
        for line in self._lines[len(self._roots) : version]:
            self._frontier = self._frontier.append(line.leaf)
            self._roots.append(self._frontier.root().hex())
        return self._roots[version - 1]

    def _viewer_history(self, viewer: Viewer) -> "_ViewerHistory":
        if viewer not in self._by_viewer:
            self._by_viewer[viewer] = _ViewerHistory(self._lines, viewer)
        self._by_viewer.move_to_end(viewer)
        while len(self._by_viewer) > MAX_VIEWERS:
            self._by_viewer.popitem(last=False)
        return self._by_viewer[viewer]


class _ViewerHistory:
    """Snapshots of one viewer's fold, one for each event or for every nth event."""

    def __init__(self, lines: Sequence[VisibleLine], viewer: Viewer) -> None:
        self._lines = lines
        self._step = 1 + len(lines) // MAX_SNAPSHOTS
        self._snapshots = [ViewFold(viewer)]
        self._last = self._snapshots[0]

    def fold_at(self, version: int) -> ViewFold:
        """Return the fold of the first `version` events."""
        fold = self._nearest(version)
        if fold.version == version:
            return fold
        fold = fold.copy()
        for line in self._lines[fold.version : version]:
            fold.add(line.event)
            if fold.version == len(self._snapshots) * self._step:
                self._snapshots.append(fold.copy())
        self._last = fold
        return fold

    def _nearest(self, version: int) -> ViewFold:
        """Return the latest fold at hand that isn't later than `version`."""
        snapshot = self._snapshots[min(version // self._step, len(self._snapshots) - 1)]
        return self._last if snapshot.version < self._last.version <= version else snapshot
