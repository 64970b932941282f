"""Board numbers: the public numbers of games."""

from projections.storage.database import Database

TABLES = (
    "CREATE TABLE IF NOT EXISTS boards (number BIGINT PRIMARY KEY, game TEXT NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, last BIGINT NOT NULL)",
)


class Boards:
    """The table of board numbers. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def next_number(self) -> int:
        """Reserve and return the next board number, from 1. A number that is never bound leaves a gap."""
        rows = self._database.run(
            "INSERT INTO counters VALUES ('boards', 1) ON CONFLICT (name) DO UPDATE SET last = counters.last + 1"
            " RETURNING last"
        )
        return int(rows[0][0])

    def bind(self, number: int, game: str) -> int:
        """Bind a number to a game and return the game's number: an earlier one if the game already has one.

        Raise ValueError if the number belongs to another game.
        """
        self._database.run("INSERT INTO boards VALUES (?, ?) ON CONFLICT DO NOTHING", number, game)
        bound = self.number_of(game)
        if bound is None:
            raise ValueError(f"board {number} belongs to another game")
        return bound

    def number_of(self, game: str) -> int | None:
        """Return a game's board number."""
        rows = self._database.run("SELECT number FROM boards WHERE game = ?", game)
        return int(rows[0][0]) if rows else None

    def game_of(self, number: int) -> str | None:
        """Return the id of the game that a number is bound to. The log may not hold that game yet."""
        rows = self._database.run("SELECT game FROM boards WHERE number = ?", number)
        return str(rows[0][0]) if rows else None
