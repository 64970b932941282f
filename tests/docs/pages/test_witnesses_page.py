"""docs/witnesses.md: a cosigned game, a forged fork of it, and the proof, run beside a real server."""

from pathlib import Path

import pytest

from replay.history.receipt_comparison import FORGERY
from tests.docs.markdown import ROOT
from tests.docs.reader import PATIENCE_S, compare, serving, typed

PAGE = ROOT / "docs" / "witnesses.md"


@pytest.mark.timeout(PATIENCE_S + 60)
def test_every_block_runs_and_answers_as_the_page_says(tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        printed = typed(PAGE, tmp_path, address)
    compare(PAGE, printed)
    assert FORGERY in printed[-1]
