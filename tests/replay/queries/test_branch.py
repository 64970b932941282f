"""A hand branched from a step: the played moves give the recorded facts, other moves give what the rules make."""

import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from domain.events import Event
from domain.state import require
from replay.history import History
from replay.queries import BranchRequest, MoveRefused, Unbranchable, branch
from replay.queries.branch import MARK, MAX_STEPS
from replay.text.terminal import plain_text
from tests.replay.playing import long, table
from tests.replay.variety import of

KINDS = ["gamerz Pitch", "Setback with sealed cuts", "Blackout", "Corellian that changes all the time"]
SIMPLE = {
    "BidMade": ("bid", "bid"),
    "BidPassed": ("pass",),
    "TrumpNamed": ("name_trump", "suit"),
    "PartnerCalled": ("call_partner", "card"),
    "CardPlayed": ("play", "card"),
}


def moves_in(events: list[Event[Any]]) -> Iterator[dict[str, Any]]:
    """Return the moves of the seats, each with its seat."""
    for event, after in zip(events, [*events[1:], None], strict=True):
        if event.fact in SIMPLE and event.by != "server":
            kind, *names = SIMPLE[event.fact]
            yield {"seat": event.data.seat, "type": kind} | {name: getattr(event.data, name) for name in names}
        elif event.fact == "CardsDiscarded":
            buried = after.data.cards if after is not None and after.fact == "CardsBuried" else ()
            cards = [*event.data.shown, *buried]
            yield {"seat": event.data.seat, "type": "discard", "cards": cards}


def turns(history: History, hand: int) -> list[int]:
    """Return the steps of a hand at which a seat was to move: the last event of each commit."""
    first = next(e.version for e in history.events if e.fact == "HandDealt" and e.data.hand == hand)
    last = next(e.version for e in history.events if e.fact == "HandScored" and e.data.hand == hand)
    own = history.events[first : last - 1]
    return [e.version for e, after in pairwise(own) if (e.at, e.command) != (after.at, after.command)]


@pytest.mark.parametrize("kind", KINDS)
def test_section_3_12_the_played_moves_give_the_recorded_facts(kind: str) -> None:
    history = of(kind).hands(2).history
    scored = next(event for event in history.events if event.fact == "HandScored")
    steps = turns(history, scored.data.hand)
    for at in (steps[0], steps[len(steps) // 2], steps[-1]):
        rest = [event for event in history.events if at < event.version <= scored.version]
        told = branch(history, BranchRequest(at, list(moves_in(rest)))).to_json()
        assert [(fact["version"], fact["fact"]) for fact in told["facts"][: len(rest)]] == [
            (event.version, event.fact) for event in rest
        ]
        assert told["score"] == told["as_played"]
        assert require(told["score"])["changes"] == list(scored.data.changes)
        assert (told["stopped"], told["facts"][-1]["fact"]) == ("the hand is over", "CeremonyRevealed")


@pytest.mark.parametrize(("kind", "bots"), [*((kind, "simple") for kind in KINDS), (KINDS[0], "random")])
def test_section_3_12_bots_play_a_branch_to_the_end_of_its_hand(kind: str, bots: str) -> None:
    history = of(kind).hands(1).history
    at = turns(history, next(event.data.hand for event in history.events if event.fact == "HandScored"))[1]
    first, again = (branch(history, BranchRequest(at, (), bots)) for _ in range(2))
    assert first.to_json() == again.to_json()
    assert first.to_json()["stopped"] == "the hand is over"
    views = first.to_json()["views"]
    assert [each["seat"] for each in views] == [None, *range(len(views) - 1)]
    assert {(each["view"]["root"], each["view"]["sandbox"]) for each in views} == {(None, True)}
    assert json.loads(json.dumps(first.to_json()))["sandbox"] == MARK


def test_section_3_12_a_new_deal_comes_from_a_repeatable_seed() -> None:
    history = long(5)
    at = turns(history, 1)[3]
    one, two = (branch(history, BranchRequest(at, (), "simple", hands)).to_json() for hands in (1, 2))
    assert one["facts"] == two["facts"][: len(one["facts"])]
    real = {event.data.commit for event in history.events if event.fact == "CeremonyOpened"}
    made = [fact["data"]["commit"] for fact in two["facts"] if fact["fact"] == "CeremonyOpened"]
    assert made
    assert not real & set(made)
    assert two["stopped"] == "2 hands are over"


def test_section_3_12_a_branch_may_end_the_game_and_be_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    history = long(5)
    at = turns(history, 1)[3]
    resigned = [{"seat": seat, "type": "resign"} for seat in (0, 1, 2)]
    told = branch(history, BranchRequest(at, [*resigned, "ad"]))
    assert told.to_json()["stopped"] == "the game is over"
    assert "the game is over (resignation)" in plain_text(told.to_text())
    monkeypatch.setattr(sys.modules[BranchRequest.__module__], "MAX_STEPS", 2)
    short = branch(history, BranchRequest(at, (), "simple")).to_json()
    assert sum(fact["fact"] in {"BidMade", "BidPassed", "CardPlayed"} for fact in short["facts"]) == 2
    assert MAX_STEPS > 400


def test_section_3_12_the_table_plays_for_seats_that_left() -> None:
    made = table(3, 4, win=7).play(most=5)
    made.resign(1)
    history = made.hands(2).history
    left = next(event.version for event in history.events if event.fact == "SeatResigned")
    told = branch(history, BranchRequest(left, ())).to_json()
    assert told["views"][0]["view"]["turn"]["seats"] != [1]
    facts = branch(history, BranchRequest(left, (), "simple")).to_json()["facts"]
    assert "server" in {fact["by"] for fact in facts if fact["fact"] == "CardPlayed"}


def test_section_3_12_a_refused_move_is_named_with_the_legal_ones() -> None:
    history = long(5)
    at = turns(history, 1)[5]
    (turn,) = branch(history, BranchRequest(at)).to_json()["views"][0]["view"]["turn"]["seats"]
    with pytest.raises(MoveRefused, match="move 1, of seat") as refused:
        branch(history, BranchRequest(at, [f"{(turn + 1) % 4}: ad"]))
    assert (refused.value.number, refused.value.refused.code) == (1, "out-of-turn")
    assert set(refused.value.you) >= {"legal", "choose", "may"}


def test_section_2_a_live_hand_is_not_branched_even_for_a_player_of_it() -> None:
    made = table(8, 4).hands(1).play(most=3)
    for history in (made.seen_by(None), made.seen_by(2)):
        with pytest.raises(Unbranchable, match="once it is revealed"):
            branch(history, BranchRequest(len(history.lines)))


def test_steps_outside_a_hand_are_refused_by_name() -> None:
    history = long(5)
    within = next(event.version for event in history.events if event.fact == "TrickTaken") - 1
    last = len(history.lines)
    for at, why in ((0, "no event 0"), (10**6, "no event"), (within, "inside a commit"), (last, "no hand")):
        with pytest.raises(Unbranchable, match=why):
            branch(history, BranchRequest(at))


def test_section_3_12_with_cuts_the_next_hand_waits_for_them() -> None:
    history = of("Pitch with open cuts").hands(2).history
    told = branch(history, BranchRequest(turns(history, 1)[2], (), "simple", 2)).to_json()
    assert told["stopped"] == "the table waits for cuts"
