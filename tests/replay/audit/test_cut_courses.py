"""Audit and rejudge find deals that did not wait, cuts that came too late, and dropped cuts."""

from typing import Any

from domain.commands import Tick
from domain.state import SERVER
from replay.audit import audit
from replay.rejudge import rejudge
from tests.replay.forging import events_of, rewritten
from tests.replay.playing import WINDOW_S, Table, until
from tests.replay.variety import of

Events = list[dict[str, Any]]


def waited_out() -> Table:
    """A game of three: one seat cuts, the window closes, and the hand is dealt."""
    made = of("Pitch with open cuts", 3)
    until(made, lambda table: any(entry.event.fact == "CutOpened" for entry in table.entries))
    made.clock += WINDOW_S
    made.do(Tick(made.now), SERVER)
    return made


def told(made: Table, events: Events) -> str:
    """Return the findings of both readings on these events, with all hashes recomputed."""
    history = rewritten(made.history, events)
    return "; ".join(map(str, [*audit(history).findings, *rejudge(history).findings]))


def place(events: Events, fact: str) -> int:
    return next(at for at, event in enumerate(events) if event["fact"] == fact)


def test_the_deal_after_the_window_is_sound() -> None:
    made = waited_out()
    assert told(made, events_of(made.history)) == ""


def test_a_deal_for_which_nobody_cut_is_sound_while_its_seed_is_withheld() -> None:
    made = of("Pitch with open cuts", 3)
    made.clock += WINDOW_S
    made.do(Tick(made.now), SERVER)
    seen = made.seen_by(None)
    assert [seen.lines[2].event, made.entries[3].event.fact] == [None, "HandDealt"]
    assert [*audit(seen).findings, *rejudge(seen).findings] == []


def test_a_deal_before_the_window_closed_is_found() -> None:
    made = waited_out()
    events = events_of(made.history)
    dealt = place(events, "HandDealt")
    for event in events[dealt:]:
        event["at"] = events[dealt - 1]["at"]
    says = told(made, events)
    assert f"event {dealt + 1}: it deals at {events[dealt]['at']} without the cuts of seats" in says
    assert "HandDealt is recorded, but nothing is due" in says


def test_a_cut_left_out_is_missed_at_the_deal() -> None:
    made = waited_out()
    events = events_of(made.history)
    del events[place(events, "CutOpened")]
    assert f"event {place(events, 'HandDealt') + 1}: its cuts aren't those that were made" in told(made, events)


def test_a_cut_moved_after_the_deal_is_found() -> None:
    made = waited_out()
    events = events_of(made.history)
    events.append(events.pop(place(events, "CutOpened")))
    assert f"event {len(events)}: it cuts for ceremony" in told(made, events)
