"""Every game under every option, played once: views live, replayed and from an export, and the folded rows."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from domain.events import DelayJudged, HandScored
from domain.store.aggregate import Entry
from projections.lists.lobby import LOBBY
from projections.lists.scoreboard import SCOREBOARD
from projections.storage.memory_rows import MemoryRows
from projections.views.audience import Viewer
from projections.views.seat import View, ViewFold, view_at, view_json
from tests.games.whole_games import KINDS, Kind
from tests.projections.lists.test_deadlines import check_deadlines
from tests.projections.playing import Table, play_game
from tests.projections.test_seat_view import exported


@pytest.fixture(scope="module", params=KINDS, ids=str)
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


@pytest.fixture(scope="module")
def table(kind: Kind) -> Table:
    """A game of its kind, or its beginning, with at least one scored hand; the same in every run."""
    how: dict[str, Any] = {"variant": kind.variant, "options": kind.options, "unrest": 0.15, "most": 300}
    for seed in range(100):
        made = play_game(random.Random(f"{seed} {kind}"), kind.players, **how)
        if made.state.last_hand is not None:
            return made
    raise LookupError("no such game has a hand scored")


def text(shown: View) -> str:
    return json.dumps(shown)


@pytest.mark.lengthy
def test_views_are_the_same_live_replayed_and_from_an_export(table: Table, kind: Kind) -> None:
    rng = random.Random(1)
    versions = sorted(rng.sample(range(1, len(table.entries) + 1), 7))
    for viewer in (None, rng.randrange(kind.players)):
        whole = exported(table.entries, viewer)
        live = {shown["version"]: text(shown) for shown in _live(table, viewer, versions)}
        for version in versions:
            assert live[version] == text(view_at(table.entries, viewer, version)), (viewer, version)
            assert live[version] == text(view_at(whole, viewer, version)), (viewer, version)
            now = exported(table.entries[:version], viewer)
            assert live[version] == text(view_at(now, viewer, version)), (viewer, version)


def _live(table: Table, viewer: Viewer, versions: list[int]) -> list[View]:
    """Return the views after some of the events, from one uninterrupted fold."""
    seen, shown = ViewFold(viewer), []
    for entry, after in pairwise([*table.entries, None]):
        assert entry is not None
        seen.add(entry.event)
        if entry.event.version in versions:
            shown.append(view_json(seen, after.prev.hex() if after else table.game.root))
    return shown


def test_rows_agree_with_the_views_at_every_version(table: Table) -> None:
    lobby, board, seen = MemoryRows(LOBBY), MemoryRows(SCOREBOARD), ViewFold(None)
    for entry in table.entries:
        LOBBY.fold(lobby, entry.event)
        SCOREBOARD.fold(board, entry.event)
        seen.add(entry.event)
        if entry.event.version % 7 and entry.event.version not in table.commits:
            continue
        shown = view_json(seen, "")
        _board_as_viewed(board.all("boards")[0], shown)
        if entry.event.version in table.commits:
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


def _lobby_as_viewed(lobby: MemoryRows, shown: View) -> None:
    (game,) = lobby.all("games")
    assert (game["turn"], game["status"], game["result"]) == (shown["turn"]["seats"], shown["status"], shown["result"])
    names = ("seat", "player", "kind", "state")
    seats = lobby.all("seats")
    for row, seat in zip(seats, shown["seats"], strict=True):
        assert [row[name] for name in names] == [seat[name] for name in names]
    waiting = [seat for seat in shown["turn"]["seats"] if shown["seats"][seat]["state"] == "in"]
    assert [row["seat"] for row in seats if row["waiting"]] == waiting


def test_changes_and_verdicts_add_up_to_the_totals(table: Table, kind: Kind) -> None:
    rows = MemoryRows(SCOREBOARD)
    for entry in table.entries:
        SCOREBOARD.fold(rows, entry.event)
    (board,) = rows.all("boards")
    sums = [0] * kind.players
    for each in rows.all("lines"):
        sums[each["seat"]] += each["change"]
    for delay in board["delays"]:
        assert delay["change"] == (-10 if delay["guilty"] else 0)
        sums[delay["seat"]] += delay["change"]
    assert sums == board["totals"]
    assert len(board["delays"]) == len(_facts(table.entries, DelayJudged))
    scored = _facts(table.entries, HandScored)
    assert [hand["hand"] for hand in rows.all("hands")] == [each.hand for each in scored]
    for hand, each in zip(rows.all("hands"), scored, strict=True):
        assert {peg.point for peg in each.pegs} <= {*hand["words"], *hand["marks"]} or "worth" in kind.options


def _facts(entries: list[Entry], kind: type[Any]) -> list[Any]:
    return [entry.event.data for entry in entries if isinstance(entry.event.data, kind)]


def test_the_deadlines_agree_with_the_clock_after_every_fact(table: Table) -> None:
    check_deadlines(table.entries)
