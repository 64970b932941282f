"""Disputes in views and lists: as played and as ruled, at every version; the arbiters' queue (docs/disputes.md)."""

import pytest

from domain.engine.rulings import ruled_outcome
from projections.lists.arbiter_queue import ARBITER_QUEUE
from projections.lists.lobby import LOBBY
from projections.lists.scoreboard import SCOREBOARD
from projections.storage.tables import MemoryRows
from projections.views.seat import View, view_at
from tests.replay.disputing import contested, settled_game
from tests.replay.playing import Table
from tests.replay.variety import of

NAMES = ["gamerz Pitch", "Setback with sealed cuts", "Blackout to its end", "Corellian without a randomizer"]


def rows_at(made: Table, version: int) -> dict[str, MemoryRows]:
    folded = {each.name: MemoryRows(each) for each in (LOBBY, SCOREBOARD, ARBITER_QUEUE)}
    for projection in (LOBBY, SCOREBOARD, ARBITER_QUEUE):
        for entry in made.entries[:version]:
            projection.fold(folded[projection.name], entry.event)
    return folded


def table(name: str) -> Table:
    """Return a contested game, complete if it is short."""
    return contested(of(name, 3), 2, often=0.3)


@pytest.mark.parametrize("name", NAMES)
def test_lists_and_views_agree_about_disputes_and_show_the_scores_as_ruled(name: str) -> None:
    made = table(name)
    ends = [version for version in made.commits[1:] if made.entries[version - 1].event.fact.startswith(("Rul", "Disp"))]
    assert len(ends) > 3
    for version in [*ends[:: len(ends) // 6 + 1], made.game.version]:
        shown, rows = view_at(made.entries, None, version), rows_at(made, version)
        (board,), (game,) = rows["scoreboard"].all("boards"), rows["lobby"].all("games")
        assert (board["disputes"], board["result"], game["result"]) == (
            shown["disputes"],
            shown["result"],
            shown["result"],
        )
        assert (board["totals"], game["turn"]) == ([seat["score"] for seat in shown["seats"]], shown["turn"]["seats"])
        queued = [(row["dispute"], row["status"], row["decision"]) for row in rows["disputes"].all("disputes")]
        assert queued == [(each["dispute"], each["status"], each["decision"]) for each in shown["disputes"]]
    shown, now = view_at(made.entries, None, made.game.version), ruled_outcome(made.game.state)
    assert shown["ruled"] == (None if now is None else {"scores": list(now.scores), "winners": list(now.winners)})


def test_views_within_the_commit_of_a_void_hand_offer_no_moves() -> None:
    made = settled_game()
    version = next(
        entry.event.version
        for entry in made.entries
        if entry.event.fact == "RulingGiven" and entry.event.data.voids is not None
    )
    for seat in range(3):
        shown = view_at(made.entries, seat, version)
        assert (shown["you"]["legal"], shown["you"]["may"], shown["turn"]["seats"]) == ([], [], [])


def test_every_viewer_sees_the_same_disputes() -> None:
    made = settled_game()
    views: list[View] = [view_at(made.entries, viewer, made.game.version) for viewer in (None, 0, 1, 2)]
    assert all((each["disputes"], each["ruled"]) == (views[0]["disputes"], views[0]["ruled"]) for each in views)
    assert [each["status"] for each in views[0]["disputes"]] == ["upheld", "reversed", "ruled", "ruled", "withdrawn"]
