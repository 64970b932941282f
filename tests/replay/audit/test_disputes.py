"""Disputes read again: both readings and today's rules agree, and a forged fact is named (docs/disputes.md)."""

from typing import Any

import pytest

from domain.engine.rulings import ruled_outcome
from domain.evolve import evolve
from domain.state import EMPTY_STATE
from replay.audit import GREEN, WRONG, audit
from replay.audit.disputes.ruled_scores import ruled_result
from replay.fold import positions
from replay.history import History
from replay.rejudge import rejudge
from tests.replay.disputing import ANN, contested, settled_game
from tests.replay.finding import Change, Data
from tests.replay.forging import events_of, forged, rewritten, version_of, with_data, with_event
from tests.replay.history.test_fold import compare_seen, same
from tests.replay.playing import Table
from tests.replay.variety import VARIETY, of

DISPUTES = ("DisputeOpened", "RulingGiven", "RulingAppealed", "RulingDecided")
NOTES = "ef" * 32


@pytest.fixture(scope="module")
def settled() -> History:
    return settled_game().history


def compare(made: Table) -> None:
    """Compare both readings event by event, with the scores by rulings."""
    state = EMPTY_STATE
    for entry, position in zip(made.entries, positions(entry.event for entry in made.entries), strict=True):
        state = evolve(state, entry.event)
        same(position, state)
        assert ruled_result(position, position.ended) == ruled_outcome(state)
        assert [(each.number, each.ruling) for each in state.disputes] == [
            (each.opened.dispute, each.ruling) for each in position.disputes
        ]
        assert [tuple(each) for each in position.deals] == [tuple(each) for each in state.past_deals]


@pytest.mark.parametrize("name", list(VARIETY)[::2])
def test_both_readings_of_contested_games_agree_and_nothing_is_wrong_with_them(name: str) -> None:
    made = contested(of(name, 7), 3, often=0.15)
    compare(made)
    history = made.history
    assert {each.event.fact for each in made.entries} >= {"DisputeOpened", "RulingGiven"}
    made_report = audit(history, rejudge(history))
    assert made_report.findings == []


def test_a_whole_game_with_disputes_after_its_end_is_sound() -> None:
    made = contested(of("gamerz Pitch", 3), 99, often=0.05)
    assert made.over
    last = made.entries[-1].event.fact
    assert last in DISPUTES
    compare(made)
    assert audit(made.history, rejudge(made.history)).code() == GREEN


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
    pytest.param("DisputeOpened", 1, put(at_version=1), "at version 1, but", id="before the hand"),
    pytest.param("DisputeOpened", 1, put(at_version=10**6), "at version 1000000", id="a version to come"),
    pytest.param("DisputeOpened", 2, put(seat=0), "a second time", id="one seat twice"),
    pytest.param("RulingGiven", 1, put(decision="none"), "but [0, 0, 0] follows", id="another decision"),
    pytest.param("RulingGiven", 1, put(changes=[2, -2, 0]), "the result as ruled is recorded as", id="other changes"),
    pytest.param("RulingGiven", 1, put(changes=[2000, -1, 0]), "each by at most 1000", id="too many points"),
    pytest.param("RulingGiven", 1, put(changes=[1]), "1 entries for 3 seats", id="changes of one seat"),
    pytest.param("RulingGiven", 1, put(basis="because"), "'because' is not a clause", id="no clause"),
    pytest.param("RulingGiven", 2, put(dispute=1), "ruled on a second time", id="a second ruling"),
    pytest.param("RulingGiven", 1, inner("evidence", size=1), "can be evidence", id="evidence from before"),
    pytest.param("RulingGiven", 1, inner("evidence", size=10**6), "can be evidence", id="evidence to come"),
    pytest.param("RulingGiven", 1, put(voids=1), "of ceremony 1, but does not void", id="it voids what is over"),
    pytest.param("RulingGiven", 1, put(ruled=None), "as ruled is recorded as", id="scores as ruled left out"),
    pytest.param("RulingGiven", 1, inner("ruled", winners=[0]), "won by [0]", id="a winner of a game that goes on"),
    pytest.param("RulingGiven", 2, put(changes=[0, 0, 0]), "follows from the hand", id="a void that takes nothing"),
    pytest.param("RulingGiven", 2, put(voids=9), "of ceremony 9, but does not void", id="a void of another deal"),
    pytest.param("RulingGiven", 3, put(voids=None), "but the deal of ceremony 2", id="a live hand left alone"),
    pytest.param("RulingDecided", 1, put(dispute=2), "no appeal is open on dispute 2", id="an appeal nobody made"),
    pytest.param("RulingDecided", 1, put(decision="reversed"), "as ruled is recorded as", id="the other decision"),
    pytest.param("RulingDecided", 1, put(ruled=None), "as ruled is recorded as", id="what it comes to left out"),
]


@pytest.mark.parametrize(("fact", "which", "change", "says"), FORGERIES)
def test_a_forged_ruling_is_found_by_the_audit_and_named(
    settled: History, fact: str, which: int, change: Change, says: str
) -> None:
    version = version_of(settled, fact, which - 1)

    def forge(event: Data) -> None:
        if event["version"] == version:
            change(event["data"])

    made = audit(forged(settled, forge))
    assert made.code() == WRONG
    assert any(says in each.says and each.version in (version, version + 1) for each in made.findings), made.findings


@pytest.mark.parametrize(
    ("fact", "which", "by", "says"),
    [
        pytest.param("RulingGiven", 1, "p1", "only an arbiter who never played", id="a player rules"),
        pytest.param("RulingGiven", 1, "server", "only an arbiter who never played", id="the table rules"),
        pytest.param("RulingDecided", 1, "p0", "only an arbiter who never played", id="a player decides"),
        pytest.param("RulingDecided", 1, ANN, "against their own ruling", id="the same arbiter decides"),
        pytest.param("DisputeOpened", 1, "p2", "its author is p2, but should be p0", id="another player disputes"),
        pytest.param("RulingAppealed", 1, ANN, "but should be p1", id="an arbiter appeals"),
    ],
)
def test_the_author_of_a_dispute_fact_is_checked(settled: History, fact: str, which: int, by: str, says: str) -> None:
    version = version_of(settled, fact, which - 1)
    found = audit(with_event(settled, version, by=by)).findings
    assert any(says in each.says and each.version == version for each in found), found


@pytest.mark.parametrize("fact", DISPUTES)
def test_a_repeated_or_missing_dispute_is_found(settled: History, fact: str) -> None:
    events = events_of(settled)
    at = next(place for place, event in enumerate(events) if event["fact"] == fact)
    for other in ([*events[: at + 1], events[at], *events[at + 1 :]], [*events[:at], *events[at + 1 :]]):
        assert audit(rewritten(settled, other)).code() == WRONG


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
