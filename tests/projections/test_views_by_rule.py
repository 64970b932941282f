"""The views of Setback, Blackout and Corellian Pitch show and hide the facts that their rule sheets say."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from domain.cards import DECK_54
from domain.commands import CallDelay, ChangeRules, Discard, MakeBid, NameTrump, PassBid, Resign, VoteDelay
from domain.engine.legal_moves import legal_discards
from domain.events import Fact, TrumpTurnedUp
from domain.evolve import evolve
from domain.state import EMPTY_STATE, require
from projections.views.audience import Viewer, visible
from projections.views.seat import View, ViewFold, view_at, view_json
from tests.given import Given, cards, deal, events, given
from tests.given import game_opened as opened_fact
from tests.replay.playing import Table
from tests.replay.playing import table as opened_table

QUIET: dict[str, Any] = {"randomizer": None}
LONG_S = 16
"""Seconds after which delay of game can be called."""


def shown(made: Table, viewer: Viewer) -> View:
    return view_at(made.entries, viewer, len(made.entries))


def shown_to(viewer: Viewer, facts: tuple[Fact, ...]) -> Any:
    """Return the view after these facts, as read from JSON."""
    seen = ViewFold(viewer)
    for event in events(facts):
        seen.add(event)
    return json.loads(json.dumps(view_json(seen, "")))


def looks(made: Table, viewer: Viewer = None) -> Iterator[tuple[int, View]]:
    """Yield the version and the view after each commit."""
    seen, ends = ViewFold(viewer), set(made.commits)
    for entry in made.entries:
        seen.add(entry.event)
        if entry.event.version in ends:
            yield entry.event.version, view_json(seen, "")


# Setback


def test_R_T12_T16_won_cards_lie_face_down_for_all_viewers_and_the_marker_stays() -> None:
    table = opened_table(1, 4, variant="setback").play(most=40)
    gathered = 0
    for version in range(1, len(table.entries) + 1):
        looks = [view_at(table.entries, viewer, version) for viewer in (None, 0, 3)]
        for look in looks:
            hand = look["hand"]
            if hand is None or hand["last_trick"] is None:
                continue
            gathered += 1
            assert hand["last_trick"]["plays"] == []
            assert hand["marker"] is not None
    assert gathered > 10
    taken = [entry.event for entry in table.entries if entry.event.fact == "TrickTaken"]
    assert all(visible(event, None, ()) and len(event.data.plays) == 4 for event in taken)


def test_T28_the_view_shows_the_low_option() -> None:
    assert shown(opened_table(1, 3, variant="setback"), None)["rules"] == {"goal": 11}
    second = opened_table(1, 3, variant="setback", low=2)
    assert shown(second, None)["rules"] == {"goal": 11, "dirty": False}


def test_T2_R_T14_four_play_in_partnerships_from_the_first_hand() -> None:
    assert shown(opened_table(1, 4, variant="setback"), None)["sides"] == [[0, 2], [1, 3]]
    assert shown(opened_table(1, 3, variant="setback"), None)["sides"] == [[0], [1], [2]]


# Blackout


def blind(own: str, stock: str) -> Given:
    """Return hand 1 of Blackout: seat 0 has a card it does not see, the others have 3C, 4C and 5C; 9D is turned up."""
    turned = TrumpTurnedUp(1, cards("9D")[0], "D")
    dealt = deal([own, "3C", "4C", "5C"], stock=f"9D {stock}")
    return given(opened_fact(4, variant="blackout", inorder=True), *dealt, turned)


def test_B18_R_B8_in_hand_1_each_seat_sees_all_cards_except_its_own_and_observers_see_none() -> None:
    table = blind("AH", "2C")
    own, public = (shown_to(viewer, table.facts) for viewer in (0, None))
    assert own["you"]["cards"] is None
    assert own["you"]["sees"] == {"1": ["3C"], "2": ["4C"], "3": ["5C"]}
    assert (own["hand"]["upcard"], own["hand"]["trump"]) == ("9D", "D")
    assert own["you"]["legal"] == [{"type": "bid", "bid": 0}, {"type": "bid", "bid": 1}]
    assert "AH" not in json.dumps(own)
    assert not [card for card in ("AH", "3C", "4C", "5C") if card in json.dumps(public)]


# Corellian Pitch


def named() -> Table:
    """Return a table without a randomizer on which the eldest has won the auction and named trump."""
    table = opened_table(5, 4, variant="corellian", **QUIET)
    first = table.state.turn[0]
    for turn in range(4):
        seat = (first + turn) % 4
        table.do(PassBid(seat) if turn else MakeBid(seat, 6), f"p{seat}")
    table.do(NameTrump(first, "S"), f"p{first}")
    return table


def test_R_C3_a_seat_with_too_many_point_cards_must_discard_all_other_cards() -> None:
    held, low = "JS JC X1 X2 10S 3S 2S 4H KH", "2D 3D 4D 5D 6D 7D 8D 9D 10D"
    hands = "2C 3C 4C 5C 6H 7H 8H 9H AS", held, low, "4S 5S 6S 7S 8S 9S AC KC QC"
    stock = " ".join(card for card in DECK_54 if card not in " ".join(hands).split())
    table = given(opened_fact(4, variant="corellian", **QUIET), *deal(hands, stock=stock, jokers=True))
    for said in (PassBid(0), PassBid(1), PassBid(2), MakeBid(3, 5), NameTrump(3, "S"), Discard(0, cards("2C 3C 4C"))):
        table = table.when(said).happens()
    choose = shown_to(1, table.facts)["you"]["choose"]
    assert choose == {
        "type": "discard",
        "from": ["JC", "2S", "3S", "10S", "JS", "X1", "X2"],
        "must": ["4H", "KH"],
        "min": 3,
        "max": 3,
    }


RESTLESS: dict[str, Any] = {"when": [1, 2], "end": None, "points": [], "dirty": False, "reverse": False}


def test_C28_R_C39_all_see_a_delay_call_and_all_except_the_accused_vote() -> None:
    table = named()
    while table.state.phase.value == "discarding":
        seat = table.state.turn[0]
        may = legal_discards(table.state, seat)
        assert may is not None
        table.do(Discard(seat, may.optional[: may.minimum]), f"p{seat}")
    (accused,) = table.state.turn
    caller, *others = [seat for seat in range(4) if seat != accused]
    assert shown(table, None)["delay"] is None
    assert ["call_delay" in shown(table, seat)["you"]["may"] for seat in range(4)] == [
        seat != accused for seat in range(4)
    ]
    table.clock += LONG_S - 1
    table.do(CallDelay(caller, accused), f"p{caller}")
    called = {"seat": caller, "accused": accused, "waited_ms": LONG_S * 1000}
    assert shown(table, None)["delay"] == called | {"votes": [{"seat": caller, "guilty": True}]}
    assert [seat for seat in range(4) if "vote" in shown(table, seat)["you"]["may"]] == others
    assert not any("call_delay" in shown(table, seat)["you"]["may"] for seat in range(4))
    table.do(VoteDelay(others[0], guilty=True), f"p{others[0]}")
    assert require(shown(table, None)["delay"])["votes"][1:] == [{"seat": others[0], "guilty": True}]
    table.do(VoteDelay(others[1], guilty=True), f"p{others[1]}")
    look = shown(table, None)
    assert (look["delay"], look["seats"][accused]["score"]) == (None, -10)
    assert shown(table, accused)["you"]["legal"]


def hosted() -> Table:
    options = QUIET | {"host_changes": True}
    return opened_table(5, 4, variant="corellian", **options)


def test_C1_R_C6_R_C47_the_view_shows_the_rules_in_force_after_every_change() -> None:
    table = hosted()
    standard = {"points": "10", "total": 10, "dirty": False, "reverse": False, "partners": "across"}
    looks = shown(table, None)["rules"]
    assert looks.items() >= {"goal": None, "least_bid": 4, "most_bid": 10, "deferred": [], **standard}.items()
    assert "points:7" in looks["changes"]
    assert "points:10" not in looks["changes"]
    table.do(ChangeRules(0, "points:7"), "p0")
    after = shown(table, None)["rules"]
    assert after.items() >= {"points": "7", "total": 7, "least_bid": 3, "most_bid": 7}.items()
    assert "points:10" in after["changes"]


def test_R_C41_R_C64_the_view_shows_waiting_changes() -> None:
    options: dict[str, Any] = {"randomizer": RESTLESS | {"partners": ["across", "left", "right"]}}
    table = opened_table(4, 4, variant="corellian", **options).play(0.05, 400, 0.2)
    state, seen, waiting = EMPTY_STATE, ViewFold(None), 0
    for entry in table.entries:
        state = evolve(state, entry.event)
        seen.add(entry.event)
        if state.hand is not None and entry.event.version in table.commits:
            deferred = view_json(seen, "")["rules"]["deferred"]
            assert [each["partners"] for each in deferred] == [each.summary.partners for each in state.hand.deferred]
            waiting += len(deferred)
    assert waiting > 0


def test_R_C13_the_view_shows_which_joker_is_higher() -> None:
    table = opened_table(6, 4, variant="corellian", **QUIET).play(most=350)
    jokers = {require(look["hand"])["first_joker"] for _, look in looks(table)}
    assert jokers == {None, "X1", "X2"}
    assert "first_joker" not in require(shown(opened_table(1, 3), None)["hand"])


@pytest.mark.parametrize("viewer", [None, 1])
def test_all_viewers_see_a_called_card(viewer: Viewer) -> None:
    options: dict[str, Any] = {"randomizer": RESTLESS | {"partners": ["call"]}}
    table = opened_table(2, 4, variant="corellian", **options).play(most=150)
    called = [entry.event for entry in table.entries if entry.event.fact == "PartnerCalled"]
    assert called
    for event in called:
        assert require(view_at(table.entries, viewer, event.version)["hand"])["called"] == event.data.card


def test_a_view_says_from_the_opening_to_the_end_why_a_game_counts_for_nobody() -> None:
    assert "unrated" not in shown(opened_table(1, 2), None) | shown(opened_table(1, 2).waits(21), None)
    for reason, undo in (("bots", "consent"), ("practice", "practice")):
        made = opened_table(1, 2, bots=(1,), undo=undo)
        assert shown(made, None)["unrated"] == reason
        made.says(Resign(0))
        look = shown(made, None)
        assert (look["status"], look["unrated"]) == ("finished", reason)
