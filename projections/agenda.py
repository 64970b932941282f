"""The agenda: what falls due when, for the clock that has to bring it about (C6, R-C42)."""

from typing import Any

from domain.events import Event, GameEnded, GameOpened
from projections.rows import Reading
from projections.tables import Projection, Rows, Table


def fold(rows: Rows, event: Event[Any]) -> None:
    """Note when a game is to end, and that it has."""
    fact = event.data
    if isinstance(fact, GameOpened) and fact.timing.ends_at is not None:
        rows.put("games", {"game": event.game, "ends_at": fact.timing.ends_at, "done": 0})
    elif isinstance(fact, GameEnded):
        row = rows.get("games", event.game)
        if row is not None:
            rows.put("games", row | {"done": 1})


AGENDA = Projection(
    name="agenda",
    version=1,
    tables=(
        Table(
            "games",
            {"game": "text", "ends_at": "text", "done": "number"},
            indexes=(("done", "ends_at", "game"),),
        ),
    ),
    fold=fold,
)


def due(reading: Reading, now: str, limit: int = 64) -> list[str]:
    """The games whose time was up at `now` (UTC, six decimals) and that have not ended, the longest overdue first.

    A game that plays its last hand out stays due until the hand is scored.
    """
    tail = f"WHERE done = 0 AND ends_at <= ? ORDER BY ends_at, game LIMIT {max(0, limit)}"
    return [row["game"] for row in reading.find("games", tail, now)]
