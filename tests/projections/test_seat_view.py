"""The view is a function of the events so far and the viewer: live, replayed, or read from an export."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from domain.commands import AnswerProposal, AskUndo, MakeBid
from domain.engine.timestamps import add_time
from projections.moves.json_moves import parse_move
from projections.views.seat import View, ViewFold, view_at, view_json
from tests.replay.playing import Table, table


def as_bytes(shown: View) -> bytes:
    return json.dumps(shown).encode()


def mid_trick() -> Table:
    """Return a game of four in which p2 pitched for 3 and led, p3 and p0 have played, and it is p1's turn."""
    made = table(2, 4, win=7)
    for seat, bid in ((0, 0), (1, 0), (2, 3), (3, 0)):
        made.do(MakeBid(seat, bid), f"p{seat}")
    for seat in (2, 3, 0):
        move = view_at(made.entries, seat, len(made.entries))["you"]["legal"][0]
        made.do(parse_move(move, seat), f"p{seat}")
    return made


def test_the_view_has_exactly_the_documented_fields() -> None:
    made = mid_trick()
    shown: Mapping[str, Any] = view_at(made.entries, 1, len(made.entries))
    assert list(shown) == [
        *("id", "board", "variant", "version", "root", "status", "phase", "rules", "seats", "sides", "hand"),
        *("ceremony", "turn", "you", "last_hand", "proposal", "handover", "delay", "disputes", "ruled", "result"),
    ]
    assert shown["version"] == len(made.entries)
    assert shown["root"] == made.game.root
    assert (shown["board"], shown["variant"], shown["status"], shown["rules"]) == (7, "pitch", "active", {"goal": 7})
    assert shown["seats"][3] == {
        "seat": 3,
        "player": "p3",
        "kind": "human",
        "score": 0,
        "count": 5,
        "tricks": 0,
        "state": "in",
        "earlier": [],
    }
    assert list(shown["hand"]) == [
        *("number", "redeal", "dealer", "eldest", "bids", "passed", "pitcher", "bid", "trump", "marker"),
        *("upcard", "called", "trick", "last_trick", "commit", "grade"),
    ]
    assert (shown["hand"]["bids"], shown["hand"]["passed"]) == ([None, None, 3, None], [0, 1, 3])
    assert (shown["hand"]["pitcher"], shown["hand"]["bid"], shown["sides"][0]) == (2, 3, [2])
    trick = shown["hand"]["trick"]
    assert (trick["number"], trick["leader"], [play["seat"] for play in trick["plays"]]) == (1, 2, [2, 3, 0])
    assert shown["hand"]["marker"] == trick["plays"][0]["card"]
    since = made.state.turn_since
    assert shown["turn"] == {"seats": [1], "since": since, "deadline": add_time(since, days=21)}
    assert list(shown["you"]) == ["seat", "cards", "sees", "legal", "choose", "may"]
    assert (shown["you"]["sees"], shown["you"]["choose"]) == ({}, None)
    assert (shown["last_hand"], shown["proposal"], shown["disputes"], shown["result"]) == (None, None, [], None)


def test_only_a_seats_view_has_a_you() -> None:
    made = mid_trick()
    public = view_at(made.entries, None, len(made.entries))
    own = view_at(made.entries, 1, len(made.entries))
    assert "you" not in public
    assert public == {name: value for name, value in own.items() if name != "you"}


def test_before_the_first_deal_there_is_no_hand() -> None:
    made = table(2, 2)
    shown = view_at(made.entries, 0, 1)
    assert shown["phase"] == "waiting"
    assert (shown["hand"], shown["you"]["cards"], shown["turn"]["since"]) == (None, [], None)
    assert [seat["count"] for seat in shown["seats"]] == [0, 0]


def test_between_the_deal_and_its_cards_a_seat_holds_unknown_cards() -> None:
    made = table(2, 2)
    assert made.entries[3].event.fact == "HandDealt"
    shown = view_at(made.entries, 0, 4)
    assert (shown["you"]["cards"], shown["seats"][0]["count"], shown["turn"]["seats"]) == (None, 6, [])


def test_S21_after_the_end_the_view_shows_the_last_hand_and_the_result() -> None:
    made = table(4, 2, win=7).play()
    shown: Mapping[str, Any] = view_at(made.entries, 0, len(made.entries))
    ended = made.state.result
    assert ended is not None
    assert (shown["status"], shown["phase"], shown["turn"]["seats"]) == ("finished", "over", [])
    won = {"reason": "goal", "winners": list(ended.winners), "scores": list(ended.scores)}
    assert shown["result"] == won | {"ruled": None}
    assert shown["hand"]["trick"] is None
    assert shown["hand"]["last_trick"]["number"] == 6
    assert shown["last_hand"]["hand"] == shown["hand"]["number"]
    assert (shown["you"]["legal"], shown["you"]["may"]) == ([], [])


def test_an_open_undo_shows_its_proposer_and_the_seats_that_can_answer() -> None:
    made = table(2, 3)
    before = len(made.entries)
    made.do(MakeBid(0, 2), "p0")
    assert _may(made) == [["undo", "propose_draw", "resign"], *[["propose_draw", "resign"]] * 2]
    made.do(AskUndo(0), "p0")
    shown = view_at(made.entries, 1, len(made.entries))
    assert shown["proposal"] == {"kind": "undo", "seat": 0, "accepted": [0], "to_version": before}
    assert _may(made) == [["reject", "resign"], *[["accept", "reject", "resign"]] * 2]
    made.do(AnswerProposal(1, accept=True), "p1")
    made.do(AnswerProposal(2, accept=True), "p2")
    again: Mapping[str, Any] = view_at(made.entries, 0, len(made.entries))
    assert again["hand"]["bids"] == [None, None, None]
    assert (again["turn"]["seats"], again["proposal"]) == ([0], None)
    assert view_at(made.entries, 0, len(made.entries) - 1)["turn"]["seats"] == []


def _may(made: Table) -> list[list[str]]:
    seats = range(len(made.state.seats))
    return [view_at(made.entries, seat, len(made.entries))["you"]["may"] for seat in seats]


@pytest.mark.parametrize("version", [-1, 0, 10_000])
def test_a_view_at_a_missing_version_is_refused(version: int) -> None:
    with pytest.raises(ValueError, match="there are events"):
        view_at(table(2, 2).entries, None, version)


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_view_of_a_missing_seat_is_refused(seat: int) -> None:
    with pytest.raises(LookupError, match="no seat"):
        view_at(table(2, 2).entries, seat, 1)


def test_a_view_before_the_opening_is_refused() -> None:
    with pytest.raises(LookupError, match="not open"):
        view_json(ViewFold(None), "")
