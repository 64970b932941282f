"""docs/mailboxes.md: the mails of four people, a forged log and the proof, with a real server and mail server."""

from pathlib import Path

import pytest

from replay.history.receipt_comparison import FORGERY
from tests.docs.markdown import ROOT
from tests.docs.reader import PATIENCE_S, compare, typed

PAGE = ROOT / "docs" / "mailboxes.md"


@pytest.mark.timeout(PATIENCE_S + 60)
def test_every_block_runs_and_answers_as_the_page_says(tmp_path: Path) -> None:
    printed = typed(PAGE, tmp_path, "")
    compare(PAGE, printed)
    assert FORGERY in printed[-2]
