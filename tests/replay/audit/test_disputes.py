"""Disputes read again: both readings and today's rules agree, and a forged fact is named (docs/disputes.md)."""

from typing import Any

import pytest

from domain.engine.rulings import ruled_outcome
from domain.evolve import evolve
from domain.state import EMPTY_STATE
from replay.audit import GREEN, WRONG, audit
from replay.audit.disputes.ruled_scores import ruled_result
from replay.fold import START, apply_event, positions, skip_withheld
from replay.history import History
from replay.rejudge import rejudge
from replay.text.audit_text import report_text
from replay.text.narrate import narrate
from replay.text.terminal import plain_text
from tests.replay.disputing import ANN, BEN, contested, settled_game
from tests.replay.finding import Change, Data
from tests.replay.forging import events_of, forged, rewritten
from tests.replay.history.test_fold import same
from tests.replay.playing import Table
from tests.replay.variety import VARIETY, of

WHO = {0: "ann", 1: "bob", 2: "cat"}
DISPUTES = ("DisputeOpened", "RulingGiven", "RulingAppealed", "RulingDecided")
NOTES = "ef" * 32


@pytest.fixture(scope="module")
def settled() -> History:
    """A game with every kind of ruling."""
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


@pytest.mark.parametrize("name", VARIETY)
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


def test_each_viewer_reads_the_same_disputes() -> None:
    made = contested(of("Setback with partners", 3), 2, often=0.2)
    for viewer in (None, 1):
        state, position = EMPTY_STATE, START
        for line in made.seen_by(viewer).lines:
            if line.event is None:
                position = skip_withheld(position, line.version)
                continue
            state, position = evolve(state, line.event), apply_event(position, line.event)
            same(position, state)
        assert len(state.disputes) == len(made.game.state.disputes)


def test_a_running_game_with_disputes_can_be_verified_by_anybody() -> None:
    made = contested(of("Setback with partners", 3), 2, often=0.2)
    assert audit(made.seen_by(None)).findings == []


def test_the_report_has_each_ruling_and_the_ruled_scores(settled: History) -> None:
    made = audit(settled, rejudge(settled))
    section = made.to_json()["rulings"]
    assert [each["status"] for each in section["disputes"]] == ["upheld", "reversed", "ruled", "ruled"]
    assert [each["ruling"]["decision"] for each in section["disputes"]] == ["adjust", "void", "none", "void"]
    assert [each["arbiter"] for each in section["disputes"]] == [ANN, BEN, ANN, ANN]
    played, by_ruling = section["as_played"]["scores"], section["as_ruled"]["scores"]
    assert [new - old for old, new in zip(played, by_ruling, strict=True)] == [2, -1, 0]
    assert (section["ok"], section["findings"]) == (True, [])
    text = plain_text(report_text(made))
    assert "dispute 1 on hand 1, revoke: upheld (adjust)" in text
    assert "as played: ann 4, bob -2, cat 2\nas ruled: ann 6, bob -3, cat 2\n" in text
    (void,) = [each for each in made.deals if each.outcome == "void"]
    assert void.dealt is not None
    assert (void.dealt.hand, void.dealt.redeal) == (2, 0)


def test_facts_of_disputes_are_narrated_in_sentences(settled: History) -> None:
    sentences = [narrate(event.data, WHO) for event in settled.events if event.fact in DISPUTES]
    assert sentences[0].startswith("ann disputes hand 1 as of event")
    assert sentences[0].endswith("revoke (dispute 1)")
    assert "an arbiter rules on dispute 1, S34, as is likely: ann +2, bob -1; as ruled ann" in sentences[3]
    assert sentences[4] == "bob appeals against the ruling on dispute 1"
    assert sentences[5].startswith("another arbiter decides: the ruling on dispute 1 is upheld; as ruled")
    assert "the hand is void, ann" in sentences[6]
    assert "an arbiter rules on dispute 4, S20, by the log: the hand is void, and dealt again" in sentences
    assert "an arbiter rules on dispute 3, R-S9, by the log: it stands as played" in sentences


def put(**fields: Any) -> Change:
    """Set the fields to another value."""
    return lambda data: data.update(fields)


def inner(name: str, **fields: Any) -> Change:
    """Set fields inside a field to another value."""
    return lambda data: data[name].update(fields)


