"""The gate: may this player see the game at all, from which seat, and up to which version?

For others, a delayed game ends with the last commit that everybody may see.

A private game doesn't exist for anybody but its players past and present, those invited, and an arbiter who can decide
one of its disputes. A delayed game ends, for everybody who isn't seated, with a commit some facts back. Authority is
read from the newest version of the store.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock

from cachetools import LRUCache

from api.people.stored import roles
from api.people.stored.roles import Roles
from domain.events import GameOpened, Watch
from domain.rejections import NoSuchDispute
from domain.state import Dispute, State
from domain.store import Games, NoSuchGame
from domain.store.aggregate import Corrupt, Entry
from domain.store.group_commit import RoundLock, with_pauses
from domain.struct import replace
from projections.lists.scoreboard_pages import GameScores, ScoreboardFold
from projections.views.audience import Viewer, viewer_of
from projections.views.cache import ViewCache
from projections.views.seat import View, ViewFold

WINDOW = 32
"""How many entries are read at a time to find where a commit ends."""
CACHED_HEADS = 4096
ReadEntries = Callable[[int, int], Sequence[Entry]]
"""Takes `after` and `upto`."""


def is_delayed(state: State) -> bool:
    """Return whether players who aren't seated see the game late: until it ends, if its opening says so."""
    return state.opened is not None and state.opened.watch.delay > 0 and state.result is None


def delayed_head(read: ReadEntries, version: int, delay: int) -> int:
    """Return the version at which the last commit ends that is at least `delay` (1 or more) facts old; 0 without one.

    A commit ends where the time or the command changes.
    """
    last = version - delay
    while last > 0:
        after = max(0, last - WINDOW)
        for entry, following in reversed(list(pairwise(read(after, last + 1)))):
            if _commit_of(entry) != _commit_of(following):
                return entry.event.version
        last = after
    return 0


def _commit_of(entry: Entry) -> tuple[str, str]:
    return entry.event.at, entry.event.command


