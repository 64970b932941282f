"""Moving finished games into the archive, while games are played. Interrupt and repeat it at any time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from domain.protocols.merkle_log import EMPTY, leaf
from domain.store.aggregate import PREV_SIZE, Corrupt
from domain.store.archive.table import GameVersions
from domain.store.games import Games
from domain.store.recorder import RawEvent
from domain.store.repository import translate_errors

ROWS_A_MOVE = 2000
"""How many rows are deleted in one transaction at most, unless one game has more: commits wait meanwhile."""
GAMES_A_PAGE = 200
"""The most openings that one query reads."""

SetProgress = Callable[[int], None]


class ArchiveDiffers(Exception):
    """The archive holds other rows of a game than the log. Nothing was deleted."""

    def __init__(self, game: UUID) -> None:
        super().__init__(
            f"The archive holds other rows of game {game} than the log, so nothing of it was deleted. Run `trickbook"
            " check`, and restore a backup if the archive is damaged."
        )


@dataclass
class ArchiveReport:
    """What a run moved, how many games stay in the log, and the ids of games that can't be read and stay too."""

    games: int = 0
    events: int = 0
    staying: int = 0
    unreadable: list[str] = field(default_factory=list)


def archive_games(games: Games, before: str, set_progress: SetProgress = lambda _: None) -> ArchiveReport:
    """Move all events but the last of each game that is over, and has had no event since `before` (UTC, six decimals).

    Report how much of the log was read so far, up to the sum of its last numbers. Raise ArchiveDiffers at a game whose
    archived rows aren't those of the log.
    """
    report, passed = ArchiveReport(), 0
    for number, last in enumerate(games.log.last_numbers()):
        move = _Move(games, number, report)
        with translate_errors():
            move.archive.create()
        for page in _pages(move.finished(before, passed, set_progress)):
            move.run(page)
        passed += last
        set_progress(passed)
    return report


def _pages(moves: Iterable[tuple[UUID, int]]) -> Iterator[GameVersions]:
    """Yield the games in groups of about `ROWS_A_MOVE` rows."""
    page, rows = list[tuple[UUID, int]](), 0
    for game, version in moves:
        if page and rows + version > ROWS_A_MOVE:
            yield page
            page, rows = [], 0
        page.append((game, version))
        rows += version
    if page:
        yield page


class _Move:
    """Moves games of one shard, and adds to the report what became of them."""

    def __init__(self, games: Games, number: int, report: ArchiveReport) -> None:
        self._games, self._report = games, report
        self._log, self._mapper = games.log.recorder(number), games.log.mapper
        self.archive = games.log.rows[number].archive

    def finished(self, before: str, passed: int, set_progress: SetProgress) -> Iterator[tuple[UUID, int]]:
        """Yield the games to move, with their last versions; every link of each has been checked.

        Report the position in the log, added to the `passed` events of other shards.
        """
        for position, game in self._games_in_log():
            set_progress(passed + position)
            try:
                state = self._games.state(str(game))
            except Corrupt:
                self._report.unreadable.append(str(game))
                continue
            if state.result is not None and state.at < before:
                yield game, state.version
            else:
                self._report.staying += 1

    def _games_in_log(self) -> Iterator[tuple[int, UUID]]:
        """Yield position and game of each first event in the log: these games aren't archived."""
        after = 0
        while True:
            with translate_errors():
                last = self._log.max_notification_id() or 0
                opened = self._log.openings(after, last, GAMES_A_PAGE)
            if not opened:
                return
            yield from opened
            after = opened[-1][0]

    def run(self, moves: GameVersions) -> None:
        """Copy the games, compare the copies with the log, and delete the rows."""
        with translate_errors():
            self.archive.copy(moves)
            for game, version in moves:
                if not self._is_complete(game, version):
                    raise ArchiveDiffers(game)
            self.archive.delete(moves)
        self._report.games += len(moves)
        self._report.events += sum(version - 1 for _, version in moves)

    def _is_complete(self, game: UUID, version: int) -> bool:
        """Return whether the archive holds the events below `version`: their root is that event's link in the log."""
        reader = self.archive.reader()
        if reader is None:
            return False
        frontier = EMPTY
        for stored in self._states(game, reader.raw_events(game, 0, version - 1)):
            frontier = frontier.append(leaf(stored[PREV_SIZE:]))
        last = [stored[:PREV_SIZE] for stored in self._states(game, self._log.raw_events(game, version - 1, version))]
        return frontier.size == version - 1 and last == [frontier.root()]

    def _states(self, game: UUID, rows: list[RawEvent]) -> list[bytes]:
        return [state for _, _, state in self._mapper.decrypt_rows(str(game), rows)]
