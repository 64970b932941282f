"""docs/replay.md: its transcripts are those of hands that were played, and it names every field of a report."""

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

from replay.audit import audit
from replay.audit.deals import deal_record as dealbook
from replay.history import from_entries
from replay.text.transcribe import transcript_of
from replay.text.transcript import format_transcript
from tests.corellian_sessions import Session
from tests.docs.markdown import ROOT, blocks
from tests.golden.corellian import misdeal, two_changes
from tests.tables import Table

PAGE = ROOT / "docs" / "replay.md"


def text(table: Table, hand: int) -> list[str]:
    """The lines of the transcript of a hand."""
    entries = [entry for made in table.commits for entry in made]
    return format_transcript(transcript_of(from_entries(entries, {}), hand)).splitlines()


def shown(starts: str) -> list[str]:
    """The lines of the page's block that begins so."""
    (block,) = (block for block in blocks(PAGE, "text") if block.text.startswith(starts))
    return block.text.splitlines()


@pytest.mark.parametrize(
    ("starts", "lines"),
    [
        pytest.param("[Rules", lambda: text(two_changes(), 1), id="of Corellian Pitch"),
        pytest.param(
            "[Upcard", lambda: text(Table(4, variant="blackout", seed=3).plays_out(hands=2), 2), id="of Blackout"
        ),
    ],
)
def test_its_transcripts_are_those_of_hands_that_were_played(starts: str, lines: Callable[[], list[str]]) -> None:
    rest = iter(lines())
    assert [line for line in shown(starts) if line not in rest] == []


def reported(table: Table) -> list[dict[str, Any]]:
    """The hands of the audit's report on a table."""
    entries = [entry for made in table.commits for entry in made]
    hands: list[dict[str, Any]] = audit(from_entries(entries, {})).to_json()["hands"]
    return hands


def fields_explained() -> str:
    """The page's table of what a report says of a deal."""
    page = PAGE.read_text(encoding="utf-8")
    return page[page.index("| field | is |") :].partition("\n\n")[0]


def test_every_field_of_a_deal_in_a_report_is_explained() -> None:
    hands = reported(two_changes())
    scored = next(hand for hand in hands if hand["score"])
    assert scored["changes"] == 3
    named = set(re.findall(r"`([a-z_]+)`", fields_explained()))
    assert {*scored, *scored["score"]} - {"ok", "findings"} <= named


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(two_changes, id="drawn, scored, in play"),
        pytest.param(misdeal, id="misdealt"),
        pytest.param(lambda: Session(29).plays_out(), id="broken off"),
    ],
)
def test_how_a_deal_came_out_is_explained(table: Callable[[], Table]) -> None:
    came_out = {hand["ended"] for hand in reported(table())}
    assert came_out <= set(re.findall(r"`([a-z ]+)`", fields_explained()))


def test_the_ways_a_deal_can_come_out_are_those_the_page_has() -> None:
    row = next(line for line in fields_explained().splitlines() if line.startswith("| `ended`"))
    source = inspect.getsource(dealbook).partition("def outcome")[2].partition("def promise")[0]
    body = source.rpartition('"""')[2]
    assert set(re.findall(r'"([a-z ]+)"', body)) == set(re.findall(r"`([a-z ]+)`", row)) - {"ended"}
