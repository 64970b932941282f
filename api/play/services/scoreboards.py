"""Scoreboards that the list of scoreboards can't show, from a fold of their own that follows the log.

The list shows a game as it is now. A game that strangers see late needs a scoreboard as of its head, and so does a game
of which the list doesn't know the last hand yet.
"""

from collections.abc import Mapping
from threading import Lock

from cachetools import LRUCache

from api.play.services.gate import GameAccess, GameGate
from domain.store.group_commit import RoundLock, with_pauses
from projections.lists.scoreboard_pages import GameScores, ScoreboardFold

CACHED_BOARDS = 256


class _Board:
    """The fold of one game."""

    def __init__(self) -> None:
        self.lock, self.fold = RoundLock(), ScoreboardFold()


class LateBoards:
    """Scoreboards of the games of which one was asked for last. Safe for concurrent use by several threads."""

    def __init__(self, gate: GameGate) -> None:
        self._gate = gate
        self._boards: LRUCache[tuple[str, bool], _Board] = LRUCache(CACHED_BOARDS)
        """By game, and by whether strangers see it late: players know more of the same game."""
        self._lock = Lock()

    def board(self, access: GameAccess, names: Mapping[str, str], hand: int | None = None) -> GameScores | None:
        """Return the scoreboard, with all hands or one, of the game as the player may see it; None before it's opened.

        An access that was given earlier may show less than the fold knows by now: then that's folded again.
        """
        with self._lock:
            kept = self._boards.setdefault((access.game, access.head is not None), _Board())
        with kept.lock:
            fold = kept.fold if kept.fold.version <= access.version else ScoreboardFold()
            for entry in with_pauses(self._gate.entries(access, fold.version)):
                fold.add(entry.event)
            return fold.board(names, hand)
