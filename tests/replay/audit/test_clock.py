"""Abandoned games, read a second time: the audit checks the clock's facts against the times in the log (R-P10)."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from domain.events import GameEnded, Timing, TurnReminded
from replay.audit import audit
from replay.history import History, export_bytes, read_export
from replay.rejudge import rejudge
from replay.text.narrate import narrate
from tests.replay.finding import Change
from tests.replay.forging import forged, in_each
from tests.replay.playing import Table, table
from tests.replay.test_variants import sound
from tests.replay.variety import VARIETY, of

CUT = [name for name in VARIETY if "cuts" in name]
TABLES = ["gamerz Pitch", "Setback with partners", "Setback with three and low as dealt", "Blackout", *CUT,
          "Corellian that changes all the time", "Corellian with bots, revealed at the end"]  # fmt: skip


def abandoned(made: Table) -> GameEnded:
    """Let the people stay away: bots move, the table plays for seats that are out of time, until the game is over."""
    while not made.over:
        state = made.game.state
        if state.turn and state.turn[0] not in state.persons:
            made.move()
        else:
            made.waits(7)
    ended = made.entries[-1].event.data
    assert isinstance(ended, GameEnded)
    return ended


@pytest.mark.parametrize("name", TABLES)
def test_R_P10_an_abandoned_game_is_closed_and_revealed_and_sound(name: str) -> None:
    made = of(name, 3).play(most=12)
    assert abandoned(made).reason in {"forfeit", "void"}
    facts = Counter(event.fact for event in made.history.events)
    assert facts["CeremonyOpened"] == facts["CeremonyRevealed"] + facts["CeremonyVoided"]
    assert facts["TurnReminded"] >= facts["SeatForfeited"] > 0
    sound(read_export(export_bytes(made.history)), live=False)


@pytest.mark.parametrize("stop", ["at_once", "after_hand"])
def test_R_P10_R_C42_a_seat_out_of_time_before_the_end_of_a_session_has_not_won_it(stop: str) -> None:
    made = table(4, variant="corellian", randomizer=None, stop=stop, timing=Timing(total_days=30))
    made.play(most=5)
    (late,) = made.game.state.turn
    made.waits(40)
    assert made.game.state.left == (late,)
    while not made.over:
        made.move()
    ended = made.entries[-1].event.data
    assert (ended.reason, late in ended.winners) == ("time", False)
    sound(made.history, live=False)


def late() -> Table:
    """A game of four: the seat to move first is reminded and then runs out of time."""
    made = table(2, timing=Timing(nag_days=7, forfeit_days=21, total_days=100)).waits(7).waits(14)
    return made.play(most=2)


DAY_MS = 24 * 3600 * 1000


def held() -> Table:
    """A game of four: the clock is held for three days, so that seat 0 bids in time, and seat 1 runs out later."""
    made = table(2, timing=Timing(nag_days=7, forfeit_days=21, total_days=100)).waits(7)
    made.held_ms = 3 * DAY_MS
    made.waits(15)
    made.move()
    made.held_ms = DAY_MS
    return made.waits(21.5).waits(0.6).play(most=2)


def test_R_P10_time_for_which_the_clock_was_held_is_given_back() -> None:
    told = [event for event in held().history.events if event.fact in {"TurnReminded", "BidPassed", "SeatForfeited"}]
    assert [(event.fact, event.data.seat) for event in told][:5] == [
        ("TurnReminded", 0), ("TurnReminded", 0), ("BidPassed", 0), ("TurnReminded", 1), ("SeatForfeited", 1)
    ]  # fmt: skip
    assert [told[place].data.held_ms // DAY_MS for place in (0, 1, 3, 4)] == [0, 3, 1, 1]
    sound(read_export(export_bytes(held().history)))


def test_a_reminder_is_narrated_with_the_time_that_it_gives_back() -> None:
    assert narrate(TurnReminded(1), {1: "bo"}) == "bo is reminded of the turn"
    assert narrate(TurnReminded(1, 90_000), {1: "bo"}) == "bo is reminded of the turn; the deadline is 90 s later"


def set_held(fact: str, ms: int) -> Callable[[dict[str, Any]], None]:
    """Change how long the clock was held, in every such fact."""
    return in_each(fact, lambda event: event["data"].update(held_ms=ms))


@pytest.mark.parametrize(
    ("fact", "ms", "said"),
    [
        pytest.param("TurnReminded", -1, "it can be 0 to", id="less than nothing"),
        pytest.param("TurnReminded", 10**12, "it can be 0 to", id="longer than the turn"),
        pytest.param("TurnReminded", 0, "BidPassed comes at", id="a move after the deadline"),
        pytest.param("TurnReminded", 5, "TurnReminded comes at", id="a reminder that doesn't put the deadline off"),
        pytest.param("SeatForfeited", 0, "it can be 86400000 to", id="less than the reminder says"),
        pytest.param("SeatForfeited", 2 * DAY_MS, "seat 1 runs out of time at", id="too soon"),
    ],
)
def test_held_time_is_checked_against_the_times(fact: str, ms: int, said: str) -> None:
    assert findings_in(held().history) == []
    assert any(said in each for each in findings_in(forged(held().history, set_held(fact, ms))))


def timing(**days: int | str | None) -> Change:
    """Change the days in the opening of the game."""
    return lambda data: data["timing"].update(days)


FORGERIES: list[tuple[str, str, Change, str]] = [
    ("another seat reminded", "TurnReminded", lambda d: d.update(seat=2), "seat 2 is reminded, but is not a person"),
    ("too soon by the days", "GameOpened", timing(forfeit_days=22), "but had until 2026-12-13"),
    ("too late by the days", "GameOpened", timing(forfeit_days=6), "seat 0 ran out of time at 2026-11-27"),
    ("a table without forfeits", "GameOpened", timing(forfeit_days=None), "it's SeatForfeited, but must be"),
    ("days beyond the calendar", "GameOpened", timing(forfeit_days=10**12), "but had no time limit"),
    ("reminded too soon", "GameOpened", timing(nag_days=8), "the reminder is due at 2026-11-29"),
    ("a table without reminders", "GameOpened", timing(nag_days=None), "no reminder is due"),
    ("days beyond the calendar for a reminder", "GameOpened", timing(nag_days=10**12), "no reminder is due"),
    ("a game that was over", "GameOpened", timing(total_days=3), "the game had to end by 2026-11-24"),
]


@pytest.mark.parametrize(
    ("fact", "change", "said"), [each[1:] for each in FORGERIES], ids=[f"R-P10 {each[0]}" for each in FORGERIES]
)
def test_facts_of_the_clock_are_checked_against_the_times(fact: str, change: Change, said: str) -> None:
    assert findings_in(late().history) == []
    forgery = forged(late().history, in_each(fact, lambda event: change(event["data"])))
    assert any(said in each for each in findings_in(forgery))


def findings_in(history: History) -> list[str]:
    return [finding.says for finding in audit(history, rejudge(history)).findings]


def test_R_P10_a_seat_is_reminded_once_in_a_turn_and_by_the_table() -> None:
    reminded: dict[str, Any] = {"fact": "TurnReminded", "data": {"seat": 0, "held_ms": 0}, "by": "p0"}
    said = findings_in(forged(late().history, in_each("SeatForfeited", lambda event: event.update(reminded))))
    assert any("seat 0 is reminded twice in one turn" in each for each in said)
    assert any("author is p0, but should be server" in each for each in said)


@pytest.mark.parametrize("at", ["", "tomorrow", "9999-12-31T23:59:59.999999Z"])
def test_an_invalid_time_is_not_a_limit(at: str) -> None:
    assert findings_in(forged(late().history, lambda event: event.update(at=at)))
