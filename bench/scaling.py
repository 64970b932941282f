"""The tables of docs/scaling.md, computed from a few measured figures: `python -m bench.scaling` writes them.

Change a figure here after a new measurement in bench/results.md, and run the command. A test compares the page.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "scaling.md"
BEGIN, END = "<!-- python -m bench.scaling writes from here -->", "<!-- to here -->"
DAY_S = 24 * 3600

HEADROOM = 0.5
"""The share of the measured rate to plan with, so that answers stay fast."""
PEAK = 3
"""How many times as many moves the busiest hour has as the mean hour."""
THINK_S = 4
"""Seconds between two moves at a table whose players are all there."""
PLAYERS_OF_A_GAME = 4


@dataclass(frozen=True)
class Store:
    """The figures of one store, on two cores that the load client shared (bench/results.md)."""

    name: str
    moves_per_s: float
    """python -m bench.server.http, 16 clients"""
    bytes_of_fact: float
    """on disk with its index, whole games, each variant played equally often"""
    rebuilt_per_s: float
    """events into all lists, one list after the other, python -m bench.storage.projections"""


@dataclass(frozen=True)
class Game:
    """Whole games of a variant with random moves (python -m bench.rules.games, without pauses)."""

    name: str
    moves: float
    facts: float
    checked_per_s: float
    """events that verify checks with one process, python -m bench.rules.replay"""


STORES = (
    Store("SQLite", moves_per_s=1167, bytes_of_fact=497, rebuilt_per_s=28_700),
    Store("PostgreSQL", moves_per_s=1227, bytes_of_fact=521, rebuilt_per_s=21_900),
)
GAMES = (
    Game("gamerz Pitch", moves=388, facts=687, checked_per_s=29_903),
    Game("Setback", moves=184, facts=308, checked_per_s=30_824),
    Game("Blackout", moves=412, facts=654, checked_per_s=32_498),
    Game("Corellian Pitch", moves=232, facts=534, checked_per_s=14_145),
)
SERVER_MB = 295
"""all processes of the server, python -m bench.server.http"""
CACHED_GAMES, CACHED_GAME_KB = 1000, 269
"""of 1,000 facts each, python -m bench.storage.store"""
STREAM_KB = 40
"""python -m bench.server.streams"""
LIST_BYTES_OF_GAME = 2000
"""the rows of all lists, python -m bench.storage.big_store"""


def moves_of_game() -> float:
    """Return the moves of a game, each variant played equally often."""
    return sum(game.moves for game in GAMES) / len(GAMES)


def facts_of_game() -> float:
    """Return the facts of a game, each variant played equally often."""
    return sum(game.facts for game in GAMES) / len(GAMES)


def checked_per_s() -> float:
    """Return the facts that `trickbook store check` reads in a second, each variant played equally often."""
    return sum(game.facts for game in GAMES) / sum(game.facts / game.checked_per_s for game in GAMES)


def moves_a_day(store: Store) -> float:
    """Return the moves of a day whose busiest hour leaves the headroom."""
    return store.moves_per_s * HEADROOM / PEAK * DAY_S


def facts_a_year(store: Store) -> float:
    """Return the facts of a year of such days."""
    return moves_a_day(store) / moves_of_game() * facts_of_game() * 365


def bytes_a_year(store: Store) -> float:
    """Return the bytes that log and lists grow by in a year of such days."""
    games = moves_a_day(store) / moves_of_game() * 365
    return facts_a_year(store) * store.bytes_of_fact + games * LIST_BYTES_OF_GAME


def rough(figure: float) -> str:
    """Write a figure with two digits that count."""
    if figure < 10:
        return f"{figure:.1f}" if figure >= 0.1 else "< 0.1"
    return f"{round(figure, 2 - len(str(int(figure)))):,.0f}"


def table(head: list[str], rows: list[list[str]]) -> Iterator[str]:
    """Yield the lines of a table whose first column is text."""
    yield f"| {' | '.join(head)} |"
    yield "|---|" + "---:|" * (len(head) - 1)
    yield from (f"| {' | '.join(row)} |" for row in rows)


def capacity() -> Iterator[str]:
    """Yield the table of what one machine holds."""
    rows: dict[str, Callable[[Store], float]] = {
        "moves a second, measured": lambda store: store.moves_per_s,
        f"moves a second to plan with ({HEADROOM:.0%})": lambda store: store.moves_per_s * HEADROOM,
        f"tables at once, a move every {THINK_S} s": lambda store: store.moves_per_s * HEADROOM * THINK_S,
        "players at once at them": lambda store: store.moves_per_s * HEADROOM * THINK_S * PLAYERS_OF_A_GAME,
        f"moves a day, the busiest hour {PEAK} times the mean": moves_a_day,
        "games a day": lambda store: moves_a_day(store) / moves_of_game(),
        "players with a game every day": lambda store: moves_a_day(store) / moves_of_game() * PLAYERS_OF_A_GAME,
        "GB a year of log and lists": lambda store: bytes_a_year(store) / 1e9,
        "facts a year, millions": lambda store: facts_a_year(store) / 1e6,
    }
    head = ["", *(store.name for store in STORES)]
    yield from table(head, [[name, *(rough(figure(store)) for store in STORES)] for name, figure in rows.items()])


def small_host() -> Iterator[str]:
    """Yield the table of a club: what some numbers of players need in a year, each with a game every day."""
    store, rows = STORES[0], list[list[str]]()
    for players in (10, 100, 1000, 10_000):
        games = players / PLAYERS_OF_A_GAME
        busiest = games * moves_of_game() * PEAK / DAY_S
        facts = games * facts_of_game() * 365
        size = facts * store.bytes_of_fact + games * 365 * LIST_BYTES_OF_GAME
        check_h, rebuild_h = facts / checked_per_s() / 3600, facts / store.rebuilt_per_s / 3600
        figures = (games, busiest, size / 1e9, facts / 1e6, check_h, rebuild_h)
        rows.append([f"{players:,}", *map(rough, figures)])
    head = ["players", "games a day", "moves/s, busiest hour", "GB a year", "million facts a year"]
    yield from table([*head, "hours to check a year", "hours to rebuild the lists"], rows)


def memory() -> Iterator[str]:
    rows = [
        ["the server's processes, idle", f"{SERVER_MB}"],
        [f"{CACHED_GAMES:,} cached games of 1,000 facts", rough(CACHED_GAMES * CACHED_GAME_KB / 1024)],
        ["100 streams", rough(100 * STREAM_KB / 1024)],
        ["2,000 streams, as many as a server accepts", rough(2000 * STREAM_KB / 1024)],
    ]
    yield from table(["", "MB"], rows)


def page() -> str:
    """Return the page with new tables."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    parts = ["\n".join(part) for part in (capacity(), small_host(), memory())]
    titles = ("At full speed", "What a club needs, on SQLite", "Memory of one server")
    shown = "\n\n".join(f"### {title}\n\n{part}" for title, part in zip(titles, parts, strict=True))
    return f"{before}{BEGIN}\n\n{shown}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
