"""The reads of every list use an index, so that their cost doesn't grow with the number of games."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from projections.followers import LogFollower
from projections.lists.arbiter_queue import like_rulings, waiting_disputes
from projections.lists.cursors import make_cursor
from projections.lists.deadlines import due_games
from projections.lists.lobby_pages import (
    HOST,
    LobbyFilter,
    LobbyReader,
    games_with_choices,
    idle_games,
    lobby_page,
)
from projections.lists.standings_pages import head_to_head, history_page, player_figures, standings_page
from projections.ratings.ratings_pages import player_ratings, rating_changes, rating_history, ratings_page
from projections.storage.rows import RowSnapshot, RowStore
from tests.conftest import Database
from tests.plugins.rings import STORES
from tests.projections.playing_stored import Play

NOW, GAME = "2026-06-01T00:00:00.000000Z", "0f8fad5b-d9cb-469f-a165-70867728950e"
CURSOR = make_cursor(NOW, GAME)
LINE = make_cursor(50, 7, 90, "p_7")
AFTER_LINE = make_cursor(50, 1, 1_600_000_000, "p_7")
AFTER_GAME = make_cursor(NOW, GAME, "pitch/all")
AFTER_CHANGE = make_cursor(NOW, GAME, 7, "p_7")
Read = Callable[[RowSnapshot], object]
READS: dict[str, list[tuple[str, Read, str]]] = {
    "lobby": [
        ("idle", lambda rows: idle_games(rows, NOW, 1000), "games_5"),
        ("choices", lambda rows: games_with_choices(rows, "", NOW, 100), "games_6"),
        ("newest", lambda rows: lobby_page(rows, LobbyFilter(), 500), "games_0"),
        ("next page", lambda rows: lobby_page(rows, LobbyFilter(), 500, CURSOR), "games_0"),
        ("active", lambda rows: lobby_page(rows, LobbyFilter(status="active"), 500), "games_1"),
        ("variant", lambda rows: lobby_page(rows, LobbyFilter(variant="pitch"), 500), "games_2"),
        ("both", lambda rows: lobby_page(rows, LobbyFilter("pitch", status="active"), 500), "games_3"),
        ("since", lambda rows: lobby_page(rows, LobbyFilter(since=NOW), 500), "games_4"),
        ("since, for the host", lambda rows: lobby_page(rows, LobbyFilter(since=NOW), 500, reader=HOST), "games_4"),
        ("player", lambda rows: lobby_page(rows, LobbyFilter(players=("p",)), 500), "seats_3"),
        ("players", lambda rows: lobby_page(rows, LobbyFilter(players=("p", "q", "r")), 500), "seats_3"),
        ("host", lambda rows: lobby_page(rows, LobbyFilter(players=("p", "q")), 500, reader=HOST), "seats_0"),
        ("waiting", lambda rows: lobby_page(rows, LobbyFilter(waiting="p"), 500), "seats_1"),
        ("own", lambda rows: lobby_page(rows, LobbyFilter(), 500, reader=LobbyReader("p")), "seats_2"),
    ],
    "agenda": [("due", lambda rows: due_games(rows, NOW, 100), "games_0")],
    "disputes": [
        ("disputes", lambda rows: waiting_disputes(rows, "p", 500), "disputes_0"),
        ("of a kind", lambda rows: like_rulings(rows, "p", "revoke", None, 500), "disputes_1"),
        ("by a clause", lambda rows: like_rulings(rows, "p", None, "S34", 500), "disputes_2"),
    ],
    "standings": [
        ("standings", lambda rows: standings_page(rows, "pitch", "all", set), "figures_0"),
        ("next page", lambda rows: standings_page(rows, "pitch", "2026", set, 50, LINE), "figures_0"),
        ("figures", lambda rows: player_figures(rows, "p", set), "figures_key"),
        ("against", lambda rows: head_to_head(rows, "p", "q"), "meetings_key"),
        ("history", lambda rows: history_page(rows, "p", None), "results_0"),
        ("older games", lambda rows: history_page(rows, "p", None, 50, CURSOR), "results_0"),
        ("own history", lambda rows: history_page(rows, "p", "p"), "results_0"),
        ("shared private games", lambda rows: history_page(rows, "p", "q", 50, CURSOR), "results_0"),
    ],
    "ratings": [
        ("ratings", lambda rows: ratings_page(rows, "pitch", "all", set), "players_0"),
        ("next page", lambda rows: ratings_page(rows, "pitch", "two", set, 50, AFTER_LINE), "players_0"),
        ("a player's ratings", lambda rows: player_ratings(rows, "p", set), "players_1"),
        ("history", lambda rows: rating_history(rows, "p"), "histories_0"),
        ("older games", lambda rows: rating_history(rows, "p", 50, AFTER_GAME), "histories_0"),
        ("changes", lambda rows: rating_changes(rows, "pitch", "all", 50, AFTER_CHANGE), "changes_key"),
    ],
}
"""The reads of each list, and the index of each: its table and number, or the one of the table's key."""
BY_RANGE = ("since", "since, for the host")


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """A store without tables yet: the statistics of tables that were in use might make another index look better."""
    return Database(request.getfixturevalue("fresh_postgres") if request.param == "postgres" else None, tmp_path)


