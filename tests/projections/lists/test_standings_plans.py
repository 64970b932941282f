"""Standings and histories are read by their indexes, so that a million games cost no more than a hundred."""

import re
from collections.abc import Callable

import pytest

from projections.lists.cursors import make_cursor
from projections.lists.standings_pages import head_to_head, history_page, player_figures, standings_page
from projections.storage.rows import RowSnapshot, RowStore
from tests.conftest import Database
from tests.projections.lists.test_list_plans import NOW, plans_of

AFTER_LINE = make_cursor(50, 7, 90, "p_7")
AFTER_GAME = make_cursor(NOW, "0f8fad5b-d9cb-469f-a165-70867728950e")
READS: dict[str, tuple[Callable[[RowSnapshot], object], str]] = {
    "standings": (lambda rows: standings_page(rows, "pitch", "all", set), "standings_1_figures_0"),
    "next page": (lambda rows: standings_page(rows, "pitch", "2026", set, 50, AFTER_LINE), "standings_1_figures_0"),
    "figures": (lambda rows: player_figures(rows, "p"), "standings_1_figures_pkey|autoindex_standings_1_figures_1"),
    "against": (
        lambda rows: head_to_head(rows, "p", "q"),
        "standings_1_meetings_pkey|autoindex_standings_1_meetings_1",
    ),
    "history": (lambda rows: history_page(rows, "p", None), "standings_1_results_0"),
    "older games": (lambda rows: history_page(rows, "p", None, 50, AFTER_GAME), "standings_1_results_0"),
    "own history": (lambda rows: history_page(rows, "p", "p"), "standings_1_results_0"),
    "shared private games": (lambda rows: history_page(rows, "p", "q", 50, AFTER_GAME), "standings_1_results_0"),
}


@pytest.mark.parametrize("name", READS)
def test_a_read_uses_an_index_and_sorts_nothing(database: Database, rows: RowStore, name: str) -> None:
    read, index = READS[name]
    plans = "\n".join(plans_of(database, rows, "standings", read))
    assert re.search(rf"({index})\b", plans), plans
    assert not re.search(r"Seq Scan on standings_|SCAN standings_", plans), plans
    assert "TEMP B-TREE" not in plans, plans
    assert "Sort" not in plans, plans