class DelayedLog:
    """The log of delayed games as it may be seen by players who aren't seated. Safe for use by several threads."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._heads: LRUCache[tuple[str, int], int] = LRUCache(CACHED_HEADS)
        self._lock = Lock()

    def entries(self, game: str, /, after: int = 0, upto: int | None = None) -> list[Entry]:
        """Return the entries above version `after` up to `upto` that everybody may see now."""
        last = self.head(self._games.state(game))
        return self._games.entries(game, after, last if upto is None else min(upto, last))

    def head(self, state: State) -> int:
        """Return the last version of this game that everybody may see."""
        if state.opened is None or not is_delayed(state):
            return state.version
        game, version = state.game, state.version
        with self._lock:
            known = self._heads.get((game, version))
        if known is None:
            known = delayed_head(lambda *run: self._games.entries(game, *run), version, state.opened.watch.delay)
            with self._lock:
                self._heads[game, version] = known
        return known


Invited = Callable[[str, str], bool]
"""Takes a game and a player, and returns whether the player is invited to it."""
OPEN = Watch()
"""Everybody may watch, and at once."""


def nobody_is_invited(_game: str, _player: str) -> bool:
    """Return False: no game has invitations."""
    return False


@dataclass(frozen=True)
class GameAccess:
    """The game for a player (None: without a token): as `viewer`, up to version `head` (None: everything).

    `state` is the game at that version, of a delayed game as spectators know it. Nothing of a game with the head 0 can
    be seen yet. `log_version` is the version of the whole log, which a viewer of a delayed game mustn't learn.
    """

    game: str
    player: str | None
    viewer: Viewer
    head: int | None
    state: State = field(repr=False)
    log_version: int = field(repr=False)

    @property
    def version(self) -> int:
        """The last version that the player may see."""
        return self.state.version


class GameGate:
    """Judges every access to the games. Safe for concurrent use by several threads."""

    def __init__(self, games: Games, views: ViewCache, roles: Roles, invited: Invited = nobody_is_invited) -> None:
        self._games, self._views, self._roles, self._invited = games, views, roles, invited
        self._delayed_log = DelayedLog(games)
        self._delayed_views = ViewCache(self._delayed_log)

    def access(self, game: str, player: str | None) -> GameAccess:
        """Return the player's access to the game. Raise NoSuchGame if it doesn't exist, for all that they may know."""
        state = self._load(game, player)
        viewer, delayed = self.judge(state, player)
        if not delayed:
            return GameAccess(game, player, viewer, None, state, state.version)
        fold = self._delayed_views.fold(game, None)
        return GameAccess(game, player, viewer, fold.version, replace(fold.state, version=fold.version), state.version)

    def judge(self, state: State, player: str | None) -> tuple[Viewer, bool]:
        """Return how the player sees a game, and whether late. Raise NoSuchGame if they may not see it."""
        viewer = viewer_of(state, player)
        watch = OPEN if state.opened is None else state.opened.watch
        if watch == OPEN or _is_seat(viewer):
            return viewer, False
        if viewer is None and self._arbitrates(state, player):
            return None, False
        if viewer is None and not watch.public and not self._is_invited(state.game, player):
            raise NoSuchGame("there is no such game")
        return viewer, is_delayed(state)

    def is_open(self, game: str) -> bool:
        """Return whether everybody may watch the game at once. Raise NoSuchGame if there is no such game.

        The opening says so and never changes, so a cached game isn't loaded again.
        """
        try:
            return self._games.opening(game).watch == OPEN
        except Corrupt:
            return self._first_fact(game).watch == OPEN

    def seat_of(self, game: str, player: str) -> int | None:
        """Return the player's seat; None without one. Raise NoSuchGame if they may not know of the game."""
        try:
            seat = self._games.seat_of(game, player)
        except Corrupt:
            self._hide_unreadable(game, player)
            raise
        if seat is None and not self.is_open(game):
            self.access(game, player)
        return seat

    def require_dispute(self, game: str, player: str, dispute: int) -> None:
        """Raise NoSuchDispute if an arbiter sees the game late, since then no dispute of it waits for them."""
        if self.access(game, player).head is not None:
            raise NoSuchDispute(f"There's no dispute {dispute} in this game.")

    def entries(self, access: GameAccess, after: int = 0, upto: int | None = None) -> list[Entry]:
        """Return the entries above version `after` up to `upto` that the player may see."""
        last = access.version if upto is None else min(upto, access.version)
        return self._games.entries(access.game, after, last)

    def view(self, access: GameAccess, viewer: Viewer, at: int | None = None) -> View:
        """Return the view of `viewer` at version `at`, or now. Raise ValueError beyond what the player may see."""
        if access.head is None:
            return self._views.view(access.game, viewer, at)
        return self._delayed_views.view(access.game, viewer, access.head if at is None else at)

    def fold(self, game: str, seat: int) -> ViewFold:
        """Return a copy of what a seat's view is made from now. The caller holds this seat."""
        return self._views.fold(game, seat)

    def _load(self, game: str, player: str | None) -> State:
        try:
            return self._games.state(game)
        except Corrupt:
            self._hide_unreadable(game, player)
            raise

    def _hide_unreadable(self, game: str, player: str | None) -> None:
        """Raise NoSuchGame for a private game whose log can't be read, unless the player opened or joined it."""
        opened = self._first_fact(game)
        if not opened.watch.public and player not in {each.player for each in opened.players}:
            raise NoSuchGame("there is no such game")

    def _first_fact(self, game: str) -> GameOpened:
        """Return the opening of a game whose log can't be read to its end. Raise Corrupt if it can't be read either."""
        opened = self._games.first_entry(game).event.data
        if not isinstance(opened, GameOpened):
            raise Corrupt(game, 1, "it does not open the game")
        return opened

    def _arbitrates(self, state: State, player: str | None) -> bool:
        """Return whether a dispute of the game waits for the player, as an arbiter."""
        if player is None or not any(_waits_for(each, player) for each in state.disputes):
            return False
        return self._roles.has_any(player, roles.ARBITER)

    def _is_invited(self, game: str, player: str | None) -> bool:
        return player is not None and self._invited(game, player)


def _is_seat(viewer: Viewer) -> bool:
    return isinstance(viewer, int)


def _waits_for(dispute: Dispute, arbiter: str) -> bool:
    """Return whether the dispute waits for a ruling, or for a decision that this arbiter can give."""
    if dispute.ruling is None:
        return not dispute.withdrawn
    return dispute.appealed_by is not None and dispute.decision is None and dispute.ruled_by != arbiter


CACHED_BOARDS = 256


class _Board:
    """The fold of one game's scoreboard."""

    def __init__(self) -> None:
        self.lock, self.fold = RoundLock(), ScoreboardFold()


class LateBoards:
    """Scoreboards that the list of scoreboards can't show, of the games of which one was asked for last.

    The list shows a game as it is now. A game that strangers see late needs a scoreboard as of its head, and so does a
    game of which the list doesn't know the last hand yet. Safe for concurrent use by several threads.
    """

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
