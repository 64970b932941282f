"""The reads of every list use an index, so that their cost doesn't grow with the number of games."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from projections.followers import LogFollower
from projections.lists.arbiter_queue import waiting_disputes
from projections.lists.cursors import make_cursor
from projections.lists.deadlines import due_games
from projections.lists.lobby_pages import LobbyFilter, LobbyReader, games_with_choices, idle_games, lobby_page
from projections.storage.rows import RowSnapshot, RowStore
from tests.conftest import Database
from tests.projections.playing_stored import Play

NOW = "2026-06-01T00:00:00.000000Z"
CURSOR = make_cursor(NOW, "0f8fad5b-d9cb-469f-a165-70867728950e")

READS: dict[str, tuple[str, Callable[[RowSnapshot], object], str]] = {
    "idle": ("lobby", lambda rows: idle_games(rows, NOW, 1000), "lobby_1_games_5"),
    "choices": ("lobby", lambda rows: games_with_choices(rows, "", NOW, 100), "lobby_1_games_6"),
    "due": ("agenda", lambda rows: due_games(rows, NOW, 100), "agenda_1_games_0"),
    "newest": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(), 500), "lobby_1_games_0"),
    "next page": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(), 500, CURSOR), "lobby_1_games_0"),
    "active": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(status="active"), 500), "lobby_1_games_1"),
    "variant": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(variant="pitch"), 500), "lobby_1_games_2"),
    "both": ("lobby", lambda rows: lobby_page(rows, LobbyFilter("pitch", status="active"), 500), "lobby_1_games_3"),
    "since": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(since=NOW), 500), "lobby_1_games_4"),
    "player": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(player="p"), 500), "lobby_1_seats_0"),
    "waiting": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(waiting="p"), 500), "lobby_1_seats_1"),
    "own": ("lobby", lambda rows: lobby_page(rows, LobbyFilter(), 500, reader=LobbyReader("p")), "lobby_1_seats_2"),
    "disputes": ("disputes", lambda rows: waiting_disputes(rows, "p", 500), "disputes_1_disputes_0"),
}


class Explaining:
    """A transaction that keeps the plan of each statement before it runs it.

    On PostgreSQL, plans that read a whole table are avoided wherever another plan exists, whatever the statistics say.
    """

    def __init__(self, transaction: Any, on_postgres: bool) -> None:
        self._transaction, self._on_postgres = transaction, on_postgres
        self.plans: list[str] = []
        if on_postgres:
            for kind in ("seqscan", "bitmapscan", "sort"):
                transaction.run(f"SET LOCAL enable_{kind} = off")

    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        explain = "EXPLAIN" if self._on_postgres else "EXPLAIN QUERY PLAN"
        plan = self._transaction.run(f"{explain} {statement}", *values)
        self.plans.append("\n".join(str(row[-1]) for row in plan))
        rows: list[tuple[Any, ...]] = self._transaction.run(statement, *values)
        return rows


def plans_of(database: Database, rows: RowStore, projection: str, read: Callable[[RowSnapshot], object]) -> list[str]:
    with rows.snapshot(projection) as reading:
        explaining = Explaining(reading._transaction, database.url is not None)
        reading._transaction = explaining  # type: ignore[assignment]
        read(reading)
    return explaining.plans


@pytest.mark.parametrize("name", READS)
def test_a_list_is_read_by_its_index_and_no_table_is_read_whole(database: Database, rows: RowStore, name: str) -> None:
    projection, read, index = READS[name]
    plans = "\n".join(plans_of(database, rows, projection, read))
    assert re.search(rf"\b{index}\b", plans), plans
    assert not re.search(r"Seq Scan on (lobby|agenda|disputes)_|SCAN (lobby|agenda|disputes)_\w+$", plans), plans
    assert "TEMP B-TREE" not in plans, plans
    assert "Sort" not in plans, plans


@pytest.mark.parametrize("wanted", [LobbyFilter(player="p3"), LobbyFilter(waiting="p0"), LobbyFilter("pitch", "p3")])
def test_the_games_of_a_player_are_read_by_their_ids(
    database: Database, play: Play, rows: RowStore, followers: LogFollower, wanted: LobbyFilter
) -> None:
    play.open(players=4)
    followers.catch_up()
    plans = plans_of(database, rows, "lobby", lambda reading: lobby_page(reading, wanted))
    reads = [plan for plan in plans if "lobby_1_games" in plan]
    assert reads
    assert all(re.search("lobby_1_games_pkey|sqlite_autoindex_lobby_1_games_1", plan) for plan in reads), reads