class Explaining:
    """A transaction that keeps the plan of each statement before it runs it.

    On PostgreSQL, plans that read a whole table are avoided wherever another plan exists, whatever the statistics say,
    and so are bitmaps, unless the index is one `by_range`, which has no other plans.
    """

    def __init__(self, transaction: Any, on_postgres: bool, *, by_range: bool) -> None:
        self._transaction, self._on_postgres = transaction, on_postgres
        self.plans: list[str] = []
        if on_postgres:
            for kind in ("seqscan", "sort", *([] if by_range else ["bitmapscan"])):
                transaction.run(f"SET LOCAL enable_{kind} = off")

    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        explain = "EXPLAIN" if self._on_postgres else "EXPLAIN QUERY PLAN"
        plan = self._transaction.run(f"{explain} {statement}", *values)
        self.plans.append("\n".join(str(row[-1]) for row in plan))
        rows: list[tuple[Any, ...]] = self._transaction.run(statement, *values)
        return rows


def plans_of(database: Database, rows: RowStore, projection: str, read: Read, *, by_range: bool = False) -> list[str]:
    with rows.snapshot(projection) as reading:
        explaining = Explaining(reading._transaction, database.url is not None, by_range=by_range)
        reading._transaction = explaining  # type: ignore[assignment]
        read(reading)
    return explaining.plans


def is_named(index: str, projection: str, plans: str) -> bool:
    """Return whether plans name an index of a list. Each database has a name of its own for that of the key."""
    table, _, number = index.rpartition("_")
    own = f"{projection}_1_{table}"
    names = f"{own}_pkey|sqlite_autoindex_{own}_1" if number == "key" else f"{own}_{number}"
    return re.search(rf"\b({names})\b", plans) is not None


@pytest.mark.lengthy
@pytest.mark.parametrize("projection", READS)
def test_a_list_is_read_by_its_index_and_no_table_is_read_whole(
    database: Database, rows: RowStore, projection: str
) -> None:
    for name, read, index in READS[projection]:
        plans = "\n".join(plans_of(database, rows, projection, read, by_range=name in BY_RANGE))
        assert is_named(index, projection, plans), (name, plans)
        assert not re.search(rf"Seq Scan on {projection}_|SCAN {projection}_\w+$", plans, re.MULTILINE), (name, plans)
        assert "TEMP B-TREE" not in plans, (name, plans)
        assert "Sort" not in plans, (name, plans)


def page_of(wanted: LobbyFilter) -> Read:
    return lambda reading: lobby_page(reading, wanted)


def test_the_games_of_a_player_are_read_by_their_ids(
    database: Database, play: Play, rows: RowStore, followers: LogFollower
) -> None:
    play.open(players=4)
    followers.catch_up()
    for wanted in (LobbyFilter(players=("p3",)), LobbyFilter(waiting="p0"), LobbyFilter("pitch", ("p3",))):
        plans = plans_of(database, rows, "lobby", page_of(wanted))
        reads = [plan for plan in plans if "lobby_1_games" in plan]
        assert reads
        assert all(is_named("games_key", "lobby", plan) for plan in reads), reads
