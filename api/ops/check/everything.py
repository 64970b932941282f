"""A whole place checked, with no server: its databases, every row of the log, every game, and what was kept of them.

    with open_place(config) as place:
        checked = check(place, plain)

It reads the rows as they are, so that it also sees what no game would ever show: rows of no game, and holes.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from api.config import Config
from api.ops.check.game import Judged, broken, judged
from api.ops.check.raw_postgres import server_at
from api.ops.check.raw_sqlite import files_at
from api.ops.check.raw_store import OFFICE, Damaged, Place, Stored
from api.ops.check.side_records import LISTS, RECEIPTS, Kept, Receipt, kept_of
from domain.protocols.signed_notes import Key
from domain.store.aggregate import Corrupt
from replay.audit import GREEN, WRONG
from replay.history.findings import Finding

FORMAT = "trickbook-check/1"
SAYS = {GREEN: "all is in order", WRONG: "something is wrong"}
Plain = Callable[[str, Iterable[Stored]], Iterable[Stored]]
"""A game's rows with their states in clear; raises Corrupt."""


@dataclass(frozen=True)
class Trouble:
    """One thing that is wrong: by what it was noticed, in which game (None: in none), at which event."""

    by: str
    says: str
    game: str | None = None
    board: int | None = None
    version: int | None = None

    def __str__(self) -> str:
        board = "" if self.board is None else f" (board {self.board})"
        game = f"{self.by}: " if self.game is None else f"game {self.game}{board}: "
        return game + str(Finding(self.version, self.says))

    def to_json(self) -> dict[str, object]:
        """As it stands in a report."""
        return {"by": self.by, "game": self.game, "board": self.board, "version": self.version, "says": self.says}


@dataclass
class Checked:
    """What a check found; `notes` are no faults, and `listing` has board, size and root of each game that was read."""

    store: str
    events: int = 0
    troubles: list[Trouble] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    listing: list[dict[str, Any]] = field(default_factory=list)

    @property
    def code(self) -> int:
        """0 all is in order, 1 something is wrong."""
        return WRONG if self.troubles else GREEN

    def to_json(self) -> dict[str, Any]:
        """The report."""
        return {
            "check": FORMAT,
            "store": self.store,
            "events": self.events,
            "games": self.listing,
            "findings": [trouble.to_json() for trouble in self.troubles],
            "notes": self.notes,
            "verdict": {"code": self.code, "says": SAYS[self.code], "findings": len(self.troubles)},
        }


def open_place(config: Config) -> AbstractContextManager[Place]:
    """The databases the configuration names. FileNotFoundError where no game was ever kept."""
    return files_at(config.data) if config.database_url is None else server_at(config.database_url)


Judge = Callable[[str, tuple[Stored, ...], tuple[Receipt, ...], tuple[Key, ...]], Judged]
Progress = Callable[[int], Callable[[int], None]]
"""Told how many games there are; what it answers is told how many have been read."""


def check(place: Place, plain: Plain, judge: Judge = judged, progress: Progress | None = None) -> Checked:
    """Check everything in `place`; `judge` is what one game is put to."""
    checker = _Checker(Checked(place.store), place, plain, judge, kept_of(place))
    checker.databases()
    checker.games(progress)
    checker.office()
    return checker.checked


