"""The costs of the lists at 10^2 to 10^6 games, on both databases: `python -m bench.storage.lists [GAMES ...]`.

The rows are inserted directly. One game in a thousand waits for the autoplayer, one in ten thousand has a bot that may
act outside its turn, one in a hundred is overdue, and 99 in a hundred are finished. PostgreSQL does what its
autovacuum would do.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from domain.store.sql.breaker import Timeouts
from projections.followers import PROJECTIONS
from projections.lists.deadlines import DEADLINES, due_games
from projections.lists.lobby_pages import HOST, LobbyFilter, games_with_choices, idle_games, lobby_page
from projections.storage.rows import RowSnapshot, RowStore
from projections.storage.tables import Row, table_names
from tests import postgres

SIZES = (100, 10_000, 1_000_000)
BATCH = 20_000
RUNS = 21
FILL_S = 600
"""Seconds for a statement that fills a table or gathers its statistics."""
NOW = "2026-06-01T00:00:00.000000Z"
RECENT = "2026-05-31T23:59:00.000000Z"

READS: dict[str, tuple[str, Callable[[RowSnapshot], object]]] = {
    "games idle for the autoplayer": ("lobby", lambda rows: idle_games(rows, NOW, 1000)),
    "games with choices of bots": ("lobby", lambda rows: games_with_choices(rows, "", NOW, 100)),
    "overdue games": (DEADLINES.name, lambda rows: due_games(rows, NOW, 100)),
    "GET /games": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(), 50)),
    "GET /games?limit=500": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(), 500)),
    "GET /games?status=active": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(status="active"), 50)),
    "GET /games?variant=setback&status=active": (
        "lobby",
        lambda rows: lobby_page(rows, LobbyFilter(variant="setback", status="active"), 50),
    ),
    "GET /games?player=": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(players=("p_7",)), 50)),
    "GET /games?waiting=": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(waiting="p_7"), 50)),
    "GET /games?since=": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(since=RECENT), 50)),
    "that, by a host": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(since=RECENT), 50, reader=HOST)),
}


def game_id(number: int) -> str:
    """Return an id that spreads over the index as random ones do."""
    return f"{(number * 2654435761) % 2**32:08x}-0000-4000-8000-{number:012x}"


def lobby_game(number: int, games: int) -> Row:
    """Return a row of the lobby; the last hundredth of the games is active."""
    active, at = number * 100 >= games * 99, f"2026-05-{1 + number * 30 // games:02d}T{number % 86400:012.6f}Z"
    idle = active and number % 10 == 0
    updated = RECENT if number % 1000 == 0 and games - number < 20_000 else at
    return {
        "id": game_id(number), "board": number, "variant": ("pitch", "setback", "blackout", "corellian")[number % 4],
        "cuts": "none", "status": "active" if active else "finished", "turn": [0], "version": 300, "created": at,
        "updated": updated, "seen": updated, "public": 1, "delay": 0, "result": None, "calls": 0, "partner_due": 0,
        "delay_open": 0, "unrated": None, "people_waiting": 1, "bots": 1,
        "idle_since": at if idle else None, "bots_act_at": at if active and number % 100 == 0 else None,
    }  # fmt: skip


def lobby_seats(number: int, games: int) -> Iterator[Row]:
    """Yield the seats of a game: two people among a hundred thousand, and a bot."""
    for seat in range(3):
        player = f"p_{(number + seat) % 100_000}" if seat < 2 else "bot:simple:2"
        kind = "human" if seat < 2 else "bot"
        yield {
            "game": game_id(number), "seat": seat, "player": player, "kind": kind, "bot": None, "state": "in",
            "waiting": int(seat == 0), "barred": 0, "running": int(number * 100 >= games * 99), "seen_player": player,
            "restricted": 0, "created": lobby_game(number, games)["created"],
        }  # fmt: skip


def deadlines_of(number: int) -> Row:
    """Return a row of the deadlines; one game in a hundred is overdue, the others are over."""
    due = "2026-05-01T00:00:00.000000Z" if number % 100 == 0 else None
    empty = dict.fromkeys(("ends_at", "reminds_at", "forfeits_at", "cuts_at", "nag_days", "forfeit_days", "window_s"))
    rest: Row = {"people": [0], "turn": [0], "awaited": [0], "since": None, "reminded": 0}
    return {"game": game_id(number), "due": due} | empty | rest


def fill(rows: RowStore, games: int) -> None:
    """Insert the rows of that many games."""
    for first in range(0, games, BATCH):
        numbers = range(first, min(first + BATCH, games))
        insert(rows, "lobby", "games", [lobby_game(number, games) for number in numbers])
        insert(rows, "lobby", "seats", [seat for number in numbers for seat in lobby_seats(number, games)])
        insert(rows, DEADLINES.name, "games", [deadlines_of(number) for number in numbers])


def insert(store: RowStore, projection: str, table: str, rows: list[Row]) -> None:
    """Insert rows into a live table."""
    live, made = store.live_generation(projection), store.projections[projection]
    columns = made.table(table)
    values = [columns.codec.to_values({**dict.fromkeys(columns.columns), **row}) for row in rows]
    with store._transaction(writes=True) as transaction:
        transaction.upsert(table_names(made, live)[table], columns.columns, columns.key, values)


def measure(rows: RowStore) -> dict[str, float]:
    """Return the median of each read in milliseconds."""
    taken = dict[str, float]()
    for name, (projection, read) in READS.items():
        times = list[float]()
        for _ in range(RUNS):
            with rows.snapshot(projection) as reading:
                start = perf_counter()
                read(reading)
                times.append(perf_counter() - start)
        taken[name] = 1e3 * median(times)
    return taken


def measured(data: Path, url: str | None, games: int) -> dict[str, float]:
    """Fill a new store, and measure it and close it."""
    rows = RowStore(data, url, PROJECTIONS, timeouts=Timeouts(statement_s=FILL_S))
    try:
        fill(rows, games)
        if url is not None:
            rows._database._database.run("VACUUM ANALYZE")
        return measure(rows)
    finally:
        rows.close()


def main() -> None:
    """Print a table for each database."""
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    with tempfile.TemporaryDirectory() as folder, postgres.server() as server:
        for name in ("SQLite", "PostgreSQL"):
            columns = []
            for games in sizes:
                data = Path(folder) / f"{name}-{games}"
                data.mkdir()
                with server.fresh() as url:
                    columns.append(measured(data, url if name == "PostgreSQL" else None, games))
            print(f"| {name}, ms with this many games | {' | '.join(f'{games:,}' for games in sizes)} |")
            print("|---|" + "---:|" * len(sizes))
            for read in READS:
                print(f"| {read} | {' | '.join(f'{column[read]:.2f}' for column in columns)} |", flush=True)
            print()


if __name__ == "__main__":
    main()
