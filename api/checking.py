"""A whole place checked, with no server: its databases, every row of the log, every game, and what was kept of them.

    with open_place(config) as place:
        checked = check(place, plain)

It reads the rows as they are, so that it also sees what no game would ever show: rows of no game, and holes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from api.kept import LISTS, Kept, kept_of
from api.place import Damaged, Place, Stored
from domain.events import GameOpened
from domain.game import Corrupt, Entry, Game
from projections.audience import revealed_by, visible
from replay.audit import CANNOT_TELL, GREEN, WRONG, Report, audit
from replay.findings import Finding
from replay.history import from_entries
from replay.rejudge import rejudge

FORMAT = "trickbook-check/1"
SAYS = {GREEN: "all is in order", WRONG: "something is wrong", CANNOT_TELL: "not everything could be read"}
HIDDEN = "it does not fit what is withheld while its hand is live"
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

    def json(self) -> dict[str, object]:
        """As it stands in a report."""
        return {"by": self.by, "game": self.game, "board": self.board, "version": self.version, "says": self.says}


@dataclass(frozen=True)
class Judged:
    """A game read and judged: where each finding comes from, its size, its root at each size, its board if it says one.

    `waits` says why not all of it was judged.
    """

    found: tuple[tuple[str, Finding], ...]
    roots: tuple[str, ...] = ()
    board: int | None = None
    waits: str | None = None


@dataclass
class Checked:
    """What a check found; `notes` are no faults, and `listing` has board, size and root of each game that was read."""

    store: str
    events: int = 0
    troubles: list[Trouble] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    listing: list[dict[str, Any]] = field(default_factory=list)

    @property
    def code(self) -> int:
        """0 all is in order, 1 something is wrong, 2 some of it is of a newer format."""
        if self.troubles:
            return WRONG
        return CANNOT_TELL if self.waiting else GREEN

    def json(self) -> dict[str, Any]:
        """The report."""
        return {
            "check": FORMAT,
            "store": self.store,
            "events": self.events,
            "games": self.listing,
            "findings": [trouble.json() for trouble in self.troubles],
            "waiting": self.waiting,
            "notes": self.notes,
            "verdict": {"code": self.code, "says": SAYS[self.code], "findings": len(self.troubles)},
        }


def judged(game: str, rows: Sequence[Stored]) -> Judged:
    """The rows of one game, in clear: as the store loads them, then audited and judged by today's rules."""
    folded, entries = Game(game), list[Entry]()
    try:
        entries += folded.reading(rows)
    except Corrupt as error:
        says = str(error).removeprefix(f"event {error.version} of game {game}: ")
        return Judged((("links", Finding(error.version, says)),))
    report = _report(entries, everything=True)
    roots = (*(entry.prev.hex() for entry in entries[1:]), folded.root)
    first = entries[0].event.data
    board = first.board if isinstance(first, GameOpened) else None
    unjudged = report.books.unjudged
    waits = None if unjudged is None else str(unjudged)
    return Judged(tuple(_told(entries, report)), roots, board, waits)


def _report(entries: list[Entry], *, everything: bool) -> Report:
    revealed = revealed_by(entry.event for entry in entries)
    history = from_entries(entries, {}, lambda entry: everything or visible(entry.event, None, revealed))
    return audit(history, rejudge(history))


def _told(entries: list[Entry], report: Report) -> Iterator[tuple[str, Finding]]:
    """What the report found, and by what. What only who sees a live hand could say is said without saying it."""
    if not report.findings:
        return
    shown = set(_report(entries, everything=False).findings)
    parts = {"log": report.log, "rules": report.rejudged.findings if report.rejudged else ()}
    for finding in report.findings:
        by = next((name for name, found in parts.items() if finding in found), "books")
        yield by, finding if finding in shown or not report.unrevealed else Finding(finding.version, HIDDEN)


Judge = Callable[[str, tuple[Stored, ...]], Judged]
Progress = Callable[[int, int], None]
"""Told how many games have been read, and how many there are."""


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
        for done, (spelt, rows) in enumerate(sorted(self.rows.items(), key=repr), 1):
            game = _named(spelt)
            if game is None:
                self.say("rows", f"{rows} rows are of {spelt!r}, which is no game's id")
            else:
                self._game(game, spelt, rows)
            if progress is not None:
                progress(done, len(self.rows))

    def _game(self, game: str, spelt: Any, many: int) -> None:
        try:
            rows = self.place.of(spelt)
        except Damaged as damage:
            self.say("database", f"{damage.where}: {damage}", game=game)
            return
        if len(rows) != many:
            self.say("database", f"its index finds {len(rows)} rows of {many}", game=game)
        made = self._judged(game, rows)
        board = self.boards[game] = made.board
        for by, finding in made.found:
            self.say(by, finding.says, game=game, board=board, version=finding.version)
        if made.waits is not None:
            self.checked.waiting.append(f"game {game}: {made.waits}")
        if made.roots:
            for by, version, says in self.kept.against(game, made.roots):
                self.say(by, says, game=game, board=board, version=version)
            self.checked.listing.append({"game": game, "board": board, "size": len(made.roots), "root": made.roots[-1]})

    def _judged(self, game: str, rows: list[Stored]) -> Judged:
        try:
            return self.judge(game, tuple(self.plain(game, rows)))
        except Corrupt as error:
            says = str(error).removeprefix(f"event {error.version} of game {game}: ")
            return Judged((("links", Finding(error.version, says)),))

    def office(self) -> None:
        """The office's boards and all that was kept, against the games there are."""
        try:
            bound = {str(game): number for number, game in self.place.boards() or ()}
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
