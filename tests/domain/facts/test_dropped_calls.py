"""A ruling that voids the hand in play drops a delay call about that hand, and no other one (R-C39)."""

from pathlib import Path

from domain.commands import CallDelay, GiveRuling, OpenDispute
from domain.events import DelayCalled, DelayDropped, Evidence, RulingGiven
from domain.events.declaring import DECLARATIONS, Author
from projections.views.seat import view_at
from replay.audit import GREEN, WRONG, audit
from replay.fold import positions
from replay.history import History, read_export
from replay.history.steps import view_of
from replay.rejudge import rejudge
from tests.games.corellian_changes import ready
from tests.games.corellian_hands import play_tricks
from tests.games.hands import commit, fact_names
from tests.given import Given
from tests.replay.forging import forged
from tests.stored.stories import dropped_call

OLD = Path(__file__).parents[2] / "stored" / "dropped-call-v1.ndjson"
"""A log of the first version: a void dropped a call of the live hand, and one about an earlier hand, without a fact."""
NOTE = "ab" * 32
LATE = "2026-11-21T08:00:15.001000Z"


def contested() -> Given:
    """Return a hand of Corellian Pitch in which seat 0 has called delay of game on seat 1, and seat 2 contests it."""
    at = play_tricks(ready("AH 4H", "KH 9H", "QH 8H", "7H 6H"), "0: AH")
    at = at.when(CallDelay(0, 1, LATE)).happens()
    return at.when(OpenDispute(2, 1, at.state.version, "rules", NOTE)).happens()


def void(at: Given, *, drops_call: bool = False) -> GiveRuling:
    evidence = Evidence(at.state.version, NOTE)
    return GiveRuling("arbiter", 1, "void", (), None, "likely", evidence, NOTE, drops_call)


def test_R_C39_a_void_of_the_live_hand_drops_the_call_about_it_right_after_the_ruling() -> None:
    at = contested()
    facts = at.when(void(at)).facts
    assert fact_names(facts) == ["RulingGiven", "DelayDropped"]
    assert facts[1] == DelayDropped(seat=0, accused=1)
    assert at.when(void(at)).happens().state.delay is None
    assert fact_names(commit(at, void(at)))[:3] == ["RulingGiven", "DelayDropped", "CeremonyRevealed"]
    assert DECLARATIONS[DelayDropped].author is Author.TABLE


def test_R_C39_a_ruling_that_leaves_the_hand_in_play_leaves_the_call_open() -> None:
    at = contested()
    ruling = GiveRuling("arbiter", 1, "none", (), None, "likely", Evidence(at.state.version, NOTE), NOTE)
    assert fact_names(at.when(ruling).facts) == ["RulingGiven"]
    assert at.when(ruling).happens().state.delay == at.state.delay


def test_R_C39_a_call_about_an_earlier_hand_outlives_a_void_and_is_voted_on() -> None:
    made = dropped_call({})
    facts = [entry.event.data for entry in made.entries]
    assert [type(fact) for fact in facts].count(DelayDropped) == 1
    calls = [at for at, fact in enumerate(facts) if isinstance(fact, DelayCalled)]
    voids = [at for at, fact in enumerate(facts) if isinstance(fact, RulingGiven)]
    first, second = voids
    assert calls[0] < first < calls[1] < second
    assert isinstance(facts[first + 1], DelayDropped)
    assert not isinstance(facts[second + 1], DelayDropped)
    view = view_at(made.entries, None, second + 2)
    assert view["delay"] is not None, "the call about hand 1 is open in the next deal of hand 2"
    judged = next(fact for fact in facts[second:] if type(fact).__name__ == "DelayJudged")
    called = facts[calls[1]]
    assert isinstance(called, DelayCalled)
    assert judged.accused == called.accused
    report = audit(made.history, rejudge(made.history))
    assert (report.findings, report.code()) == ([], GREEN)


def old() -> History:
    return read_export(OLD.read_bytes())


def test_R_C39_a_log_of_the_first_version_is_read_as_its_server_meant_it() -> None:
    """After each void the old server heard a new call at once; today's rule would refuse it while one is open."""
    history = old()
    rulings = [event for event in history.events if event.fact == "RulingGiven"]
    assert [(event.v, event.data.drops_call) for event in rulings] == [(1, True), (1, True)]
    assert not [event for event in history.events if event.fact == "DelayDropped"]
    read = list(positions(history.events))
    for ruling in rulings:
        assert view_of(history, None, ruling.version - 1)["delay"] is not None
        assert view_of(history, None, ruling.version)["delay"] is None
        assert read[ruling.version - 2].delay_call is not None
        assert read[ruling.version - 1].delay_call is None
    report = audit(history, rejudge(history))
    assert (report.findings, report.code()) == ([], GREEN)


def says(history: History) -> str:
    report = audit(history)
    assert report.code() == WRONG
    return "; ".join(each.says for each in report.findings)


def test_R_C39_the_audit_misses_a_dropped_call_and_finds_a_wrong_one() -> None:
    history = dropped_call({}).history
    place = next(event.version for event in history.events if event.fact == "DelayDropped")

    def other_seats(event: dict[str, object]) -> None:
        if event["version"] == place:
            event["data"] = {"seat": 1, "accused": 0}

    assert "is dropped, but the open call is that of" in says(forged(history, other_seats))

    def in_old_words(event: dict[str, object]) -> None:
        data = event["data"]
        if event["fact"] == "RulingGiven" and isinstance(data, dict):
            data["drops_call"] = True

    said = says(forged(history, in_old_words))
    assert "ends a delay call by itself" in said
    assert "no ruling ended the hand of an open call" in said
