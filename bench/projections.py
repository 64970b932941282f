"""Events folded into rows a second on each database, and what a view costs: `python -m bench.projections`."""

import tempfile
from pathlib import Path
from time import perf_counter

from domain.store import Games
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore
from projections.views.seat import ViewFold, view_at, view_json
from tests import postgres
from tests.projections.playing_stored import Play

GAMES = 40
MOVES = 120


def followed(data: Path, url: str | None) -> None:
    """Play games without followers, then let the followers catch up and rebuild everything."""
    with Games(data, url) as games:
        rows, play = RowStore(data, url, PROJECTIONS), Play(games)
        for number in range(GAMES):
            play.steps(play.open(4, 21, number), MOVES)
        name, followers, last = "PostgreSQL" if url else "SQLite", LogFollower(games, rows), games.last_position()
        start = perf_counter()
        followers.catch_up()
        print(f"{name}: {last / (perf_counter() - start):,.0f} events/s into both projections, {last} events")
        start = perf_counter()
        for projection in PROJECTIONS:
            followers.rebuild(projection.name)
        print(f"{name}: {last / (perf_counter() - start):,.0f} events/s rebuilt one projection after the other")
        rows.close()


def viewed(data: Path) -> None:
    """Fold a long game for one seat and render its views."""
    with Games(data) as games:
        play = Play(games)
        game = play.open(4, 21)
        play.steps(game, 1000)
        entries = games.entries(game)
    start, seen = perf_counter(), ViewFold(1)
    for entry in entries:
        seen.add(entry.event)
    folded = perf_counter()
    for _ in range(1000):
        view_json(seen, "")
    rendered = perf_counter()
    view_at(entries, 1, len(entries))
    refolded = perf_counter()
    print(f"view: {1e6 * (folded - start) / len(entries):.1f} us to fold an event, {len(entries)} of them")
    print(f"view: {1e3 * (rendered - folded):.0f} us to render, {1e3 * (refolded - rendered):.1f} ms from event 1")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for each in ("views", "rows"):
            (Path(folder) / each).mkdir()
        viewed(Path(folder) / "views")
        followed(Path(folder) / "rows", None)
        with postgres.server() as server, server.fresh() as dsn:
            followed(Path(folder), dsn)
