"""Games in a real store, played by random bots from their own views."""

import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any
from uuid import UUID

from domain.commands import Command, OpenGame, Resign
from domain.decide.stand_in import stand_in_move
from domain.events import Player, Timing, Watch
from domain.store import Games
from projections.bots import choose
from projections.followers import PROJECTIONS, LogFollower
from projections.moves.json_moves import parse_move
from projections.storage.rows import RowStore
from projections.storage.tables import MemoryRows, Projection, Row, TableColumns
from projections.views.cache import ViewCache
from tests.conftest import Database
from tests.games.tables import entropy
from tests.games.whole_games import Clock
from tests.logs.reading import all_notices
from tests.step_limit import check_steps

USUAL, ANYBODY = Timing(), Watch()


class Play:
    """Plays games in one store; `seed` decides every game and every move."""

    def __init__(self, games: Games, seed: int = 1) -> None:
        self.games, self.rng = games, random.Random(seed)
        self.views = ViewCache(games)
        self._asked = 0

    def open(
        self,
        players: int = 3,
        win: int = 7,
        board: int = 1,
        variant: str = "pitch",
        options: Mapping[str, Any] | None = None,
        timing: Timing = USUAL,
        watch: Watch = ANYBODY,
    ) -> str:
        """Open a new game of p0, p1 ...: Pitch to `win` unless options are given."""
        game = str(UUID(bytes=self.rng.randbytes(16), version=4))
        seated = tuple(Player(f"p{seat}", "human") for seat in range(players))
        chosen = {"win": win} if variant == "pitch" and options is None else dict(options or {})
        opening = OpenGame(game, board, variant, chosen, seated, timing, watch=watch)
        self.games.open(opening, by="p0", command_id=self._id())
        return game

    def step(self, game: str) -> bool:
        """Make one move; return False if the game is over."""
        state = self.games.state(game)
        if state.result is not None:
            return False
        seat = state.turn[0]
        if state.seats[seat].state != "in":
            self.act(game, stand_in_move(state, seat), "server")
            return True
        self.act(game, parse_move(self.choice(game, seat), seat), state.seats[seat].player)
        return True

    def choice(self, game: str, seat: int) -> dict[str, Any]:
        """Return the move of a random bot."""
        return choose("random", self.views.view(game, seat), self.games.state(game).rules, self.rng.randrange)

    def steps(self, game: str, number: int) -> None:
        """Make that many moves, or fewer if the game ends."""
        for _ in range(number):
            if not self.step(game):
                return

    def resign(self, game: str, seat: int) -> None:
        """Let a seat leave."""
        self.act(game, Resign(seat), self.games.state(game).seats[seat].player)

    def act(self, game: str, command: Command, by: str) -> int | None:
        """Execute a command with a new id; return the position after it."""
        return self.games.act(game, command, by=by, command_id=self._id()).position.number

    def _id(self) -> str:
        check_steps(self._asked)
        self._asked += 1
        return f"{self.rng.randbytes(8).hex()}-{self._asked}"


@contextmanager
def opened(
    database: Database, seed: int = 1, clock: Clock | None = None, page: int = 10
) -> Iterator[tuple[Games, RowStore, LogFollower]]:
    """Open a store; `seed` decides its decks and salts."""
    with (
        Games(database.data, database.url, entropy=entropy(seed), clock=clock or Clock()) as games,
        closing(RowStore(database.data, database.url, PROJECTIONS)) as rows,
    ):
        yield games, rows, LogFollower(games, rows, page=page)


def all_rows(store: RowStore, projection: Projection) -> dict[str, list[Row]]:
    """Return every live row of every table, also of totals, in the order of the keys."""
    with store.snapshot(projection.name) as reading:
        return {table.name: _sorted(table.key_columns, reading.find(table.name, "")) for table in projection.tables}


def rows_of(store: RowStore, projection: Projection) -> dict[str, list[Row]]:
    """Return every live row of every table, in the order of the keys, without their numbers."""
    with store.snapshot(projection.name) as reading:
        return {
            table.name: _sorted(table.key_columns, [row | _no_number(table) for row in reading.find(table.name, "")])
            for table in _folded_tables(projection)
        }


def refolded(games: Games, projection: Projection) -> dict[str, list[Row]]:
    """Return the same rows, folded in memory from the first event."""
    rows = MemoryRows(projection)
    for notice in all_notices(games):
        projection.fold(rows, notice.event)
    return {table.name: rows.all(table.name) for table in _folded_tables(projection)}


def _folded_tables(projection: Projection) -> list[TableColumns]:
    """Return the tables that a fold writes, without those that numbering needs, of totals, and derived."""
    made = {table.numbering.heads for table in projection.tables if table.numbering is not None}
    made |= {totals.table for table in projection.tables for totals in table.totals}
    made |= {name for table in projection.tables if table.derivation for name in table.derivation.tables}
    return [table for table in projection.tables if table.name not in made]


def _no_number(table: TableColumns) -> Row:
    return {} if table.numbering is None else {table.numbering.column: None}


def _sorted(key: Iterable[str], rows: list[Row]) -> list[Row]:
    def place(row: Row) -> tuple[Any, ...]:
        return tuple(row[column] for column in key)

    return sorted(rows, key=place)
