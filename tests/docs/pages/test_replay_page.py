"""docs/replay.md: its transcripts are of hands that were played, and it names every field of a report."""

import inspect
import re

from domain.state import require
from replay.audit import audit
from replay.audit.deals import deal_record
from replay.audit.deals.deal_record import AuditedDeal
from replay.history import History, from_entries
from replay.text.transcribe import transcript_of
from replay.text.transcript import format_transcript
from tests.docs.markdown import ROOT, blocks
from tests.games.corellian_sessions import Session
from tests.games.tables import Table
from tests.golden.corellian import misdeal, two_changes

PAGE = ROOT / "docs" / "replay.md"


def history_of(table: Table) -> History:
    """Return the history of a table."""
    return from_entries([entry for commit in table.commits for entry in commit], {})


def transcript_lines(table: Table, hand: int) -> list[str]:
    """Return the lines of the transcript of a hand."""
    return format_transcript(transcript_of(history_of(table), hand)).splitlines()


def block_lines(start: str) -> list[str]:
    """Return the lines of the page's block that begins with `start`."""
    (block,) = (block for block in blocks(PAGE, "text") if block.text.startswith(start))
    return block.text.splitlines()


def test_its_transcripts_are_those_of_real_hands() -> None:
    blackout = Table(4, variant="blackout", seed=3).plays_out(hands=2)
    for start, table, hand in (("[Rules", two_changes(), 1), ("[Upcard", blackout, 2)):
        rest = iter(transcript_lines(table, hand))
        assert [line for line in block_lines(start) if line not in rest] == [], start


def reported(table: Table) -> list[AuditedDeal]:
    """Return the hands of the audit's report on a table."""
    return audit(history_of(table)).to_json()["hands"]


def fields_explained(start: str) -> str:
    """Return the rows of the page's table whose first row is about the field `start`."""
    return PAGE.read_text(encoding="utf-8").partition(f"| field | is |\n|---|---|\n| `{start}`")[2].partition("\n\n")[0]


def test_every_field_of_a_report_is_explained() -> None:
    report = audit(history_of(two_changes())).to_json()
    rows = f"| `audit`{fields_explained('audit')}"
    assert set(re.findall(r"`([a-z_]+)`", rows)) >= {
        *report,
        *report["log"],
        *report["rulings"],
        *report["verdict"],
    } - {"ok"}


def test_every_field_of_a_deal_in_a_report_is_explained() -> None:
    hands = reported(two_changes())
    scored = next(hand for hand in hands if hand["score"])
    assert scored["changes"] == 3
    named = {"n", *re.findall(r"`([a-z_]+)`", fields_explained("n"))}
    assert {*scored, *require(scored["score"])} - {"ok", "findings"} <= named


def test_how_a_deal_ended_is_explained() -> None:
    for table in (two_changes(), misdeal(), Session(29).plays_out()):
        endings = {hand["ended"] for hand in reported(table)}
        assert endings <= set(re.findall(r"`([a-z ]+)`", fields_explained("n")))


def test_the_ways_a_deal_can_end_are_those_of_the_page() -> None:
    row = next(line for line in fields_explained("n").splitlines() if line.startswith("| `ended`"))
    source = inspect.getsource(deal_record).partition("def outcome")[2].partition("@property")[0]
    body = source.rpartition('"""')[2]
    assert set(re.findall(r'"([a-z ]+)"', body)) == set(re.findall(r"`([a-z ]+)`", row)) - {"ended"}