FORGERIES: list[Any] = [
    pytest.param("DisputeOpened", 1, put(dispute=7), "number 7, but should have number 1", id="another number"),
    pytest.param("DisputeOpened", 1, put(hand=3), "contests hand 3", id="a hand to come"),
    pytest.param("DisputeOpened", 1, put(at_version=1), "at version 1, but", id="before the hand"),
    pytest.param("DisputeOpened", 1, put(at_version=10**6), "at version 1000000", id="a version to come"),
    pytest.param("DisputeOpened", 1, put(kind="cheating"), "'cheating' is not a kind", id="another kind"),
    pytest.param("DisputeOpened", 1, put(note="x"), "note", id="a note that is no hash"),
    pytest.param("DisputeOpened", 2, put(seat=0), "a second time", id="one seat twice"),
    pytest.param("DisputeOpened", 1, put(seat=9), "not a seat of this table", id="no seat"),
    pytest.param("RulingGiven", 1, put(decision="none"), "but [0, 0, 0] follows", id="another decision"),
    pytest.param("RulingGiven", 1, put(decision="guilty"), "'guilty' is not a decision", id="no decision"),
    pytest.param("RulingGiven", 1, put(changes=[2, -2, 0]), "the result as ruled is recorded as", id="other changes"),
    pytest.param("RulingGiven", 1, put(changes=[2000, -1, 0]), "each by at most 1000", id="too many points"),
    pytest.param("RulingGiven", 1, put(changes=[1]), "1 entries for 3 seats", id="changes of one seat"),
    pytest.param("RulingGiven", 1, put(basis="because"), "'because' is not a clause", id="no clause"),
    pytest.param("RulingGiven", 1, put(standard="sure"), "'sure' is not a standard", id="no standard"),
    pytest.param("RulingGiven", 1, put(dispute=9), "there is no dispute 9", id="no such dispute"),
    pytest.param("RulingGiven", 2, put(dispute=1), "ruled on a second time", id="a second ruling"),
    pytest.param("RulingGiven", 1, inner("evidence", size=1), "can be evidence", id="evidence from before"),
    pytest.param("RulingGiven", 1, inner("evidence", size=10**6), "can be evidence", id="evidence to come"),
    pytest.param("RulingGiven", 1, inner("evidence", root="00" * 32), "has another root", id="another log as evidence"),
    pytest.param(
        "RulingGiven", 1, put(voids=1), "the deal of ceremony 1, but does not void", id="it voids what is over"
    ),
    pytest.param(
        "RulingGiven", 1, put(ruled=None), "the result as ruled is recorded as", id="scores as ruled left out"
    ),
    pytest.param("RulingGiven", 1, inner("ruled", winners=[0]), "won by [0]", id="a winner of a game that goes on"),
    pytest.param("RulingGiven", 2, put(changes=[0, 0, 0]), "follows from the hand", id="a void that takes nothing"),
    pytest.param(
        "RulingGiven", 2, put(voids=9), "the deal of ceremony 9, but does not void", id="a void of another deal"
    ),
    pytest.param("RulingGiven", 3, put(voids=None), "but the deal of ceremony 2", id="a live hand left alone"),
    pytest.param("RulingAppealed", 1, put(dispute=3), "before it is ruled on", id="an appeal too early"),
    pytest.param("RulingAppealed", 1, put(seat=5), "not a seat of this table", id="an appeal by nobody"),
    pytest.param("RulingDecided", 1, put(dispute=2), "no appeal is open on dispute 2", id="an appeal nobody made"),
    pytest.param("RulingDecided", 1, put(decision="void"), "'void' is not a decision", id="no decision on it"),
    pytest.param(
        "RulingDecided", 1, put(decision="reversed"), "the result as ruled is recorded as", id="the other decision"
    ),
    pytest.param(
        "RulingDecided", 1, put(ruled=None), "the result as ruled is recorded as", id="what it comes to left out"
    ),
]


@pytest.mark.parametrize(("fact", "which", "change", "says"), FORGERIES)
def test_a_forged_ruling_is_found_by_the_audit_and_named(
    settled: History, fact: str, which: int, change: Change, says: str
) -> None:
    seen = 0

    def forge(event: Data) -> None:
        nonlocal seen
        if event["fact"] == fact:
            seen += 1
            if seen == which:
                change(event["data"])
                named.append(event["version"])

    named: list[int] = []
    made = audit(forged(settled, forge))
    assert made.code() == WRONG
    assert any(says in each.says and each.version in (named[0], named[0] + 1) for each in made.findings), made.findings


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
    versions = [event.version for event in settled.events if event.fact == fact]

    def forge(event: Data) -> None:
        if event["version"] == versions[which - 1]:
            event["by"] = by

    found = audit(forged(settled, forge)).findings
    assert any(says in each.says and each.version == versions[which - 1] for each in found), found


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
    ruling = next(event.version for event in settled.events if event.fact == "RulingGiven")

    def forge(event: Data) -> None:
        if event["version"] == ruling:
            event["data"]["changes"] = [2, -1, 1]

    found = rejudge(forged(settled, forge)).findings
    assert any(each.version == ruling and "ruled is recorded as" in each.says for each in found)
    assert rejudge(settled).findings == ()
