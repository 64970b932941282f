"""Ratings are read by their indexes, so that a million games cost no more than a hundred."""

import re
from collections.abc import Callable

import pytest

from projections.lists.cursors import make_cursor
from projections.ratings.ratings_pages import player_ratings, rating_changes, rating_history, ratings_page
from projections.storage.rows import RowSnapshot, RowStore
from tests.conftest import Database
from tests.projections.lists.test_list_plans import NOW, plans_of

AFTER_LINE = make_cursor(50, 1, 1_600_000_000, "p_7")
AFTER_GAME = make_cursor(NOW, "0f8fad5b-d9cb-469f-a165-70867728950e", "pitch/all")
AFTER_CHANGE = make_cursor(NOW, "0f8fad5b-d9cb-469f-a165-70867728950e", 7, "p_7")
READS: dict[str, tuple[Callable[[RowSnapshot], object], str]] = {
    "ratings": (lambda rows: ratings_page(rows, "pitch", "all", set), "ratings_1_players_0"),
    "next page": (lambda rows: ratings_page(rows, "pitch", "two", set, 50, AFTER_LINE), "ratings_1_players_0"),
    "a player's ratings": (lambda rows: player_ratings(rows, "p"), "ratings_1_players_1"),
    "history": (lambda rows: rating_history(rows, "p"), "ratings_1_histories_0"),
    "older games": (lambda rows: rating_history(rows, "p", 50, AFTER_GAME), "ratings_1_histories_0"),
    "changes": (
        lambda rows: rating_changes(rows, "pitch", "all", 50, AFTER_CHANGE),
        "ratings_1_changes_pkey|autoindex_ratings_1_changes_1",
    ),
}


@pytest.mark.parametrize("name", READS)
def test_a_read_uses_an_index_and_sorts_nothing(database: Database, rows: RowStore, name: str) -> None:
    read, index = READS[name]
    plans = "\n".join(plans_of(database, rows, "ratings", read))
    assert re.search(rf"({index})\b", plans), plans
    assert not re.search(r"Seq Scan on ratings_|SCAN ratings_", plans), plans
    assert "TEMP B-TREE" not in plans, plans
    assert "Sort" not in plans, plans