@dataclass
class _Checker:
    checked: Checked
    place: Place
    plain: Plain
    judge: Judge
    kept: Kept
    rows: dict[Any, int] = field(default_factory=dict)
    boards: dict[str, int | None] = field(default_factory=dict)

    def say(self, by: str, says: str, **where: Any) -> None:
        self.checked.troubles.append(Trouble(by, says, **where))

    def databases(self) -> None:
        """The databases themselves, and the order of all rows."""
        for where, says in (*self.kept.damaged, *self.place.faults()):
            self.say("database", f"{where}: {says}")
        for says in self.kept.forged:
            self.say(RECEIPTS, says)
        try:
            self._order()
        except Damaged as damage:
            self.say("database", f"{damage.where}: {damage}")

    def _order(self) -> None:
        before, last = 0, dict[Any, Any]()
        for position, spelt, version in self.place.order():
            if not isinstance(position, int) or position <= before:
                self.say("order", f"position {position!r} comes after {before}")
            elif self.place.gapless and position != before + 1:
                self.say("order", f"rows are gone between positions {before} and {position}")
            before = position if isinstance(position, int) else before
            self._row(spelt, version, last.get(spelt, 0), position)
            last[spelt] = version
        if self.kept.tail > before:
            says = f"the lists have followed the log to position {self.kept.tail}, and it ends at {before}"
            self.say(LISTS, says)

    def _row(self, spelt: Any, version: Any, after: Any, position: Any) -> None:
        self.checked.events += 1
        self.rows[spelt] = self.rows.get(spelt, 0) + 1
        game = _named(spelt)
        if game is not None and not (isinstance(version, int) and isinstance(after, int) and version == after + 1):
            says = f"at position {position} it stands after event {after}"
            self.say("order", says, game=game, version=version if isinstance(version, int) else None)

    def games(self, progress: Progress | None) -> None:
        """Each game that a row names."""
        told = None if progress is None else progress(len(self.rows))
        for done, (spelt, rows) in enumerate(sorted(self.rows.items(), key=repr), 1):
            game = _named(spelt)
            if game is None:
                self.say("rows", f"{rows} rows are of {spelt!r}, which is no game's id")
            else:
                self._game(game, spelt, rows)
            if told is not None:
                told(done)

    def _game(self, game: str, spelt: Any, many: int) -> None:
        try:
            rows = self.place.of(spelt)
        except Damaged as damage:
            self.say("database", f"{damage.where}: {damage}", game=game)
            return
        if len(rows) != many:
            self.say("database", f"its index finds {len(rows)} rows of {many}", game=game)
        if not rows:
            return
        made = self._judged(game, rows)
        board = self.boards[game] = made.board
        for by, finding in made.found:
            self.say(by, finding.says, game=game, board=board, version=finding.version)
        if made.size:
            if (followed := self.kept.lobby.get(game, 0)) > made.size:
                says = f"it is gone: the lobby has followed this game to event {followed}"
                self.say(LISTS, says, game=game, board=board, version=made.size + 1)
            self._list(game, made)

    def _list(self, game: str, made: Judged) -> None:
        sealed = max((size for size, _, _ in self.kept.of(game)), default=None)
        listed = {"game": game, "board": made.board, "size": made.size, "root": made.root, "receipt": sealed}
        self.checked.listing.append(listed)
        if made.ended is not None and (sealed or 0) < made.ended:
            self.checked.notes.append(f"game {game} is over, and no receipt of its end is kept")

    def _judged(self, game: str, rows: list[Stored]) -> Judged:
        try:
            return self.judge(game, tuple(self.plain(game, rows)), self.kept.of(game), tuple(self.kept.keys))
        except Corrupt as error:
            return broken(error)

    def office(self) -> None:
        """The office's boards and all that was kept, against the games there are."""
        try:
            bound = {str(game): number for number, game in self.place.boards() or ()}
            journal = self.place.select(OFFICE, "journal", ("number", "at", "what")) or ()
            self.checked.notes += [f"the journal says: {what} at {at}" for _, at, what in journal]
        except Damaged as damage:
            self.say("database", f"{damage.where}: {damage}")
            return
        for game, board in self.boards.items():
            if board is not None and game not in bound:
                self.say("office", "the office has no board for it", game=game, board=board)
            elif board is not None and bound[game] != board:
                says = f"the office has it as board {bound[game]}, and it was opened as board {board}"
                self.say("office", says, game=game, board=board, version=1)
        for game, number in bound.items():
            if game not in self.boards and game not in self.kept.games:
                self.checked.notes.append(f"board {number} was given to game {game}, which has no event")
        for game in sorted(self.kept.games.keys() - self.boards.keys()):
            self.say(self.kept.games[game], "there was such a game, and none of its events is here", game=game)


def _named(spelt: Any) -> str | None:
    """The game's id, of what stands in the column; None where it is none."""
    if isinstance(spelt, UUID):
        return str(spelt)
    try:
        uuid = UUID(spelt)
    except (ValueError, AttributeError, TypeError):
        return None
    return str(uuid) if uuid.hex == spelt else None
