"""docs/receipts.md: every command runs beside a real server and prints what the page says."""

from pathlib import Path

import pytest

from replay.history import receipts
from replay.history.receipt_comparison import FORGERY
from tests.docs.markdown import ROOT
from tests.docs.reader import PATIENCE_S, compare, serving, typed

PAGE = ROOT / "docs" / "receipts.md"


@pytest.mark.timeout(PATIENCE_S + 60)
def test_every_block_runs_and_answers_as_the_page_says(tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        printed = typed(PAGE, tmp_path, address)
    compare(PAGE, printed)


def test_every_state_of_a_receipt_is_in_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = text.split("| A receipt is |")[1].split("\n\n")[0]
    told = {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}
    assert told == {
        receipts.GOOD, receipts.FORGED, receipts.CHANGED, receipts.WRONG_KEY, receipts.UNKNOWN_KEY,
        receipts.OTHER_GAME, receipts.AHEAD,
    }  # fmt: skip
    assert all(trust in " ".join(text.replace("**", "").split()) for trust in receipts.TRUST_NOTES.values())
    assert FORGERY in text
