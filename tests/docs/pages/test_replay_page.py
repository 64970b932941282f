"""docs/replay.md: its transcripts are of hands that were played, and it names each way in which a deal can end."""

import inspect
import re

from replay.audit import audit
from replay.audit.deals import deal_ledger
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


def test_its_transcript_is_that_of_a_real_hand() -> None:
    rest = iter(transcript_lines(two_changes(), 1))
    assert [line for line in block_lines("[Rules") if line not in rest] == []


def test_how_a_deal_ended_and_whether_its_deck_is_right_are_explained() -> None:
    source = inspect.getsource(deal_ledger).partition("def outcome")[2].partition("@property")[0]
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    ended = set(re.findall(r"`([a-z ]+)`", text.partition("`ended` is ")[2].partition(". ")[0]))
    assert set(re.findall(r'"([a-z ]+)"', source.rpartition('"""')[2])) == ended
    for table in (two_changes(), misdeal(), Session(29).plays_out()):
        assert {hand["ended"] for hand in audit(history_of(table)).to_json()["hands"]} <= ended
