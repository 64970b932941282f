"""Every game under every option, played once: views live, replayed and from an export, and the folded rows."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.events import DelayJudged, HandScored
from domain.store.aggregate import Entry
from projections.lists.deadlines import DEADLINES
from projections.lists.lobby import LOBBY
from projections.lists.scoreboard import SCOREBOARD
from projections.storage.tables import MemoryRows, Projection
from projections.views.seat import View, ViewFold, view_json
from tests.games.whole_games import KINDS, Kind, looks_like_others
from tests.projections.lists.test_deadlines import check_deadlines
from tests.replay.playing import Table, table

TABLES = [pytest.param(kind, marks=pytest.mark.slow if looks_like_others(kind) else ()) for kind in KINDS]


@pytest.fixture(scope="module", params=TABLES, ids=str)
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


@pytest.fixture(scope="module")
def made(kind: Kind) -> Table:
    """A game of its kind, or its beginning, with at least one scored hand; the same in every run."""
    opened = table(7, kind.players, variant=kind.variant, **kind.options)
    return opened.hands(1, also=0.15, often=0.1).play(0.1, 40, 0.15)


def test_rows_agree_with_the_views_at_every_version(made: Table) -> None:
    lobby, board, seen = MemoryRows(LOBBY), MemoryRows(SCOREBOARD), ViewFold(None)
    for entry in made.entries:
        LOBBY.fold(lobby, entry.event)
        SCOREBOARD.fold(board, entry.event)
        seen.add(entry.event)
        if entry.event.version % 7 and entry.event.version not in made.commits:
            continue
        shown = view_json(seen, "")
        _board_as_viewed(board.all("boards")[0], shown)
        if entry.event.version in made.commits:
            _lobby_as_viewed(lobby, shown)


def _board_as_viewed(board: dict[str, Any], shown: View) -> None:
    seats, hand = shown["seats"], shown["hand"]
    assert board["players"] == [seat["player"] for seat in seats]
    assert board["totals"] == [seat["score"] for seat in seats]
    assert board["result"] == shown["result"]
    assert (board["setting"] or {}).items() <= shown["rules"].items()
    if hand is not None:
        assert (board["hand"], board["pitcher"], board["bid"]) == (hand["number"], hand["pitcher"], hand["bid"])
        assert (board["hand_sides"] or board["sides"]) == shown["sides"]


def _lobby_as_viewed(lobby: MemoryRows, shown: Mapping[str, Any]) -> None:
    (game,) = lobby.all("games")
    assert game["turn"] == shown["turn"]["seats"]
    same = ("id", "board", "variant", "status", "version", "result")
    assert [game[name] for name in same] == [shown[name] for name in same]
    names = ("seat", "player", "kind", "state")
    seats = lobby.all("seats")
    for row, seat in zip(seats, shown["seats"], strict=True):
        assert [row[name] for name in names] == [seat[name] for name in names]
    waiting = [seat for seat in shown["turn"]["seats"] if shown["seats"][seat]["state"] == "in"]
    assert [row["seat"] for row in seats if row["waiting"]] == waiting


def test_changes_and_verdicts_add_up_to_the_totals(made: Table, kind: Kind) -> None:
    rows = MemoryRows(SCOREBOARD)
    for entry in made.entries:
        SCOREBOARD.fold(rows, entry.event)
    (board,) = rows.all("boards")
    sums = [0] * kind.players
    for each in rows.all("lines"):
        sums[each["seat"]] += each["change"]
    for delay in board["delays"]:
        assert delay["change"] == (-10 if delay["guilty"] else 0)
        sums[delay["seat"]] += delay["change"]
    assert sums == board["totals"]
    assert len(board["delays"]) == len(_facts(made.entries, DelayJudged))
    scored = _facts(made.entries, HandScored)
    assert [hand["hand"] for hand in rows.all("hands")] == [each.hand for each in scored]
    for hand, each in zip(rows.all("hands"), scored, strict=True):
        assert {peg.point for peg in each.pegs} <= {*hand["words"], *hand["marks"]} or "worth" in kind.options


def _facts(entries: list[Entry], kind: type[Any]) -> list[Any]:
    return [entry.event.data for entry in entries if isinstance(entry.event.data, kind)]


def test_the_deadlines_agree_with_the_clock_after_every_fact(made: Table) -> None:
    check_deadlines(made.entries)


@pytest.mark.parametrize("projection", [LOBBY, SCOREBOARD, DEADLINES], ids=lambda each: each.name)
def test_a_fact_before_the_opening_is_refused(projection: Projection) -> None:
    with pytest.raises(LookupError, match="before the game's first"):
        projection.fold(MemoryRows(projection), table(1, 3).entries[3].event)
