"""Disputes read again: both readings and today's rules agree, and a forged fact is named (docs/disputes.md)."""

from typing import Any

import pytest

from replay.audit import WRONG, audit
from replay.history import History
from replay.rejudge import rejudge
from tests.games.disputes import contest, rule, withdraw
from tests.games.tables import Table as GameTable
from tests.replay.asking import history_of
from tests.replay.disputing import contested, settled_game
from tests.replay.finding import Change
from tests.replay.forging import events_of, forged, in_event, rewritten, version_of, with_data
from tests.replay.history.test_fold import compare, compare_seen
from tests.replay.variety import VARIETY, of


@pytest.fixture(scope="module")
def settled() -> History:
    return settled_game().history


@pytest.mark.parametrize("name", list(VARIETY)[::2])
def test_both_readings_of_contested_games_agree_and_nothing_is_wrong_with_them(name: str) -> None:
    made = contested(of(name, 7), 3, often=0.15)
    compare(made)
    history = made.history
    assert {each.event.fact for each in made.entries} >= {"DisputeOpened", "RulingGiven"}
    made_report = audit(history, rejudge(history))
    assert made_report.findings == []


def test_each_viewer_reads_the_same_disputes_and_can_verify_them() -> None:
    made = contested(of("Setback with partners", 3), 2, often=0.2)
    for viewer in (None, 1):
        assert len(compare_seen(made, viewer).disputes) == len(made.game.state.disputes)
    assert audit(made.seen_by(None)).findings == []


def put(**fields: Any) -> Change:
    return lambda data: data.update(fields)


def inner(name: str, **fields: Any) -> Change:
    return lambda data: data[name].update(fields)


FORGERIES: list[Any] = [
    pytest.param("DisputeOpened", 1, put(hand=3), "contests hand 3", id="a hand to come"),
    pytest.param("RulingGiven", 1, put(changes=[2000, -1, 0]), "each by at most 1000", id="too many points"),
    pytest.param("RulingGiven", 1, put(basis="because"), "'because' is not a clause", id="no clause"),
    pytest.param("RulingGiven", 1, put(appeal_until=None), "be appealed until None, but should be until", id="no end"),
    pytest.param("RulingGiven", 1, put(appeal_until="2026-11-21T00:00:27"), "could be until", id="late"),
    pytest.param("RulingGiven", 1, inner("evidence", size=1), "can be evidence", id="evidence from before"),
    pytest.param("RulingGiven", 1, inner("evidence", size=10**6), "can be evidence", id="evidence to come"),
    pytest.param("RulingGiven", 1, put(voids=1), "of ceremony 1, but does not void", id="it voids what is over"),
    pytest.param("RulingGiven", 2, put(changes=[0, 0, 0]), "follows from the hand", id="a void that takes nothing"),
    pytest.param("RulingGiven", 3, put(voids=None), "but the deal of ceremony 2", id="a live hand left alone"),
]


@pytest.mark.parametrize(("fact", "which", "change", "says"), FORGERIES)
def test_a_forged_ruling_is_found_by_the_audit_and_named(
    settled: History, fact: str, which: int, change: Change, says: str
) -> None:
    version = version_of(settled, fact, which - 1)
    made = audit(forged(settled, in_event(version, lambda event: change(event["data"]))))
    assert made.code() == WRONG
    assert any(says in each.says and each.version in (version, version + 1) for each in made.findings), made.findings


def test_a_ruling_in_the_middle_of_a_commit_is_found(settled: History) -> None:
    events = events_of(settled)
    at = next(place for place, event in enumerate(events) if event["fact"] == "HandScored")
    ruling = next(event for event in events if event["fact"] == "DisputeOpened")
    made = audit(rewritten(settled, [*events[:at], ruling, *events[at:]]))
    assert any("it's DisputeOpened, but must be" in each.says for each in made.findings)


def test_todays_rules_also_judge_rulings(settled: History) -> None:
    ruling = version_of(settled, "RulingGiven")
    found = rejudge(with_data(settled, ruling, changes=[2, -1, 1])).findings
    assert any(each.version == ruling and "ruled is recorded as" in each.says for each in found)
    assert rejudge(settled).findings == ()


WITHDRAWALS: list[Any] = [
    pytest.param("DisputeWithdrawn", 1, put(seat=2), "another player opened it", id="of another seat"),
    pytest.param("DisputeWithdrawn", 1, put(dispute=1, seat=1), "after it was ruled on", id="after the ruling"),
    pytest.param("DisputeWithdrawn", 2, put(dispute=2, seat=0), "dispute 2 was withdrawn before", id="a second time"),
    pytest.param("RulingGiven", 2, put(dispute=2), "dispute 2 was withdrawn before", id="a ruling on it"),
]


@pytest.mark.parametrize(("fact", "which", "change", "says"), WITHDRAWALS)
def test_a_forged_withdrawal_is_found_by_the_audit_and_named(fact: str, which: int, change: Change, says: str) -> None:
    made = GameTable().plays_out(hands=1)
    for seat in (1, 0, 2):
        contest(made, seat, 1)
    rule(made, "none")
    withdraw(made, 0, 2)
    withdraw(made, 2, 3)
    assert contest(made, 2, 1).dispute == 4
    rule(made, "none", dispute=4)
    history = history_of(made)
    assert (audit(history).findings, rejudge(history).findings) == ([], ())
    version = version_of(history, fact, which - 1)
    found = audit(forged(history, in_event(version, lambda event: change(event["data"])))).findings
    assert any(says in each.says for each in found), found
