"""Question 7 of docs/questions.md: how long each turn took by the log, and who was late."""

from domain.events import Timing
from domain.state import require
from replay.queries import turn_times
from tests.replay.asking import WILD, says
from tests.replay.finding import find_fact
from tests.replay.forging import with_data
from tests.replay.playing import table
from tests.replay.variety import of


def test_section_3_7_a_seat_over_the_limit_is_late_by_the_difference() -> None:
    made = of(WILD)
    while made.game.state.phase.value != "play":
        made.move()
    made.delay()
    made.move()
    told = turn_times(made.history).to_json()
    (call,) = told["delay_calls"]
    assert call["told_ms"] == call["waited_ms"]
    assert call["told_ms"] > require(call["limit_ms"])
    assert [turn["over_ms"] for turn in told["turns"] if turn["seat"] == call["accused"]][-1] is not None
    text = says(turn_times(made.history))
    assert "calls delay of game on" in text
    assert "too long" in text
    assert "to move since event" in text


def test_section_3_7_a_delay_call_with_another_time_is_found() -> None:
    history, version = find_fact(WILD, "DelayCalled")
    waited = history.events[version - 1].data.waited_ms
    answer = turn_times(with_data(history, version, waited_ms=waited + 1))
    assert (answer.code, answer.findings[0].version) == (1, version)


def test_section_3_7_reminders_and_forfeits_are_listed() -> None:
    made = table(3, 3, timing=Timing(nag_days=1, forfeit_days=2))
    for _ in range(2):
        made.clock += 90_000
        made.stop()
    told = turn_times(made.history).to_json()["reminded"]
    assert [each["fact"] for each in told] == ["TurnReminded", "SeatForfeited"]
    assert "TurnReminded" in says(turn_times(made.history))


def test_a_table_without_limits_has_no_late_turn() -> None:
    made = table(3, 3, timing=Timing(nag_days=None, forfeit_days=None)).play(most=3)
    assert {turn["limit_ms"] for turn in turn_times(made.history).to_json()["turns"]} == {None}
