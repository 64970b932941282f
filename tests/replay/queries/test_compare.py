"""Question 9 of docs/questions.md: two histories of one game, and the first event that differs."""

from dataclasses import replace

import msgspec
import pytest

from domain.state import require
from replay.history import History, export_bytes, read_export
from replay.queries import AnotherGame, compare
from tests.replay.asking import Event, says
from tests.replay.forging import forged, version_of, with_event
from tests.replay.playing import table


def test_section_3_9_exports_for_different_viewers_are_one_history() -> None:
    made = table(8, 4).play(0.1, most=40)
    answer = compare(made.seen_by(1), made.seen_by(2))
    assert (answer.code, answer.to_json()["became"], answer.to_json()["root"]) == (0, "same", made.game.root)
    assert "one history of" in says(answer)


def test_section_3_9_a_later_export_continues_an_earlier_one() -> None:
    made = table(8, 4).play(most=20)
    kept = made.seen_by(1)
    later = made.play(most=20).seen_by(None)
    assert [compare(later, kept).to_json()["became"], compare(kept, later).to_json()["became"]] == ["longer", "shorter"]
    assert "the first, " in says(compare(later, kept))
    assert "the second, " in says(compare(kept, later))


def test_section_3_9_the_first_different_event_is_named(whole: History) -> None:
    answer = compare(whole, with_event(whole, 12, salt="ab" * 16))
    assert (answer.code, require(answer.to_json()["first_difference"])["version"], answer.to_json()["common"]) == (
        1,
        12,
        11,
    )
    assert "the two histories differ from here on: its salt is" in says(answer)
    assert "two histories: the same up to event 11, and not from there on" in says(answer)


def test_section_3_9_the_different_field_of_a_fact_is_named(whole: History) -> None:
    def other(event: Event) -> None:
        if event["version"] == 1:
            event["data"]["rules"]["goal"] = 9
            event["data"]["board"] = 8

    said = str(compare(forged(whole, other), whole).findings)
    assert "its board is 8 and 7" in said
    assert "..." in said


def test_section_3_9_another_fact_and_a_withheld_leaf_are_named_too() -> None:
    made = table(8, 4).play(most=40)
    last = version_of(made.history, "CardPlayed", -1)
    seat = made.history.events[last - 1].data.seat
    parted = compare(made.history, with_event(made.history, last, fact="SeatResigned", data={"seat": seat}))
    assert "its fact is CardPlayed and SeatResigned" in str(parted.findings)

    def salted(event: Event) -> None:
        if event["fact"] == "SeedKept" and event["version"] > 60:
            event["salt"] = "ab" * 16

    hidden = compare(made.seen_by(None), forged(made.history, salted))
    assert "the leaf is " in str(hidden.findings)


def test_section_3_9_a_leaf_that_is_not_its_event_s_is_found_first(whole: History) -> None:
    data = export_bytes(whole).replace(whole.lines[20].leaf.hex().encode(), b"ab" * 32)
    answer = compare(whole, read_export(data))
    assert "the second does not verify" in str(answer.findings[0])
    assert "one of the leaves is not theirs" in str(answer.findings)


def test_histories_of_two_games_are_not_compared(whole: History) -> None:
    other = replace(whole, header=msgspec.structs.replace(whole.header, game="11111111-d9cb-469f-a165-70867728950e"))
    with pytest.raises(AnotherGame, match="two games"):
        compare(whole, other)
