"""The audit of sound histories, of running games, and of logs that no correct server writes."""

import pytest

from domain.state import require
from replay.audit import CANNOT_TELL, GREEN, WRONG, audit
from replay.history import History, LogLine, export_bytes, read_export
from replay.rejudge import rejudge
from replay.text.audit_text import report_text
from replay.text.layout import names_by_seat
from replay.text.terminal import plain_text
from tests.replay.finding import find_fact
from tests.replay.forging import forged, with_data, with_event
from tests.replay.playing import table
from tests.values import replace


def test_a_game_that_ends_by_a_draw_is_all_green() -> None:
    drawn = table(1, 4).play(0.1, most=30)
    drawn.draw(accept=True)
    report = audit(drawn.history, rejudge(drawn.history))
    assert (report.code(), report.to_json()["hands"][-1]["ended"]) == (GREEN, "broken off")


@pytest.mark.parametrize("viewer", [None, 1])
def test_a_running_game_verifies_with_withheld_lines_and_its_audit_waits(viewer: int | None) -> None:
    history = read_export(export_bytes(table(4, 4).play(0.1, most=45).seen_by(viewer)))
    report = audit(history)
    assert (report.findings, report.code(live_is_fine=True), report.code()) == ([], GREEN, CANNOT_TELL)
    assert report.to_json()["log"]["withheld"] == history.withheld > 0
    (waiting,) = report.to_json()["unrevealed"]
    assert waiting["commit"] == report.unrevealed[0].opened.commit
    assert report.to_json()["hands"][-1]["deck"] == "unrevealed"


def test_the_report_on_one_hand_leaves_the_others_out() -> None:
    report = audit(table(4, 4).play(most=45).seen_by(None))
    assert report.of_hand(1).code() == GREEN
    assert [hand["hand"] for hand in report.of_hand(1).to_json()["hands"]] == [1]
    last = report.deals[-1].dealt
    assert last is not None
    assert report.of_hand(last.hand).code() == CANNOT_TELL
    with pytest.raises(LookupError, match="no hand 99"):
        report.of_hand(99)


def test_the_report_on_one_hand_has_the_rejudged_differences_of_that_hand() -> None:
    history = table(4, 4).play(most=45).seen_by(None)
    report = audit(history, rejudge(history))
    assert (report.code(), report.of_hand(1).code()) == (CANNOT_TELL, GREEN)
    second = next(event.version for event in history.events if event.fact == "HandDealt" and event.data.hand == 2)
    forgery = with_data(history, second, grade="F1")
    report = audit(forgery, rejudge(forgery))
    assert (report.of_hand(1).code(), report.of_hand(2).code()) == (GREEN, WRONG)
    hand = require(report.of_hand(2).to_json()["rejudge"])
    assert [found["version"] for found in hand["findings"]] == [second]
    assert hand["commands"] < require(report.to_json()["rejudge"])["commands"]


def test_events_of_a_later_format_cannot_be_judged(whole: History) -> None:
    report = audit(with_event(whole, 30, v=2))
    assert (report.code(live_is_fine=True), report.findings) == (CANNOT_TELL, [])
    assert "from here on nothing was checked" in str(report.ledger.unjudged)
    first = audit(forged(whole, lambda event: event.update(v=9)))
    assert (first.code(), first.findings) == (CANNOT_TELL, [])


def hide(history: History, *versions: int) -> History:
    """Return the history with these events withheld."""
    lines = (replace(line, raw=None, event=None) if line.version in versions else line for line in history.lines)
    return replace(history, lines=tuple(lines))


def test_a_public_fact_cannot_be_withheld(whole: History) -> None:
    taken = next(event.version for event in whole.events if event.fact == "TrickTaken")
    says = [str(found) for found in audit(hide(whole, taken)).findings]
    assert f"event {taken}: it's withheld, but must be TrickTaken, which is public" in says
    assert audit(hide(whole, 1)).code() == WRONG


def test_a_revealed_fact_cannot_be_withheld(whole: History) -> None:
    (found,) = audit(hide(whole, 3)).findings
    assert str(found) == "event 3: it's withheld, although ceremony 1 was revealed"
    found, *_ = audit(hide(whole, 5)).findings
    assert found.version == 5


def test_nothing_may_be_withheld_after_the_end(whole: History) -> None:
    last = whole.lines[-1]
    longer = replace(whole, lines=(*whole.lines, LogLine(last.version + 1, last.leaf, last.prev)))
    assert f"event {last.version + 1}: it's withheld, but must be DisputeOpened" in str(audit(longer).findings[-1])


def test_the_report_names_a_seat_that_withheld_its_sealed_cut() -> None:
    history, version = find_fact("Setback with sealed cuts", "HandDealt", lambda data: bool(data["missing"]))
    dealt = history.lines[version - 1].event
    assert dealt is not None
    report = audit(history)
    named = {each["hand"]: each["missing"] for each in report.to_json()["hands"] if each["hand"]}
    assert named[dealt.data.hand] == list(dealt.data.missing)
    assert named == {each.data.hand: list(each.data.missing) for each in history.events if each.fact == "HandDealt"}
    text, (seat, *_) = plain_text(report_text(report)), dealt.data.missing
    assert f"hand {dealt.data.hand}: {names_by_seat(history)[seat]} had sealed a cut and withheld it" in text


def test_a_cut_of_one_byte_makes_the_deck_wrong() -> None:
    history, version = find_fact("Pitch with open cuts", "HandDealt", lambda data: bool(data["cuts"]))
    report = audit(with_data(history, version, cuts=[["0", "00"]]))
    assert (report.code(), report.deals[0].deck) == (WRONG, "wrong")
